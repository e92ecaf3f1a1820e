"""The order in which answers arrive never matters: the log and every seat's messages are the same."""

import random
from collections.abc import Callable, Sequence

from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.cards import NAMES, CardName, bits, names
from referee.game.game import BIT, PASS_BIT
from referee.game.records import (
    ACTS,
    Act,
    AnyAct,
    Blind,
    Challenge,
    Chance,
    Confess,
    Cut,
    Discard,
    Exchange,
    Fold,
    Peek,
    Play,
    Resign,
    Signal,
    Stay,
    Toep,
)
from referee.log.records import Conduct, Late, Length, Rounds
from referee.ruleset import CAFE, SHORT, Ruleset
from referee.table.messages import Ask, Message
from referee.table.steps import PASS, Answer, Pass
from referee.table.table import Malformed
from tests.support.tables import HEAVY, Sim, only, tables, told, verified

CONDUCT = Conduct(act_ms=50, window_ms=20, faults=4, max_deals=12)
SILENCE = None
ODDS: dict[type[Act], float] = {
    Cut: 0.5, Blind: 0.1, Peek: 0.1, Chance: 0.5, Exchange: 0.3, Challenge: 0.3, Signal: 0.1, Toep: 0.15, Stay: 1,
    Fold: 0.5, Discard: 1, Confess: 0.3,
}  # fmt: skip
"""How likely each act is when it is legal."""

Pick = Callable[[list[int]], int]
"""Which of the seats that could answer now does."""


def wild(key: str, ask: Ask) -> Answer | Malformed | None:
    """An answer drawn from nothing but the ask: often sensible, sometimes wrong in every possible way, sometimes none.

    None is silence.
    """
    draw = random.Random(f"{key}/{ask.seat}/{ask.id}")
    luck = draw.random()
    if luck < 0.04:
        return Malformed("nonsense")
    if luck < 0.10:
        return Play(card=draw.choice(NAMES), seat=ask.seat)
    if luck < 0.16:
        return anything(draw, ask.seat)
    if luck < 0.18:
        return SILENCE
    if luck < 0.19:
        return Resign(seat=ask.seat)
    sensible: list[Answer] = [Play(card=NAMES[card], seat=ask.seat) for card in bits(ask.legal)]
    for kind, chance in ODDS.items():
        if ask.may & BIT[kind] and draw.random() < chance:
            sensible.append(spelled_out(draw, kind, ask.seat, names(ask.hand)))
    if ask.may & PASS_BIT:
        sensible.extend((PASS, Pass(draw.randrange(3))))
    return draw.choice(sensible) if sensible else SILENCE


def anything(draw: random.Random, seat: int) -> AnyAct:
    """Some act, legal or not."""
    return spelled_out(draw, draw.choice(ACTS), seat, NAMES)


def spelled_out(draw: random.Random, kind: type[Act], seat: int, cards: Sequence[CardName]) -> AnyAct:
    """An act of a kind, with what it needs; cards are taken from these."""
    if kind is Discard:
        return Discard(cards=sorted(draw.sample(cards, min(3, len(cards))), key=NAMES.index), seat=seat)
    if kind is Signal:
        return Signal(seat=seat, sign=draw.choice(("whistle", "sing", "stand")))
    if kind is Play:
        return Play(card=draw.choice(cards), seat=seat)
    if kind is Cut:
        return Cut(at=draw.randint(1, 31), seat=seat)
    return kind(seat=seat)  # type: ignore[return-value]


def play(key: str, rules: Ruleset, seats: int, length: Length, pick: Pick) -> Sim:
    """A match in which ``pick`` says who answers next; silent seats are waited for when nobody else is left."""
    sim = Sim(rules, seats, conduct=CONDUCT, length=length)
    sim.start()
    while sim.table.over is None:
        answers = {seat: wild(key, ask) for seat, ask in sorted(sim.open.items())}
        ready = [seat for seat, answer in answers.items() if answer is not SILENCE]
        if ready:
            seat = pick(ready)
            answer = answers[seat]
            assert answer is not None
            sim.act(seat, answer)
        else:
            sim.wait(min(ask.deadline for ask in sim.open.values()) - sim.now)
    return sim


def in_order(ready: list[int]) -> int:
    return ready[0]


def heard(sim: Sim, seat: int) -> list[Message]:
    """What a seat heard, but for the moments at which clocks were started."""
    return [
        (message.id, message.kind, message.hand, message.legal, message.may, message.budget_ms)  # type: ignore[misc]
        if isinstance(message, Ask)
        else message
        for message in told(sim.heard, seat)
    ]


@settings(HEAVY, max_examples=60)
@given(
    table=tables(),
    length=st.sampled_from(["game", Rounds(rounds=2)]),
    key=st.integers(0, 10**9).map(str),
    order=st.randoms(use_true_random=False),
)
@example(table=(CAFE, 4), length="game", key="1", order=random.Random(1))
@example(table=(SHORT, 8), length="game", key="2", order=random.Random(2))
def test_any_order_of_arrival_gives_the_same_bytes(
    table: tuple[Ruleset, int], length: Length, key: str, order: random.Random
) -> None:
    rules, seats = table
    first = play(key, rules, seats, length, in_order)
    for pick in (max, order.choice):
        other = play(key, rules, seats, length, pick)
        assert bytes(other.sink.data) == bytes(first.sink.data)
        for seat in range(seats):
            assert heard(other, seat) == heard(first, seat)
    first.log()


def test_the_matches_of_this_file_see_everything() -> None:
    """The property says little unless its matches have superseded acts, refusals, late seats and the like."""
    seen: set[str] = set()
    for key in range(12):
        sim = play(str(key), CAFE, 5, "game", in_order)
        seen.update(type(message).__name__ for message in sim.heard)
        records = sim.log()
        seen.update(str(record.__struct_config__.tag) for record in records)
        assert all(late.verdict == "bot" for late in only(Late, records))
    assert seen >= {"Ask", "Update", "Refused", "Superseded", "Over"}
    assert seen >= {"play", "toep", "stay", "fold", "exchange", "challenge", "penalty", "refused", "late", "trick"}


@settings(HEAVY, max_examples=30)
@given(
    table=tables(),
    key=st.integers(0, 10**9).map(str),
    leaver=st.integers(0, 7),
    order=st.randoms(use_true_random=False),
)
def test_when_the_news_that_a_bot_left_arrives_does_not_matter(
    table: tuple[Ruleset, int], key: str, leaver: int, order: random.Random
) -> None:
    """A bot leaves in place of answering a certain ask; before or after the answers of others to the same step."""
    rules, seats = table
    leaver %= seats
    moment = order.randrange(1, 8)

    def run(pick: Pick) -> bytes:
        sim = Sim(rules, seats, conduct=CONDUCT, length="game")
        sim.start()
        asked: list[int] = []
        while sim.table.over is None:
            answers = {seat: wild(key, ask) or PASS for seat, ask in sorted(sim.open.items())}
            seat = pick(list(answers))
            if seat == leaver and len(asked) >= moment:
                sim.take(sim.table.on_leave(seat, sim.now))
                continue
            if seat == leaver:
                asked.append(sim.open[seat].id)
            sim.act(seat, answers[seat])
        return bytes(sim.sink.data)

    first = run(in_order)
    assert first == run(max) == run(order.choice)
    verified(first)
