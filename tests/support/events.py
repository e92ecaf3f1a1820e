"""Small events that are stopped somewhere, and what becomes of them when they go on."""

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.cli.main import run
from referee.tournament.event import open_event
from referee.tournament.folder import Folder
from referee.tournament.ledger import Ledger
from referee.tournament.verify import verify_event
from tests.support.scripted import Script, Step, director, play

ROOT: Final = Path(__file__).parents[2]
PATIENCE: Final = 120.0
BLOCKS: Final = 4
BOTS: Final = {"ann": "caller", "bob": "caller", "cor": "python mine.py"}
MINE: Final = "from toep_client.samples.caller import Caller\nfrom toep_client import run\nrun(Caller())\n"


def toep(*words: object) -> int:
    """``toep tournament ...``; returns the exit code."""
    return run(["tournament", *map(str, words)])


def killed(spec: Path, steps: list[Step]) -> None:
    """A director in a process of its own, which ends with SIGKILL, as the last of these steps has it."""
    words = [sys.executable, "-m", "tests.support.scripted", str(spec), str(spec.with_suffix(".event"))]
    done = subprocess.run([*words, json.dumps(steps)], cwd=ROOT, timeout=PATIENCE, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


@dataclass
class Outcome:
    """What became of an event."""

    ledger: Ledger
    script: Script
    over: bool

    @property
    def blocks(self) -> dict[int, tuple[str, int]]:
        """By block: what became of it, and which try that was."""
        return {index: (line.what, line.replacement) for index, line in self.ledger.decided.items()}

    @property
    def digests(self) -> tuple[str, str]:
        """Of the results and of the standings, in the end."""
        return digests_of(self.ledger)


def digests_of(ledger: Ledger) -> tuple[str, str]:
    """Of the results and of the standings, of an event that is over."""
    assert ledger.done is not None
    return ledger.done.results, ledger.done.standings


def go_on(home: Path, *steps: Step, concurrency: int = 1) -> Outcome:
    """Play as far as it goes, and see that all that there is holds."""
    script = Script(Folder(home / "e.event"), steps)
    over = play(director(home / "e.toml", home / "e.event", script, concurrency=concurrency))
    report = verify_event(home / "e.event")
    assert report.wrong == []
    assert report.verdict == ("VALID" if over else "INCOMPLETE")
    assert list((home / "e.event" / "rulings").iterdir()) == []
    return Outcome(open_event(home / "e.event").ledger, script, over)
