"""Logs whose conduct says more than it has to: banks, the first act, faults by kind, lateness of the house.

They are written by a table with a clock that the log's maker sets, so that what counts is what a referee writes.
"""

from collections.abc import Iterator
from typing import Literal

from referee.game.records import Toep
from referee.log.policy import make_conduct
from referee.log.records import Conduct, Rounds
from referee.table.table import Malformed
from tests.support.tables import Sim, meek, started
from tools.log_fixtures.base import Fixture
from tools.log_fixtures.changes import Change, Records, _at, at_line, bad, insert, put, record, within
from tools.log_fixtures.play import Dice

Own = Literal["host", "referee"]
TIMES: dict[str, object] = {"act_ms": 1000, "window_ms": 100}
BANKED: dict[str, object] = {**TIMES, "bank_ms": 500, "increment_ms": 50, "ready_ms": 3000}


def _on_turn(sim: Sim) -> int:
    (ask,) = [ask for ask in sim.open.values() if ask.required]
    return ask.seat


def _acts(sim: Sim, ms: int, *, toep: bool = False) -> None:
    """Whoever must act takes so long; the others decline at once."""
    sim.rest(seat := _on_turn(sim))
    sim.now += ms
    sim.act(seat, Toep(seat=seat) if toep else meek(sim.open[seat]))


def _sleeps(sim: Sim, own: Own | None = None) -> None:
    """Whoever must act does not; ``own``: because the house kept it from being heard."""
    sim.rest(seat := _on_turn(sim))
    sim.table.blame = lambda since, until: own
    sim.wait(sim.open[seat].deadline - sim.now)
    sim.table.blame = None


def _begun(conduct: Conduct, rounds: int = 1, seats: int = 2) -> Sim:
    return started(seats=seats, conduct=conduct, clock="ms", length=Rounds(rounds=rounds))


def _finished(sim: Sim) -> bytes:
    sim.finish()
    return bytes(sim.sink.data)


def banked() -> bytes:
    """Two seats use their banks up, by and by and at once."""
    sim = _begun(make_conduct(BANKED), rounds=2)
    for ms in (2900, 100, 1400, 1549, 30):
        _acts(sim, ms)
    _sleeps(sim)
    _acts(sim, 900, toep=True)
    _acts(sim, 999)
    return _finished(sim)


def excused() -> bytes:
    """Lateness of the host and of the referee is no fault; the same seat's own is."""
    sim = _begun(make_conduct({**TIMES, "stall": "excuse", "late_faults": 1, "bank_ms": 500}), rounds=2, seats=3)
    _sleeps(sim, "host")
    _acts(sim, 10)
    _acts(sim, 20)
    _sleeps(sim, "referee")
    while sim.table.game.round == 1:
        _acts(sim, 5)
    _sleeps(sim)
    return _finished(sim)


def voided() -> bytes:
    """The host stood still, and the round is dealt again."""
    sim = _begun(make_conduct({**TIMES, "stall": "void", "faults": 1}), seats=3)
    _acts(sim, 10)
    _acts(sim, 10, toep=True)
    _sleeps(sim, "host")
    return _finished(sim)


def waited() -> bytes:
    """A bot leaves, is waited for, and is forfeited for what it missed."""
    sim = _begun(make_conduct({**TIMES, "left": "wait", "link_faults": 2}), seats=3)
    sim.rest(seat := _on_turn(sim))
    sim.take(sim.table.on_leave(seat, sim.now))
    for _ in range(2):
        while _on_turn(sim) != seat:
            _acts(sim, 5)
        _sleeps(sim)
    return _finished(sim)


def by_lot(name: str, seats: int, rounds: int, **fields: object) -> bytes:
    """Players, and the house, that are late by lot, give nonsense by lot, and toep by lot; who has a bank uses it."""
    dice, sim = Dice(name), _begun(make_conduct({**BANKED, **fields}), rounds, seats)
    while sim.table.over is None:
        seat = _on_turn(sim)
        if dice.happens(5):
            _sleeps(sim, "host" if dice.happens(50) else None)
        elif dice.happens(8):
            sim.rest(seat)
            for _ in range(3):
                sim.act(seat, Malformed("nonsense"))
        else:
            toeps = any(isinstance(act, Toep) for act in sim.table.game.legal(seat))
            _acts(sim, dice.below(sim.open[seat].budget_ms), toep=toeps and dice.happens(10))
    return _finished(sim)


