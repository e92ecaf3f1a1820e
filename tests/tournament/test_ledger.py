"""How an event stands by its journal: blocks, rulings, absences; without a match being played."""

from pathlib import Path

import pytest

from referee.tournament.from_log import absent
from referee.tournament.journal import FIRST, AnyLine, Block, Done, Match, Result, Ruling
from referee.tournament.ledger import Ledger, LedgerError, is_faulted
from referee.tournament.results import FaultKinds, MatchResult
from referee.tournament.rulings import Request, RulingError, check
from referee.tournament.schedule import ScheduledMatch, make_schedule
from referee.tournament.spec import parse_spec

AT = "2026-01-31T09:00:00Z"
SPEC = """
name = "e"
seats = 3
length = { rounds = 1 }
duplicates = "rotation"
trust = "own"
blocks = 4
""" + "".join(f'[[bots]]\nname = "{name}"\ncommand = "random"\n' for name in "abcd")


@pytest.fixture
def ledger() -> Ledger:
    return Ledger(make_schedule(parse_spec(SPEC.encode(), Path("e.toml"))))


def result(ledger: Ledger, match: ScheduledMatch, faults: int = 0) -> MatchResult:
    seats = len(match.seats)
    kinds = (FaultKinds(late=faults), *(FaultKinds() for _ in range(seats - 1)))
    return MatchResult(
        block=match.block,
        bots=tuple(ledger.schedule.bots[bot] for bot in match.seats),
        fault_kinds=kinds,
        faults=tuple(kind.total() for kind in kinds),
        index=match.index,
        isolation="none",
        luck=(0,) * seats,
        match=match.match,
        number=match.number,
        rank=tuple(range(1, seats + 1)),
        root="00",
        rounds=1,
        rounds_points=((0,) * seats,),
        status="complete",
        total=(0,) * seats,
    )


def decided(ledger: Ledger, index: int, what: str = "counted", faults: int = 0) -> list[AnyLine]:
    block = ledger.block(index)
    lines: list[AnyLine] = []
    for match in block.matches:
        lines.append(Match(at=AT, block=index, match=match.match, number=match.number, replacement=block.replacement))
        lines.append(Result(result=result(ledger, match, faults)))
    lines.append(
        Block(
            at=AT,
            block=index,
            deals=block.matches[0].deals,
            faulted=bool(faults),
            replacement=block.replacement,
            what=what,  # type: ignore[arg-type]
            why="",
        )
    )
    return lines


def ruling(kind: str, **about: object) -> Ruling:
    return Ruling(at=AT, by="organiser", kind=kind, why="so it is", **about)  # type: ignore[arg-type]


def test_blocks_count_in_schedule_order(ledger: Ledger) -> None:
    ledger.take_all(decided(ledger, 0))
    ledger.take_all(decided(ledger, 1, "dropped", faults=1))
    assert ledger.frontier == 2
    assert [block.index for block in ledger.counted()] == [0]
    assert sum(ledger.faults[bot]["late"] for bot in ledger.schedule.bots) == 3


def test_a_replaced_block_is_played_with_other_deals(ledger: Ledger) -> None:
    ledger.take_all(decided(ledger, 0, "replaced", faults=1))
    assert (ledger.frontier, ledger.replaced(0)) == (0, 1)
    assert ledger.block(0).matches[0].deals == "e-b0000r1"
    ledger.take_all(decided(ledger, 0))
    (block,) = ledger.counted()
    assert all(match.match.startswith("e-b0000r1-") for match in block.matches)
    with pytest.raises(LedgerError):
        ledger.take(decided(ledger, 0)[-1])


def test_a_block_that_is_to_be_played_again_does_not_count_before_it_was(ledger: Ledger) -> None:
    ledger.take_all(decided(ledger, 0))
    ledger.take_all(decided(ledger, 1))
    before = ledger.digest()
    ledger.take(ruling("rerun", block=0))
    assert ledger.frontier == 0
    assert [block.index for block in ledger.counted()] == [1]
    ledger.take_all(decided(ledger, 0))
    assert ledger.frontier == 2
    assert ledger.digest() != before


def test_a_bot_that_is_dropped_keeps_what_it_has(ledger: Ledger) -> None:
    ledger.take_all(decided(ledger, 0))
    first = ledger.block(0).table[0]
    gone = ledger.schedule.bots[first]
    ledger.take(ruling("drop", bot=gone))
    assert [block.index for block in ledger.counted()] == [0]
    outs = [ledger.out(index) for index in range(1, 4)]
    with_it = [first in ledger.schedule.block(index).table for index in range(1, 4)]
    assert [bool(out) for out in outs] == with_it
    ledger.take(ruling("disqualify", bot=gone))
    assert list(ledger.counted()) == []


def test_who_does_not_come_is_charged_once_and_dropped_after_three_times(ledger: Ledger) -> None:
    for _ in range(3):
        block = ledger.block(0)
        gone = ledger.schedule.bots[block.matches[0].seats[1]]
        one = absent(block.matches[0], ledger.schedule.bots, {1}, "none")
        assert is_faulted([one]) == f"{gone} did not come in {one.match}"
        ledger.take_all([Result(result=one), *decided(ledger, 0, "replaced")[-1:]])
    assert dict(ledger.faults) == {gone: {"absent": 3}}
    assert ledger.overdue(gone)
    assert not any(ledger.overdue(bot) for bot in ledger.schedule.bots if bot != gone)


def test_pauses_drains_and_concurrency(ledger: Ledger) -> None:
    for line in (ruling("pause"), ruling("drain"), ruling("concurrency", number=7)):
        ledger.take(line)
    assert (ledger.paused, ledger.draining, ledger.concurrency) == (True, True, 7)
    ledger.take(ruling("resume"))
    assert not ledger.paused


@pytest.mark.parametrize(
    "request_",
    [
        Request(kind="drop", bot="nobody"),
        Request(kind="drop"),
        Request(kind="rerun", block=4),
        Request(kind="rerun"),
        Request(kind="concurrency"),
    ],
)
def test_rulings_that_cannot_be_made(ledger: Ledger, request_: Request) -> None:
    with pytest.raises(RulingError, match=request_.kind):
        check(request_, ledger)


def test_when_it_is_over_only_disqualifying_is_left(ledger: Ledger) -> None:
    ledger.take(Done(at=AT, results=FIRST, seed=FIRST, standings=""))
    with pytest.raises(RulingError, match="over"):
        check(Request(kind="rerun", block=0), ledger)
    with pytest.raises(RulingError, match="over"):
        check(Request(kind="pause"), ledger)
    check(Request(kind="disqualify", bot="a"), ledger)
    ledger.take(ruling("disqualify", bot="a"))
    assert ledger.done is None
