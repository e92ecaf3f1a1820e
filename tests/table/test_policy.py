"""Time and faults by kind: banks, the first act, whose fault lateness is, and when a seat is forfeited."""

import random

import pytest
from msgspec import UNSET

from referee.game.records import Forfeit, Play, Record, Round, Toep, Void
from referee.log.policy import NOTHING, ConductError, make_conduct, needs_clock, told
from referee.log.records import Conduct, Late, Rounds
from referee.log.writer import MemorySink
from referee.ruleset import PRESETS
from referee.table.resume import read_unfinished, resume
from referee.table.table import Malformed
from tests.support.tables import SEED, Sim, meek, news, only, records_of, started

NONSENSE = Malformed("nonsense")
TIGHT = {"act_ms": 100, "window_ms": 40, "faults": 0}


def conduct(**fields: object) -> Conduct:
    return make_conduct({**TIGHT, **fields})


def thinks(sim: Sim, seat: int, ms: int) -> None:
    """A seat that must act does so after so long; everybody else declines at once."""
    sim.rest(seat)
    sim.now += ms
    sim.act(seat, meek(sim.open[seat]))


def sleeps(sim: Sim, seat: int) -> Late:
    """A seat that must act does not."""
    before = len(only(Late, news(sim.heard)))
    sim.rest(seat)
    sim.wait(sim.open[seat].deadline - sim.now)
    return only(Late, news(sim.heard))[before]


def on_turn(sim: Sim) -> int:
    (ask,) = [ask for ask in sim.open.values() if ask.required]
    return ask.seat


# -- how it is written -------------------------------------------------------------------------------------------------


def test_what_is_nothing_is_not_written() -> None:
    assert make_conduct(dict(NOTHING)) == Conduct()
    assert make_conduct(told(Conduct())) == Conduct()
    every = make_conduct({name: "wait" if name == "left" else "void" if name == "stall" else 7 for name in NOTHING})
    assert make_conduct(told(every)) == every
    assert all(getattr(every, name) is not UNSET for name in NOTHING)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"bank_ms": -1}, "bank_ms: "),
        ({"stall": "maybe"}, "stall: "),
        ({"act_ms": 0}, "act_ms: "),
        ({"patience": 1}, "patience"),
    ],
)
def test_a_policy_that_is_none(values: dict[str, object], text: str) -> None:
    with pytest.raises(ConductError, match=text):
        make_conduct(values)


@pytest.mark.parametrize("name", ["bank_ms", "increment_ms"])
def test_a_bank_needs_times(name: str) -> None:
    assert needs_clock(conduct(**{name: 5})) == name
    assert needs_clock(conduct(ready_ms=500, late_faults=1)) == ""


# -- time --------------------------------------------------------------------------------------------------------------


def test_what_an_act_takes_beyond_its_time_comes_out_of_the_bank() -> None:
    sim = started(conduct=conduct(bank_ms=50, increment_ms=5), clock="ms", length=Rounds(rounds=2))
    first = on_turn(sim)
    assert sim.open[first].budget_ms == 150
    thinks(sim, first, 149)
    while on_turn(sim) != first:
        sim.rest()
    assert sim.open[first].budget_ms == 106
    thinks(sim, first, 30)
    while on_turn(sim) != first:
        sim.rest()
    assert sim.open[first].budget_ms == 111
    late = sleeps(sim, first)
    assert (late.budget, late.elapsed) == (111, 111)
    while on_turn(sim) != first:
        sim.rest()
    assert sim.open[first].budget_ms == 100
    sim.finish()


def test_the_first_act_has_time_of_its_own() -> None:
    sim = started(conduct=conduct(ready_ms=5000))
    asked = dict.fromkeys(range(4), 0)
    for _ in range(8):
        seat = on_turn(sim)
        assert sim.open[seat].budget_ms == (100 if asked[seat] else 5000)
        asked[seat] += 1
        if asked[seat] == 1 and seat % 2:
            assert sleeps(sim, seat).budget == 5000
        else:
            sim.rest()
    sim.finish()


def test_a_window_has_nothing_of_the_bank() -> None:
    sim = started(conduct=conduct(bank_ms=5000), clock="ms")
    assert {ask.budget_ms for ask in sim.open.values() if not ask.required} == {40}
    sim.finish()


# -- whose fault -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("own", ["host", "referee"])
def test_lateness_of_the_house_counts_unless_it_is_excused(own: str) -> None:
    for stall, faults in (("count", 1), ("excuse", 0)):
        sim = started(conduct=conduct(stall=stall, faults=3, bank_ms=50), clock="ms")
        sim.table.blame = lambda since, until: own  # type: ignore[assignment,return-value]
        seat = on_turn(sim)
        assert sleeps(sim, seat).verdict == own
        assert sim.table.faults[seat] == faults
        assert only(Play, news(sim.heard))[-1].by == "ref"
        sim.table.blame = None
        while on_turn(sim) != seat:
            sim.rest()
        assert sim.open[seat].budget_ms == (150 if stall == "excuse" else 100)
        sim.finish()


def test_lateness_of_the_house_may_make_the_round_void() -> None:
    sim = started(conduct=conduct(stall="void"))
    sim.rest()
    sim.table.blame = lambda since, until: "host"
    seat = on_turn(sim)
    late = sleeps(sim, seat)
    sim.table.blame = None
    assert (late.verdict, late.seat) == ("host", seat)
    assert sim.table.faults == [0, 0, 0, 0]
    assert only(Void, news(sim.heard)) == [Void(why="crash")]
    assert [(one.round, one.try_) for one in only(Round, sim.finish())] == [(1, 1), (1, 2)]


