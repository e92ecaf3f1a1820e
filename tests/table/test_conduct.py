"""Conduct: tries, the referee's own acts, faults, forfeits, leaving, and matches that are stopped."""

import itertools

import pytest
from msgspec.structs import replace

from referee.game.records import (
    Act,
    AnyAct,
    Cards,
    Challenge,
    Exchange,
    Fold,
    Forfeit,
    Out,
    Play,
    Record,
    Resign,
    Round,
    Score,
    Stay,
    Toep,
    Void,
)
from referee.game.stand_in import stand_in
from referee.log.records import Conduct, End, Late, Rounds
from referee.log.records import Refused as RefusedLine
from referee.ruleset import CAFE, PRESETS, SHORT
from referee.table.messages import Ask, AskKind, RefusalCode, Refused, Superseded
from referee.table.steps import PASS, Answer, Pass
from referee.table.table import Malformed
from tests.support.tables import Sim, at_cards, foreign_card, meek, news, only, said, started

STANDING = replace(SHORT, game_end="last_standing")
NONSENSE = Malformed("nonsense")


def refusals(sim: Sim) -> list[tuple[int, RefusalCode, str, int]]:
    return [(one.seat, one.code, one.rule, one.tries_left) for one in said(Refused, sim.heard)]


def silent(sim: Sim, seat: int) -> None:
    """A seat misses the step; the others answer meekly."""
    sim.rest(seat)
    if ask := sim.open.get(seat):
        sim.wait(ask.deadline - sim.now)


# -- tries -------------------------------------------------------------------------------------------------------------


def test_after_three_tries_the_referee_acts() -> None:
    sim = started()
    wanted = stand_in(sim.table.game, 1)
    wrong = foreign_card(sim, 1)
    for _ in range(3):
        sim.act(1, wrong)
    assert refusals(sim) == [(1, RefusalCode.ILLEGAL, "R-CARD-01", left) for left in (2, 1, 0)]
    assert 1 not in sim.open
    sim.rest()
    assert only(Play, news(sim.heard)) == [wanted]
    assert sim.table.faults == [0, 1, 0, 0]
    refused = only(RefusedLine, sim.finish())
    assert [(line.at, line.seat, line.code, line.got) for line in refused] == [(0, 1, "R-CARD-01", wrong)] * 3


@pytest.mark.parametrize("tries", [1, 2, 15])
def test_the_policy_says_how_many_tries(tries: int) -> None:
    sim = started(conduct=Conduct(tries=tries))
    for left in reversed(range(tries)):
        assert said(Refused, sim.act(1, NONSENSE))[0].tries_left == left
    assert 1 not in sim.open
    sim.finish()


def test_to_a_toep_the_referee_folds() -> None:
    sim = started(conduct=Conduct(tries=1))
    sim.rest(3)
    sim.act(3, Toep(seat=3))
    sim.act(0, PASS)
    assert refusals(sim) == [(0, RefusalCode.NOT_ASKED, "", 0)]
    assert news(sim.heard)[-1] == Fold(by="ref", pay=1, seat=0)
    sim.finish()


CASES: list[tuple[Answer | Malformed, RefusalCode, str]] = [
    (NONSENSE, RefusalCode.MALFORMED, ""),
    (Malformed("much", RefusalCode.TOO_LARGE), RefusalCode.TOO_LARGE, ""),
    (PASS, RefusalCode.NOT_ASKED, ""),
    (Pass(2), RefusalCode.NOT_ASKED, ""),
    (Fold(seat=1), RefusalCode.ILLEGAL, "R-FOLD-06"),
    (Stay(seat=1), RefusalCode.ILLEGAL, "R-TURN-01"),
    (Exchange(seat=1), RefusalCode.ILLEGAL, "R-WAS-01"),
    (Challenge(seat=1), RefusalCode.ILLEGAL, "R-WAS-01"),
]


