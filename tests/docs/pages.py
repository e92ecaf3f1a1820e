"""Pages of documentation as a reader takes them: blocks of code from top to bottom, done in an empty folder.

``sh``       a script for bash; every command in it must succeed
``console``  commands after ``$``, each followed by what it prints; ``...`` stands for anything
``python``   a program; one whose first line is ``# NAME.py`` is a file, which later blocks of the page run

Blocks of any other kind are pictures. A ``console`` block that starts ``toep serve`` leaves it running until the end
of the page. Set-up (``make TARGET``, activating the environment, running the tests) is looked up instead of run.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, Self

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/*.md")))
BORROWED: Final = ("clients", "fixtures", "proto")
"""Folders of the repository that commands on a page may read."""

SERVER: Final = "toep serve"
ADDRESS: Final = "127.0.0.1:7777"
"""Where pages have their referee; the tests let it listen on a free port instead."""

SECONDS: Final = 60.0
"""No command on a page takes nearly so long."""

_FENCE: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_NAME: Final = re.compile(r"# (\w+\.py)\n")
_MATCH: Final = re.compile(r"m-[0-9a-f]{24}")


class Block(NamedTuple):
    """A fenced block of a page."""

    place: str
    language: str
    text: str


class Command(NamedTuple):
    """A command of a ``console`` block, and what the page says it prints."""

    line: str
    output: str


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in order."""
    text = page.read_text()
    return [
        Block(f"{page.name}:{text.count(chr(10), 0, found.start()) + 1}", found[1], found[2])
        for found in _FENCE.finditer(text)
    ]


def commands(text: str) -> Iterator[Command]:
    """The commands of a ``console`` block; one that ends in a backslash goes on in the next line."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.split("\n")
        last = next(number for number, line in enumerate(lines) if not line.endswith("\\"))
        yield Command("\n".join(lines[: last + 1]), "\n".join(lines[last + 1 :]).strip())


def is_setup(line: str) -> bool:
    """Whether a line is set-up; fails when it names a target or a file that does not exist."""
    words = line.split("#", maxsplit=1)[0].split()
    if words[:1] == ["make"]:
        makefile = (ROOT / "Makefile").read_text()
        for target in (word for word in words[1:] if "=" not in word):
            assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), f"make has no target {target}"
        return True
    if words[1:3] == ["-m", "pytest"]:
        for word in (word for word in words[3:] if not word.startswith("-")):
            assert (ROOT / word.split("::")[0]).exists(), f"there is no {word}"
        return True
    return words == [".", ".venv/bin/activate"]


def same(expected: str, actual: str) -> bool:
    """Whether a text is the expected one, ``...`` standing for anything and one match id being like another."""
    pattern = re.escape(_MATCH.sub("m-", expected.strip())).replace(r"\.\.\.", ".*?")
    return re.fullmatch(pattern, _MATCH.sub("m-", actual.strip()), re.DOTALL) is not None


class Reader:
    """Somebody who does what a page says. To be used in ``with``, which ends what the page leaves running."""

    def __init__(self, folder: Path) -> None:
        for name in BORROWED:
            (folder / name).symlink_to(ROOT / name)
        self._folder = folder
        self._address = ADDRESS
        self._servers: list[subprocess.Popen[str]] = []
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("TOEP_", "PYTEST_"))}
        self._environ = {**clean, "PATH": path, "PYTHONUTF8": "1", "NO_COLOR": "1"}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        for server in self._servers:
            server.terminate()
            try:
                server.communicate(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                server.communicate()
            assert kind or server.returncode == 0, f"the server of the page ended with {server.returncode}"

    def read(self, page: Path) -> None:
        """Do everything on a page."""
        everything = blocks(page)
        for number, block in enumerate(everything):
            if block.language == "sh":
                self._sh(block)
            elif block.language == "console":
                for command in commands(block.text):
                    self._command(block, command)
            elif block.language == "python":
                self._python(block, [later.text for later in everything[number + 1 :]])

    def _sh(self, block: Block) -> None:
        assert SERVER not in block.text, f"{block.place}: a server is started in a `console` block of its own"
        script = "\n".join(line for line in block.text.split("\n") if not is_setup(line))
        if script.strip():
            self._run(block, script)

    def _command(self, block: Block, command: Command) -> None:
        if command.line.startswith(SERVER):
            actual = self._serve(command.line)
        elif is_setup(command.line):
            return
        else:
            actual = self._run(block, command.line)
        assert same(command.output, actual), (
            f"{block.place}: {command.line}\n-- the page says\n{command.output}\n-- but it prints\n{actual}"
        )

    def _python(self, block: Block, later: list[str]) -> None:
        name = _NAME.match(block.text)
        assert name, f"{block.place}: the first line of a program is `# NAME.py`"
        (self._folder / name[1]).write_text(block.text.replace(ADDRESS, self._address))
        assert any(name[1] in text for text in later), f"{block.place}: {name[1]} is never used"

    def _run(self, block: Block, script: str) -> str:
        """What a script prints, on both streams."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script.replace(ADDRESS, self._address)],
            cwd=self._folder,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{block.place}: exit code {done.returncode}\n{script}\n-- prints\n{done.stdout}"
        return done.stdout.replace(self._address, ADDRESS)

    def _serve(self, line: str) -> str:
        """Start a server, and wait for the line that says where it listens."""
        free = ADDRESS.rpartition(":")[0] + ":0"
        assert ADDRESS in line, f"a server on a page listens on {ADDRESS}"
        log = (self._folder / "serve.log").open("w")
        server = subprocess.Popen(
            ["bash", "-c", "exec " + line.replace(ADDRESS, free)],
            cwd=self._folder,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        log.close()
        self._servers.append(server)
        assert server.stdout is not None
        said = server.stdout.readline()
        with suppress(IndexError):
            self._address = said.split()[-1]
        return said.replace(self._address, ADDRESS)
