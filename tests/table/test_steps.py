"""Steps and windows: who is asked at once, and which answer takes effect."""

import pytest
from msgspec.structs import replace

from referee.cards import NAMES, bits, mask_of, names
from referee.game.game import BIT, PASS_BIT
from referee.game.records import Challenge, Exchange, Fold, Penalty, Play, Resign, Score, Stay, Toep
from referee.game.state import Phase
from referee.log.records import Rounds
from referee.ruleset import CAFE, SHORT
from referee.table.messages import Ask, AskKind, Superseded
from referee.table.steps import Pass
from tests.support.tables import Sim, at_cards, meek, news, only, public_state, said, started


def kinds(sim: Sim) -> dict[int, AskKind]:
    """What every seat is asked now."""
    return {seat: ask.kind for seat, ask in sorted(sim.open.items())}


def superseded(sim: Sim) -> list[int]:
    return sorted(message.seat for message in said(Superseded, sim.heard))


# -- the card step -----------------------------------------------------------------------------------------------------


def test_the_seat_on_turn_owes_a_card_and_the_others_may_toep() -> None:
    sim = started()
    assert kinds(sim) == {0: AskKind.WINDOW, 1: AskKind.CARD, 2: AskKind.WINDOW, 3: AskKind.WINDOW}
    for seat, ask in sim.open.items():
        assert ask.required is (seat == 1)
        assert ask.hand == sim.table.game.hands[seat]
        assert ask.legal == (ask.hand if seat == 1 else 0)
        assert ask.may == BIT[Toep] | (0 if seat == 1 else PASS_BIT)
        assert ask.budget_ms == (10_000 if seat == 1 else 2_000)


def test_a_card_falls_when_everybody_has_answered() -> None:
    sim = started()
    card = meek(sim.open[1])
    assert sim.act(1, card) == []
    assert sim.rest(2) == []
    messages = sim.rest()
    assert news(messages) == [card]
    assert kinds(sim)[2] is AskKind.CARD
    sim.finish()


