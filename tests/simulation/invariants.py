"""What must always be true: of every log, of every message to a bot, and of the referee when all is over.

A `Book` follows one log, line by line as it is written, with a game of its own. The `Witness` sees every message of the
referee at the moment it leaves and every answer at the moment it is taken, says what has to become of it, and holds it
against the books. Nothing here looks into a table.
"""

import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec import UNSET

from referee.cards import INDEX, bits, mask_of, names
from referee.game.game import BIT, PASS_BIT, Game
from referee.game.records import (
    EFFECTIVE,
    Act,
    Cards,
    Challenge,
    Cut,
    Discard,
    Draw,
    Play,
    Record,
    Resign,
    Round,
    Show,
    Signal,
)
from referee.game.state import Phase
from referee.log.reader import decode_bytes
from referee.log.records import End, Head, Late
from referee.replay import Replay, ReplayError
from referee.service import edge
from referee.table.messages import AT_MASK, SEAT_BITS, TRY_BITS, seat_of
from referee.table.steps import Pass
from referee.table.table import Malformed
from referee.v1 import play_pb2 as wire
from referee.validate import validate
from tests.simulation.network import Stream

CARD: Final = re.compile(r"\b[JQKA789T][cdsh]\b")
"""A card's name in a text for people."""

STALE: Final = frozenset({wire.REFUSAL_CODE_STALE})
SCHEMA: Final = frozenset({wire.REFUSAL_CODE_MALFORMED, wire.REFUSAL_CODE_TOO_LARGE})
RULES: Final = frozenset({wire.REFUSAL_CODE_ILLEGAL, wire.REFUSAL_CODE_NOT_ASKED})
BEFORE_LOOKING: Final = (wire.ASK_KIND_CUT, wire.ASK_KIND_BLIND)
STEP: Final = 8
"""Acts of one step, at most."""

Report = Callable[[str], None]


def key_of(act: Act) -> tuple[object, ...]:
    """What makes an act the one that a bot sent."""
    match act:
        case Play():
            return (Play, act.card)
        case Cut():
            return (Cut, act.at)
        case Signal():
            return (Signal, act.sign)
        case Discard():
            return (Discard, *sorted(act.cards))
    return (type(act),)


def at_of(ask: int) -> int:
    """The effective acts before an ask."""
    return ask >> (TRY_BITS + SEAT_BITS) & AT_MASK


@dataclass
class AskSeen:
    """An ask as it left."""

    message: wire.Ask
    deadline: int
    """By what the first message with it said."""
    acts: int
    """In the log when it left first: another one, and it is void."""
    closed: bool = False
    """An answer was taken, so that every other is stale."""


@dataclass
class Taken:
    """An answer that has to take effect, or to be called superseded."""

    bot: str
    seat: int
    ask: int
    key: tuple[object, ...]
    at_ms: int
    asked_ms: int
    stream: Stream
    guess: bool = False
    """It answers an ask that was not sent yet: whether that was open cannot be known here."""
    done: bool = False