@pytest.mark.parametrize(("answer", "code", "rule"), CASES, ids=str)
def test_a_refusal_has_a_code_and_perhaps_a_rule(answer: Answer | Malformed, code: RefusalCode, rule: str) -> None:
    sim = started()
    first, again = sim.act(1, answer)
    assert isinstance(first, Refused)
    assert (first.code, first.rule, first.tries_left) == (code, rule, 2)
    assert first.message
    assert isinstance(again, Ask)
    assert again.seat == 1
    (line,) = only(RefusedLine, sim.finish())
    assert line.code == (rule or code.name.lower())
    assert (line.got == answer) is bool(rule)


def test_the_ask_that_comes_again_is_the_same_but_for_its_id() -> None:
    sim = started()
    old = sim.open[1]
    sim.act(1, NONSENSE)
    assert replace(sim.open[1], id=old.id) == old
    assert sim.open[1].id == old.id + 1


def test_a_legal_act_of_another_kind_was_not_asked_for() -> None:
    sim = started(CAFE)
    sim.act(1, Toep(seat=1))
    assert refusals(sim) == [(1, RefusalCode.NOT_ASKED, "", 2)]
    (line,) = only(RefusedLine, sim.finish())
    assert line.code == "not_asked"


def test_out_of_turn_is_explained_by_its_rule() -> None:
    sim = started()
    hand = sim.open[2].hand
    sim.act(2, replace(foreign_card(sim, 2), card=meek(replace(sim.open[2], may=0, legal=hand)).card))  # type: ignore[union-attr]
    assert refusals(sim) == [(2, RefusalCode.ILLEGAL, "R-TURN-01", 2)]
    sim.finish()


def test_in_a_window_used_up_tries_are_a_pass() -> None:
    sim = started()
    for _ in range(3):
        sim.act(2, Stay(seat=2))
    assert 2 not in sim.open
    sim.rest()
    assert len(only(Play, news(sim.heard))) == 1
    assert sim.table.faults == [0, 0, 0, 0]
    assert sim.open[2].kind is AskKind.CARD
    sim.finish()


def test_without_tries_no_window_comes_before_the_next_effective_act() -> None:
    sim = started(CAFE)
    for _ in range(3):
        sim.act(2, NONSENSE)
    sim.rest()
    assert sorted(sim.open) == [0, 1, 3]
    assert sim.open[1].kind is AskKind.CARD
    sim.rest()
    assert sorted(sim.open) == [0, 1, 2, 3]
    sim.finish()


def test_without_tries_the_referee_acts_at_once() -> None:
    sim = started(CAFE)
    wanted = stand_in(sim.table.game, 1)
    for _ in range(3):
        sim.act(1, NONSENSE)
    sim.rest()
    assert sorted(sim.open) == [0, 2, 3]
    sim.rest()
    assert only(Play, news(sim.heard)) == [wanted]
    assert sim.table.faults == [0, 1, 0, 0]
    sim.finish()


def test_an_effective_act_gives_all_tries_back() -> None:
    sim = started()
    for _ in range(2):
        sim.act(1, NONSENSE)
        sim.act(2, NONSENSE)
    sim.rest()
    assert said(Refused, sim.act(1, NONSENSE))[0].tries_left == 2
    assert said(Refused, sim.act(2, NONSENSE))[0].tries_left == 2
    sim.finish()


def test_what_the_referee_did_is_not_superseded() -> None:
    sim = started()
    for _ in range(3):
        sim.act(1, NONSENSE)
    sim.act(2, Toep(seat=2))
    sim.rest()
    assert not said(Superseded, sim.heard)
    assert sim.table.faults == [0, 0, 0, 0]
    sim.finish()


# -- where refusals stand in the log -----------------------------------------------------------------------------------


