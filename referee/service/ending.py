"""How a match ends at the hall: it is over, it breaks off, or it is cancelled before it began; and who is told."""

import contextlib
from typing import TYPE_CHECKING

import structlog

from referee.log.writer import LogWriteError
from referee.service import edge
from referee.service.seating import Seating
from referee.table.messages import Over
from referee.v1 import play_pb2

if TYPE_CHECKING:
    from referee.service.hall import Hall

log = structlog.get_logger()


def over(hall: "Hall", seating: Seating, end: Over) -> None:
    """`Hall.close`."""
    try:
        seating.writer.close()
    except LogWriteError as error:
        broken(hall, seating, error)
        return
    seating.status = end.status
    hall.stop(seating)
    hall.store.memo(seating.match).drop()
    if seating.deals:
        hall.sets.over(seating.deals, seating.match, final=True)
    else:
        seating.on_disk = True
        hall.store.open_up(seating.match)
        if not seating.declared:
            hall.store.drop_seed(seating.match)
    _tell(hall, seating, end.status, end.rank, end.total)
    hall.put_away(seating)
    log.info(
        "match over",
        match=seating.match,
        status=end.status,
        bots=seating.bots,
        total=end.total,
        rank=end.rank,
        faults=seating.table.faults,
        **_figures(hall, seating),
    )


def broken(hall: "Hall", seating: Seating, error: Exception) -> None:
    """Nothing may happen that is not logged: the match stops here."""
    if seating.status != "playing":
        return
    seating.status = "abandoned"
    hall.stop(seating)
    with contextlib.suppress(LogWriteError):
        seating.writer.close()
    if seating.deals:
        hall.sets.over(seating.deals, seating.match, final=False)
    seating.failed = type(error).__name__
    if isinstance(error, LogWriteError):
        seating.failed = error.strerror or str(error)
        log.error("match stopped: its log cannot be written", match=seating.match, error=seating.failed)
    if not hall.store.stop(seating.match):
        log.error("that a match was stopped cannot be noted", match=seating.match)
    log.info("match over", match=seating.match, status="abandoned", bots=seating.bots, **_figures(hall, seating))
    _tell(hall, seating, "abandoned", [], seating.table.game.totals())
    hall.put_away(seating)


def cancelled(hall: "Hall", seating: Seating, why: str) -> None:
    """A match that never began leaves no log; those of its bots that are here are told."""
    seating.absent = seating.awaited()
    seating.status = "abandoned"
    seating.cancelled_at = hall.now()
    with contextlib.suppress(LogWriteError):
        seating.writer.close()
    hall.store.discard(seating.match)
    if seating.deals:
        hall.sets.over(seating.deals, seating.match, final=False)
    seating.done.set()
    _tell(hall, seating, "abandoned", [], seating.table.game.totals())
    hall.put_away(seating)
    awaited = [seating.bots[seat] for seat in seating.absent]
    waited = seating.waited(seating.cancelled_at)
    log.info("match cancelled", match=seating.match, why=why, awaited=awaited, waited_ms=waited)


def _figures(hall: "Hall", seating: Seating) -> dict[str, int]:
    """Counts and durations of a match, for its last line in the referee's own log."""
    began = seating.began_at
    return {
        "rounds": seating.table.game.round,
        "deals": seating.table.game.deals,
        "lines": seating.writer.lines,
        "refused": seating.refused,
        "waited_ms": seating.waited(hall.now()),
        "played_ms": 0 if began is None else hall.now() - began,
    }


def _tell(hall: "Hall", seating: Seating, status: str, rank: list[int], total: list[int]) -> None:
    over = play_pb2.MatchOver(
        table=seating.number, match_id=seating.match, status=edge.STATUS[status], rank=rank, total=total
    )
    data = play_pb2.PlayResponse(over=(over,)).SerializeToString()
    for session in dict.fromkeys(seating.sessions):
        if session:
            session.push(data)
