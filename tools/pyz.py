"""Make the verifier in one file: ``toep verify`` with everything it needs, for a bare Python.

    python tools/pyz.py dist/toep-verify.pyz

Takes what is installed in the environment that runs it. Compiled modules cannot be imported from inside an archive, so
the file unpacks itself, each time it starts, into a new folder that only its user can enter, and removes that at the
end. It works with the minor version of Python and the platform it was made with, and says so anywhere else. The same
environment makes the same bytes.
"""

import argparse
import stat
import sys
import zipfile
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import distribution
from pathlib import Path
from platform import machine
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
NOT_NEEDED: Final = ("service", "table", "v1")
"""The parts of the referee that have nothing to do with verification."""

NEEDED: Final = {"conformance": ("__init__.py", "process.py", "replay.py")}
"""Parts of which only some files have: those that ask another engine."""

DISTRIBUTIONS: Final = ("msgspec", "cryptography", "zstandard", "cffi")
PYTHON: Final = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
PLATFORM: Final = f"{machine()}, {EXTENSION_SUFFIXES[0]}"

# It starts under any Python 3, to be able to say which one is needed.
MAIN: Final = '''"""The verifier in one file. Made by tools/pyz.py."""

import os
import platform
import shutil
import signal
import sys
import tempfile
import zipfile
import zlib
from importlib.machinery import EXTENSION_SUFFIXES

PYTHON, PLATFORM, VERSION = {python!r}, {platform!r}, {version!r}


def main():
    here = "{{}} {{}}.{{}}".format(sys.implementation.name, *sys.version_info[:2])
    there = "{{}}, {{}}".format(platform.machine(), EXTENSION_SUFFIXES[0])
    if (here, there) != (PYTHON, PLATFORM):
        print("toep-verify: this file is for {{}} ({{}}); this is {{}} ({{}})".format(PYTHON, PLATFORM, here, there),
              file=sys.stderr)
        return 2
    folder = None
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        folder = tempfile.mkdtemp(prefix="toep-verify-")
        with zipfile.ZipFile(os.path.dirname(os.path.abspath(__file__))) as archive:
            archive.extractall(folder, [name for name in archive.namelist() if name.startswith("site/")])
        sys.path.insert(0, os.path.join(folder, "site"))
        sys.dont_write_bytecode = True
        from referee.cli.main import run
    except (ImportError, OSError, zipfile.BadZipFile, zlib.error) as error:
        print("toep-verify: cannot unpack and load itself: {{}}\\n"
              "TMPDIR names a folder with room, where programs may run".format(error), file=sys.stderr)
        return 2
    else:
        if sys.argv[1:] == ["--version"]:
            print("toep-verify", VERSION)
            return 0
        return run(["verify", *sys.argv[1:]])
    finally:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
'''


def our_files() -> Iterator[tuple[str, Path]]:
    """The referee's own modules, by their name in the archive."""
    package = ROOT / "referee"
    for path in package.rglob("*.py"):
        part, *rest = path.relative_to(package).parts
        if part not in NOT_NEEDED and (part not in NEEDED or rest[-1] in NEEDED[part]):
            yield path.relative_to(ROOT).as_posix(), path
    yield "LICENSE", ROOT / "LICENSE"


def their_files(name: str) -> Iterator[tuple[str, Path]]:
    """What a package needs at run time, and its licence."""
    installed = distribution(name)
    for file in installed.files or ():
        path = Path(str(installed.locate_file(file)))
        if ".." in file.parts or not path.is_file():
            continue
        information = ".dist-info" in file.parts[0]
        licence = information and (file.name == "METADATA" or "licen" in str(file).lower())
        if licence or (not information and _runs(file.as_posix())):
            yield file.as_posix(), path


def _runs(name: str) -> bool:
    """Whether a file takes part: the back ends for other Pythons and compilers' input do not."""
    if name.startswith(("cffi/", "zstandard/_cffi.", "zstandard/backend_cffi", "zstandard/backend_rust")):
        return False
    return name.endswith((".py", *EXTENSION_SUFFIXES))


def build(target: Path, python: str = PYTHON, platform: str = PLATFORM) -> int:
    """Write the file; returns how many files are in it."""
    files = dict(our_files())
    for name in DISTRIBUTIONS:
        files |= their_files(name)
    main = MAIN.format(python=python, platform=platform, version=distribution("toep").version)
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        file.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_entry("__main__.py"), main)
            for name, path in sorted(files.items()):
                archive.writestr(_entry(f"site/{name}"), path.read_bytes())
    target.chmod(0o755)
    return len(files)


def _entry(name: str) -> zipfile.ZipInfo:
    """An entry that depends on nothing but its name and content."""
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    return entry


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    target = parser.parse_args(argv).target
    count = build(target)
    print(f"{target}: {count} files, {target.stat().st_size / 1e6:.1f} MB, for {PYTHON} ({PLATFORM})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
