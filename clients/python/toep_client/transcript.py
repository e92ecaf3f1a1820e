"""What a bot saw and said, kept by the bot itself: its own testimony when a log is disputed.

One file for each seat in each match, one JSON object a line, in the order of what happened. What the referee announces
is spelled as in its log, as far as it was announced, so that ``toep verify LOG --transcript FILE`` can hold the one
against the other. A file has the bot's own cards and nobody else's, and only its owner can read it.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, TextIO, TypeVar

from toep_client.acts import Act, Pass, to_plain
from toep_client.cards import NAMES
from toep_client.errors import USAGE, Trouble
from toep_client.news import Event, Over, Refusal
from toep_client.view import Match, View

FORMAT: Final = "toep-transcript/0"
Line = dict[str, object]
T = TypeVar("T")


def as_record(event: Event) -> Line:
    """An announced event, spelled as the line of a log that it was made from."""
    data = dict(event.data)
    kind = _KINDS.get(event.kind, event.kind)
    line: Line = {"_": kind}
    if event.seat is not None:
        line[_SEAT.get(kind, "seat")] = event.seat
    if event.by_referee:
        line["by"] = "ref"
    if kind == "draw":
        line["cards"] = [[number >> 5, NAMES[number & 31]] for number in _numbers(data["cards"])]
        return line
    if kind == "confess":
        data.pop("card" if data.get("card") is None else "pay", None)
    for name, value in data.items():
        line[_FIELDS.get((kind, name), name)] = value
    return line


def _numbers(value: object) -> list[int]:
    return [int(number) for number in value] if isinstance(value, list) else []


_KINDS: Final = {"along": "auto", "voided": "void"}
_SEAT: Final = {"round": "dealer", "trick": "win"}
_FIELDS: Final = {
    ("forfeit", "reason"): "why",
    ("late", "budget_ms"): "budget",
    ("out", "reason"): "why",
    ("penalty", "rule"): "why",
    ("round", "attempt"): "try",
    ("void", "reason"): "why",
}


class Transcript:
    """The file of one seat in one match."""

    def __init__(self, file: TextIO, match: Match) -> None:
        self._file = file
        self._begun = False
        self._hand: list[str] = []
        self._write(
            {"_": "transcript", "bots": list(match.names), "fmt": FORMAT, "match": match.match_id, "seat": match.seat}
        )

    def update(self, events: list[Event]) -> None:
        """The table changed; without any event first of all, the match had begun when the bot came."""
        if not events and not self._begun:
            self._write({"_": "joined"})
        self._begun = True
        for event in events:
            self._write(as_record(event))

    def asked(self, view: View) -> None:
        """A question, and with it the hand."""
        hand = list(view.hand)
        if hand != self._hand:
            self._hand = hand
            self._write({"_": "hand", "cards": hand})

    def sent(self, view: View, act: Act) -> None:
        """An answer is on its way. Declining says nothing and is left out."""
        if not isinstance(act, Pass):
            self._write({"_": "sent", "act": to_plain(act), "ask": view.ask})

    def refused(self, refusal: Refusal) -> None:
        """An answer was not accepted."""
        line: Line = {"_": "not", "ask": refusal.ask, "code": refusal.code}
        self._write({**line, "rule": refusal.rule} if refusal.rule else line)

    def superseded(self, ask: int) -> None:
        """An answer came to nothing."""
        self._write({"_": "superseded", "ask": ask})

    def over(self, over: Over) -> None:
        """The match is over."""
        self._write({"_": "over", "rank": list(over.rank), "status": over.status, "total": list(over.total)})
        self._file.close()

    def close(self) -> None:
        """Nothing more is heard."""
        self._file.close()

    def _write(self, line: Line) -> None:
        if not self._file.closed:
            self._file.write(json.dumps(line, separators=(",", ":"), sort_keys=True) + "\n")


class Transcripts:
    """The transcripts of every seat that a bot has, in one folder; without a folder none is kept."""

    def __init__(self, folder: str | None) -> None:
        """Makes the folder; raises `Trouble` when that cannot be done."""
        self._folder = Path(folder) if folder else None
        self._open: dict[int, dict[int, Transcript]] = {}
        if self._folder is not None:
            _guarded(lambda: self._folder.mkdir(parents=True, exist_ok=True) if self._folder else None)

    @property
    def kept(self) -> bool:
        """Whether there are any."""
        return self._folder is not None

    def seated(self, match: Match) -> None:
        """Begins a file; one that is there already belongs to an earlier connection, and stays."""
        folder = self._folder
        if folder is not None:
            file = _guarded(lambda: _create(folder, f"{match.match_id}.seat{match.seat}"))
            self._open.setdefault(match.table, {})[match.seat] = Transcript(file, match)

    def at(self, table: int) -> list[Transcript]:
        """Those of every seat at a table."""
        return list(self._open.get(table, {}).values())

    def of(self, view: View) -> list[Transcript]:
        """That of the seat of a view, if it is kept."""
        mine = self._open.get(view.table, {}).get(view.seat)
        return [mine] if mine else []

    def over(self, over: Over) -> None:
        """Ends the files of a table."""
        for transcript in self._open.pop(over.table, {}).values():
            transcript.over(over)

    def close(self) -> None:
        """Ends all files."""
        for seats in self._open.values():
            for transcript in seats.values():
                transcript.close()
        self._open.clear()


def _create(folder: Path, name: str) -> TextIO:
    number = 1
    while True:
        path = folder / (f"{name}.jsonl" if number == 1 else f"{name}.{number}.jsonl")
        try:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            number += 1
        else:
            return os.fdopen(fd, "w", encoding="utf-8", buffering=1)


def _guarded(make: Callable[[], T]) -> T:
    try:
        return make()
    except OSError as error:
        raise Trouble(USAGE, f"the transcript cannot be kept: {error.filename}: {error.strerror}") from None
