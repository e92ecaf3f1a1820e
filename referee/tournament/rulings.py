"""Rulings: decisions of the organiser about an event, each of which ends up as a line of the journal.

A running director has the folder for itself, so a ruling is put into ``rulings/`` as a file, and the director picks it
up within a second, checks it, and journals it. When no director runs, `rule` journals it itself, behind those that were
left before. The journal names the file that a ruling was asked for with, so that a director that is killed before it
could take the file away is not followed by one that makes the same ruling again.
"""

import contextlib
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from referee.tournament.book import Book
from referee.tournament.errors import TournamentError
from referee.tournament.folder import BusyError, Folder
from referee.tournament.journal import Journal, RulingKind
from referee.tournament.journal import Ruling as Line
from referee.tournament.ledger import Ledger
from referee.tournament.moment import now_text
from referee.tournament.schedule import Schedule

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
_NAME: Final = re.compile(r"\d{20}-\d{1,10}")


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
        for bot in ledger.schedule.block(request.block).table:
            if why := ledger.withdrawn.get(bots[bot]):
                raise RulingError(f"rerun: block {request.block} takes {bots[bot]}, which plays no more: {why}")
    if request.kind == "concurrency" and request.number is UNSET:
        raise RulingError("concurrency: say how many matches are to be played at once")
    if ledger.done is not None and request.kind not in ("disqualify",):
        raise RulingError(f"{request.kind}: the event is over; only disqualify can follow")


def line_of(request: Request, ledger: Ledger, name: str = "") -> Line:
    """The line for the journal; ``name``: of the file that it was asked for with. Raises `RulingError`."""
    check(request, ledger)
    return Line(
        at=now_text(),
        block=request.block,
        bot=request.bot,
        by="organiser",
        kind=request.kind,
        number=request.number,
        request=name if _NAME.fullmatch(name) else UNSET,
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
            except FileNotFoundError:
                continue
            except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                found.append((path, None))
    return found


def refuse(path: Path, why: str) -> None:
    """Say beside a ruling that was left why it is not made, and take it away."""
    with contextlib.suppress(OSError):
        path.with_suffix(".refused").write_text(why + "\n")
        path.unlink(missing_ok=True)


def settle(folder: Folder, ledger: Ledger, write: Callable[[Line], None], *, running: bool) -> None:
    """Journal with ``write`` what was left, oldest first, or refuse it. ``ledger``: as it stands, and ``write`` brings
    it up to date; ``running``: a director has begun, and could be ended."""
    for path, request in posted(folder):
        if path.stem in ledger.requests:
            _take_away(path)  # Whoever journaled it was killed before it could do this.
            continue
        try:
            if request is None:
                raise RulingError("it cannot be read as a ruling")
            if request.kind == "drain" and not running:
                raise RulingError("drain: no director works on this event")
            line = line_of(request, ledger, path.stem)
        except RulingError as error:
            refuse(path, str(error))
            continue
        write(line)
        _take_away(path)


def _take_away(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def rule(folder: Folder, request: Request, ledger: Ledger) -> str:
    """Make a ruling, whether a director runs or not; returns what became of it. ``ledger``: as it stands by the journal
    now. Raises `RulingError`, `JournalError` and `FolderError`."""
    check(request, ledger)
    path = post(folder, request)
    until = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < until:
        if _is_answered(path):
            return "journaled by the running director"
        with contextlib.suppress(BusyError):
            folder.lock(0)
            try:
                _settle_without_director(folder, ledger.schedule)
            except BaseException:
                _take_away(path)
                raise
            finally:
                folder.unlock()
            if _is_answered(path):
                return "journaled; it takes effect when the event is run again"
        time.sleep(POLL_SECONDS)
    return "left for the director, which has not picked it up yet"


def _settle_without_director(folder: Folder, schedule: Schedule) -> None:
    """Journal what was left, since nobody else does."""
    journal, entries = Journal.reopen(folder.journal)
    try:
        ledger = Ledger(schedule).follow(folder.journal, entries)
        settle(folder, ledger, Book(journal, ledger).write, running=False)
    finally:
        journal.close()


def _is_answered(path: Path) -> bool:
    """Whether a ruling that was left is journaled; raises `RulingError` when it was refused."""
    refused = path.with_suffix(".refused")
    if refused.exists():
        why = refused.read_text().strip()
        _take_away(refused)
        raise RulingError(why)
    return not path.exists()