class Book:
    """One log as it grows, and what it means."""

    def __init__(self, match: str, bots: list[str], report: Report, clock: Callable[[], int]) -> None:
        self.match: Final = match
        self.bots: Final = bots
        self.crashed = False
        self.failed = False
        """A fault of the disk broke it off, or will when the referee gets to know of it."""
        self.told_over = False
        """Somebody was told that it is over."""
        self.cancelled = False
        self.written_ms = 0
        self.resumed_ms = -1
        """When it was taken up after a crash."""
        self._report = report
        self._clock = clock
        self.restart(b"")

    def restart(self, data: bytes) -> None:
        """From the beginning, with what is left of the log."""
        self.data = bytearray()
        self.public: list[bytes] = []
        self.records: list[Record] = []
        self.at = 0
        self.head: Head | None = None
        self.end: End | None = None
        self.own: dict[int, int] = {}
        """By seat, the cards that it was dealt in this deal."""
        self.shown = 0
        """The cards that everybody has seen in this deal."""
        self.asks: dict[int, AskSeen] = {}
        self.taken: list[Taken] = []
        self._replay = Replay()
        self._rest = b""
        self._state: tuple[int, Any] = (-1, None)
        self._quiet = True
        self.write(data)
        self._quiet = False

    def resumed(self) -> None:
        """It is taken up now."""
        self.resumed_ms = self._clock()

    def awaits(self, deadline: int) -> bool:
        """Whether that is the deadline of asks that were open in a crash: bots have some time to come back."""
        assert self.head is not None
        conduct = self.head.conduct
        return self.resumed_ms >= 0 and deadline - self.resumed_ms in (
            conduct.act_ms, max(conduct.act_ms, conduct.window_ms),
        )  # fmt: skip

    @property
    def game(self) -> Game | None:
        return self._replay.game

    def seats_of(self, bot: str) -> list[int]:
        return [seat for seat, name in enumerate(self.bots) if name == bot]

    def may_know(self, bot: str) -> int:
        """The cards that a bot may know of."""
        return self.shown | mask_of(card for seat in self.seats_of(bot) for card in bits(self.own.get(seat, 0)))

    def write(self, data: bytes) -> None:
        """These bytes were written."""
        self.written_ms = self._clock()
        self.data.extend(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._line(decode_bytes(line))

    def _line(self, record: Any) -> None:
        derived = bool(self._replay._expected)
        try:
            self._replay.feed(record)
        except ReplayError as error:
            self._report(f"{self.match}: the log cannot be followed: {error}")
        self.records.append(record)
        match record:
            case Head():
                self.head = record
            case End():
                self.end = record
            case Round():
                self.own, self.shown = {}, 0
            case Cards():
                self.own[record.seat] = self.own.get(record.seat, 0) | mask_of(INDEX[card] for card in record.cards)
            case Play():
                self.shown |= 1 << INDEX[record.card]
            case Show():
                self.shown |= mask_of(INDEX[card] for card in record.cards)
            case Challenge() if record.shown is not UNSET:
                self.shown |= mask_of(INDEX[card] for card in record.shown)
            case Draw():
                self.shown |= mask_of(INDEX[card] for _seat, card in record.cards)
            case Late():
                self._late(record)
        if type(record) in edge.WRITERS:
            self.public.append(edge.event(record).SerializeToString(deterministic=True))
        if isinstance(record, EFFECTIVE) and not derived:
            if isinstance(record, Act) and getattr(record, "by", UNSET) is UNSET and not self._quiet:
                self._acted(record)
            self.at += 1

    def _acted(self, act: Any) -> None:
        """A seat's own act: some answer must have given it, and no answer gives two."""
        now = self._clock()
        for one in reversed(self.taken):
            if (
                one.seat == act.seat
                and not one.done
                and one.key == key_of(act)
                and self.at - at_of(one.ask) in range(STEP)
            ):
                one.done = True
                if act.ms is not UNSET and act.ms != one.at_ms - one.asked_ms:
                    self._report(
                        f"{self.match}: seat {act.seat} took {one.at_ms - one.asked_ms} ms, the log says {act.ms}"
                    )
                return
        self._report(f"{self.match}: at {now} the log has an act that nobody gave, or gave once only: {act}")

    def _late(self, late: Late) -> None:
        if self._quiet:
            return
        now = self._clock()
        seen = [one for number, one in self.asks.items() if one.acts == self.at and seat_of(number) == late.seat]
        if seen and now < seen[-1].deadline:
            self._report(f"{self.match}: seat {late.seat} is called late {seen[-1].deadline - now} ms before its time")
        if late.elapsed is not UNSET and late.elapsed < late.budget:
            self._report(f"{self.match}: seat {late.seat} is called late after {late.elapsed} of {late.budget} ms")
        if any(
            one.seat == late.seat and not one.done and not one.guess and at_of(one.ask) == self.at for one in self.taken
        ):
            self._report(f"{self.match}: seat {late.seat} is called late, but its answer was taken")

    def state(self, table: int) -> Any:
        """The public state by the log; None where the log alone does not tell."""
        game = self.game
        if game is None or game.phase is not Phase.PLAY:
            return None
        if self._state[0] != len(self.records):
            message = wire.PlayResponse.FromString(edge.News(table, game).message([]))
            self._state = (len(self.records), message.updates[0].state)
        return self._state[1]


@dataclass
class Expected:
    """A refusal that a bot must be told of."""

    table: int
    ask: int
    codes: frozenset[int]
    cards: int
    """Cards that the answer itself spoke of."""
    guess: bool = False
    """Perhaps it is taken instead."""
    batches: int = 0
    """Messages that left without it."""


@dataclass
class Heard:
    """What a stream has been told, by table."""

    places: dict[int, int] = field(default_factory=dict)
    """Public events it has heard of, or need not."""
    told: dict[int, int] = field(default_factory=dict)
    """The same, but for those that were before its time."""
    refusals: list[Expected] = field(default_factory=list)
    over: set[int] = field(default_factory=set)


class Witness:
    """Sees what one process of the referee takes and sends."""

    def __init__(
        self, clock: Callable[[], int], report: Report, secrets: Callable[[], Iterable[bytes]], *, durable: bool
    ) -> None:
        """``durable``: what leaves waits for the disk first, and what comes meanwhile leaves later."""
        self._patience = 1 if durable else 0
        self.tables: Final[dict[int, Book]] = {}
        self._clock = clock
        self._report = report
        self._secrets = secrets
        self._heard: dict[Stream, Heard] = {}

    def heard(self, stream: Stream) -> Heard:
        return self._heard.setdefault(stream, Heard())

    def connected(self, stream: Stream) -> None:
        """From here on the bot is told everything; what was before it may miss."""
        places = self.heard(stream).places
        for table, book in self.tables.items():
            places[table] = len(book.public)

    def told(self, book: Book) -> int:
        """How many events of a log some bot was told of."""
        tables = [table for table, other in self.tables.items() if other is book]
        return max((heard.told.get(table, 0) for heard in self._heard.values() for table in tables), default=0)

    # -- what the referee takes ------------------------------------------------------------------------------------

    def takes(self, stream: Stream, answer: wire.Answer) -> None:
        """An answer is about to be given to the hall: note what has to become of it."""
        book, seat = self.tables.get(answer.table), seat_of(answer.ask)
        act: Any = edge.read_answer(answer, seat)
        cards = _cards_of(act)
        if book is None or not book.seats_of(stream.bot):
            self._expect(stream, answer, {wire.REFUSAL_CODE_WRONG_TABLE}, cards)
        elif seat not in book.seats_of(stream.bot):
            self._expect(stream, answer, {wire.REFUSAL_CODE_WRONG_SEAT}, cards)
        else:
            self._takes(book, stream, answer, seat, act)

    def _takes(self, book: Book, stream: Stream, answer: wire.Answer, seat: int, act: Any) -> None:
        now = self._clock()
        ask = book.asks.get(answer.ask)
        acts = ask.acts if ask else at_of(answer.ask)
        live = acts == book.at and book.end is None and not book.failed
        if ask is None and live:
            self.heard(stream).refusals.append(
                Expected(answer.table, answer.ask, STALE | SCHEMA | RULES, _cards_of(act), guess=True)
            )
            if isinstance(act, Act):
                book.taken.append(Taken(stream.bot, seat, answer.ask, key_of(act), now, now, stream, guess=True))
            return
        if ask is None or ask.closed or now >= ask.deadline or not live:
            self._expect(stream, answer, STALE, _cards_of(act))
            return
        ask.closed = True
        message = ask.message
        if isinstance(act, Malformed):
            self._expect(stream, answer, SCHEMA, 0)
        elif not _offered(message, act):
            self._expect(stream, answer, RULES, _cards_of(act))
        elif not isinstance(act, Pass):
            asked = book.resumed_ms if book.awaits(ask.deadline) else ask.deadline - self._budget(book, message)
            book.taken.append(Taken(stream.bot, seat, answer.ask, key_of(act), now, asked, stream))

    @staticmethod
    def _budget(book: Book, ask: wire.Ask) -> int:
        assert book.head is not None
        conduct = book.head.conduct
        return conduct.window_ms if ask.may & PASS_BIT else conduct.act_ms

    def _expect(self, stream: Stream, answer: wire.Answer, codes: Iterable[int], cards: int) -> None:
        self.heard(stream).refusals.append(Expected(answer.table, answer.ask, frozenset(codes), cards))

    # -- what the referee says -------------------------------------------------------------------------------------

    def sends(self, stream: Stream, data: bytes) -> None:
        """A message leaves."""
        for secret in self._secrets():
            if secret in data:
                self._report(f"{stream}: a secret seed is in a message")
        batch = wire.PlayResponse.FromString(data)
        heard = self.heard(stream)
        for update in batch.updates:
            self._update(stream, heard, update)
        for refusal in batch.refusals:
            self._refusal(stream, heard, refusal)
        for superseded in batch.superseded:
            self._superseded(stream, superseded)
        for ask in batch.asks:
            self._ask(stream, heard, ask)
        for over in batch.over:
            self._over(stream, heard, over)
        self._owed(stream, heard)

    def _owed(self, stream: Stream, heard: Heard) -> None:
        """A refusal leaves with the next message; with the one after it if that was being waited for already."""
        for one in heard.refusals:
            one.batches += 1
            if one.batches > self._patience and not one.guess and not self._broken(one.table):
                self._report(f"{stream}: not told of a refusal: table {one.table}, ask {one.ask}")
        heard.refusals = [one for one in heard.refusals if one.batches <= self._patience]

    def _broken(self, table: int) -> bool:
        book = self.tables.get(table)
        return book is not None and (book.failed or book.crashed)

    def _book(self, stream: Stream, table: int) -> Book | None:
        book = self.tables.get(table)
        if book is None or not book.seats_of(stream.bot):
            self._report(f"{stream}: a message about table {table}, where it does not sit")
            return None
        return book

    def _update(self, stream: Stream, heard: Heard, update: Any) -> None:
        if (book := self._book(stream, update.table)) is None:
            return
        place = heard.places.get(update.table, 0)
        events = [event.SerializeToString(deterministic=True) for event in update.events]
        there = book.public[place : place + len(events)]
        if there != events:
            what = "before it is in the log" if place + len(events) > len(book.public) else "not as in the log"
            names_of = [event.WhichOneof("event") for event in update.events]
            self._report(f"{stream}: told of events {place}..{place + len(events)} of {book.match} {what}: {names_of}")
        heard.places[update.table] = heard.told[update.table] = place + len(events)
        leaked = mask_of(play & 31 for play in update.state.plays) & ~book.shown
        if leaked and place + len(events) == len(book.public):
            self._report(f"{stream}: plays of table {update.table} show {names(leaked)}")
        due = book.state(update.table) if heard.places[update.table] == len(book.public) else None
        if due is not None and due != update.state:
            self._report(f"{stream}: the state of {book.match} is not that of its log")

    def _refusal(self, stream: Stream, heard: Heard, refusal: Any) -> None:
        due = heard.refusals.pop(0) if heard.refusals else None
        while due and (due.guess or self._broken(due.table)) and (due.table, due.ask) != (refusal.table, refusal.ask):
            due = heard.refusals.pop(0) if heard.refusals else None
        if due is None or (due.table, due.ask) != (refusal.table, refusal.ask) or refusal.code not in due.codes:
            if self._broken(refusal.table):
                return
            wanted = f"the next is ask {due.ask} of table {due.table}, {sorted(due.codes)}" if due else "none is due"
            code = wire.RefusalCode.Name(refusal.code)
            self._report(f"{stream}: told of a refusal of ask {refusal.ask}, table {refusal.table}, {code}; {wanted}")
            return
        book = self.tables.get(refusal.table)
        known = due.cards | (book.may_know(stream.bot) if book else 0)
        leaked = mask_of(INDEX[card] for card in CARD.findall(refusal.message)) & ~known
        if leaked:
            self._report(f"{stream}: a refusal speaks of {names(leaked)}: {refusal.message}")

    def _superseded(self, stream: Stream, superseded: Any) -> None:
        if (book := self._book(stream, superseded.table)) is None:
            return
        for one in book.taken:
            if one.ask == superseded.ask and one.bot == stream.bot and not one.done:
                one.done = True
                return
        self._report(f"{stream}: ask {superseded.ask} of {book.match} is called superseded, but no act waited")

    def _ask(self, stream: Stream, heard: Heard, ask: wire.Ask) -> None:
        if (book := self._book(stream, ask.table)) is None:
            return
        now, game = self._clock(), book.game
        if ask.table in heard.over:
            self._report(f"{stream}: asked at {book.match}, which is over")
        if game is None or ask.seat not in book.seats_of(stream.bot) or seat_of(ask.ask) != ask.seat:
            self._report(f"{stream}: asked for seat {ask.seat} of {book.match}, which is not its own")
            return
        if heard.places.get(ask.table) != len(book.public):
            self._report(f"{stream}: asked at {book.match} before it was told of everything")
        leaked = (ask.hand | ask.legal) & ~book.may_know(stream.bot)
        if leaked:
            self._report(f"{stream}: seat {ask.seat} of {book.match} is shown {names(leaked)}")
        hidden = ask.hand == 0 and game.phase <= Phase.BLIND
        if (ask.kind in BEFORE_LOOKING and ask.hand and not game.seen >> ask.seat & 1) or (
            ask.kind not in BEFORE_LOOKING and not hidden and ask.hand != game.hands[ask.seat]
        ):
            self._report(f"{stream}: seat {ask.seat} of {book.match} holds {names(game.hands[ask.seat])} by the log, "
                         f"{names(ask.hand)} by its ask")  # fmt: skip
        if ask.legal & ~ask.hand or bool(ask.legal) != (ask.kind == wire.ASK_KIND_CARD):
            self._report(f"{stream}: legal cards {names(ask.legal)} of a hand {names(ask.hand)}")
        full = self._budget(book, ask)
        seen = book.asks.get(ask.ask)
        if seen is None:
            if at_of(ask.ask) != book.at and book.resumed_ms < 0:
                self._report(f"{stream}: ask {ask.ask} of {book.match} is not of act {book.at}")
            book.asks[ask.ask] = AskSeen(ask, now + ask.budget_ms, book.at)
            if ask.budget_ms > full and not book.awaits(now + ask.budget_ms):
                self._report(f"{stream}: {ask.budget_ms} ms for an ask that has {full}")
        elif seen.closed:
            self._report(f"{stream}: asked again what was answered: ask {ask.ask} of {book.match}")
        elif seen.deadline != now + ask.budget_ms:
            self._report(f"{stream}: ask {ask.ask} of {book.match} ends at {now + ask.budget_ms}, not {seen.deadline}")

    def _over(self, stream: Stream, heard: Heard, over: Any) -> None:
        if (book := self._book(stream, over.table)) is None:
            return
        heard.over.add(over.table)
        book.told_over = True
        if book.failed or book.crashed:
            return
        if not book.data and over.status == wire.MATCH_STATUS_ABANDONED:
            return  # It never began.
        end = book.end
        if end is None:
            self._report(f"{stream}: {book.match} is said to be over, but its log has no end")
        elif (edge.STATUS[end.status], end.rank, end.total) != (over.status, list(over.rank), list(over.total)):
            self._report(f"{stream}: {book.match} is said to have ended otherwise than by its log")
        elif heard.places.get(over.table) != len(book.public):
            self._report(f"{stream}: told of the end of {book.match} but not of all that came before it")

    # -- at the end ------------------------------------------------------------------------------------------------

    def stopped(self, streams: Iterable[Stream]) -> None:
        """The process is about to end: nothing that was due may still be owed to a bot that listens."""
        for stream in streams:
            owed = [one for one in self.heard(stream).refusals if not one.guess and not self._broken(one.table)]
            if (
                owed
                and stream.open
                and not stream.broken
                and not stream.blocked
                and stream.task
                and not stream.task.done()
            ):
                self._report(f"{stream}: was never told of a refusal: table {owed[0].table}, ask {owed[0].ask}")
        for book in self.tables.values():
            if book.end is None or book.end.status == "abandoned" or book.failed:
                continue
            for one in book.taken:
                if not one.done and not one.guess and one.stream.open and not one.stream.broken:
                    self._report(f"{book.match}: the answer to ask {one.ask} of {one.bot} came to nothing, unsaid")


def _cards_of(act: Any) -> int:
    match act:
        case Play():
            return 1 << INDEX[act.card]
        case Discard():
            return mask_of(INDEX[card] for card in act.cards)
    return 0


def _offered(ask: wire.Ask, act: Any) -> bool:
    """Whether an act is one that the ask offers."""
    match act:
        case Pass():
            return bool(ask.may & PASS_BIT)
        case Play():
            return bool(ask.legal >> INDEX[act.card] & 1)
        case Discard():
            cards = _cards_of(act)
            return bool(ask.may & BIT[Discard]) and cards.bit_count() == 3 and not cards & ~ask.hand
        case Resign():
            return ask.kind != wire.ASK_KIND_CUT  # No round is running there, and the rules know no resigning then.
        case _:
            return bool(ask.may & BIT[type(act)])


def judge(book: Book, data: bytes, held: bool) -> str:
    """What is wrong with a log when all is over; empty: nothing. ``held``: its seed may still be held back."""
    report = validate(io.BytesIO(data), f"{book.match}.toep")
    if report.errors:
        return f"{book.match}: {report.verdict}, {report.errors[0].code} {report.errors[0].message}"
    if book.failed or book.crashed or held:
        return "" if report.verdict in ("VALID", "INCOMPLETE") else f"{book.match}: {report.verdict}"
    return "" if report.verdict == "VALID" else f"{book.match}: {report.verdict}, no {report.missing}"
