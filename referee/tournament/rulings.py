"""Rulings: decisions of the organiser about an event, each of which ends up as a line of the journal.

A running director has the folder for itself, so a ruling is put into ``rulings/`` as a file, and the director picks it
up within a second, checks it, and journals it. When no director runs, `rule` journals it itself.
"""

import contextlib
import os
import time
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from referee.tournament.errors import TournamentError
from referee.tournament.folder import BusyError, Folder
from referee.tournament.journal import Entry, Journal, RulingKind
from referee.tournament.journal import Ruling as Line
from referee.tournament.ledger import Ledger
from referee.tournament.moment import now_text

ENDING: Final = ".json"
WAIT_SECONDS: Final = 5.0
"""How long a ruling waits for the director to pick it up."""

POLL_SECONDS: Final = 0.05


class RulingError(TournamentError):
    """A ruling that cannot be made."""


class Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the organiser wants."""

    kind: RulingKind
    why: Annotated[str, Meta(pattern=r"\A[ -~]{0,200}\Z")] = ""
    block: int | UnsetType = UNSET
    bot: str | UnsetType = UNSET
    number: Annotated[int, Meta(ge=1, le=1024)] | UnsetType = UNSET


_DECODER: Final = msgspec.json.Decoder(Request)


def check(request: Request, ledger: Ledger) -> None:
    """Raise `RulingError` unless this ruling can be made now."""
    bots, blocks = ledger.schedule.bots, len(ledger.schedule.blocks)
    if request.kind in ("drop", "disqualify", "accept"):
        if request.bot is UNSET or request.bot not in bots:
            raise RulingError(f"{request.kind}: no bot of this event is called {request.bot or ''!r}")
        gone = ledger.disqualified if request.kind == "disqualify" else ledger.withdrawn
        if request.kind != "accept" and request.bot in gone:
            raise RulingError(f"{request.kind}: {request.bot} is out already: {gone[request.bot]}")
    if request.kind == "rerun":
        if request.block is UNSET or not 0 <= request.block < blocks:
            raise RulingError(f"rerun: blocks are numbered 0 to {blocks - 1}")
        if ledger.done is not None:
            raise RulingError("rerun: the event is over and its seed is known, so that fresh deals would be no secret")
        if ledger.stop is not None and request.block > ledger.stop.block:
            raise RulingError(f"rerun: the event stops with block {ledger.stop.block}")
    if request.kind == "concurrency" and request.number is UNSET:
        raise RulingError("concurrency: say how many matches are to be played at once")
    if ledger.done is not None and request.kind not in ("disqualify",):
        raise RulingError(f"{request.kind}: the event is over; only disqualify can follow")


def line_of(request: Request, ledger: Ledger) -> Line:
    """The line for the journal; raises `RulingError`."""
    check(request, ledger)
    return Line(
        at=now_text(),
        block=request.block,
        bot=request.bot,
        by="organiser",
        kind=request.kind,
        number=request.number,
        why=request.why,
    )


def post(folder: Folder, request: Request) -> Path:
    """Leave a ruling for the director; returns the file, which is gone once it was picked up."""
    name = f"{time.time_ns():020}-{os.getpid()}"
    path = folder.rulings / f"{name}{ENDING}"
    beside = folder.rulings / f".{name}.new"
    try:
        folder.rulings.mkdir(exist_ok=True)
        beside.write_bytes(msgspec.json.encode(request))
        os.replace(beside, path)
    except OSError as error:
        raise RulingError(f"{path}: {error.strerror}") from None
    return path


def posted(folder: Folder) -> list[tuple[Path, Request | None]]:
    """What was left, oldest first; None: it cannot be read as a ruling."""
    found: list[tuple[Path, Request | None]] = []
    with contextlib.suppress(OSError):
        for path in sorted(folder.rulings.glob(f"[!.]*{ENDING}")):
            try:
                found.append((path, _DECODER.decode(path.read_bytes())))
            except (OSError, msgspec.DecodeError, UnicodeDecodeError):
                found.append((path, None))
    return found


def refuse(path: Path, why: str) -> None:
    """Say beside a ruling that was left why it is not made, and take it away."""
    with contextlib.suppress(OSError):
        path.with_suffix(".refused").write_text(why + "\n")
        path.unlink(missing_ok=True)


def rule(folder: Folder, request: Request, ledger: Ledger) -> str:
    """Make a ruling, whether a director runs or not; returns what became of it. ``ledger``: as it stands by the journal
    now. Raises `RulingError`, `JournalError` and `FolderError`."""
    check(request, ledger)
    try:
        folder.lock()
    except BusyError:
        return _hand_over(folder, post(folder, request))
    try:
        journal, entries = Journal.reopen(folder.journal)
        try:
            journal.append(line_of(request, fresh(ledger, entries)))
        finally:
            journal.close()
    finally:
        folder.unlock()
    return "journaled; it takes effect when the event is run again"


def fresh(ledger: Ledger, entries: list[Entry]) -> Ledger:
    """A ledger of the same schedule after these lines."""
    return Ledger(ledger.schedule).take_all(entry.line for entry in entries)


def _hand_over(folder: Folder, path: Path) -> str:
    """Wait until the director has picked a ruling up."""
    until = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < until:
        refused = path.with_suffix(".refused")
        if refused.exists():
            why = refused.read_text().strip()
            refused.unlink(missing_ok=True)
            raise RulingError(why)
        if not path.exists():
            return "journaled by the running director"
        time.sleep(POLL_SECONDS)
    return "left for the director, which has not picked it up yet"
