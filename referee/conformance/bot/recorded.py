"""A log as the questions that one seat of it was asked, each with what was answered.

The log has acts, no asks: windows that nobody used left no line. So the steps of the table are gone through again, and
the acts of the log are the answers. Where a seat's answer came to nothing, because another act took effect first, the
log does not have it, and it is not known.
"""

from collections.abc import Generator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import UNSET, Struct

from referee.cards import INDEX, PACK_SIZE
from referee.deal import Deals
from referee.game import dealing
from referee.game.game import Game
from referee.game.records import (
    AnyAct,
    Blind,
    Cards,
    Challenge,
    Chance,
    Confess,
    Cut,
    Discard,
    Draw,
    Exchange,
    Forfeit,
    Out,
    Peek,
    Penalty,
    Play,
    Record,
    Resign,
    Round,
    Show,
    Signal,
    Toep,
    Trick,
    Void,
)
from referee.game.state import Phase
from referee.log.canonical import LineError
from referee.log.reader import decode, open_log, read_lines
from referee.log.records import (
    PRIVATE,
    End,
    Entropy,
    Head,
    Late,
    Redacted,
    Refused,
    Reveal,
    Ruling,
    Seal,
)
from referee.service.edge import News
from referee.table.head import rounds_of
from referee.table.messages import ANSWER, BLIND, CARD, CHANCE, CUT, DISCARD, WINDOW, AskKind, RefusalCode, ask_id
from referee.table.steps import PASS, STEP_ACTS, Answer, Pass, Step, StepAsk, next_step
from referee.table.table import PRIVATE_RECORDS, Malformed
from referee.v1 import play_pb2
from referee.validate.validator import validate

TABLE: Final = 1
"""The table's number on the wire."""

FIRST_COMES: Final = (Confess, Cut, Blind, Exchange, Challenge, Toep)
"""Acts after which nothing else of their step counts."""

CODES: Final = {
    "malformed": RefusalCode.MALFORMED,
    "too_large": RefusalCode.TOO_LARGE,
    "not_asked": RefusalCode.NOT_ASKED,
}


BETWEEN: Final = (Late, Redacted, Cards, Show, Penalty, Out)
"""What an act of a step may lead to before the next one of that step."""


class RecordedError(ValueError):
    """The log cannot be put to a bot."""


class Recorded(Struct, frozen=True):
    """A log, taken apart."""

    head: Head
    records: list[tuple[int, Record]]
    """What the game says, with line numbers; late marks and hidden lines too, refusals and seals not."""
    refused: list[Refused]
    seed: bytes | None
    entropy: Sequence[bytes | None]
    end: End | None


def read(path: str | Path) -> Recorded:
    """Read a log, and make sure that its matches follow the rules. Raises `RecordedError` and `OSError`."""
    with open_log(path) as stream:
        report = validate(stream, str(path))
        if report.verdict not in ("VALID", "INCOMPLETE"):
            why = f": {report.findings[0].code}" if report.findings else ""
            raise RecordedError(f"{path}: {report.verdict}{why}; toep verify says more")
        stream.seek(0)
        lines: list[tuple[int, Record]] = []
        for raw in read_lines(stream):
            try:
                lines.append((raw.index + 1, decode(raw)))
            except LineError:
                break  # Its last line was cut off.
    return _sorted_out(path, lines)


def _sorted_out(path: str | Path, lines: list[tuple[int, Record]]) -> Recorded:
    if not lines or not isinstance(lines[0][1], Head):
        raise RecordedError(f"{path}: there is no match in it")
    head = lines[0][1]
    seed = head.open_seed if head.open_seed is not UNSET else ""
    entropy: list[bytes | None] = []
    refused, kept, end = [], [], None
    for number, record in lines[1:]:
        match record:
            case Reveal():
                seed = record.seed
            case Entropy():
                entropy = [None if value is None else bytes.fromhex(value) for value in record.e]
            case Refused():
                refused.append(record)
            case End():
                end = record
            case Seal() | Ruling():
                pass
            case _:
                kept.append((number, record))
    hidden = any(isinstance(record, Redacted) for _, record in kept)
    if hidden and not seed:
        raise RecordedError(f"{path}: cards are hidden in this view; give the whole log")
    return Recorded(head, kept, refused, bytes.fromhex(seed) if hidden else None, entropy, end)


