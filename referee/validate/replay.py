"""Level L3: the match played again. Each input of the log drives the engine, and every line that follows must be the
one that the engine answers with."""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from referee import ruleset
from referee.cards import INDEX, NAMES, PACK_SIZE
from referee.game import dealing
from referee.game.game import Game, require_seats
from referee.game.records import (
    Act,
    AnyAct,
    Cards,
    Exchange,
    Forfeit,
    Record,
    Round,
    Score,
    Void,
)  # fmt: skip
from referee.game.state import Phase
from referee.log.records import Draw, End, Head, Late, Refused, Ruling
from referee.ruleset import RulesetError
from referee.validate import differences
from referee.validate.conduct import Watch, as_sent
from referee.validate.differences import EXTRA, MISSING
from referee.validate.findings import Fault, Place
from referee.validate.refusals import Refusals, take

GIVEN_BACK: Final = -1
"""The place of a card that is drawn for the second time: one of a hand that went back under the stock."""

_HAND: Final = 4


class Replay:
    """Follows a log whose order of records is right, line by line."""

    def __init__(self) -> None:
        self.game: Game | None = None
        self.places: tuple[int, ...] = ()
        """Of the ``cards`` record just read: by card its place in the pack (0 = top), or `GIVEN_BACK`."""

        self.acts = 0
        """Effective acts so far."""

        self.round: int | None = None
        """The round that the record just read belongs to, for findings."""

        self.trick: int | None = None
        """The trick that the last act belongs to, for findings."""

        self._head: Head
        self._watch: Watch
        self._refusals: Refusals
        self._expected: deque[Record] = deque()
        """What must follow before anything else happens."""

        self._hands: deque[tuple[int, tuple[int, ...]]] = deque()
        """Hands still to come in a deal: (seat, places)."""

        self._pack: list[int | None] = []
        self._in_round = 0
        """Mask of the seats still in when the latest act had taken effect: which rule a wrong line breaks."""

        self._seen = 0
        """Mask of the cards that have turned up in this round."""

        self._top = 0
        """The place in the pack of the top of the stock."""

        self._exchange: tuple[Exchange, bool, Place] | None = None
        """An exchange whose new cards come next."""

        self._cancelled = False
        """The last round was cancelled: the match may end here."""

    def step(self, record: Record, place: Place) -> None:
        """Take the next record; raises `Fault` (E3xx) when it does not follow."""
        kind = type(record)
        if kind is Ruling:
            self._ruling(record)  # type: ignore[arg-type]
        elif self._expected:
            self._derived(record)
        elif self._exchange is not None:
            self._exchanged(record)
        elif self._hands:
            self._hand(record)
        elif isinstance(record, Act):
            self._act(record, place)  # type: ignore[arg-type]
        elif handler := _HANDLERS.get(kind):
            handler(self, record, place)
        elif code := EXTRA.get(kind):
            raise Fault(code, f"nothing makes a {record.__struct_config__.tag} here", actual=_shown(record))

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
        try:
            self.game = Game(record.rules, seats, 0 if record.length == "game" else record.length.rounds)
        except RulesetError as error:
            raise Fault("E305", str(error), pointer=f"/rules/{error.option}", unsupported=True) from None
        self._head = record
        self._watch = Watch(record)
        self._refusals = Refusals(record.conduct.tries)

    def _draw(self, _: Draw, __: Place) -> None:
        raise Fault("E303", "these rules draw no cards for the first deal", expected="no draw", actual="draw")

    def _ruling(self, record: Ruling) -> None:
        if isinstance(record.seat, int):
            self._require_seat(record.seat)

    def _require_seat(self, seat: int) -> None:
        seats = len(self._head.seats)
        if seat >= seats:
            raise Fault("E304", f"there is no seat {seat}", pointer="/seat", expected=f"0 to {seats - 1}", actual=seat)

    # -- dealing ---------------------------------------------------------------------------------------------------

    def _round(self, record: Round, _: Place) -> None:
        game = self._playing
        if game.over:
            raise Fault("E310", "the match is over", expected="end", actual="round", rule=self._end_rule())
        if game.deals >= self._head.conduct.max_deals:
            raise Fault("E314", f"{game.deals} deals are the most this match has", expected="end", actual="round")
        probe = game.clone()
        dealing.open_round(probe, *game.next_deal())
        for code, field, expected, actual in (
            ("E312", "round", probe.round, record.round),
            ("E313", "try", probe.try_, record.try_),
            ("E311", "dealer", probe.dealer, record.dealer),
        ):
            if actual != expected:
                raise Fault(code, f"wrong {field}", pointer=f"/{field}", expected=expected, actual=actual)
        places = dealing.who_gets_what(probe)
        self.round = probe.round
        self._hands = deque((seat, tuple(mine)) for seat, mine in enumerate(places) if mine)
        self._pack = [None] * PACK_SIZE
        self._seen = 0
        self._top = sum(map(len, places))
        self._cancelled = False
        self.trick = None

    def _hand(self, record: Record) -> None:
        seat, places = self._hands[0]
        if not isinstance(record, Cards):
            raise Fault(
                "E322", f"the hand of seat {seat} is missing", expected=f"cards of seat {seat}", actual=_shown(record)
            )
        if record.why != "deal":
            raise Fault("E323", "these cards are dealt", pointer="/why", expected="deal", actual=record.why)
        if record.seat != seat:
            raise Fault(
                "E322", "the hand of another seat comes here", pointer="/seat", expected=seat, actual=record.seat
            )
        if len(record.cards) != len(places):
            raise Fault(
                "E321", "wrong number of cards", pointer="/cards", expected=len(places), actual=len(record.cards)
            )
        for number, place in enumerate(places):
            self._pack[place] = self._new_card(record, number)
        self.places = places
        self._hands.popleft()
        if not self._hands:
            self._playing.deal(self._pack)
            self._refusals.begin(self._playing)

    def _new_card(self, record: Cards, number: int) -> int:
        card = INDEX[record.cards[number]]
        if self._seen >> card & 1:
            raise Fault(
                "E320",
                f"{record.cards[number]} has turned up in this round already",
                pointer=f"/cards/{number}",
                expected="another card",
                actual=record.cards[number],
            )
        self._seen |= 1 << card
        return card

    # -- playing ---------------------------------------------------------------------------------------------------

    def _act(self, record: AnyAct, place: Place) -> None:
        game = self._playing
        act = as_sent(record)
        if refusal := game.check(act):
            raise Fault("E330", f"illegal: {refusal.why}", actual=_shown(act), rule=refusal.rule)
        owed = self._watch.act(game, record)
        if isinstance(record, Exchange):
            self._exchange = (record, owed, place)
            self.trick = None
            return
        self.trick = game.trick_number if game.phase is Phase.PLAY else None
        self._refusals.did(act, (), place, owed)
        self._apply(act, record)

    def _decision(self, record: Forfeit | Void, place: Place) -> None:
        game = self._playing
        if isinstance(record, Void) and record.why == "revoke":
            raise Fault("E392", "nobody has revoked", pointer="/why", expected="crash or cancelled", actual="revoke")
        if refusal := game.check(record):
            raise Fault("E330", f"illegal: {refusal.why}", actual=_shown(record), rule=refusal.rule)
        self._watch.decision(record)
        self._cancelled = isinstance(record, Void) and record.why == "cancelled"
        self._refusals.did(record, (), place, owed=False)
        self._apply(record, record)

    def _apply(self, act: AnyAct | Forfeit | Void, record: Record) -> None:
        game = self._playing
        self.acts += 1
        self._in_round = differences.still_in(act, game.in_round)
        events = game.apply(act)
        if events[0] != record:
            raise differences.fault(record, events[0], game, self._in_round)
        self._expected.extend(events[1:])

    def _exchanged(self, record: Record) -> None:
        assert self._exchange is not None
        act, owed, place = self._exchange
        if not isinstance(record, Cards) or record.why != "exchange" or record.seat != act.seat:
            raise Fault(
                "E324",
                f"the new cards of seat {act.seat} are missing",
                expected=f"cards of seat {act.seat}, why exchange",
                actual=_shown(record),
            )
        if len(record.cards) != _HAND:
            raise Fault("E321", "wrong number of cards", pointer="/cards", expected=_HAND, actual=len(record.cards))
        game = self._playing
        drawn: list[int] = []
        places: list[int] = []
        for number, known in enumerate(game.stock[:_HAND]):
            if known is None:
                drawn.append(self._new_card(record, number))
                places.append(self._top + number)
                continue
            if INDEX[record.cards[number]] != known:
                raise Fault(
                    "E325",
                    "not the card that went back under the stock",
                    pointer=f"/cards/{number}",
                    expected=NAMES[known],
                    actual=record.cards[number],
                )
            drawn.append(known)
            places.append(GIVEN_BACK)
        self._top += _HAND
        self.places = tuple(places)
        self._exchange = None
        self._refusals.did(act, tuple(drawn), place, owed)
        self.acts += 1
        take(game, act, tuple(drawn))

    def _late(self, record: Late, _: Place) -> None:
        self._require_seat(record.seat)
        self._watch.late(self._playing, record)

    # -- what follows ----------------------------------------------------------------------------------------------

    def _derived(self, record: Record) -> None:
        expected = self._expected[0]
        kind = type(expected)
        if type(record) is not kind:
            if isinstance(record, Refused) and kind is Score:
                self._require_seat(record.seat)
                self._refusals.refused(record)
                return
            raise Fault(
                MISSING[kind],
                f"a {expected.__struct_config__.tag} must follow here",
                expected=_shown(expected),
                actual=_shown(record),
                rule=differences.broken_rule(expected, "win", self._playing, self._in_round),
            )
        if record != expected:
            raise differences.fault(record, expected, self._playing, self._in_round)
        if kind is Score:
            self._refusals.close()
            self.trick = None
        self._expected.popleft()

    def _refused(self, _: Refused, __: Place) -> None:
        raise Fault("E375", "refused acts stand just before the score", expected="an act", actual="refused")

    # -- the end ---------------------------------------------------------------------------------------------------

    def _end(self, record: End, place: Place) -> None:
        game = self._playing
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
        game = self._playing
        if game.length:
            return ""
        return "R-END-01" if game.rules.game_end == "first_out" else "R-END-02"

    @property
    def _playing(self) -> Game:
        assert self.game is not None
        return self.game


_HANDLERS: Final[Mapping[type[Record], Callable[[Replay, Any, Place], None]]] = {
    Draw: Replay._draw,
    End: Replay._end,
    Forfeit: Replay._decision,
    Head: Replay._start,
    Late: Replay._late,
    Refused: Replay._refused,
    Round: Replay._round,
    Void: Replay._decision,
}
"""Records that are no act and follow from none. Entropy, seals and the reveal are no matter of the rules."""


def _shown(record: Record) -> str:
    """A record in a message, without the salt that only distracts."""
    fields = msgspec.to_builtins(record)
    fields.pop("salt", None)
    return msgspec.json.encode(fields).decode("ascii", "backslashreplace")[:200]
