"""From phase to phase: what happens when one is closed for good (P2 to P6).

Windows that nobody uses leave no act, so an act of a later phase closes the earlier ones. Two closings have a
consequence of their own: when P2 closes, hands are picked up and four alike are shown; when P5 closes, players in
armoede open the stake.
"""

from typing import Final

from referee.cards import names
from referee.game import ending
from referee.game.common import is_finale
from referee.game.records import Open, Record, Show
from referee.game.refusal import Refusal
from referee.game.sizes import has_discards
from referee.game.state import ARMOEDE, BLIND, DEAL, EXCHANGE, OVER, PICKUP, Phase, Question, State

FOUR_ALIKE_PRICE = 3
RANK_MASK = tuple(0x01010101 << rank for rank in range(8))
"""The four cards of a rank, by rank (0 the jack, 7 the ten)."""


def enter(state: State, phase: Phase, events: list[Record]) -> None:
    """Open a phase, and so close all before it. The round may be over after this."""
    if state.phase is BLIND and phase > BLIND:
        _pick_up(state, events)
    if state.phase is DEAL or state.phase is OVER:
        return
    if state.phase < ARMOEDE <= phase:
        open_armoede(state, events)
    state.phase = max(state.phase, phase)
    if state.phase > EXCHANGE:
        state.claim = None


def start(state: State, events: list[Record]) -> None:
    """After the deal: without blind toeps hands are picked up at once."""
    if not state.rules.blind:
        enter(state, PICKUP, events)


# -- P2 closes: hands are picked up ------------------------------------------------------------------------------------


def four_alike(state: State) -> list[tuple[int, int]]:
    """(rank, seat) of the players in the round who will show four alike, the best first (R-KANS-01, R-KANS-02)."""
    if state.rules.four_alike != "win" or is_finale(state):
        return []
    found = [
        (RANK_MASK.index(hand), seat)
        for seat, hand in enumerate(state.hands)
        if hand in RANK_MASK and state.in_round >> seat & 1
    ]
    return sorted(found, reverse=True)


def _pick_up(state: State, events: list[Record]) -> None:
    state.seen |= state.in_round
    state.phase = PICKUP
    if shown := four_alike(state):
        events += [Show(cards=names(state.hands[seat]), seat=seat) for _, seat in shown]
        win_by_four_alike(state, shown[0][1], events)
    elif has_discards(state):
        state.discards_due = state.in_round


def win_by_four_alike(state: State, winner: int, events: list[Record]) -> None:
    """Four alike win at once; everybody else in the round pays three, whatever the stake (R-KANS-01, R-BOER-02)."""
    jacks = state.hands[winner] == RANK_MASK[0]
    ending.finish_round(state, events, winner, price=FOUR_ALIKE_PRICE, with_jack=jacks)


def shows_first(state: State) -> Refusal | None:
    """The refusal of an act that would close P2 while somebody has four alike to show."""
    if state.phase is BLIND and four_alike(state):
        return Refusal("R-KANS-01", "four alike are shown first, and end the round")
    return None


def discards_come_first(state: State) -> bool:
    """Whether cards are still to be laid away before play (also when P2 has not been closed yet)."""
    return bool(state.discards_due) or (state.phase is BLIND and has_discards(state))


# -- P5 closes: armoede ------------------------------------------------------------------------------------------------


def armoede(state: State) -> tuple[list[int], list[int]]:
    """(who opens the stake, who will be asked), each clockwise; empty when P6 is past or does not apply.

    Poor are those one point before the limit, judged when P6 opens and only while the stake is 1 (R-ARM-02); the first
    of them clockwise from the dealer's left is "the armoede player", and the others answer from his left (H-15).
    """
    rules = state.rules
    if not rules.armoede or state.phase >= ARMOEDE or state.stake != 1:
        return [], []
    poor_mask = 0
    for seat in range(state.seats):
        if state.in_round >> seat & 1 and state.raw[seat] == rules.limit - 1:
            poor_mask |= 1 << seat
    if not poor_mask:
        return [], []
    poor = state.clockwise(state.dealer, poor_mask)
    return poor, state.clockwise(poor[0], state.in_round & ~poor_mask)


NOT_YET: Final = {
    "R-ARM-04": "the players in armoede open the stake, and the others answer them first",
    "R-KANS-01": "four alike are shown first, and end the round",
    "R-TURN-01": "cards must be laid away first",
}
"""What cards and toeps wait for, by the rule that says so."""


def not_yet(state: State) -> str:
    """The rule by which neither a card nor a toep can open P7 now, a key of `NOT_YET`; empty when they can."""
    if discards_come_first(state):
        return "R-TURN-01"
    if armoede(state)[1]:
        return "R-ARM-04"
    return "R-KANS-01" if shows_first(state) else ""


def on_turn(state: State) -> int:
    """Whose card is due. When all in the round are poor, nobody answers, and the armoede player may have to lead."""
    if state.phase < ARMOEDE and state.rules.armoede_leads and (poor := armoede(state)[0]):
        return poor[0]
    return state.turn


def open_armoede(state: State, events: list[Record]) -> None:
    """The poor open the stake at two, and the others are asked (R-ARM-03, R-ARM-08, H-16)."""
    poor, asked = armoede(state)
    if not poor:
        return
    state.phase = ARMOEDE
    state.claim = None
    state.stake = 2
    state.toeper = poor[0]
    state.question = Question.ARMOEDE
    state.poor = sum(1 << seat for seat in poor)
    for seat in poor:
        state.accepted[seat] = 2
    state.answer_queue = asked
    if state.rules.armoede_leads:
        state.lead = state.turn = poor[0]
    events.append(Open(seats=poor, stake=2))