class Tell(Struct, frozen=True):
    """A serialised PlayResponse for the bot."""

    data: bytes


class Question(Struct, frozen=True):
    """An ask, and what was answered to it."""

    ask: play_pb2.Ask
    game: Game
    """As it stands; for looking only."""
    line: int
    """The line of the log that came of it, or before which nothing did."""
    recorded: Answer | Malformed | None
    """None: not known."""
    why: str = ""
    """Why it is not known."""
    early: bool = False
    """A pass, or a card, may be as right, since the seat may have acted a step later."""
    refusal: play_pb2.Refusal | None = None
    """It was refused, with these words."""
    put: bool = True
    """False: the bot has declined ahead, and is not asked, though the log has an act here."""


Story = Generator[Tell | Question, Answer | Malformed | None, None]
"""What the bot is told and asked; what it answered to a question is sent in, None for no answer."""


Asking = Generator[Tell | Question, Answer | Malformed | None, Answer | Malformed | None]


class _Ended(Exception):
    """The log goes no further."""


class Retelling:
    """One log, for one seat."""

    def __init__(self, recorded: Recorded, seat: int) -> None:
        """Raises `RecordedError` when there is no such seat."""
        head = recorded.head
        if not 0 <= seat < len(head.seats):
            raise RecordedError(f"--seat {seat}: the match has the seats 0 to {len(head.seats) - 1}")
        self.seat: Final = seat
        self.game: Final = Game(head.rules, len(head.seats), rounds_of(head.length))
        self._head = head
        self._recorded = recorded
        self._records = recorded.records
        self._place = 0
        self._deals = Deals(recorded.seed, head.deals, recorded.entropy) if recorded.seed else None
        self._refused = [one for one in recorded.refused if one.seat == seat]
        self._news: list[Record] = []
        self._voice = News(TABLE, self.game)
        self._done: set[AskKind] = set()
        self._at = self._attempt = self._tries = 0
        self._quiet_trick = self._quiet_round = False

    # -- the way of a table ----------------------------------------------------------------------------------------

    def story(self) -> Story:
        """Everything, in order. Raises `RecordedError` where the log cannot be followed."""
        with suppress(_Ended):
            yield from self._advance()
        yield from self._tell()

    def _advance(self) -> Story:
        game = self.game
        while not game.over:
            if game.needs_draw:
                self._record(game.draw(self._draw_pack()))
            elif game.needs_deal and not (game.cut_open and CUT not in self._done and not game.cut_at):
                self._deal()
            elif isinstance(act := self._next(), Forfeit | Void):
                self._apply(act)
            else:
                quiet = 0  # What others declined ahead is not known, and is no matter.
                step = next_step(game, quiet, self._done)
                if isinstance(step, Phase):
                    self._record(game.close(step))
                else:
                    yield from self._tell()
                    yield from self._step(step)

    def _step(self, step: Step) -> Story:
        counting = self._counting(step)
        mine = next((ask for ask in step.asks if ask[0] == self.seat), None)
        if mine is not None:
            said = yield from self._ask(step, mine, counting)
            counting = self._read_again(step, counting, said)
        for act in counting:
            self._apply(act)
        if not counting:
            if any(required for _, _, required, _, _ in step.asks):
                raise RecordedError(f"line {self._line()}: an act is missing here")
            self._done.add(step.kind)

    def _counting(self, step: Step) -> list[AnyAct]:
        """The acts of the log that this step led to."""
        asked = {seat: kind for seat, kind, *_ in step.asks}
        first = self._next()
        if not isinstance(first, AnyAct) or first.seat not in asked:
            return []
        if type(first) is Resign:
            return [first]
        if type(first) not in STEP_ACTS[asked[first.seat]]:
            return []
        several = step.kind in (ANSWER, DISCARD, CHANCE) or type(first) in (Peek, Signal)
        return self._row(first, asked, step.first) if several and len(asked) > 1 else [first]

    def _read_again(self, step: Step, counting: list[AnyAct], said: Answer | Malformed | None) -> list[AnyAct]:
        """Of acts that were free and may have been of one step or of several, those that were of this one.

        The log does not say; a bot that passes is taken at its word, and asked again after those that came before it.
        """
        place = next((number for number, act in enumerate(counting) if act.seat == self.seat), 0)
        free = step.kind not in (ANSWER, DISCARD)
        return counting[:place] if place and free and isinstance(said, Pass | Play) else counting

    def _row(self, first: AnyAct, asked: dict[int, AskKind], begin: int) -> list[AnyAct]:
        """Acts that may be of one step: of different seats in the order of such a step, and nothing else between."""
        kinds = (type(first),) if type(first) in (Peek, Signal) else STEP_ACTS[asked[first.seat]]
        found: list[AnyAct] = []
        clockwise = type(first) in (Peek, Chance)
        order = sorted(asked, key=lambda seat: (seat - begin) % self.game.seats if clockwise else seat)
        left = order[order.index(first.seat) :]
        drawn = False
        for _, record in self._records[self._place :]:
            if isinstance(record, Discard) and drawn:
                drawn = False  # What was laid away for a card that was drawn.
            elif isinstance(record, Cards) and record.why == "chance":
                drawn = True
            elif isinstance(record, BETWEEN):
                pass
            elif isinstance(record, AnyAct) and type(record) in kinds and record.seat in left:
                found.append(record)
                left = left[left.index(record.seat) + 1 :]
            else:
                break
        return found

    # -- what the log says next ------------------------------------------------------------------------------------

    def _next(self) -> Record:
        """The next record that is neither a late mark nor hidden."""
        for _, record in self._records[self._place :]:
            if not isinstance(record, Late | Redacted):
                return record
        raise _Ended

    def _line(self) -> int:
        place = min(self._place, len(self._records) - 1)
        while place < len(self._records) - 1 and isinstance(self._records[place][1], Late | Redacted):
            place += 1
        return self._records[place][0]

    def _apply(self, act: AnyAct | Forfeit | Void) -> None:
        game = self.game
        if isinstance(act, Exchange | Chance) and self._deals is None:
            drawn = next((one for _, one in self._records[self._place :] if isinstance(one, Cards)), None)
            if drawn is None:
                raise _Ended
            game.stock[: len(drawn.cards)] = [INDEX[card] for card in drawn.cards]
        try:
            records = game.apply(act)
        except ValueError as error:
            raise RecordedError(f"line {self._line()}: {error}") from None
        self._record(records, acts=1)

    def _record(self, records: list[Record], acts: int = 0) -> None:
        """Go past the lines that say what the game says."""
        for record in records:
            self._pass_line(record)
            kind = type(record)
            if kind is Trick:
                self._quiet_trick = False
            elif kind is Round:
                self._quiet_trick = self._quiet_round = False
                self._done.clear()
            elif kind is Exchange:
                self._done.discard(AskKind.CHECK)
            if kind not in PRIVATE_RECORDS:
                self._news.append(record)
        if acts:
            self._at += acts
            self._attempt = self._tries = 0

    def _pass_line(self, record: Record) -> None:
        private = isinstance(record, PRIVATE)
        while self._place < len(self._records):
            number, line = self._records[self._place]
            self._place += 1
            if isinstance(line, Late):
                self._news.append(line)
            elif isinstance(line, Redacted):
                if private:
                    return
            elif type(line) is type(record):
                return
            else:
                raise RecordedError(f"line {number}: it does not follow from what stands before it")
        raise _Ended

    # -- cards -----------------------------------------------------------------------------------------------------

    def _draw_pack(self) -> Sequence[int | None]:
        if self._deals is not None:
            return self._deals.deal(0, 1).pack
        record = self._next()
        if not isinstance(record, Draw):
            raise RecordedError(f"line {self._line()}: the first dealer must be drawn")
        return [*(INDEX[name] for _, name in record.cards), *[None] * PACK_SIZE]

    def _deal(self) -> None:
        game = self.game
        if not game.cut_open:
            self._next()  # Or the match was stopped here.
            self._record(game.open_deal())
            if game.rules.cut:
                return
        self._record(game.deal(self._pack()))

    def _pack(self) -> Sequence[int | None]:
        game = self.game
        if self._deals is not None:
            return self._deals.deal(*game.next_deal()).pack
        places = {seat: mine for seat, mine in enumerate(dealing.who_gets_what(game)) if mine}
        pack: list[int | None] = [None] * PACK_SIZE
        for _, record in self._records[self._place : self._place + len(places)]:
            if isinstance(record, Cards):
                for place, card in zip(places.pop(record.seat), record.cards, strict=True):
                    pack[(place + game.cut_at) % PACK_SIZE] = INDEX[card]
        if places:
            raise _Ended
        return pack

    # -- the seat's own --------------------------------------------------------------------------------------------

    def _tell(self) -> Story:
        if self._news:
            news, self._news = self._news, []
            yield Tell(self._voice.message(news))

    def _ask(self, step: Step, mine: StepAsk, counting: list[AnyAct]) -> Asking:
        """Put the question as often as it was put, with what was answered each time."""
        _, kind, required, legal, may = mine
        recorded, why = self._answer(step, mine, counting)
        quiet = (self._quiet_trick or self._quiet_round) and not required
        if quiet and (recorded is None or isinstance(recorded, Pass)):
            return None
        conduct = self._head.conduct
        while not quiet and (refused := self._refusal(kind)) is not None:
            self._tries += 1
            got = refused.got if refused.got is not UNSET else None
            ask = self._message(kind, required, legal, may)
            refusal = play_pb2.Refusal(
                table=TABLE,
                ask=ask.ask,
                code=int(CODES.get(refused.code, RefusalCode.ILLEGAL)),  # type: ignore[arg-type]
                rule="" if refused.code in CODES else refused.code,
                message="it was refused in this match too",
                tries_left=max(0, conduct.tries - self._tries),
            )
            unsaid = "" if got else f"{refused.code}; the log does not have it"
            yield Question(ask, self.game, self._line(), got, unsaid, refusal=refusal)
        if self._tries >= conduct.tries:
            return None
        early = step.kind not in (ANSWER, DISCARD) and any(act.seat == self.seat for act in counting[1:])
        said = yield Question(
            self._message(kind, required, legal, may, put=not quiet),
            self.game,
            self._line(),
            recorded,
            why,
            put=not quiet,
            early=early,
        )
        if isinstance(said, Pass) and not required:
            self._quiet_trick = self._quiet_trick or said.until == 1
            self._quiet_round = self._quiet_round or said.until == 2
        return said

    def _message(self, kind: AskKind, required: bool, legal: int, may: int, *, put: bool = True) -> play_pb2.Ask:
        self._attempt += put
        game, seat, conduct = self.game, self.seat, self._head.conduct
        return play_pb2.Ask(
            table=TABLE,
            ask=ask_id(self._at, seat, self._attempt),
            seat=seat,
            kind=int(kind),  # type: ignore[arg-type]
            hand=game.hands[seat] if game.seen >> seat & 1 else 0,
            legal=legal,
            may=may,
            budget_ms=conduct.act_ms if required else conduct.window_ms,
        )

    def _refusal(self, kind: AskKind) -> Refused | None:
        """The next answer of this seat that was refused here.

        The log says after how many acts, and not to which of the asks that came then. An act stands where it is asked
        for, or at the last ask that there can be; what was none stands at the first.
        """
        for place, refused in enumerate(self._refused):
            if refused.at != self._at:
                continue
            last = kind in (CARD, ANSWER, DISCARD, WINDOW)
            fits = type(refused.got) in STEP_ACTS[kind] if refused.got is not UNSET else refused.code != "not_asked"
            if fits or last:
                return self._refused.pop(place)
        return None

    def _answer(self, step: Step, mine: StepAsk, counting: list[AnyAct]) -> tuple[Answer | None, str]:
        """What the seat answered in a step, as far as the log says."""
        required, signs = mine[2], self.game.rules.signals != "off"
        own = next((act for act in counting if act.seat == self.seat), None)
        if own is not None:
            return (own, "") if own.by is UNSET else (None, "the referee acted for it")
        if not counting:
            return PASS, ""
        first = counting[0]
        if required:
            return None, "it came to nothing, since another act took effect first"
        if type(first) is Resign or type(first) in FIRST_COMES:
            seats = self.game.seats
            before = (self.seat - step.first) % seats < (first.seat - step.first) % seats
            # A sign comes to nothing beside a toep, whoever gives it.
            if before and type(first) not in (Resign, Confess) and step.kind is not BLIND and not signs:
                return PASS, ""
            return None, "another act took effect first"
        return PASS, ""
