"""Clocks: one absolute deadline an ask, which nothing can extend."""

import pytest
from msgspec import UNSET

from referee.game.records import Play, Record, Toep
from referee.log.records import Conduct, Late
from referee.ruleset import CAFE
from referee.table.messages import NEVER, Ask, AskKind, RefusalCode, Refused
from referee.table.table import Malformed
from tests.support.tables import Sim, foreign_card, meek, news, only, said, started

CONDUCT = Conduct(act_ms=100, window_ms=40, faults=0)


def codes(messages: object) -> list[RefusalCode]:
    assert isinstance(messages, list)
    return [refused.code for refused in said(Refused, messages)]


def cards(sim: Sim) -> list[Play]:
    return only(Play, news(sim.heard))


# -- deadlines ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("after", "late"), [(0, False), (99, False), (100, True), (101, True)])
def test_the_clock_decides_whether_an_act_is_late(after: int, late: bool) -> None:
    sim = started(conduct=CONDUCT, clock="ms")
    card = meek(sim.open[1])
    sim.rest(1)
    sim.now += after
    messages = sim.act(1, card)
    assert codes(messages) == ([RefusalCode.STALE] if late else [])
    (played,) = cards(sim)
    assert (played.by == "ref") is late
    assert played.ms == (UNSET if late else after)
    lates = only(Late, news(sim.heard))
    assert lates == ([Late(budget=100, elapsed=after, seat=1, verdict="bot")] if late else [])
    sim.finish()


def test_time_alone_ends_an_ask() -> None:
    sim = started(conduct=CONDUCT)
    sim.rest(1)
    assert sim.wait(99) == []
    sim.wait(1)
    (played,) = cards(sim)
    assert played.by == "ref"
    assert only(Late, news(sim.heard)) == [Late(budget=100, seat=1, verdict="bot")]
    sim.finish()


def test_silence_in_a_window_is_free() -> None:
    sim = started(conduct=CONDUCT)
    sim.act(1, meek(sim.open[1]))
    assert sim.table.deadline == sim.now + 40
    assert sim.wait(39) == []
    sim.wait(1)
    assert cards(sim) != []
    assert cards(sim)[0].by is UNSET
    assert sim.table.faults == [0, 0, 0, 0]
    assert not only(Late, sim.finish())


def test_a_window_that_is_used_too_late_is_a_pass() -> None:
    sim = started(conduct=CONDUCT)
    sim.rest(2)
    sim.now += 40
    messages = sim.act(2, Toep(seat=2))
    assert codes(messages) == [RefusalCode.STALE]
    assert not only(Toep, news(sim.heard))
    assert len(cards(sim)) == 1
    sim.finish()


def test_windows_close_while_a_card_is_still_thought_about() -> None:
    sim = started(conduct=CONDUCT)
    sim.wait(40)
    assert sorted(sim.open) == [1]
    sim.act(1, meek(sim.open[1]))
    assert len(cards(sim)) == 1
    sim.finish()


def test_nobody_answering_anything_is_a_whole_match() -> None:
    sim = started(CAFE, conduct=Conduct(act_ms=100, window_ms=40, faults=0), length="game")
    while sim.table.over is None:
        assert sim.table.deadline < NEVER
        sim.wait(sim.table.deadline - sim.now)
    records = sim.log()
    assert all(play.by == "ref" for play in only(Play, records))
    assert len(only(Late, records)) == len(only(Play, records))


def test_looking_at_the_clock_early_does_no_harm() -> None:
    sim = started(conduct=CONDUCT)
    for _ in range(39):
        assert sim.wait(1) == []
    assert sorted(sim.open) == [0, 1, 2, 3]
    sim.finish()


def test_illegal_tries_do_not_extend_a_deadline() -> None:
    sim = started(conduct=CONDUCT)
    sim.rest(1)
    sim.now += 60
    sim.act(1, foreign_card(sim, 1))
    again = sim.open[1]
    assert sim.table.sent(again, sim.now) == 40
    sim.now += 39
    sim.act(1, Malformed("nonsense"))
    assert sim.table.sent(sim.open[1], sim.now) == 1
    sim.now += 1
    assert codes(sim.act(1, meek(sim.open[1]))) == [RefusalCode.STALE]
    (played,) = cards(sim)
    assert played.by == "ref"
    sim.finish()


def test_the_time_of_an_act_counts_from_the_first_ask() -> None:
    sim = started(conduct=CONDUCT, clock="ms")
    sim.rest(1)
    sim.now += 60
    sim.act(1, foreign_card(sim, 1))
    sim.now += 7
    sim.act(1, meek(sim.open[1]))
    assert cards(sim)[0].ms == 67
    sim.finish()


# -- sent --------------------------------------------------------------------------------------------------------------


def test_no_clock_runs_before_an_ask_is_sent() -> None:
    sim = started(conduct=CONDUCT, clock="ms", prompt=False)
    assert sim.table.deadline == NEVER
    assert sim.wait(10**6) == []
    assert sim.table.sent(sim.open[1], sim.now) == 100
    assert sim.table.deadline == sim.now + 100
    sim.now += 5
    sim.act(1, meek(sim.open[1]))
    sim.rest()
    assert cards(sim)[0].ms == 5