def test_an_answer_that_comes_at_the_end_of_a_stall_does_not_save_the_round() -> None:
    sim = started(conduct=conduct(stall="void"))
    sim.rest(seat := on_turn(sim))
    sim.table.blame = lambda since, until: "referee"
    sim.now += 500
    sim.act(seat, meek(sim.open[seat]))
    sim.table.blame = None
    assert only(Void, news(sim.heard)) == [Void(why="crash")]
    sim.finish()


def test_lateness_of_a_bot_never_makes_a_round_void() -> None:
    sim = started(conduct=conduct(stall="void"))
    assert sleeps(sim, on_turn(sim)).verdict == "bot"
    assert not only(Void, sim.finish())


# -- faults by kind ----------------------------------------------------------------------------------------------------


def misses(sim: Sim, seat: int) -> None:
    while on_turn(sim) != seat:
        sim.rest()
    sleeps(sim, seat)


def stubborn(sim: Sim, seat: int) -> None:
    while on_turn(sim) != seat:
        sim.rest()
    sim.rest(seat)
    for _ in range(3):
        sim.act(seat, NONSENSE)


@pytest.mark.parametrize(
    ("field", "faults", "forfeited"),
    [
        ("late_faults", "rrlrl", True),
        ("late_faults", "rrlrr", False),
        ("refused_faults", "llrlr", True),
        ("link_faults", "llrr", False),
    ],
)
def test_each_kind_of_fault_has_a_limit_of_its_own(field: str, faults: str, forfeited: bool) -> None:
    sim = started(PRESETS["short"], conduct=conduct(**{field: 2}), length=Rounds(rounds=3))
    for number, kind in enumerate(faults):
        assert not only(Forfeit, news(sim.heard)), number
        (misses if kind == "l" else stubborn)(sim, 2)
    while sim.table.over is None and sim.table.game.needs_deal:
        sim.rest()
    sim.rest()
    assert [one.seat for one in only(Forfeit, sim.finish())] == [2] * forfeited


def test_a_lost_link_is_a_kind_of_its_own() -> None:
    sim = started(conduct=conduct(link_faults=1, late_faults=9))
    while on_turn(sim) != 3:
        sim.rest()
    sim.rest(3)
    sim.take(sim.table.on_link(3, False, sim.now))
    sim.wait(100)
    assert [one.verdict for one in only(Late, news(sim.heard))] == ["link"]
    assert [one.seat for one in only(Forfeit, sim.finish())] == [3]


def test_two_limits_forfeit_once() -> None:
    sim = started(conduct=conduct(faults=1, late_faults=1))
    misses(sim, 1)
    assert len(only(Forfeit, sim.finish())) == 1


def test_who_leaves_may_be_waited_for() -> None:
    sim = started(conduct=conduct(left="wait", link_faults=2), length=Rounds(rounds=2))
    seat = on_turn(sim)
    sim.rest(seat)
    assert sim.take(sim.table.on_leave(seat, sim.now)) == []
    assert sim.wait(99) == []
    sim.wait(1)
    assert only(Late, news(sim.heard))[0].verdict == "link"
    sim.take(sim.table.on_link(seat, True, sim.now))
    assert not only(Forfeit, sim.finish())


# -- after a crash -----------------------------------------------------------------------------------------------------


def test_a_crash_changes_neither_banks_nor_limits() -> None:
    """A log that is cut after any line is gone on with, and the rest of it comes out again."""
    policy = make_conduct(
        {"act_ms": 100, "window_ms": 40, "faults": 6, "bank_ms": 300, "increment_ms": 10, "ready_ms": 400}
        | {"late_faults": 2, "stall": "void", "left": "wait"}
    )
    sim = started(conduct=policy, clock="ms", length=Rounds(rounds=4))
    draw = random.Random("banks")
    while sim.table.over is None:
        seat = on_turn(sim)
        what = draw.random()
        sim.table.blame = (lambda since, until: "host") if what < 0.03 else None
        if what < 0.1:
            sleeps(sim, seat)
        elif what < 0.3 and (may := sim.table.game.legal(seat)) and any(isinstance(act, Toep) for act in may):
            sim.rest(seat)
            sim.act(seat, Toep(seat=seat))
        else:
            thinks(sim, seat, draw.randrange(sim.open[seat].budget_ms))
    log = sim.log()
    assert only(Void, log)
    assert only(Late, log)
    assert only(Forfeit, log)
    data = bytes(sim.sink.data)
    ends = [place + 1 for place, byte in enumerate(data) if byte == 10]
    for end in ends[2:-4]:
        table, writer, _ = resume(read_unfinished(data[:end]), SEED, MemorySink())
        assert table.faults == _faults(records_of(data)[: writer.lines])


def _faults(records: list[Record]) -> list[int]:
    """Counted anew, from the lines alone."""
    found, excused = [0] * 4, False
    for record in records:
        if isinstance(record, Late):
            excused = record.verdict in ("host", "referee")
        elif getattr(record, "by", UNSET) == "ref":
            found[record.seat] += not excused  # type: ignore[attr-defined]
            excused = False
    return found
