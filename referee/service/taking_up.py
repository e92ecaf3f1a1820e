"""Taking up the matches that an earlier process left unfinished, and leaving them for the next one."""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog
from msgspec import UNSET
from msgspec.structs import replace

from referee.deal import SEED_SIZE
from referee.log.records import MAX_LINE
from referee.log.writer import LogWriteError, LogWriter, MemorySink
from referee.ruleset import RulesetError
from referee.table.resume import ResumeError, Unfinished, read_unfinished, resume
from referee.table.table import Table

if TYPE_CHECKING:
    from referee.service.hall import Hall
    from referee.service.seating import Seating

log = structlog.get_logger()

HEAD: Final = b'{"_":"head",'


def take_up(hall: "Hall", engine: str) -> "list[Seating]":
    """`Hall.take_up`."""
    seeds = dict(hall.store.seeds())
    known: set[str] = set()
    taken: list[Seating] = []
    for match, path in hall.store.unfinished():
        if match in hall.matches:
            continue
        try:
            if hall.store.was_stopped(match):
                raise ResumeError("its players were told that it was stopped")
            data = path.read_bytes()
            if b"\n" not in data and HEAD.startswith(data[: len(HEAD)]):
                hall.store.discard(match)
                log.warning("a match that had not begun is gone", match=match)
                continue
            seating = _take_up_one(hall, match, read_unfinished(data), seeds.get(match), engine)
        except (OSError, ResumeError) as error:
            known.add(match)
            why = error.strerror or str(error) if isinstance(error, OSError) else str(error)
            log.error("match not taken up", match=match, error=why)
            _keep_broken(hall, match, path)
            continue
        if seating is not None:
            known.add(match)
            taken.append(seating)
    hall.sets.take_up(known)
    for seating in taken:
        if (over := seating.table.over) is not None:
            hall.close(seating, over)
        else:
            hall.come_back(seating)
    return taken


def _take_up_one(hall: "Hall", match: str, left: Unfinished, seed: bytes | None, engine: str) -> "Seating | None":
    """A match whose log is not finished; None when only its seed is missing, which is for `DealSets`."""
    head = left.head
    if head.match != match:
        raise ResumeError(f"it is the log of match {head.match}")
    declared = head.open_seed is not UNSET
    if not declared and left.final:
        return None
    if head.open_seed is not UNSET:
        seed = bytes.fromhex(head.open_seed)
    if seed is None:
        raise ResumeError("its seed is not here")
    held = head.deals if head.deals != match and not declared else ""
    if held and (others := hall.sets.find(held)) is not None and others.seed != seed:
        raise ResumeError(f"another match of the deal set {held} has another seed")
    memo, sink = hall.store.memo(match), hall.store.reopen(match)
    try:
        table, writer, kept = resume(
            left,
            seed,
            sink,
            signer=hall.signer,
            engine=engine,
            hold=bool(held),
            refusals=memo.read(),
            memo=memo,
        )
        table.blame = hall.stalls.blame
        hall.store.cut_torn(match, left.size)
        memo.replace(kept)
        writer.flush()
    except BaseException:
        with contextlib.suppress(LogWriteError):
            sink.close()
        raise
    seating = hall.place(table, writer, declared=declared, held=held)
    hall.begin(seating)
    if held:
        hall.sets.open(held, seed).playing.add(match)
    lines = writer.lines - len(left.lines)
    log.info("match taken up", match=match, bots=seating.bots, lines=len(left.lines), completed=lines)
    return seating


def _keep_broken(hall: "Hall", match: str, path: Path) -> None:
    """A match that cannot be gone on with is listed as abandoned, if its log says whose it was."""
    try:
        with path.open("rb") as file:
            head = read_unfinished(file.readline(MAX_LINE + 1)).head
        if head.match == match:
            unsigned = replace(head, key=UNSET)
            writer = LogWriter(MemorySink(), match=match)
            table = Table(unsigned, bytes(SEED_SIZE), writer)
            seating = hall.place(table, writer, declared=True, held="")
            seating.began_at = seating.created_at
            seating.status = "abandoned"
            seating.done.set()
            hall.put_away(seating)
    except (OSError, ResumeError, RulesetError):
        pass  # Nothing can be said of it.


def let_go(hall: "Hall") -> None:
    """`Hall.let_go`."""
    for seating in hall.playing():
        seating.status = "abandoned"
        hall.stop(seating)
        with contextlib.suppress(LogWriteError):
            seating.writer.close()
