"""Directors to which something happens at exact moments: a ruling, a signal, a kill.

    python -m tests.support.scripted SPEC FOLDER '[["block", 0, {"do": "kill"}]]'

plays an event in a process of its own. A step is the kind of a moment (a method of `Observer`), which of them (from
0), and what is done then: ``rule`` leaves a ruling with the fields of a `Request`, ``stop`` asks the director to end,
and ``kill`` is a SIGKILL of the director's process. The moment of a ruling is when it is journaled, before it has any
effect.
"""

import asyncio
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from referee.tournament import rulings
from referee.tournament.director import Director
from referee.tournament.folder import Folder
from referee.tournament.journal import Block, Ruling
from referee.tournament.observer import Figures, Silent
from referee.tournament.results import MatchResult
from referee.tournament.rulings import Request
from referee.tournament.schedule import ScheduledMatch
from referee.tournament.spec import parse_spec

Step = tuple[str, int, Mapping[str, object]]


class Script(Silent):
    """Watches an event, and does what is to be done."""

    def __init__(self, folder: Folder, steps: Iterable[Step] = ()) -> None:
        self.director: Director
        self.blocks: Final[list[Block]] = []
        self.said: Final[list[str]] = []
        self.widest = 0
        """Matches that were played at once, at most."""
        self._folder: Final = folder
        self._steps: Final = {(kind, number): action for kind, number, action in steps}
        self._seen: Final[Counter[str]] = Counter()

    def _moment(self, kind: str) -> None:
        number = self._seen[kind]
        self._seen[kind] += 1
        action = self._steps.get((kind, number))
        match action and action["do"]:
            case "rule":
                fields = {name: value for name, value in action.items() if name not in ("do", "kill")}  # type: ignore[union-attr]
                rulings.post(self._folder, msgspec.convert({"why": "so it is", **fields}, Request))
                if action.get("kill"):  # type: ignore[union-attr]
                    os.kill(os.getpid(), signal.SIGKILL)
            case "stop":
                self.director.stop()
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)

    def match_started(self, match: ScheduledMatch, bots: tuple[str, ...]) -> None:
        self._moment("match_started")

    def match_over(self, match: ScheduledMatch, status: str) -> None:
        self._moment("match_over")

    def result(self, result: MatchResult) -> None:
        self._moment("result")

    def block(self, block: Block) -> None:
        self.blocks.append(block)
        self._moment("block")

    def ruling(self, ruling: Ruling) -> None:
        self._moment("ruling")

    def figures(self, figures: Figures) -> None:
        self.widest = max(self.widest, len(figures.tables))
        if figures.state == "paused" and not figures.tables:
            self._moment("paused")

    def say(self, text: str) -> None:
        self.said.append(text)
        self._moment("say")


def director(spec: Path, folder: Path, script: Script | None = None, *, concurrency: int | None = None) -> Director:
    """A director of the event of a spec, whose secret seed is beside it."""
    data = spec.read_bytes()
    seed = bytes.fromhex((spec.parent / "seed").read_text())
    where = Folder(folder)
    script = script or Script(where)
    one = Director(parse_spec(data, spec), data, spec.parent, where, script, concurrency=concurrency, seed=seed)
    script.director = one
    return one


def play(one: Director) -> bool:
    """Play as far as it goes; returns whether the event is over."""
    one.prepare()
    try:
        return asyncio.run(one.run())
    finally:
        one.close()


def main(words: list[str]) -> int:
    spec, folder, steps = words
    script = Script(Folder(Path(folder)), [tuple(step) for step in json.loads(steps)])
    return 0 if play(director(Path(spec), Path(folder), script)) else 4


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
