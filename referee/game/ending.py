"""P8 and P9: booking, leaving the game, the next dealer, the end and the places (R-SCORE, R-END, H-11 to H-14)."""

from typing import Literal

from referee.game.common import leave_round
from referee.game.records import Out, Penalty, Record, Score
from referee.game.state import NOBODY, Exit, Phase, State

Reason = Literal["limit", "crosses", "penalty", "resign", "forfeit"]


def reached_limit(state: State, seat: int) -> bool:
    """Whether a seat has as many points as the limit. In a match of independent rounds nobody dies of them."""
    return not state.length and state.raw[seat] >= state.rules.limit


def penalise(state: State, seat: int, rule: str, events: list[Record]) -> None:
    """One penalty point, booked at once; unlike a fold price it stands when the round turns out void."""
    state.raw[seat] += 1
    state.penalties[seat] += 1
    events.append(Penalty(points=1, seat=seat, why=rule))


def finish_round(
    state: State,
    events: list[Record],
    winner: int,
    *,
    price: int = 0,
    with_jack: bool = False,
    deals_next: int = NOBODY,
) -> None:
    """Everybody still in but the winner pays the stake, or another ``price`` (R-SCORE-01), and the round is closed.

    ``winner`` may be nobody: then all in pay, and ``deals_next`` is who deals. ``with_jack``: the last trick was won
    with a jack, or the round by four of them (R-BOER-01, R-BOER-02).
    """
    for seat in range(state.seats):
        if state.in_round >> seat & 1 and seat != winner:
            state.raw[seat] += price or state.stake
    if with_jack and state.rules.jack_bonus and winner != NOBODY:
        state.raw[winner] -= 1
    state.run = [run + 1 if seat == winner else 0 for seat, run in enumerate(state.run)]
    close_round(state, events, winner)
    next_dealer(state, winner if winner != NOBODY else deals_next)


def close_round(state: State, events: list[Record], winner: int) -> None:
    """P8 and P9: the score of what is booked, who reached the limit, five crosses, and whether the match is over."""
    book(state, events, winner)
    losers = [seat for seat in range(state.seats) if state.in_game >> seat & 1 and reached_limit(state, seat)]
    for seat in losers:
        leave_game(state, seat, "limit", events)
    state.moment += 1
    if winner != NOBODY:
        crosses(state, winner, events)
    test_end(state)


def crosses(state: State, winner: int, events: list[Record]) -> None:
    """Who wins so many rounds in a row takes the player with the fewest points out of the game (R-KRUIS-01, H-35)."""
    wanted = state.rules.crosses
    if not wanted or state.length or state.run[winner] < wanted or not state.in_game >> winner & 1:
        return
    state.run[winner] = 0
    others = state.clockwise(winner, state.in_game & ~(1 << winner))
    if others:
        leave_game(state, min(others, key=state.points), "crosses", events)
        state.moment += 1


def book(state: State, events: list[Record], winner: int) -> None:
    """Close the round and write its score."""
    totals = state.totals()
    state.last_points = [now - before for now, before in zip(totals, state.total_before, strict=True)]
    state.winner = winner
    state.phase = Phase.DEAL
    state.turn = NOBODY
    state.in_round = state.discards_due = 0
    state.hands = [0] * state.seats
    state.trick, state.answer_queue, state.dood_queue, state.sealed_folds = [], [], [], []
    state.claim = None
    events.append(Score(points=state.last_points, total=totals))


def leave_game(state: State, seat: int, why: Reason, events: list[Record]) -> None:
    """Take a seat out of the game, for its place at the end as much as for the rounds to come."""
    state.exits.append(Exit(seat, state.moment, state.raw[seat], state.raw_before[seat]))
    state.in_game &= ~(1 << seat)
    events.append(Out(seat=seat, why=why))


def die(state: State, seat: int, why: Reason, events: list[Record]) -> None:
    """A seat leaves in the middle of a round: by a penalty before the first lead, or by giving up (H-11).

    In a first-out game that is the end: the round has no winner, and only what is booked already counts. So it is in
    a match of independent rounds, where nobody leaves the game but by giving up.
    """
    leave_round(state, seat)
    if state.length:
        state.status = "forfeited"
    else:
        leave_game(state, seat, why, events)
        state.moment += 1
    if state.length or state.rules.game_end == "first_out":
        close_round(state, events, NOBODY)
        state.phase = Phase.OVER


def void(state: State, events: list[Record]) -> None:
    """The round counts for nothing: fold prices are cancelled, penalties and counters stand as they were, and the same
    dealer deals again (R-VERZ-04)."""
    for seat in range(state.seats):
        if state.in_game >> seat & 1:
            state.raw[seat] = state.raw_before[seat] + state.penalties[seat]
    state.folds, state.run = state.folds_before.copy(), state.run_before.copy()
    state.redeal = True
    close_round(state, events, NOBODY)
    hand_on_deal(state)


def next_dealer(state: State, winner: int) -> None:
    """The winner deals, or the seat on the dealer's left; without a winner the deal stays (R-DEAL-05)."""
    if state.rules.next_dealer == "left":
        state.dealer = state.next_seat(state.dealer, state.in_game) if state.in_game else state.dealer
    elif winner != NOBODY:
        state.dealer = winner
    hand_on_deal(state)


def hand_on_deal(state: State) -> None:
    """A dealer who is out hands on to his left (H-14)."""
    if state.in_game and not state.in_game >> state.dealer & 1:
        state.dealer = state.next_seat(state.dealer, state.in_game)


def test_end(state: State) -> None:
    """Whether the match is over after a round (R-END-01, R-END-02)."""
    if state.length:
        over = state.round >= state.length and not state.redeal
    elif state.rules.game_end == "first_out":
        over = bool(state.exits)
    else:
        over = state.in_game.bit_count() <= 1
    if over:
        state.phase = Phase.OVER


def ranks(state: State) -> list[int]:
    """Places by seat: 1 is the best, ties share a place and the next one is skipped (H-12, R-END-03).

    First-out games and rounds matches go by total; otherwise survivors come first, then who left later, then the
    lower unclamped total, then fewer points before that round.
    """
    totals = state.totals()
    keys: list[tuple[int, ...]]
    if state.length or state.rules.game_end == "first_out":
        keys = [(total,) for total in totals]
    else:
        keys = [(0, total) for total in totals]
        for gone in state.exits:
            keys[gone.seat] = (1, -gone.moment, gone.unclamped, gone.before)
    return [1 + sum(other < mine for other in keys) for mine in keys]