@pytest.mark.parametrize("order", list(itertools.permutations((0, 2, 3))), ids=str)
def test_refused_acts_stand_before_the_score_in_order(order: tuple[int, ...]) -> None:
    sim = started(length=Rounds(rounds=2))
    for seat in order:
        sim.act(seat, Stay(seat=seat))
        sim.act(seat, NONSENSE)
    sim.rest()
    sim.act(0, Fold(seat=0))
    for seat in reversed(order[:2]):
        sim.act(seat, NONSENSE)
    records = sim.finish()
    lines = only(RefusedLine, records)
    tail = sorted((1, seat, "malformed") for seat in order[:2])
    tail.insert(1 if 0 in order[:2] else 0, (1, 0, "R-FOLD-06"))
    if 0 in order[:2]:
        tail = sorted(tail, key=lambda entry: (entry[0], entry[1], entry[2] == "malformed"))
    assert [(line.at, line.seat, line.code) for line in lines] == [
        *((0, seat, code) for seat in (0, 2, 3) for code in ("R-TURN-01", "malformed")),
        *tail,
    ]
    places = [index for index, record in enumerate(records) if isinstance(record, RefusedLine)]
    assert places == list(range(places[0], places[0] + len(places)))
    assert isinstance(records[places[-1] + 1], Score)
    assert len(only(Score, records[: places[0]])) == 0


def test_refusals_are_written_when_the_round_is_broken_off() -> None:
    sim = started()
    sim.act(1, NONSENSE)
    sim.take(sim.table.abandon())
    assert len(only(RefusedLine, sim.log())) == 1


# -- faults ------------------------------------------------------------------------------------------------------------


def test_a_seat_is_forfeited_at_the_limit_of_faults() -> None:
    sim = started(STANDING, conduct=Conduct(act_ms=50, window_ms=20, faults=2), length="game")
    while not only(Forfeit, news(sim.heard)):
        assert sim.table.faults[2] < 2
        silent(sim, 2)
    assert sim.table.faults == [0, 0, 2, 0]
    records = sim.finish()
    assert only(Forfeit, records) == [Forfeit(seat=2, why="faults")]
    assert only(Out, records)[0] == Out(seat=2, why="forfeit")
    forfeit = records.index(Forfeit(seat=2, why="faults"))
    assert not any(isinstance(record, Act) and record.seat == 2 for record in records[forfeit:])  # type: ignore[attr-defined]
    assert sim.table.over is not None
    assert sim.table.over.status == "forfeited"
    assert sim.table.over.rank[2] == 4


def test_the_referee_acting_after_tries_is_a_fault_too() -> None:
    sim = started(STANDING, conduct=Conduct(tries=1, faults=1), length="game")
    sim.act(1, NONSENSE)
    sim.rest()
    assert only(Forfeit, news(sim.heard)) == [Forfeit(seat=1, why="faults")]
    assert sorted(sim.open) == [0, 2, 3]
    sim.finish()


def test_no_limit_of_faults_no_forfeit() -> None:
    sim = started(conduct=Conduct(act_ms=50, window_ms=20, faults=0), length=Rounds(rounds=5))
    while sim.table.over is None:
        silent(sim, 2)
    assert sim.table.faults == [0, 0, 20, 0]
    records = sim.log()
    assert not only(Forfeit, records)
    assert len(only(Late, records)) == 20


def test_a_forfeit_after_the_last_card_of_a_round_waits_for_the_next_deal() -> None:
    sim = started(STANDING, conduct=Conduct(act_ms=50, window_ms=20, faults=4), length="game")
    while not only(Forfeit, news(sim.heard)):
        silent(sim, 0)
    records = sim.finish()
    # Seat 0 is the last to play in the first trick; it misses all four cards, the last of them ends a trick.
    place = records.index(Forfeit(seat=0, why="faults"))
    rounds = [index for index, record in enumerate(records) if isinstance(record, Round)]
    scores = [index for index, record in enumerate(records) if isinstance(record, Score)]
    assert len(only(Late, records[:place])) == 4
    assert sum(index < place for index in rounds) - sum(index < place for index in scores) == 1


