"""Ask ids, and answers to asks that are not live."""

import random

import pytest

from referee.cards import NAMES
from referee.game.records import Play, Stay, Toep
from referee.log.records import Refused as RefusedLine
from referee.log.records import Rounds
from referee.ruleset import CAFE
from referee.table.messages import Ask, RefusalCode, Refused, ask_id, seat_of
from referee.table.steps import PASS
from referee.table.table import Malformed
from tests.support.tables import Sim, foreign_card, meek, news, only, said, started, told


def with_tries(key: str) -> Sim:
    """A match in which every seat now and then sends nonsense first, drawn per ask."""
    sim = started(CAFE, length=Rounds(rounds=3))
    while sim.table.over is None:
        for seat, ask in sorted(sim.open.items()):
            if sim.table.is_open(seat, ask.id):
                wild = random.Random(f"{key}/{seat}/{ask.id}").random() < 0.3
                sim.act(seat, Malformed("nonsense") if wild else meek(ask))
    sim.log()
    return sim


def test_no_two_asks_of_a_seat_have_the_same_id_and_none_is_0() -> None:
    asks = said(Ask, with_tries("a").heard)
    assert len(asks) > 100
    assert len({ask.id for ask in asks}) == len(asks)
    assert all(0 < ask.id < 1 << 32 for ask in asks)
    assert all(seat_of(ask.id) == ask.seat for ask in asks)


def test_a_second_run_has_the_same_ids() -> None:
    first, second = with_tries("b"), with_tries("b")
    assert [(ask.seat, ask.id) for ask in said(Ask, first.heard)] == [(a.seat, a.id) for a in said(Ask, second.heard)]
    assert bytes(first.sink.data) == bytes(second.sink.data)


def test_an_id_is_made_of_effective_acts_seat_and_attempt() -> None:
    assert ask_id(0, 0, 1) == 1
    assert ask_id(1, 0, 1) == 513
    assert ask_id(1, 7, 63) == 1023
    assert len({ask_id(at, seat, attempt) for at in range(40) for seat in range(8) for attempt in range(1, 30)}) == 9280


def test_refusals_of_others_do_not_show() -> None:
    """What a seat hears is the same whether or not another one has tried something illegal."""
    runs = []
    for tries in (0, 1, 2, 3):
        sim = started()
        for _ in range(tries):
            sim.act(2, Malformed("nonsense"))
        while sim.table.over is None:
            sim.rest()
        runs.append([told(sim.heard, seat) for seat in (0, 1, 3)])
        sim.log()
    assert runs[0] == runs[1] == runs[2] == runs[3]


def test_a_stale_answer_costs_nothing() -> None:
    sim = started()
    old = sim.open[1]
    sim.rest()
    for answer in (meek(old), Malformed("nonsense"), PASS, Toep(seat=1)):
        (refused,) = sim.take(sim.table.on_act(1, old.id, answer, sim.now))
        assert isinstance(refused, Refused)
        assert (refused.code, refused.rule, refused.ask, refused.seat) == (RefusalCode.STALE, "", old.id, 1)
    live = sim.open[1].id
    assert sim.act(1, Malformed("nonsense"))[0] == Refused(1, live, RefusalCode.MALFORMED, "", "nonsense", 2)
    assert len(only(RefusedLine, sim.finish())) == 1


def test_an_answer_given_twice_counts_once() -> None:
    sim = started()
    ask, card = sim.open[1], meek(sim.open[1])
    sim.act(1, card)
    (refused,) = sim.take(sim.table.on_act(1, ask.id, card, sim.now))
    assert isinstance(refused, Refused)
    assert refused.code is RefusalCode.STALE
    sim.rest()
    assert only(Play, news(sim.heard)) == [card]
    sim.finish()


@pytest.mark.parametrize("number", [0, 7, ask_id(0, 3, 1), ask_id(1, 1, 1), 2**32 - 1])
def test_an_id_that_was_never_given_is_stale(number: int) -> None:
    sim = started()
    (refused,) = sim.take(sim.table.on_act(1, number, meek(sim.open[1]), sim.now))
    assert isinstance(refused, Refused)
    assert refused.code is RefusalCode.STALE
    assert sim.table.is_open(1, sim.open[1].id)


def test_the_id_before_a_refused_try_is_stale() -> None:
    sim = started()
    old = sim.open[1]
    sim.act(1, foreign_card(sim, 1))
    assert sim.open[1].id != old.id
    assert not sim.table.is_open(1, old.id)
    (refused,) = sim.take(sim.table.on_act(1, old.id, meek(old), sim.now))
    assert isinstance(refused, Refused)
    assert refused.code is RefusalCode.STALE
    sim.finish()


def test_an_answer_before_the_ask_was_sent_counts() -> None:
    sim = started(prompt=False)
    sim.act(1, meek(sim.open[1]))
    sim.rest()
    assert len(only(Play, news(sim.heard))) == 1


def test_nothing_is_open_after_the_end() -> None:
    sim = started()
    last = said(Ask, sim.heard)
    sim.finish()
    for ask in last:
        (refused,) = list(sim.table.on_act(ask.seat, ask.id, Stay(seat=ask.seat), sim.now))
        assert isinstance(refused, Refused)
        assert refused.code is RefusalCode.STALE
    assert sim.table.on_time(sim.now + 10**9) == ()
    assert sim.table.on_link(1, False, sim.now) == ()
    assert sim.table.on_link(1, True, sim.now) == ()
    assert sim.table.on_leave(1, sim.now) == ()


def test_every_card_can_be_named() -> None:
    sim = started()
    held = {NAMES.index(card) for card in NAMES if sim.open[1].hand >> NAMES.index(card) & 1}
    assert len(held) == 4
    for card in range(32):
        refusal = sim.table.game.check(Play(card=NAMES[card], seat=1))
        assert (refusal is None) is (card in held)