def test_the_legal_cards_follow_suit() -> None:
    sim = started()
    sim.rest()
    led = sim.table.game.trick[0][1] // 8
    hand = list(bits(sim.open[2].hand))
    following = [card for card in hand if card // 8 == led]
    assert list(bits(sim.open[2].legal)) == (following or hand)


@pytest.mark.parametrize(
    ("toepers", "first"), [((0, 2, 3), 2), ((0, 3), 3), ((0,), 0), ((3, 0, 2, 1), 1)], ids=["2", "3", "0", "turn"]
)
def test_the_first_toep_clockwise_from_the_seat_on_turn_counts(toepers: tuple[int, ...], first: int) -> None:
    sim = started()
    sim.rest(*toepers)
    for seat in toepers:
        assert not only(Toep, news(sim.heard))
        messages = sim.act(seat, Toep(seat=seat))
    assert news(messages) == [Toep(seat=first, stake=2)]
    withdrawn = {1} - {first}
    assert superseded(sim) == sorted((set(toepers) | withdrawn) - {first})
    assert {message.ask for message in said(Superseded, messages)} <= {ask.id for ask in said(Ask, sim.heard)}
    assert [record.seat for record in only(Toep, sim.finish())] == [first]


def test_a_withdrawn_card_is_unseen() -> None:
    sim = started()
    card = meek(sim.open[1])
    assert isinstance(card, Play)
    sim.act(1, card)
    sim.act(3, Toep(seat=3))
    sim.rest()
    assert superseded(sim) == [1]
    assert not only(Play, news(sim.heard))
    assert list(public_state(sim.table.game).plays) == []
    while sim.table.game.answer_queue:
        sim.rest()
    assert kinds(sim)[1] is AskKind.CARD
    other = NAMES[max(bits(sim.open[1].legal))]
    assert other != card.card
    sim.act(1, Play(card=other, seat=1))
    sim.rest()
    assert only(Play, news(sim.heard)) == [Play(card=other, seat=1)]
    assert [play.card for play in only(Play, sim.finish())].count(card.card) <= 1


def test_who_toeped_last_gets_no_window() -> None:
    sim = started()
    sim.act(3, Toep(seat=3))
    sim.rest()
    while sim.table.game.answer_queue:
        sim.rest()
    assert kinds(sim) == {0: AskKind.WINDOW, 1: AskKind.CARD, 2: AskKind.WINDOW}


def test_without_toeps_out_of_turn_there_are_no_windows() -> None:
    sim = started(replace(SHORT, toep_who="on_turn"))
    assert kinds(sim) == {1: AskKind.CARD}
    assert sim.open[1].may == BIT[Toep]
    sim.finish()


# -- answers -----------------------------------------------------------------------------------------------------------


def test_answers_come_one_at_a_time_clockwise() -> None:
    sim = started()
    sim.act(2, Toep(seat=2))
    sim.rest()
    for seat in (3, 0, 1):
        assert kinds(sim) == {seat: AskKind.ANSWER}
        assert sim.open[seat].may == BIT[Stay] | BIT[Fold]
        assert sim.open[seat].required
        answer = Fold(seat=seat) if seat == 0 else Stay(seat=seat)
        messages = sim.act(seat, answer)
        assert news(messages) == [Fold(pay=1, seat=0) if seat == 0 else answer]
    assert kinds(sim) == {1: AskKind.CARD, 3: AskKind.WINDOW}
    sim.finish()


# -- exchange and check ------------------------------------------------------------------------------------------------


def test_exchange_then_check_then_exchange_again() -> None:
    sim = started(CAFE)
    everybody = dict.fromkeys(range(4), AskKind.EXCHANGE)
    assert kinds(sim) == everybody
    assert all(ask.may == BIT[Exchange] | PASS_BIT and not ask.required for ask in sim.open.values())
    sim.act(0, Exchange(seat=0))
    sim.act(3, Exchange(seat=3))
    sim.rest()
    assert news(sim.heard)[-1] == Exchange(seat=3)
    assert superseded(sim) == [0]
    assert kinds(sim) == {0: AskKind.CHECK, 1: AskKind.CHECK, 2: AskKind.CHECK}
    sim.rest()
    assert kinds(sim) == everybody
    sim.rest()
    assert kinds(sim)[1] is AskKind.CARD
    sim.finish()


def test_the_first_challenge_clockwise_from_the_claimer_counts() -> None:
    sim = started(CAFE)
    old = sim.table.game.hands[3]
    sim.act(3, Exchange(seat=3))
    sim.rest()
    sim.act(1, Challenge(seat=1))
    sim.act(0, Challenge(seat=0))
    sim.rest()
    assert superseded(sim) == [1]
    challenge, penalty = news(sim.heard)[-2:]
    assert isinstance(challenge, Challenge)
    assert challenge.seat == 0
    assert challenge.shown == names(old)
    assert isinstance(penalty, Penalty)
    # It is checked: what follows is the next exchange.
    assert set(kinds(sim).values()) == {AskKind.EXCHANGE}
    sim.finish()


def test_hands_are_changed_until_the_stock_is_empty() -> None:
    sim = started(CAFE)
    for _ in range(4):
        assert set(kinds(sim).values()) == {AskKind.EXCHANGE}
        sim.act(2, Exchange(seat=2))
        sim.rest()
        assert set(kinds(sim).values()) == {AskKind.CHECK}
        sim.rest()
    assert sim.table.game.stock == []
    assert kinds(sim)[1] is AskKind.CARD
    assert len(only(Exchange, sim.finish())) == 4


def test_a_hand_is_changed_once_where_the_rules_say_so() -> None:
    sim = started(replace(CAFE, exchange="once"))
    sim.act(2, Exchange(seat=2))
    sim.rest()
    sim.rest()
    assert sorted(kinds(sim)) == [0, 1, 3]
    sim.finish()


def test_a_new_hand_reaches_only_its_seat() -> None:
    sim = started(CAFE)
    before = dict(sim.open)
    sim.act(2, Exchange(seat=2))
    sim.rest()
    sim.rest()
    assert sim.open[2].hand & before[2].hand == 0
    for seat in (0, 1, 3):
        assert sim.open[seat].hand == before[seat].hand
    assert not any(hasattr(record, "cards") for record in news(sim.heard))


def test_every_round_has_its_own_exchange() -> None:
    sim = started(CAFE, length=Rounds(rounds=2))
    sim.until_round_ends()
    assert set(kinds(sim).values()) == {AskKind.EXCHANGE}
    sim.finish()


# -- declining ahead ---------------------------------------------------------------------------------------------------


def test_quiet_until_the_trick_is_closed() -> None:
    sim = started()
    sim.act(0, Pass(1))
    sim.rest()
    for turn in (2, 3):
        assert kinds(sim)[turn] is AskKind.CARD
        assert 0 not in sim.open
        sim.rest()
    assert kinds(sim)[0] is AskKind.CARD
    sim.rest()
    assert sim.table.game.trick_number == 2
    assert sorted(sim.open) == [0, 1, 2, 3]


def test_quiet_until_the_round_ends() -> None:
    sim = started(length=Rounds(rounds=2))
    sim.act(0, Pass(2))
    sim.rest()
    while sim.table.game.round == 1:
        assert 0 not in sim.open or sim.open[0].kind is AskKind.CARD
        sim.rest()
    assert kinds(sim)[0] is AskKind.WINDOW
    sim.finish()


def test_who_is_quiet_still_owes_an_answer_to_a_toep() -> None:
    sim = started()
    sim.act(0, Pass(2))
    sim.act(3, Toep(seat=3))
    sim.rest()
    assert kinds(sim) == {0: AskKind.ANSWER}
    sim.finish()


def test_quiet_reaches_over_a_window_of_another_kind() -> None:
    sim = started(CAFE)
    sim.act(0, Pass(2))
    sim.act(2, Exchange(seat=2))
    sim.rest()
    assert sorted(sim.open) == [1, 3]
    at_cards(sim)
    sim.finish()


def test_everybody_quiet_leaves_only_what_is_required() -> None:
    sim = started()
    for seat in (0, 2, 3):
        sim.act(seat, Pass(2))
    sim.rest()
    sim.act(1, Pass(2))
    while sim.table.over is None:
        assert [ask.kind for ask in sim.open.values()] == [AskKind.CARD]
        sim.rest()
    sim.log()


# -- giving up ---------------------------------------------------------------------------------------------------------


def test_giving_up_comes_before_everything_else() -> None:
    sim = started(replace(SHORT, game_end="last_standing"), length="game")
    sim.act(1, Toep(seat=1))
    sim.act(3, Resign(seat=3))
    sim.act(0, Resign(seat=0))
    sim.rest()
    # The first clockwise from the seat on turn; the other one can say so again.
    assert superseded(sim) == [0, 1]
    assert only(Resign, news(sim.heard)) == [Resign(seat=3)]
    assert sorted(sim.open) == [0, 1, 2]
    sim.finish()


def test_resigning_is_an_answer_to_a_toep_too() -> None:
    sim = started(replace(SHORT, game_end="last_standing"), length="game")
    sim.act(1, Toep(seat=1))
    sim.rest()
    sim.act(2, Resign(seat=2))
    assert kinds(sim) == {3: AskKind.ANSWER}
    assert 2 not in sim.open
    sim.finish()


def test_resigning_ends_a_first_out_game() -> None:
    sim = started(length="game")
    sim.act(1, Resign(seat=1))
    sim.rest()
    assert sim.table.over is not None
    assert sim.table.over.status == "complete"
    assert sim.table.over.rank[1] == 4
    sim.log()


def test_resigning_ends_a_match_of_rounds_as_forfeited() -> None:
    sim = started(length=Rounds(rounds=5))
    sim.act(1, Resign(seat=1))
    sim.rest()
    assert sim.table.over is not None
    assert sim.table.over.status == "forfeited"
    assert sim.table.game.round == 1
    sim.log()


# -- the match ---------------------------------------------------------------------------------------------------------


def test_a_match_of_rounds_adds_up() -> None:
    sim = started(length=Rounds(rounds=3))
    scores = only(Score, sim.finish())
    assert len(scores) == 3
    assert sim.table.over is not None
    assert sim.table.over.total == [sum(points) for points in zip(*(score.points for score in scores), strict=True)]


def test_a_game_goes_on_to_its_end() -> None:
    sim = started(CAFE, length="game")
    sim.finish()
    assert sim.table.game.phase is Phase.OVER
    assert max(sim.table.game.totals()) == 10
    assert sim.open == {}


@pytest.mark.parametrize("seats", range(2, 9))
def test_any_number_of_seats(seats: int) -> None:
    sim = started(seats=seats)
    assert mask_of(sim.open) == (1 << seats) - 1
    sim.finish()
