"""What the referee's own table writes is valid, whatever the rules are and however badly its players behave."""

import random
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cards import NAMES
from referee.game.game import PASS_BIT
from referee.game.records import ACTS, AnyAct, Cut, Discard, Play, Resign, Signal
from referee.log.records import Conduct, Length, Rounds
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import PRESETS, Ruleset
from referee.table.head import MatchPlan, make_head
from referee.table.inprocess import write_match
from referee.table.messages import Ask, Message
from referee.table.steps import Answer, Pass
from referee.table.table import Malformed, Table
from tests.support.match import rulesets
from tests.validate.conftest import check


def plan(rules: Ruleset, seats: int, length: Length, **more: Any) -> MatchPlan:
    return MatchPlan(rules=rules, bots=[f"bot-{seat}" for seat in range(seats)], length=length, **more)


def require_valid(data: bytes) -> None:
    report = check(data)
    assert (report.verdict, report.exit) == ("VALID", 0), report.errors or report.missing


@pytest.mark.parametrize("length", ["game", Rounds(rounds=3)], ids=["game", "rounds"])
@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset(preset: str, seats: int, length: Length) -> None:
    rules = PRESETS[preset]
    if seats < rules.min_players:
        pytest.skip("too few players for these rules")
    for number in range(4):
        sink = MemorySink()
        clock = ("none", "ms")[number % 2]
        write_match(
            plan(rules, seats, length, clock=clock), number.to_bytes(32, "big"), sink, eagerness=0.05 + number / 8
        )
        require_valid(bytes(sink.data))


@st.composite
def plans(draw: st.DrawFn) -> MatchPlan:
    rules = draw(rulesets())
    conduct = Conduct(max_deals=12, tries=draw(st.integers(1, 3)), faults=draw(st.sampled_from([0, 1, 2, 5])))
    seats = draw(st.integers(rules.min_players, 8))
    length: Length = draw(st.sampled_from(["game", Rounds(rounds=2)]))
    return plan(rules, seats, length, clock=draw(st.sampled_from(["none", "ms"])), conduct=conduct)


@settings(max_examples=150, deadline=None)
@given(plans(), st.integers(0, 2**32), st.sampled_from([0.05, 0.3, 0.8]))
def test_any_rules(match: MatchPlan, number: int, eagerness: float) -> None:
    sink = MemorySink()
    write_match(match, number.to_bytes(32, "big"), sink, eagerness=eagerness)
    require_valid(bytes(sink.data))


class Rabble:
    """Players that do anything: illegal acts, silence, leaving; and now and then the match is stopped."""

    def __init__(self, match: MatchPlan, number: int, rudeness: float, leaving: float, *, declared: bool) -> None:
        seed = number.to_bytes(32, "big")
        self.sink = MemorySink()
        head = make_head(match, seed, declared=declared)
        self.table = Table(head, seed, LogWriter(self.sink, match=head.match))
        self.conduct = match.conduct
        self.rng = random.Random(number)
        self.rudeness, self.leaving = rudeness, leaving
        self.now = 0
        self.asks: dict[int, Ask] = {}

    def play(self) -> bytes:
        self.hear(self.table.start(0))
        while self.table.over is None:
            self.hear(self.go_on())
        return bytes(self.sink.data)

    def hear(self, messages: Iterable[Message]) -> None:
        for message in messages:
            if isinstance(message, Ask):
                self.asks[message.seat] = message
                self.table.sent(message, self.now)

    def go_on(self) -> Iterable[Message]:
        rng, table = self.rng, self.table
        chance = rng.random()
        if chance < self.leaving:
            return table.on_leave(rng.randrange(table.game.seats), self.now)
        if chance < self.leaving * 1.1:
            return table.abandon()
        if chance < self.leaving * 1.1 + self.rudeness / 5:
            self.now += rng.choice((self.conduct.act_ms, self.conduct.window_ms))
            return table.on_time(self.now)
        seat = rng.choice([seat for seat, ask in self.asks.items() if table.is_open(seat, ask.id)])
        ask = self.asks[seat]
        return table.on_act(seat, ask.id, self.answer(seat, ask), self.now)

    def answer(self, seat: int, ask: Ask) -> Answer | Malformed:
        rng = self.rng
        if rng.random() < self.rudeness:
            return rng.choice((Malformed("no act"), Pass(), *(self.anything(seat) for _ in range(8))))
        if rng.random() < self.rudeness / 100:
            return Resign(seat=seat)
        if ask.may & PASS_BIT and rng.random() < 0.7:
            return Pass(rng.choice((0, 0, 0, 1, 2)))
        legal = self.table.game.legal(seat)
        return rng.choice(legal) if legal else Pass()

    def anything(self, seat: int) -> AnyAct:
        rng = self.rng
        kind = rng.choice([kind for kind in ACTS if kind is not Resign])
        if kind is Cut:
            return Cut(at=rng.randint(1, 31), seat=seat)
        if kind is Signal:
            return Signal(seat=seat, sign=rng.choice(("whistle", "sing", "stand")))
        if kind is Play:
            return Play(card=rng.choice(NAMES), seat=seat)
        if kind is Discard:
            return Discard(cards=rng.sample(NAMES, 3), seat=seat)
        act: AnyAct = kind(seat=seat)  # type: ignore[assignment]
        return act


@settings(max_examples=250, deadline=None)
@given(
    plans(),
    st.integers(0, 2**32),
    st.sampled_from([0.02, 0.1, 0.3]),
    st.sampled_from([0, 0, 0.001, 0.02]),
    st.booleans(),
)
def test_any_conduct(match: MatchPlan, number: int, rudeness: float, leaving: float, declared: bool) -> None:
    require_valid(Rabble(match, number, rudeness, leaving, declared=declared).play())
