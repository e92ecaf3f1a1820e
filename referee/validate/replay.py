"""Level L3: the match played again. Each input of the log drives the engine, and every line that follows must be the
one that the engine answers with."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

import msgspec

from referee import ruleset
from referee.cards import INDEX, NAMES, PACK_SIZE, bits
from referee.game import dealing
from referee.game.common import is_finale
from referee.game.game import BIT, CHAPTERS, Apply, Game, require_seats
from referee.game.records import (
    ACTS,
    NO_SALT,
    AnyAct,
    Cards,
    Chance,
    Cut,
    Discard,
    Draw,
    Exchange,
    Fold,
    Forfeit,
    Open,
    Play,
    Record,
    Round,
    Score,
    Show,
    Signal,
    Stay,
    Toep,
    Void,
)  # fmt: skip
from referee.game.sizes import DISCARDS
from referee.game.state import BLIND, DEAL, EXCHANGE, PLAY, Phase
from referee.log.records import End, Entropy, Head, Late, Refused, Ruling
from referee.ruleset import RulesetError
from referee.validate import differences
from referee.validate.conduct import Watch
from referee.validate.differences import EXTRA, LEAVING, MISSING
from referee.validate.findings import Fault, Place
from referee.validate.refusals import Refusals, take

GIVEN_BACK: Final = -1
"""The place of a card that is drawn for the second time: one of a hand that went back under the stock."""

DRAWN: Final[dict[type[Record], tuple[int, str]]] = {Chance: (1, "chance"), Exchange: (4, "exchange")}
"""Acts that draw from the stock: how many cards, and the reason that their `cards` line gives."""

CLOSES: Final[dict[type[Record], Phase]] = {
    Chance: Phase.BLIND,
    Discard: Phase.BLIND,
    Exchange: Phase.BLIND,
    Signal: Phase.BLIND,
    Fold: Phase.EXCHANGE,
    Play: Phase.EXCHANGE,
    Stay: Phase.EXCHANGE,
    Toep: Phase.EXCHANGE,
}
"""By kind of act, the last phase with a consequence that is closed when such an act takes effect."""


Private = Cards | Discard | Refused


class Possible(NamedTuple):
    """What a private line that stands next can be."""

    kind: type[Private]
    certain: bool
    """It follows from the lines before it and the pack; otherwise a player chose it."""

    records: Iterable[Private]
    """Without salt."""

    rule: str = ""
    """The rule that makes it follow, where it is not that of the deal."""


class Replay:
    """Follows a log whose order of records is right, line by line."""

    def __init__(self) -> None:
        self.game: Game | None = None
        self.places: tuple[int, ...] = ()
        """Of the ``cards`` or ``draw`` record just read: by card its place in the pack as it was shuffled (0 = top), or
        `GIVEN_BACK`."""

        self.acts = 0
        """Effective acts so far."""

        self.round: int | None = None
        """The round that the record just read belongs to, for findings."""

        self.trick: int | None = None
        """The trick that the last act belongs to, for findings."""

        self._game: Game
        self._head: Head
        self._watch: Watch
        self._refusals: Refusals
        self._sealed: frozenset[type[Record]] = frozenset((Discard,))
        """Kinds of acts that are given by all at once."""

        self._expected: deque[Record] = deque()
        """What must follow before anything else happens."""

        self._hands: deque[tuple[int, tuple[int, ...]]] = deque()
        """Hands still to come in a deal: (seat, places after the cut)."""

        self._pack: list[int | None] = []
        """The cards of this round as they were shuffled, as far as they are known when it is dealt."""

        self._in_round = 0
        """Mask of the seats still in when the latest act had taken effect: which rule a wrong line breaks."""

        self._seen = 0
        """Mask of the cards that have turned up in this round."""

        self._top = 0
        """The place of the top of the stock, after the cut."""

        self._drawing: tuple[Exchange | Chance, bool, Place] | None = None
        """An act whose new cards come next."""

        self._cancelled = False
        """The last round was cancelled: the match may end here."""

    def step(self, record: Record, place: Place) -> None:
        """Take the next record; raises `Fault` (E3xx) when it does not follow."""
        kind = type(record)
        if self._expected and kind is not Ruling:
            self._derived(record)
        elif self._drawing is not None and kind is not Ruling:
            self._drawn(record, *self._drawing)
        elif self._hands and kind is not Ruling and kind is not Cut:
            self._hand(record)
        elif handler := _HANDLERS.get(kind):
            handler(self, record, place)
        elif kind in EXTRA:
            raise _extra(record)

    def private(self, pack: Sequence[int]) -> Possible:
        """What a private line that comes next can be, in a round with this pack (card indexes, top first)."""
        game = self._game
        if self._expected:
            expected = self._expected[0]
            if isinstance(expected, Discard):
                return Possible(Discard, certain=True, records=[expected], rule="R-KANS-04")
            refusals = self._refusals.possible() if isinstance(expected, Score) else ()
            return Possible(Refused, certain=False, records=refusals)
        if self._drawing is not None:
            act, _, _ = self._drawing
            count, why = DRAWN[type(act)]
            top = self._top + game.cut_at
            cards = [
                NAMES[pack[(top + number) % PACK_SIZE] if known is None else known]
                for number, known in enumerate(game.stock[:count])
            ]
            drawn = Cards(cards=cards, salt=NO_SALT, seat=act.seat, why=why)  # type: ignore[arg-type]
            return Possible(Cards, certain=True, records=[drawn], rule=differences.draw_rule(act))
        if self._hands:
            seat, places = self._hands[0]
            cards = [NAMES[pack[(place + game.cut_at) % PACK_SIZE]] for place in places]
            hand = Cards(cards=cards, salt=NO_SALT, seat=seat, why="finale" if is_finale(game) else "deal")
            return Possible(Cards, certain=True, records=[hand])
        return Possible(Discard, certain=False, records=_discards(game))

    # -- before the first deal -------------------------------------------------------------------------------------

    def _start(self, record: Head, _: Place) -> None:
        seats = len(record.seats)
        try:
            ruleset.check_sense(record.rules)
        except RulesetError as error:
            raise Fault("E301", str(error), pointer=f"/rules/{error.option}") from None
        try:
            require_seats(record.rules, seats)
        except RulesetError as error:
            expected = f"{record.rules.min_players} to {ruleset.MAX_PLAYERS}"
            raise Fault("E302", str(error), pointer="/seats", expected=expected, actual=seats) from None
        self.game = self._game = Game(record.rules, seats, 0 if record.length == "game" else record.length.rounds)
        self._head = record
        self._watch = Watch(record)
        self._refusals = Refusals(record.conduct.tries)
        if record.rules.answers == "simultaneous":
            self._sealed = frozenset((Discard, Stay, Fold))

    def _draw(self, record: Draw, _: Place) -> None:
        game = self._game
        if not game.needs_draw:
            raise Fault("E303", "these rules draw no cards for the first deal", expected="no draw", actual="draw")
        self._seen = 0
        known = self._turned_up([name for _seat, name in record.cards])
        try:
            (expected,) = game.draw([*known, *[None] * (PACK_SIZE - len(known))])
        except ValueError:
            raise Fault(
                "E306", "the draw stops before one card is the lowest", pointer="/cards", actual=_shown(record)
            ) from None
        if record != expected:
            raise Fault("E306", "wrong seats draw", pointer="/cards", expected=_shown(expected), actual=_shown(record))
        self.places = tuple(range(len(known)))

    def _entropy(self, record: Entropy, _: Place) -> None:
        seats = len(self._head.seats)
        if len(record.e) != seats:
            raise Fault("E308", "a value for each seat", pointer="/e", expected=seats, actual=len(record.e))

    def _ruling(self, record: Ruling, _: Place) -> None:
        if isinstance(record.seat, int):
            self._require_seat(record.seat)

    def _require_seat(self, seat: int) -> None:
        seats = len(self._head.seats)
        if seat >= seats:
            raise Fault("E304", f"there is no seat {seat}", pointer="/seat", expected=f"0 to {seats - 1}", actual=seat)

    # -- dealing ---------------------------------------------------------------------------------------------------

    def _round(self, record: Round, _: Place) -> None:
        game = self._game
        if game.over:
            raise Fault("E310", "the match is over", expected="end", actual="round", rule=self._end_rule())
        if game.deals >= self._head.conduct.max_deals:
            raise Fault("E314", f"{game.deals} deals are the most this match has", expected="end", actual="round")
        if game.needs_draw:
            raise Fault("E307", "the first dealer must be drawn first", expected="draw", actual="round")
        game.open_deal()
        self.round = game.round
        for code, field, expected, actual in (
            ("E312", "round", game.round, record.round),
            ("E313", "try", game.try_, record.try_),
            ("E311", "dealer", game.dealer, record.dealer),
        ):
            if actual != expected:
                raise Fault(code, f"wrong {field}", pointer=f"/{field}", expected=expected, actual=actual)
        places = dealing.who_gets_what(game)
        self._hands.extend([(seat, mine) for seat, mine in enumerate(places) if mine])
        self._pack = [None] * PACK_SIZE
        self._seen = 0
        self._top = sum(map(len, places))
        self._cancelled = False
        self.trick = None
        if game.rules.cut:
            self._refusals.begin(game, None)

    def _hand(self, record: Record) -> None:
        game = self._game
        seat, places = self._hands[0]
        if not isinstance(record, Cards):
            raise Fault(
                "E322", f"the hand of seat {seat} is missing", expected=f"cards of seat {seat}", actual=_shown(record)
            )
        why = "finale" if is_finale(game) else "deal"
        if record.why != why:
            raise Fault("E323", "these cards are dealt", pointer="/why", expected=why, actual=record.why)
        if record.seat != seat:
            raise Fault(
                "E322", "the hand of another seat comes here", pointer="/seat", expected=seat, actual=record.seat
            )
        if len(record.cards) != len(places):
            raise Fault(
                "E321", "wrong number of cards", pointer="/cards", expected=len(places), actual=len(record.cards)
            )
        cut_at, pack = game.cut_at, self._pack
        self.places = tuple([(place + cut_at) % PACK_SIZE for place in places])
        for place, card in zip(self.places, self._turned_up(record.cards), strict=True):
            pack[place] = card
        self._hands.popleft()
        if not self._hands:
            self._deal()

    def _deal(self) -> None:
        """The last hand is there."""
        game = self._game
        if game.rules.cut:
            self._refusals.between(self._pack)
        events = game.deal(self._pack)
        if not game.rules.cut:
            self._refusals.begin(game, self._pack)
        self._expected.extend([event for event in events if type(event) is not Cards])

    def _turned_up(self, cards: Iterable[str]) -> list[int]:
        """The indexes of cards that turn up for the first time in this round. Raises `Fault`."""
        found: list[int] = []
        seen = self._seen
        for name in cards:
            card = INDEX[name]
            if seen >> card & 1:
                raise Fault(
                    "E320",
                    f"{name} has turned up in this round already",
                    pointer=f"/cards/{len(found)}",
                    expected="another card",
                    actual=name,
                )
            seen |= 1 << card
            found.append(card)
        self._seen = seen
        return found

    # -- playing ---------------------------------------------------------------------------------------------------

    def _act(self, record: AnyAct, place: Place) -> None:
        game = self._game
        kind = type(record)
        check, carry_out = CHAPTERS[kind]
        if game.phase is not PLAY and (last := CLOSES.get(kind)) and game.phase <= last:
            self._pass_over(last, record)
        if refusal := check(game, record):
            raise Fault("E330", f"illegal: {refusal.why}", actual=_shown(record), rule=refusal.rule)
        more = kind in self._sealed and self._more_sealed(record)
        owed = self._watch.act(game, record, more)
        if kind is Exchange or kind is Chance:
            self._drawing = (record, owed, place)  # type: ignore[assignment]
            self.trick = None
            return
        self.trick = game.trick_number if game.phase is PLAY else None
        self._refusals.did(game, record, (), place, owed, more=more)
        self._apply(record, carry_out)

    def _decision(self, record: Forfeit | Void, place: Place) -> None:
        game = self._game
        if isinstance(record, Void) and record.why == "revoke":
            raise Fault("E392", "no revoke is proven", pointer="/why", expected="crash or cancelled", actual="revoke")
        if refusal := game.check(record):
            raise Fault("E330", f"illegal: {refusal.why}", actual=_shown(record), rule=refusal.rule)
        self._watch.decision(game, record)
        self._cancelled = isinstance(record, Void) and record.why == "cancelled"
        self._refusals.did(game, record, (), place)
        self._apply(record, CHAPTERS[type(record)][1])

    def _apply(self, record: AnyAct | Forfeit | Void, carry_out: Apply) -> None:
        game = self._game
        self.acts += 1
        self._in_round = differences.still_in(record, game) if type(record) in LEAVING else game.in_round
        events = carry_out(game, record)
        done = events[0]
        if done is not record and done != record and done != _without_salt(record):
            raise differences.fault(record, done, game, self._in_round)
        if len(events) > 1:
            self._expected.extend(events[1:])

    def _more_sealed(self, record: AnyAct) -> bool:
        """Whether more acts of the same sealed step come after this one (R-ANS-02, H-37). Raises `Fault`.

        Sealed acts are listed by seat, so that their order tells nothing.
        """
        game = self._game
        if isinstance(record, Discard):
            waiting = [seat for seat in range(game.seats) if game.discards_due >> seat & 1]
        else:
            waiting = game.answer_queue
        if record.seat != min(waiting):
            raise Fault(
                "E337",
                "sealed acts stand in seat order",
                pointer="/seat",
                expected=min(waiting),
                actual=record.seat,
            )
        return len(waiting) > 1

    # -- windows ---------------------------------------------------------------------------------------------------

    def _close(self, last: Phase) -> list[Record]:
        """Close phases up to ``last``, as far as nobody owes an answer; returns what the first one with a consequence
        leads to."""
        game = self._game
        for phase in (BLIND, EXCHANGE):
            if phase > last or game.phase is DEAL or game.answer_queue or game.discards_due:
                break
            if game.phase <= phase:
                self._refusals.between(phase)
                if events := game.close(phase):
                    return events
        return []

    def _pass_over(self, last: Phase, record: Record) -> None:
        """A record that cannot stand before phases up to ``last`` are closed: what closing them leads to is missing."""
        if events := self._close(last):
            raise Fault(
                MISSING[type(events[0])],
                f"{events[0].__struct_config__.tag} must come first",
                expected=_shown(events[0]),
                actual=_shown(record),
            )

    def _consequence(self, record: Show | Open, _: Place) -> None:
        """A line that tells that phases were closed."""
        events = self._close(Phase.BLIND if isinstance(record, Show) else Phase.EXCHANGE)
        if not events:
            raise _extra(record)
        self._expected.extend(events)
        self._derived(record)

    def _drawn(self, record: Record, act: Exchange | Chance, owed: bool, place: Place) -> None:
        count, why = DRAWN[type(act)]
        if not isinstance(record, Cards) or record.why != why or record.seat != act.seat:
            raise Fault(
                "E324",
                f"the new cards of seat {act.seat} are missing",
                expected=f"cards of seat {act.seat}, why {why}",
                actual=_shown(record),
                rule=differences.draw_rule(act),
            )
        if len(record.cards) != count:
            raise Fault(
                "E321",
                "wrong number of cards",
                pointer="/cards",
                expected=count,
                actual=len(record.cards),
                rule=differences.draw_rule(act),
            )
        game = self._game
        # Cards that went back lie under those that nobody has seen.
        new = game.stock[:count].count(None)
        drawn = self._turned_up(record.cards[:new])
        for number in range(new, count):
            known = game.stock[number]
            assert known is not None
            if INDEX[record.cards[number]] != known:
                raise Fault(
                    "E325",
                    "not the card that went back under the stock",
                    pointer=f"/cards/{number}",
                    expected=NAMES[known],
                    actual=record.cards[number],
                )
            drawn.append(known)
        top = self._top + game.cut_at
        places = [(top + number) % PACK_SIZE if number < new else GIVEN_BACK for number in range(count)]
        self._top += count
        self.places = tuple(places)
        self._drawing = None
        self.acts += 1
        self._in_round = game.in_round
        self._refusals.did(game, act, tuple(drawn), place, owed)
        # The act and its cards are what they are; a discard and four alike may follow.
        self._expected.extend(take(game, act, tuple(drawn))[2:])

    def _late(self, record: Late, _: Place) -> None:
        self._require_seat(record.seat)
        game = self._game
        if record.seat not in game.asks()[1]:
            self._pass_over(Phase.EXCHANGE, record)
        self._watch.late(game, record)

    # -- what follows ----------------------------------------------------------------------------------------------

    def _derived(self, record: Record) -> None:
        expected = self._expected[0]
        if record != expected and _without_salt(record) != expected:
            if isinstance(record, Refused) and type(expected) is Score:
                self._require_seat(record.seat)
                self._refusals.refused(record)
                return
            raise self._difference(record, expected)
        if type(record) is Score:
            self._refusals.close()
            self.trick = None
        self._expected.popleft()

    def _difference(self, record: Record, expected: Record) -> Fault:
        kind = type(expected)
        if type(record) is kind:
            return differences.fault(record, expected, self._game, self._in_round)
        return Fault(
            MISSING[kind],
            f"{expected.__struct_config__.tag} must follow here",
            expected=_shown(expected),
            actual=_shown(record),
            rule=differences.broken_rule(expected, "win", self._game, self._in_round),
        )

    def _refused(self, _: Refused, __: Place) -> None:
        raise Fault("E375", "refused acts stand just before the score", expected="an act", actual="refused")

    # -- the end ---------------------------------------------------------------------------------------------------

    def _end(self, record: End, place: Place) -> None:
        game = self._game
        self.round = None
        status = game.status
        if not game.over:
            status = "abandoned"
            if game.deals and game.deals < self._head.conduct.max_deals and not self._cancelled:
                raise Fault("E370", "the match is not over", expected="round", actual="end", rule=self._end_rule())
        for code, field, expected, actual in (
            ("E371", "n", place.index, record.n),
            ("E373", "status", status, record.status),
            ("E374", "total", game.totals(), record.total),
            ("E372", "rank", game.ranks(), record.rank),
        ):
            if actual != expected:
                raise Fault(code, f"wrong {field}", pointer=f"/{field}", expected=expected, actual=actual)

    def _end_rule(self) -> str:
        game = self._game
        if game.length:
            return ""
        return "R-END-01" if game.rules.game_end == "first_out" else "R-END-02"


_HANDLERS: Final[Mapping[type[Record], Callable[[Replay, Any, Place], None]]] = {
    **dict.fromkeys(ACTS, Replay._act),
    Draw: Replay._draw,
    End: Replay._end,
    Entropy: Replay._entropy,
    Forfeit: Replay._decision,
    Head: Replay._start,
    Late: Replay._late,
    Open: Replay._consequence,
    Refused: Replay._refused,
    Round: Replay._round,
    Ruling: Replay._ruling,
    Show: Replay._consequence,
    Void: Replay._decision,
}
"""Records that follow from no other. Seals and the reveal are no matter of the rules."""


def _discards(game: Game) -> Iterator[Discard]:
    """Every discard that a player may make now, by himself or through the referee."""
    for seat in range(game.seats):
        if game.may(seat) & BIT[Discard]:
            for cards in combinations([NAMES[card] for card in bits(game.hands[seat])], DISCARDS):
                yield Discard(cards=list(cards), salt=NO_SALT, seat=seat)
                yield Discard(by="ref", cards=list(cards), salt=NO_SALT, seat=seat)


def _extra(record: Record) -> Fault:
    tag = record.__struct_config__.tag
    return Fault(EXTRA[type(record)], f"nothing makes a line of {tag} here", actual=_shown(record))


def _without_salt(record: Record) -> Record:
    """What the game knows of a record: engines know no salts."""
    return msgspec.structs.replace(record, salt=NO_SALT) if isinstance(record, Discard) else record


def _shown(record: Record) -> str:
    """A record in a message, without the salt that only distracts."""
    fields = msgspec.to_builtins(record)
    fields.pop("salt", None)
    return msgspec.json.encode(fields).decode("ascii", "backslashreplace")[:200]