def test_a_forfeit_on_the_very_last_card_of_a_round() -> None:
    """The seat that plays last in the last trick misses exactly that card."""
    sim = started(STANDING, conduct=Conduct(act_ms=50, window_ms=20, faults=1), length="game")
    game = sim.table.game
    while not (game.trick_number == 4 and len(game.trick) == 3):
        sim.rest()
    last = game.turn
    silent(sim, last)
    assert game.round == 2
    records = sim.finish()
    place = records.index(Forfeit(seat=last, why="faults"))
    # It stands behind the next deal: the round and four hands.
    assert isinstance(records[place - 5], Round)
    assert len(only(Round, records[:place])) == 2
    assert len(only(Score, records[:place])) == 1


def test_a_forfeit_that_waits_for_a_deal_that_never_comes() -> None:
    sim = started(STANDING, conduct=Conduct(act_ms=50, window_ms=20, faults=1, max_deals=1), length="game")
    game = sim.table.game
    while not (game.trick_number == 4 and len(game.trick) == 3):
        sim.rest()
    silent(sim, game.turn)
    assert sim.table.over is not None
    assert sim.table.over.status == "abandoned"
    assert not only(Forfeit, sim.log())


def test_a_forfeit_ends_a_match_of_rounds() -> None:
    sim = started(conduct=Conduct(act_ms=50, window_ms=20, faults=1), length=Rounds(rounds=9))
    silent(sim, 1)
    assert sim.table.over is not None
    assert sim.table.over.status == "forfeited"
    assert sim.table.over.total[1] == 10
    sim.log()


def test_two_seats_reach_the_limit_one_after_the_other() -> None:
    sim = started(STANDING, conduct=Conduct(act_ms=50, window_ms=20, faults=2), length="game")
    while sim.table.over is None:
        sim.rest(1, 2)
        if sim.open:
            sim.wait(sim.table.deadline - sim.now)
    records = sim.log()
    assert [forfeit.seat for forfeit in only(Forfeit, records)] == [1, 2]


# -- leaving -----------------------------------------------------------------------------------------------------------


def test_who_leaves_owing_an_answer_spoils_the_step() -> None:
    sim = started(STANDING, length="game")
    card = meek(sim.open[1])
    sim.act(1, card)
    sim.act(3, Toep(seat=3))
    messages = sim.take(sim.table.on_leave(2, sim.now))
    assert sorted(message.seat for message in said(Superseded, messages)) == [1, 3]
    assert news(messages) == [Forfeit(seat=2, why="left"), Out(seat=2, why="forfeit")]
    assert sorted(sim.open) == [0, 1, 3]
    records = sim.finish()
    assert not only(Toep, records)


def test_who_leaves_owing_nothing_lets_the_step_end() -> None:
    sim = started(STANDING, length="game")
    card = meek(sim.open[1])
    sim.act(2, PASS)
    assert sim.take(sim.table.on_leave(2, sim.now)) == []
    sim.rest(1)
    messages = sim.act(1, card)
    assert news(messages) == [card, Forfeit(seat=2, why="left"), Out(seat=2, why="forfeit")]
    sim.finish()


def test_leaving_with_an_answer_to_a_toep_owed() -> None:
    sim = started(STANDING, length="game")
    sim.rest(1)
    sim.act(1, Toep(seat=1))
    sim.take(sim.table.on_leave(2, sim.now))
    assert [(ask.seat, ask.kind) for ask in sim.open.values()] == [(3, AskKind.ANSWER)]
    sim.finish()


def test_leaving_ends_a_first_out_game() -> None:
    sim = started(length="game")
    sim.take(sim.table.on_leave(3, sim.now))
    assert sim.table.over is not None
    assert (sim.table.over.status, sim.table.over.rank[3]) == ("forfeited", 4)
    assert sim.open == {}
    sim.log()


def test_everybody_leaves() -> None:
    sim = started(STANDING, length="game")
    for seat in range(4):
        sim.take(sim.table.on_leave(seat, sim.now))
    assert sim.table.over is not None
    records = sim.log()
    assert [forfeit.seat for forfeit in only(Forfeit, records)] == [0, 1, 2]
    assert sim.table.over.rank[3] == 1


def test_leaving_twice_is_leaving_once() -> None:
    sim = started(STANDING, length="game")
    for _ in range(2):
        sim.take(sim.table.on_leave(2, sim.now))
    assert len(only(Forfeit, sim.finish())) == 1


