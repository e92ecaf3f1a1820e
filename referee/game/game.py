"""The game: one value that knows what is legal, what an act leads to, and what each seat may know.

`Game` holds the rules together; the rules themselves are in the chapters beside this file. It does no I/O, reads no
clock and draws no cards: a pack is an input like any act.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, Final

from referee.cards import NAMES, bits
from referee.game import (
    answers,
    blind,
    chance,
    dealing,
    ending,
    exchange,
    finale,
    phases,
    play,
    resign,
    revoke,
    signals,
    toep,
    tricks,
)
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
from referee.game.state import ARMOEDE, BLIND, DEAL, NOBODY, OVER, Phase, State
from referee.ruleset import MAX_PLAYERS, Ruleset, RulesetError

PASS_BIT: Final = 1 << 1
BIT: Final[dict[type[Act], int]] = {kind: 1 << number for number, kind in enumerate(ACTS, start=2)}
"""The flag of each kind of act: bit 1 is a pass, then the acts in the order of the rule book."""

Check = Callable[[State, Any], Refusal | None]
Apply = Callable[[State, Any], list[Record]]

CHAPTERS: Final[dict[type[Record], tuple[Check, Apply]]] = {
    Cut: (dealing.check_cut, dealing.apply_cut),
    Blind: (blind.check_blind, blind.apply_blind),
    Peek: (blind.check_peek, blind.apply_peek),
    Chance: (chance.check_chance, chance.apply_chance),
    Exchange: (exchange.check_exchange, exchange.apply_exchange),
    Challenge: (exchange.check_challenge, exchange.apply_challenge),
    Signal: (signals.check_signal, signals.apply_signal),
    Toep: (toep.check_toep, toep.apply_toep),
    Stay: (answers.check_answer, answers.apply_stay),
    Fold: (answers.check_answer, answers.apply_fold),
    Play: (play.check_play, play.apply_play),
    Discard: (finale.check_discard, finale.apply_discard),
    Confess: (revoke.check_confess, revoke.apply_confess),
    Resign: (resign.check_give_up, resign.apply_give_up),
    Forfeit: (resign.check_give_up, resign.apply_give_up),
    Void: (resign.check_void, resign.apply_void),
}
"""Which chapter of the rules judges and carries out each kind of act."""


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
        require_seats(rules, seats)
        super().__init__(rules, seats, length)

    # -- chance ----------------------------------------------------------------------------------------------------

    @property
    def needs_draw(self) -> bool:
        """Whether the next input must be the pack that the first dealer is drawn from."""
        return dealing.needs_draw(self)

    @property
    def needs_deal(self) -> bool:
        """Whether the next input must be a pack (or, where the rules have it, a cut)."""
        return self.phase is DEAL

    @property
    def over(self) -> bool:
        """Whether the match has ended by the rules."""
        return self.phase is OVER

    def next_deal(self) -> tuple[int, int]:
        """(round, try) of the next deal: what its pack is keyed by."""
        return dealing.next_deal(self)

    def draw(self, pack: Sequence[int | None]) -> list[Record]:
        """Draw the first dealer from a pack; returns the ``draw`` record. Raises `ValueError` when no draw is due."""
        return dealing.draw(self, pack)

    def open_deal(self) -> list[Record]:
        """Begin a deal, so that the pack can be cut; returns the ``round`` record."""
        return dealing.open_deal(self)

    def deal(self, pack: Sequence[int | None]) -> list[Record]:
        """Deal from a pack of 32 card indexes as it was shuffled, top first; a cut made before is taken into account.

        Returns the ``round`` record, unless `open_deal` did, the ``cards`` records (no salts) and what follows at
        once. A None stands for a card of the stock that the replay of a log does not know. Raises `ValueError` for
        anything that is not a pack, and when no deal is due.
        """
        if self.phase is not DEAL:
            raise ValueError("no deal is due")
        return dealing.deal(self, pack)

    def close(self, phase: Phase) -> list[Record]:
        """Nobody uses the windows of a phase (any more): close it and those before it; returns what follows.

        Only P2 (`BLIND`) and P5 (`EXCHANGE`) can have a consequence. Acts of a later phase do it too.
        """
        events: list[Record] = []
        if self.phase not in (DEAL, OVER) and not self.answer_queue and not self.discards_due:
            phases.enter(self, Phase(phase + 1), events)
        return events

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

    def carry_out(self, act: AnyAct | Forfeit | Void) -> list[Record]:
        """As `apply`, for an act that `check` has just allowed: it is not judged a second time."""
        return CHAPTERS[type(act)][1](self, act)

    def playable(self, seat: int) -> int:
        """The mask of cards that a seat may play now."""
        if not self.in_round >> seat & 1 or play.waits(self) or seat != phases.on_turn(self):
            return 0
        return tricks.playable(self, seat)

    def may(self, seat: int) -> int:
        """The other acts that are legal for a seat now, as flags (`BIT`). Resigning is always possible and no flag."""
        if self.phase is DEAL:
            cuts = self.cut_open and dealing.check_cut(self, Cut(at=1, seat=seat)) is None
            return BIT[Cut] if cuts else 0
        if not self.in_round >> seat & 1:
            peeks = self.declined >> seat & 1 and blind.check_peek(self, Peek(seat=seat)) is None
            return BIT[Peek] if peeks else 0
        if self.answer_queue:
            return self._may_answer(seat)
        flags = 0 if toep.barred(self, seat) else BIT[Toep]
        if self.phase < ARMOEDE:
            flags |= self._may_before_play(seat)
        rules = self.rules
        if rules.signals != "off" and signals.check_signal(self, Signal(seat=seat, sign="whistle")) is None:
            flags |= BIT[Signal]
        if rules.revoke == "penalise" and revoke.check_confess(self, Confess(seat=seat)) is None:
            flags |= BIT[Confess]
        return flags

    def _may_answer(self, seat: int) -> int:
        if not answers.may_answer(self, seat):
            return 0
        flags = BIT[Stay] if answers.must_stay(self, seat) else BIT[Stay] | BIT[Fold]
        return flags if toep.barred(self, seat) else flags | BIT[Toep]

    def _may_before_play(self, seat: int) -> int:
        """P2 to P6, without a question that is being answered."""
        flags = 0
        for kind in (Blind, Peek, Chance, Exchange, Challenge, Stay, Fold):
            if self.check(kind(seat=seat)) is None:
                flags |= BIT[kind]
        if phases.discards_come_first(self) and (self.phase is BLIND or self.discards_due >> seat & 1):
            flags |= BIT[Discard]
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
        """(seats that must act now, other seats that may), each ascending.

        Where answers or discards are sealed several seats must; before play nobody does but the seat that will lead.
        """
        must: list[int]
        if self.phase in (DEAL, OVER):
            must = []
        elif self.answer_queue:
            must = sorted(self.answer_queue) if self.rules.answers == "simultaneous" else [self.answer_queue[0]]
        elif self.discards_due:
            must = [seat for seat in range(self.seats) if self.discards_due >> seat & 1]
        else:
            must = [seat for seat in range(self.seats) if self.playable(seat)]
        return must, [seat for seat in range(self.seats) if seat not in must and self.may(seat)]

    # -- the end ---------------------------------------------------------------------------------------------------

    def ranks(self) -> list[int]:
        """Places by seat: 1 is the best, ties share (H-12, R-END-03)."""
        return ending.ranks(self)

    def lead_if_unasked(self) -> int:
        """Who leads the running trick; between rounds, who would lead the next round if no window were used.

        When all in the round are poor, nobody answers, and the armoede player may lead already (R-ARM-05). `NOBODY`
        when nobody is left in the game.
        """
        if self.phase in (DEAL, OVER):
            return self.next_seat(self.dealer, self.in_game)
        poor, asked = phases.armoede(self)
        return poor[0] if poor and not asked and self.rules.armoede_leads else self.lead

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


__all__ = ["BIT", "NOBODY", "PASS_BIT", "Game", "require_seats"]