def test_an_act_on_an_ask_that_was_not_sent_took_no_time() -> None:
    sim = started(clock="ms", prompt=False)
    sim.now += 50
    sim.rest()
    assert cards(sim)[0].ms == 0


def test_sending_starts_the_clock_once() -> None:
    sim = started(conduct=CONDUCT)
    ask = sim.open[1]
    sim.rest(1)
    assert [sim.table.sent(ask, sim.now + later) for later in (0, 10, 99, 100, 500)] == [100, 90, 1, 0, 0]
    sim.wait(100)
    assert only(Late, news(sim.heard))


def test_an_ask_that_is_over_has_no_time_left() -> None:
    sim = started(conduct=CONDUCT)
    ask = sim.open[1]
    sim.act(1, meek(ask))
    assert sim.table.sent(ask, sim.now) == 0


# -- links -------------------------------------------------------------------------------------------------------------


def test_a_lost_link_starts_the_clock_of_what_was_not_sent() -> None:
    sim = started(conduct=CONDUCT, prompt=False)
    assert sim.table.on_link(1, False, sim.now) == ()
    assert sim.table.deadline == sim.now + 100
    for seat in (0, 2, 3):
        sim.act(seat, meek(sim.open[seat]))
    sim.wait(100)
    assert only(Late, news(sim.heard)) == [Late(budget=100, seat=1, verdict="link")]


def test_a_lost_link_does_not_restart_a_clock() -> None:
    sim = started(conduct=CONDUCT)
    sim.rest(1)
    sim.now += 30
    sim.table.on_link(1, False, sim.now)
    assert sim.wait(69) == []
    sim.wait(1)
    assert only(Late, news(sim.heard)) == [Late(budget=100, seat=1, verdict="link")]


def test_while_a_link_is_down_clocks_of_new_asks_run() -> None:
    sim = started(conduct=CONDUCT, prompt=False)
    sim.table.on_link(2, False, sim.now)
    for seat in (0, 1, 3):
        sim.act(seat, meek(sim.open[seat]))
    sim.wait(40)
    assert sim.open[2].kind is AskKind.CARD
    assert sim.table.deadline == sim.now + 100
    for seat in (0, 1, 3):
        sim.act(seat, meek(sim.open[seat]))
    sim.wait(100)
    assert [play.by for play in cards(sim)] == [UNSET, "ref"]


def test_a_link_that_is_back_repeats_the_open_ask() -> None:
    sim = started(conduct=CONDUCT)
    ask = sim.open[1]
    sim.now += 30
    sim.table.on_link(1, False, sim.now)
    sim.now += 30
    assert sim.table.on_link(1, True, sim.now) == [ask]
    assert sim.table.sent(ask, sim.now) == 40
    sim.act(1, meek(ask))
    assert sim.table.on_link(1, False, sim.now) == ()
    assert sim.table.on_link(1, True, sim.now) == ()
    sim.rest()
    sim.finish()


def test_a_link_that_was_back_in_time_is_no_excuse() -> None:
    sim = started(conduct=CONDUCT)
    sim.rest(1)
    sim.table.on_link(1, False, sim.now)
    sim.table.on_link(1, True, sim.now)
    sim.wait(100)
    assert only(Late, news(sim.heard)) == [Late(budget=100, seat=1, verdict="bot")]


def test_an_ask_of_a_match_with_time_for_all_of_it() -> None:
    """A slow bot uses all but the last millisecond of everything, and is never late."""
    sim = started(CAFE, conduct=CONDUCT, clock="ms")
    while sim.table.over is None:
        windows = [seat for seat, ask in sorted(sim.open.items()) if not ask.required]
        sim.now += 39
        for seat in windows:
            sim.act(seat, meek(sim.open[seat]))
        if sim.table.over is None and [ask.required for ask in sim.open.values()] == [True]:
            sim.now += 60 if windows else 99
            sim.rest()
    records: list[Record] = sim.log()
    assert not only(Late, records)
    assert all(play.ms is not UNSET and play.ms <= 138 for play in only(Play, records))


# -- what the log says -------------------------------------------------------------------------------------------------


def test_without_a_clock_the_log_has_no_times() -> None:
    sim = started(conduct=CONDUCT, clock="none")
    sim.now += 17
    sim.rest()
    sim.rest(2)
    sim.wait(100)
    records = sim.finish()
    assert only(Late, records) == [Late(budget=100, seat=2, verdict="bot")]
    assert all(play.ms is UNSET for play in only(Play, records))


def test_with_a_clock_every_act_of_a_player_has_its_time() -> None:
    sim = started(conduct=CONDUCT, clock="ms")
    records = sim.finish()
    assert {play.ms for play in only(Play, records)} == {0}
    assert {ask.budget_ms for ask in said(Ask, sim.heard)} == {100, 40}
