"""From the log of a match to its result: everything that a tournament counts stands in the logs, and is read here.

Faults are counted as the table and the validator count them (`referee.log.policy`): once for each act that the referee
gives in a player's place, by reason, and once for a bot that left in mid-match.
"""

from base64 import b64decode
from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import Final

from msgspec import UNSET

from referee.cards import INDEX, mask_of
from referee.game.records import Act, Cards, Forfeit, Score
from referee.log.policy import fault_kind
from referee.log.reader import decode, open_log, read_lines
from referee.log.records import AnyRecord, End, Head, Late, Seal
from referee.tournament.results import FaultKinds, Isolation, MatchResult
from referee.tournament.schedule import ScheduledMatch
from referee.tournament.statistics.luck import strength_units
from referee.validate.report import Report, finding_text
from referee.validate.validator import validate_path

HAND: Final = 4
"""Cards of a hand that is dealt."""


class ResultError(Exception):
    """A log that no result can be taken from. ``report``: what the validator says, if it is about that."""

    def __init__(self, message: str, report: Report | None = None) -> None:
        super().__init__(message)
        self.report: Report | None = report


def from_log(path: Path, scheduled: ScheduledMatch, bots: Sequence[str]) -> MatchResult:
    """The result of a match. Its log is checked first, and must be VALID: complete, revealed, and without a fault.

    ``bots``: the names of the event's bots. Raises `ResultError` for a log that is not valid, or is not that of the
    scheduled match.
    """
    report = validate_path(path)
    if report.verdict != "VALID":
        why = finding_text(report.errors[0]) if report.errors else f"{path}: {', '.join(report.missing)} is missing"
        raise ResultError(f"{report.verdict}: {why}", report)
    with open_log(path) as stream:
        records = [decode(raw) for raw in read_lines(stream)]
    return from_records(records, scheduled, bots, str(path))


def from_records(
    records: Iterable[AnyRecord], scheduled: ScheduledMatch, bots: Sequence[str], name: str = "log"
) -> MatchResult:
    """As `from_log`, from the records of a log that is known to be valid."""
    seats = len(scheduled.seats)
    late, left, refused = [0] * seats, [0] * seats, [0] * seats
    luck = [0] * seats
    points: list[tuple[int, ...]] = []
    head: Head | None = None
    end: End | None = None
    overdue: Late | None = None
    root = ""
    for record in records:
        if isinstance(record, Act):
            if getattr(record, "by", UNSET) is not UNSET and head is not None:
                seat = getattr(record, "seat")  # noqa: B009 - every act has one, which the base class does not know
                kind = fault_kind(head.conduct, overdue if overdue and overdue.seat == seat else None)
                if kind is not None:
                    {"late": late, "link": left, "refused": refused}[kind][seat] += 1
            overdue = None
        elif isinstance(record, Late):
            overdue = record
        elif isinstance(record, Cards):
            if record.why == "deal" and len(record.cards) == HAND:
                luck[record.seat] += strength_units(mask_of(INDEX[card] for card in record.cards))
        elif isinstance(record, Score):
            points.append(tuple(record.points))
        elif isinstance(record, Forfeit):
            left[record.seat] += record.why == "left"
        elif isinstance(record, Head):
            head = record
            _check_head(head, scheduled, bots, name)
        elif isinstance(record, End):
            end = record
        elif isinstance(record, Seal):
            root = record.root
    if head is None or end is None:
        raise ResultError(f"{name}: it has no {'end' if head else 'head'}")
    kinds = tuple(FaultKinds(late=late[seat], left=left[seat], refused=refused[seat]) for seat in range(seats))
    return MatchResult(
        block=scheduled.block,
        bots=tuple(seat.bot for seat in head.seats),
        fault_kinds=kinds,
        faults=tuple(kind.total() for kind in kinds),
        index=scheduled.index,
        isolation=head.isolation,
        luck=tuple(luck),
        match=head.match,
        number=scheduled.number,
        rank=tuple(end.rank),
        root=b64decode(root).hex(),
        rounds=len(points),
        rounds_points=tuple(points),
        status=end.status,
        total=tuple(end.total),
    )


def _check_head(head: Head, scheduled: ScheduledMatch, bots: Sequence[str], name: str) -> None:
    """Raise `ResultError` unless this is the log of the scheduled match."""
    wanted = [bots[bot] for bot in scheduled.seats]
    found = [seat.bot for seat in head.seats]
    for what, is_, should in (
        ("match", head.match, scheduled.match),
        ("deals", head.deals, scheduled.deals),
        ("bots", ", ".join(found), ", ".join(wanted)),
    ):
        if is_ != should:
            raise ResultError(f"{name}:1: {what}: it is the log of {is_}, the schedule has {should} here")


def absent(
    scheduled: ScheduledMatch, bots: Sequence[str], missing: Container[int], isolation: Isolation
) -> MatchResult:
    """The result of a match that never began because the bots of these seats did not come: nobody has any points, and
    each of them has one fault."""
    seats = range(len(scheduled.seats))
    nothing = (0,) * len(scheduled.seats)
    return MatchResult(
        block=scheduled.block,
        bots=tuple(bots[bot] for bot in scheduled.seats),
        fault_kinds=tuple(FaultKinds(left=int(seat in missing)) for seat in seats),
        faults=tuple(int(seat in missing) for seat in seats),
        index=scheduled.index,
        isolation=isolation,
        luck=nothing,
        match=scheduled.match,
        number=scheduled.number,
        rank=(1,) * len(scheduled.seats),
        root="",
        rounds=0,
        rounds_points=(),
        status="absent",
        total=nothing,
    )
