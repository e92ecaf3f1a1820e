"""Where a sequential test stops an event, by its journal alone: without a match being played."""

from pathlib import Path

import msgspec
import pytest

from referee.tournament.journal import AnyLine, Block, Match, Result, Ruling, Stop
from referee.tournament.ledger import Ledger
from referee.tournament.outcome import Test
from referee.tournament.schedule import make_schedule
from referee.tournament.spec import parse_spec
from referee.tournament.spec_types import Spec
from tests.tournament.test_ledger import AT
from tests.tournament.test_ledger import result as blank

TEXT = """
name = "e"
seats = 2
rules = "short"
length = { rounds = 1 }
trust = "own"
blocks = 12
format = { kind = "pair", candidates = ["a", "b"] }
stop = { low = 0.0, high = 2.0, minimum = 3 }
""" + "".join(f'[[bots]]\nname = "{name}"\ncommand = "random"\n' for name in "ab")


@pytest.fixture
def spec() -> Spec:
    return parse_spec(TEXT.encode(), Path("e.toml"))


@pytest.fixture
def ledger(spec: Spec) -> Ledger:
    return Ledger(make_schedule(spec))


def decide(ledger: Ledger, index: int, worse: int, what: str = "counted") -> None:
    """A block of which the second candidate got so many points more than the first."""
    block = ledger.block(index)
    (match,) = block.matches
    points = tuple(3 + worse * (ledger.schedule.bots[bot] == "b") for bot in match.seats)
    result = msgspec.structs.replace(blank(ledger, match), rounds_points=(points,), total=points)
    lines: list[AnyLine] = [
        Match(at=AT, block=index, match=match.match, number=0, replacement=block.replacement),
        Result(result=result),
        Block(
            at=AT, block=index, deals=match.deals, faulted=False, replacement=block.replacement,
            what=what, why="",  # type: ignore[arg-type]
        ),
    ]  # fmt: skip
    ledger.take_all(lines)


def rerun(ledger: Ledger, index: int) -> None:
    ledger.take(Ruling(at=AT, block=index, by="organiser", kind="rerun", why="so it is"))


def test_it_stops_behind_the_block_that_decided(spec: Spec, ledger: Ledger) -> None:
    test = Test(spec)
    found = []
    for index, worse in enumerate((2, 3, 2)):
        assert test.answer(ledger) is None
        decide(ledger, index, worse)
        found.append(test.answer(ledger))
    assert found[:2] == [None, None]
    assert found[2] is not None
    assert found[2].block == 2
    assert found[2].why.startswith("the test accepts an effect of 2 after 3 blocks (llr ")


def test_a_block_that_does_not_count_is_left_out(spec: Spec, ledger: Ledger) -> None:
    for index, (worse, what) in enumerate(((2, "counted"), (3, "counted"), (9, "dropped"), (2, "counted"))):
        decide(ledger, index, worse, what)
    answer = Test(spec).answer(ledger)
    assert answer is not None
    assert (answer.block, "after 3 blocks" in answer.why) == (3, True)


def test_nothing_behind_a_block_that_is_played_again_is_read(spec: Spec, ledger: Ledger) -> None:
    """Which blocks are over first may depend on who plays, and must not decide."""
    test = Test(spec)
    for index, worse in enumerate((2, -1, 3, 2)):
        decide(ledger, index, worse)
    assert test.answer(ledger) is None
    rerun(ledger, 1)
    assert test.answer(ledger) is None  # Blocks 0, 2 and 3 by themselves would be an answer.
    decide(ledger, 1, 2)
    answer = test.answer(ledger)
    assert answer is not None
    assert answer.block == 2  # It has not read block 3, which was decided before, and does not count now.
    ledger.take(Stop(at=AT, block=answer.block, why=answer.why))
    assert [block.index for block in ledger.counted()] == [0, 1, 2]
    assert ledger.frontier >= ledger.last


def test_an_event_without_a_test_goes_on(ledger: Ledger) -> None:
    text = "\n".join(line for line in TEXT.splitlines() if not line.startswith("stop"))
    spec = parse_spec(text.encode(), Path("e.toml"))
    for index in range(12):
        decide(ledger, index, index % 3)
    assert Test(spec).answer(ledger) is None
