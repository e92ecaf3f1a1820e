"""The game: one value that knows what is legal, what an act leads to, and what each seat may know.

`Game` holds the rules together; the rules themselves are in the chapters beside this file. It does no I/O, reads no
clock and draws no cards: a pack is an input like any act.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, Final

from referee.cards import NAMES, bits
from referee.game import dealing, ending, exchange, play, resign, toep, tricks
from referee.game.common import no_such_act
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
    Forfeit,
    Peek,
    Play,
    Record,
    Resign,
    Signal,
    Stay,
    Toep,
    Void,
)  # fmt: skip
from referee.game.refusal import IllegalAct, Refusal
from referee.game.state import NOBODY, Phase, State
from referee.ruleset import MAX_PLAYERS, Ruleset, RulesetError

PASS_BIT: Final = 1 << 1
BIT: Final[dict[type[Act], int]] = {kind: 1 << number for number, kind in enumerate(ACTS, start=2)}
"""The flag of each kind of act: bit 1 is a pass, then the acts in the order of the rule book."""

NOT_BUILT: Final[dict[str, tuple[object, ...]]] = {
    "answers": ("simultaneous",),
    "armoede": (True,),
    "blind": (True,),
    "chance": (True,),
    "cut": (True,),
    "finale": ("both_poor", "two_left"),
    "first_dealer": ("low_card",),
    "four_alike": ("stand", "win"),
    "grey_grave": (True,),
    "jack_bonus": (True,),
    "overtoep_as_answer": (True,),
    "revoke": ("penalise",),
    "signals": ("announce", "penalty"),
}
"""Values of options that this engine does not play yet."""

Check = Callable[[State, Any], Refusal | None]
Apply = Callable[[State, Any], list[Record]]


def _without(rule: str, option: str) -> tuple[Check, Apply]:
    """The chapter of an act that no rule set this engine plays has."""

    def check(_: State, __: Act) -> Refusal:
        return no_such_act(rule, option)

    def apply(_: State, __: Act) -> list[Record]:
        raise AssertionError("unreachable: check refuses it")

    return check, apply


CHAPTERS: Final[dict[type[Record], tuple[Check, Apply]]] = {
    Cut: _without("R-CUT-01", "cut"),
    Blind: _without("R-BLIND-01", "blind"),
    Peek: _without("R-DEAL-04", "blind"),
    Chance: _without("R-KANS-03", "chance"),
    Exchange: (exchange.check_exchange, exchange.apply_exchange),
    Challenge: (exchange.check_challenge, exchange.apply_challenge),
    Signal: _without("R-FLUIT-01", "signals"),
    Toep: (toep.check_toep, toep.apply_toep),
    Stay: (toep.check_answer, toep.apply_stay),
    Fold: (toep.check_answer, toep.apply_fold),
    Play: (play.check_play, play.apply_play),
    Discard: _without("R-GRAF-01", "finale"),
    Confess: _without("R-VERZ-02", "revoke"),
    Resign: (resign.check_give_up, resign.apply_give_up),
    Forfeit: (resign.check_give_up, resign.apply_give_up),
    Void: (resign.check_void, resign.apply_void),
}
"""Which chapter of the rules judges and carries out each kind of act."""


def require_built(rules: Ruleset) -> None:
    """Raise `RulesetError` (code ``not_built``) for options this engine does not play yet."""
    for option, values in NOT_BUILT.items():
        if (value := getattr(rules, option)) in values:
            shown = str(value).lower() if isinstance(value, bool) else value
            raise RulesetError("not_built", option, f"{option}: {shown} is not played yet by this version")
    if rules.folds_in_row or rules.crosses:
        option = "folds_in_row" if rules.folds_in_row else "crosses"
        raise RulesetError("not_built", option, f"{option}: only 0 is played yet by this version")


def require_seats(rules: Ruleset, seats: int) -> None:
    """Raise `RulesetError` (code ``bad_seats``) unless so many may play (R-PLAY-01)."""
    if not rules.min_players <= seats <= MAX_PLAYERS:
        raise RulesetError(
            "bad_seats", "min_players", f"seats: {seats} is not allowed; these rules take {rules.min_players}..8"
        )


class Game(State):
    """A match under one rule set, act by act.

    ``Game(rules, seats, length)``: ``seats`` is 2 to 8; ``length`` is the number of independent rounds, or 0 for a
    game to the end by the rules. Raises `RulesetError` for rules or seats that cannot be played.
    """

    __slots__ = ()

    def __init__(self, rules: Ruleset, seats: int, length: int = 0) -> None:
        require_built(rules)
        require_seats(rules, seats)
        super().__init__(rules, seats, length)

    # -- chance ----------------------------------------------------------------------------------------------------

    @property
    def needs_deal(self) -> bool:
        """Whether the next input must be a pack."""
        return self.phase is Phase.DEAL

    @property
    def over(self) -> bool:
        """Whether the match has ended by the rules."""
        return self.phase is Phase.OVER

    def next_deal(self) -> tuple[int, int]:
        """(round, try) of the next deal: what its pack is keyed by."""
        return dealing.next_deal(self)

    def deal(self, pack: Sequence[int | None]) -> list[Record]:
        """Deal from a pack of 32 card indexes, top first; returns the ``round`` and ``cards`` records (no salts).

        A None stands for a card of the stock that the replay of a log does not know. Raises `ValueError` for anything
        that is not a pack, and when no deal is due.
        """
        return dealing.deal(self, pack)

    # -- acts ------------------------------------------------------------------------------------------------------

    def check(self, act: AnyAct | Forfeit | Void) -> Refusal | None:
        """Why an act is not legal now, or None when it is. Changes nothing."""
        return CHAPTERS[type(act)][0](self, act)

    def apply(self, act: AnyAct | Forfeit | Void) -> list[Record]:
        """Carry out a legal act; returns the records it makes, the completed act first.

        Raises `IllegalAct` with the refusal, and changes nothing, when the act is not legal.
        """
        check, apply = CHAPTERS[type(act)]
        if refusal := check(self, act):
            raise IllegalAct(refusal)
        return apply(self, act)

    def playable(self, seat: int) -> int:
        """The mask of cards that a seat may play now."""
        return tricks.playable(self, seat) if self.in_round >> seat & 1 else 0

    def may(self, seat: int) -> int:
        """The other acts that are legal for a seat now, as flags (`BIT`). Resigning is always possible and no flag."""
        if not self.in_round >> seat & 1:
            return 0
        if self.answer_queue:
            return BIT[Stay] | BIT[Fold] if self.answer_queue[0] == seat else 0
        flags = 0 if toep.barred(self, seat) else BIT[Toep]
        if self.phase is Phase.EXCHANGE:
            if exchange.check_exchange(self, Exchange(seat=seat)) is None:
                flags |= BIT[Exchange]
            if self.claim is not None and self.claim.seat != seat:
                flags |= BIT[Challenge]
        return flags

    def legal(self, seat: int) -> list[AnyAct]:
        """Every legal act of a seat but resigning, in the order of the rule book, cards in index order."""
        flags = self.may(seat)
        found: list[AnyAct] = []
        for kind in ACTS:
            if kind is Play:
                found.extend(Play(card=NAMES[card], seat=seat) for card in bits(self.playable(seat)))
            elif flags & BIT[kind]:
                found.extend(_spelled_out(self, kind, seat))
        return found

    def asks(self) -> tuple[list[int], list[int]]:
        """(seats that must act now, other seats that may), each ascending."""
        if self.phase in (Phase.DEAL, Phase.OVER):
            return [], []
        must = [self.answer_queue[0]] if self.answer_queue else [self.turn]
        return must, [seat for seat in range(self.seats) if seat not in must and self.may(seat)]

    # -- the end ---------------------------------------------------------------------------------------------------

    def ranks(self) -> list[int]:
        """Places by seat: 1 is the best, ties share (H-12, R-END-03)."""
        return ending.ranks(self)

    def lead_if_unasked(self) -> int:
        """Who leads the running trick; between rounds, who would lead the next round if no window were used.

        `NOBODY` when nobody is left in the game.
        """
        if self.phase in (Phase.DEAL, Phase.OVER):
            return self.next_seat(self.dealer, self.in_game)
        return self.lead

    def clone(self) -> "Game":
        """An independent copy."""
        return self.copy()


def _spelled_out(game: Game, kind: type[Act], seat: int) -> Iterator[AnyAct]:
    """Each way to do one kind of act."""
    if kind is Signal:
        yield from (Signal(seat=seat, sign=sign) for sign in ("whistle", "sing", "stand"))
    elif kind is Cut:
        yield from (Cut(at=at, seat=seat) for at in range(1, 32))
    elif kind is Discard:
        for cards in combinations(bits(game.hands[seat]), 3):
            yield Discard(cards=[NAMES[card] for card in cards], seat=seat)
    else:
        yield kind(seat=seat)  # type: ignore[misc]


__all__ = ["BIT", "NOBODY", "PASS_BIT", "Game", "require_built", "require_seats"]
