"""What a bot is made of: the hashes of the files that its command line names, so that nobody plays on with another.

Recorded are the program, every argument that is a file, and for a sample bot the sources of its package. What these
load besides is not known from a command line, and not recorded.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from msgspec import UNSET

from referee.tournament.journal import BotFiles, File
from referee.tournament.spec_types import Bot

SAMPLES: Final = "toep_client"
"""The package of the sample bots."""

PACKAGE: Final = -1
_CHUNK: Final = 1024 * 1024


def search_path() -> str:
    """Where programs of bots are looked for, as `referee.service.processes` does."""
    return os.pathsep.join((os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)))


def files_of(bot: Bot, argv: tuple[str, ...], folder: Path, path: str) -> BotFiles:
    """The files of a bot. ``folder``: its working directory; ``path``: where its program is looked for."""
    if bot.remote or bot.command is UNSET:
        return BotFiles(bot=bot.name, files=())
    found = [File(arg=arg, sha256=hash_of(file)) for arg, file in _named(argv, folder, path)]
    if argv[1:3] == ("-m", SAMPLES):
        found.append(File(arg=PACKAGE, sha256=_package(SAMPLES)))
    return BotFiles(bot=bot.name, files=tuple(found))


def _named(argv: tuple[str, ...], folder: Path, path: str) -> Iterator[tuple[int, Path]]:
    """The words of a command line that are files."""
    for arg, word in enumerate(argv):
        if arg == 0 and "/" not in word:
            where = shutil.which(word, path=path)
            file = Path(where) if where else folder / word
        else:
            file = folder / word
        try:
            if file.is_file():
                yield arg, file
        except (OSError, ValueError):
            continue  # A word that can be no path.


def hash_of(file: Path) -> str:
    """SHA-256 of a file, hex. Raises `OSError`."""
    whole = sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            whole.update(chunk)
    return whole.hexdigest()


def _package(name: str) -> str:
    """SHA-256 over the sources of a package: each one's name and hash, in order of names."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return sha256().hexdigest()
    root = Path(spec.submodule_search_locations[0])
    whole = sha256()
    for file in sorted(root.rglob("*.py")):
        whole.update(f"{file.relative_to(root).as_posix()} {hash_of(file)}\n".encode())
    return whole.hexdigest()


def changed(then: BotFiles, now: BotFiles, argv: tuple[str, ...]) -> str:
    """What is not as it was, in words; empty: nothing."""
    old = {file.arg: file.sha256 for file in then.files}
    new = {file.arg: file.sha256 for file in now.files}
    for arg in sorted(old.keys() | new.keys()):
        if old.get(arg) != new.get(arg):
            return "its package of sample bots" if arg == PACKAGE else argv[arg] if arg < len(argv) else "a file"
    return ""