def slow_without_bank() -> bytes:
    """Within its time, and then not: where there is no bank nothing is saved."""
    sim = _begun(make_conduct(TIMES))
    _acts(sim, 10)
    _acts(sim, 999)
    _sleeps(sim)
    return _finished(sim)


def stubborn() -> bytes:
    """All tries are refused, twice; being late in between is another kind."""
    sim = _begun(make_conduct({**TIMES, "refused_faults": 2, "ready_ms": 2000, "tries": 1}), rounds=2, seats=3)
    sim.rest(seat := _on_turn(sim))
    sim.act(seat, Malformed("nonsense"))
    while _on_turn(sim) != seat:
        _acts(sim, 5)
    _sleeps(sim)
    while _on_turn(sim) != seat:
        _acts(sim, 5)
    sim.rest(seat)
    sim.act(seat, Malformed("nonsense"))
    return _finished(sim)


def policy_logs() -> Iterator[Fixture]:
    """E309, E384, E387, E398: a conduct that is not kept to."""
    yield bad("E309-bank", "A bank, and no times to count it by.", quiet_clock(), at_line(
        within("head", "conduct", bank_ms=500), "head"))  # fmt: skip
    log = banked()
    yield bad("E384-budget", "A deadline that the bank does not give.", log, _changed("late", "budget", 1))
    yield bad("E384-elapsed", "A deadline that has not passed yet.", log, _changed("late", "elapsed", -1))
    yield bad("E384-plain", "Another time than every act has.", voided(), put("late", budget=999))
    yield bad("E384-own", "A player's act counts, though his time was over.", log, put("play", 3, ms=1550))
    yield bad("E384-bank", "A player has used more than the log's next deadline says.", log, at_line(
        put("play", 2, ms=1399), "late"))  # fmt: skip
    yield bad("E387-late", "A seat is forfeited for being late less often than the conduct says.", excused(), at_line(
        within("head", "conduct", late_faults=2), "forfeit"))  # fmt: skip
    yield bad("E387-excused", "A seat is forfeited for lateness that the conduct excuses.", excused(), _excused_forfeit)
    yield bad("E387-waited", "A bot left and is forfeited, though the conduct says that it is waited for.", waited(),
        put("forfeit", why="left"))  # fmt: skip
    yield bad("E384-kept", "The bank of a seat that was late by its own fault is emptied.", by_lot(
        "excuse", 4, 6, stall="excuse"), _changed("late", "budget", 1, number=2))  # fmt: skip
    yield bad("E387-refused", "A seat is forfeited for fewer refusals than the conduct says.", stubborn(), at_line(
        within("head", "conduct", refused_faults=3), "forfeit"))  # fmt: skip
    log = voided()
    yield bad("E398-act", "The house stood still, and the referee plays on.", log, _plays_on)
    yield bad("E398-forfeit", "A seat is forfeited where the round is void.", log, _forfeits)
    yield bad("E398-cancelled", "The round is void for another reason.", log, put("void", why="cancelled"))
    yield bad("E398-late", "Another seat is late before the round is void.", log, lambda records: insert(
        "void", dict(record(records, "late")))(records))  # fmt: skip


def quiet_clock() -> bytes:
    """A log without times."""
    return _finished(started(seats=2))


def _changed(tag: str, field: str, by: int, number: int = 0) -> Change:
    return lambda records: put(tag, number, **{field: record(records, tag, number)[field] + by})(records)


def _excused_forfeit(records: Records) -> int:
    at = _at(records, "late") + 2
    records.insert(at, {"_": "forfeit", "seat": record(records, "late")["seat"], "why": "faults"})
    return at + 1


def _forfeits(records: Records) -> int:
    at = _at(records, "void")
    records[at] = {"_": "forfeit", "seat": record(records, "late")["seat"], "why": "left"}
    return at + 1


def _plays_on(records: Records) -> int:
    at, seat = _at(records, "void"), record(records, "late")["seat"]
    records[at] = {"_": "fold", "by": "ref", "pay": 1, "seat": seat}
    return at + 1