def test_who_is_out_already_can_leave() -> None:
    sim = started(STANDING, length="game")
    sim.act(2, Resign(seat=2))
    sim.rest()
    assert sim.take(sim.table.on_leave(2, sim.now)) == []
    records = sim.finish()
    assert not only(Forfeit, records)
    assert len([out for out in only(Out, records) if out.seat == 2]) == 1


def test_nobody_leaves_before_the_start() -> None:
    sim = Sim()
    assert sim.table.on_leave(1, sim.now) == ()
    sim.start()
    sim.finish()


def play_on(sim: Sim, first: AnyAct | Pass) -> bytes:
    """Seat 0 uses every window the same way; everybody else is meek. Gives the bytes of the log."""
    while sim.table.over is None:
        for seat, ask in sorted(sim.open.items()):
            if sim.table.is_open(seat, ask.id):
                sim.act(seat, Toep(seat=0) if seat == 0 and ask.kind is AskKind.WINDOW else meek(ask))
    sim.log()
    return bytes(sim.sink.data)


def test_declining_ahead_in_a_step_that_was_spoiled_does_not_count() -> None:
    """Whether the news that a bot has left overtakes another bot's answer must not show in the log."""
    before, after = (started(STANDING, length="game") for _ in range(2))
    before.act(0, Pass(2))
    before.take(before.table.on_leave(2, before.now))
    after.take(after.table.on_leave(2, after.now))
    assert sorted(before.open) == sorted(after.open) == [0, 1, 3]
    assert play_on(before, PASS) == play_on(after, PASS)


def test_an_illegal_try_in_a_step_that_was_spoiled_leaves_no_line() -> None:
    before, after = (started(STANDING, length="game") for _ in range(2))
    before.act(0, Stay(seat=0))
    before.take(before.table.on_leave(2, before.now))
    after.take(after.table.on_leave(2, after.now))
    assert before.open == after.open
    before.finish()
    after.finish()
    assert bytes(before.sink.data) == bytes(after.sink.data)


# -- the end of a match ------------------------------------------------------------------------------------------------


def test_a_match_is_abandoned_after_so_many_deals() -> None:
    sim = started(conduct=Conduct(max_deals=3), length=Rounds(rounds=9))
    records = sim.finish()
    assert len(only(Round, records)) == 3
    (end,) = only(End, records)
    assert end.status == "abandoned"
    assert not only(Void, records)


def test_abandoning_voids_the_running_round() -> None:
    sim = started(CAFE, length="game")
    sim.until_round_ends()
    at_cards(sim)
    sim.rest()
    totals = sim.table.game.totals()
    messages = sim.take(sim.table.abandon())
    records = sim.log()
    assert only(Void, records) == [Void(why="cancelled")]
    assert only(Score, records)[-1] == Score(points=[0] * 4, total=totals)
    assert only(End, records)[0].status == "abandoned"
    assert sim.table.over is messages[-1]
    assert sim.open == {}


def test_abandoning_while_the_pack_is_offered_deals_it_first() -> None:
    sim = started(PRESETS["rubber"], length="game")
    assert {ask.kind for ask in sim.open.values()} == {AskKind.CUT}
    sim.take(sim.table.abandon())
    records = sim.log()
    assert len(only(Cards, records)) == 4
    assert only(Void, records) == [Void(why="cancelled")]
    assert len(only(Score, records)) == 1
    assert only(End, records)[0].status == "abandoned"


def test_abandoning_twice_does_nothing() -> None:
    sim = started()
    sim.take(sim.table.abandon())
    before = bytes(sim.sink.data)
    assert sim.table.abandon() == ()
    assert bytes(sim.sink.data) == before


def test_a_match_that_is_over_is_not_abandoned() -> None:
    sim = started()
    records: list[Record] = sim.finish()
    assert sim.table.abandon() == ()
    assert sim.log() == records
    assert only(End, records)[0].status == "complete"
