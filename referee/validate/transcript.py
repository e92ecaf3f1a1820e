"""A log held against what one bot saw and said: a transcript that the bot kept itself (format ``toep-transcript/0``).

The SDK of a bot writes one JSON object a line: what was announced to it, spelled as in the log as far as it was
announced, its hand whenever that changed, what it sent, and what of that was not accepted. Where the two part they
cannot both be true, whoever is right.
"""

import json
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from referee.cards import INDEX, NAMES, bits, mask_of
from referee.game.game import Game
from referee.game.records import ACTS, Discard, Forfeit, Record, Resign, Round, Score, Void
from referee.log.canonical import LineError, encode
from referee.log.reader import decode, read_lines
from referee.log.records import AnyRecord, End, Entropy, Head, Redacted, Refused, Reveal, Ruling, Seal
from referee.validate.findings import Fault, Place
from referee.validate.replay import Replay

FORMAT: Final = "toep-transcript/0"
MAX_LINE: Final = 64 * 1024
Line = dict[str, Any]

_UNANNOUNCED: Final = (Head, Entropy, End, Reveal, Seal, Ruling, Redacted, Refused)
_PRIVATE: Final = frozenset(("cards", "discard"))
_OWN: Final = frozenset(("hand", "sent", "not", "superseded"))
"""What a bot notes besides announcements."""

_LOGGED: Final = frozenset(("illegal", "malformed", "not_asked", "too_large"))
"""Refusals that leave a line in a log."""


class TranscriptError(ValueError):
    """A file that is no transcript; the message names the line."""


class Parting(msgspec.Struct, frozen=True):
    """Where a log and a transcript part."""

    code: str
    """A key of `referee.validate.codes.PAGES`, of the family E7xx."""

    line: int | None
    """Of the log, 1-based; None: after its end."""

    transcript_line: int | None
    message: str
    expected: str = ""
    """What the transcript says."""

    actual: str = ""
    """What the log says."""


class Comparison(msgspec.Struct, frozen=True):
    """What came of holding a log against a transcript."""

    parting: Parting | None
    events: int = 0
    """Announcements that agreed."""

    acts: int = 0
    """Acts of the bot in the log that it had sent."""

    hands: int = 0
    """Times that the hand agreed."""

    complete: bool = True
    """False when the transcript begins late or stops early, or the log cannot be replayed to its end."""

    why: str = ""
    """What was not compared, and why."""


def read_transcript(path: Path) -> list[Line]:
    """The lines of a transcript; a last one that is torn is left out. Raises `TranscriptError` and `OSError`."""
    lines: list[Line] = []
    with open(path, "rb") as file:
        for number, data in enumerate(iter(lambda: file.readline(MAX_LINE + 1), b""), 1):
            if not data.endswith(b"\n"):
                if len(data) > MAX_LINE:
                    raise TranscriptError(f"line {number} is too long")
                break
            try:
                line = json.loads(data)
            except (ValueError, RecursionError):
                line = None
            if not isinstance(line, dict) or not isinstance(line.get("_"), str):
                raise TranscriptError(f"line {number} is no object with a kind under _")
            if not _is_note(line):
                raise TranscriptError(f"line {number} is no {line['_']} as the SDK writes one")
            lines.append(line)
    if not lines or lines[0].get("fmt") != FORMAT or not isinstance(lines[0].get("seat"), int):
        raise TranscriptError(f"it does not begin as a transcript does ({FORMAT})")
    return lines


def _is_note(line: Line) -> bool:
    """Whether a line of the bot's own kinds has what it must have; of announcements nothing is asked."""
    match line["_"]:
        case "hand":
            cards = line.get("cards")
            return isinstance(cards, list) and all(isinstance(card, str) and card in INDEX for card in cards)
        case "sent":
            act = line.get("act")
            return isinstance(act, dict) and isinstance(act.get("_"), str) and isinstance(line.get("ask"), int)
        case "not":
            texts = line.get("code"), line.get("rule", "")
            return isinstance(line.get("ask"), int) and all(isinstance(text, str) for text in texts)
        case "superseded":
            return isinstance(line.get("ask"), int)
        case _:
            return True


def compare(log: BinaryIO, transcript: list[Line]) -> Comparison:
    """Hold a log, read from ``log``, against a transcript, up to the first place where they part."""
    return _Comparison(transcript).run(log)


class _Parted(Exception):
    def __init__(self, parting: Parting) -> None:
        super().__init__(parting.message)
        self.parting: Final = parting


class _Comparison:
    def __init__(self, transcript: list[Line]) -> None:
        self._head: Final = transcript[0]
        self._seat: Final[int] = transcript[0]["seat"]
        self._rest: Final = deque(enumerate(transcript[1:], 2))
        self._replay: Final = Replay()
        self._sent: Final[list[tuple[int, Line]]] = []
        """Acts that were sent and that the log has not shown yet, each with its line."""

        self._told: Final[list[tuple[int, str]]] = []
        """Refusals of this round that the log has not shown yet."""

        self._broken_off = False
        """Somebody left in this round: refusals of an unfinished step are forgotten then."""

        self._joined = False
        """The bot came in the middle of the match: everything up to the next round is passed over."""

        self._late = False
        """It did come so."""

        self._laid_away: int | None = None
        """The hand before cards were laid away, until the next announcement: that act is announced to nobody."""

        self._events = self._acts = self._hands = 0
        self._why = ""
        self._line = 0

    def run(self, log: BinaryIO) -> Comparison:
        parting = None
        try:
            for raw in read_lines(log):
                self._line = raw.index + 1
                try:
                    record = decode(raw)
                    self._before(record)
                    self._replay.step(record, Place(raw.index, raw.offset))
                except (LineError, Fault) as error:
                    self._why = f"not beyond {error.code} in line {self._line} of the log"
                    break
                if self._why:
                    break
            else:
                self._finish()
        except _Parted as parted:
            parting = parted.parting
        return Comparison(
            parting=parting,
            events=self._events,
            acts=self._acts,
            hands=self._hands,
            complete=not self._why and not self._late,
            why=self._why or ("the transcript begins in the middle of the match" if self._late else ""),
        )

    # -- the log, record by record ---------------------------------------------------------------------------------

    def _before(self, record: AnyRecord) -> None:
        if isinstance(record, Redacted):
            self._why = f"not beyond line {self._line} of the log, which is hidden"
        elif isinstance(record, Head):
            self._check_head(record)
        elif isinstance(record, End):
            self._check_end(record)
        elif isinstance(record, Refused):
            self._check_refused(record)
        elif not isinstance(record, _UNANNOUNCED):
            plain: Line = json.loads(encode(record))
            if plain["_"] not in _PRIVATE:
                if not self._announced(record, plain):
                    return
                self._laid_away = None
            elif isinstance(record, Discard) and record.seat == self._seat:
                self._laid_away = self._playing.hands[self._seat]
            if isinstance(record, ACTS) and record.seat == self._seat and "by" not in plain and not self._joined:
                self._own_act(plain)
            self._round(record)

    def _check_head(self, record: Head) -> None:
        bots = [seat.bot for seat in record.seats]
        for name, says, has in (
            ("match", self._head.get("match"), record.match),
            ("bots", self._head.get("bots"), bots),
        ):
            if says != has:
                raise self._parted("E701", f"a transcript of other {name}", says, has, 1)
        if not 0 <= self._seat < len(bots):
            raise self._parted("E701", "there is no such seat", self._seat, f"{len(bots)} seats", 1)
        if self._rest and self._rest[0][1]["_"] == "joined":
            self._rest.popleft()
            self._joined = self._late = True

    def _announced(self, record: Record, plain: Line) -> bool:
        """A record that was announced; returns whether the transcript has come so far."""
        self._notes()
        if self._joined:
            if not isinstance(record, Round) or not any(_says(line, plain) for _, line in self._rest):
                return True
            while not _says(self._rest[0][1], plain):
                self._rest.popleft()
            self._joined = False
        if not self._rest:
            self._why = f"the transcript ends before line {self._line} of the log"
            return False
        number, line = self._rest[0]
        if not _says(line, plain):
            raise self._parted("E702", "something else was announced", line, plain, number)
        self._rest.popleft()
        self._events += 1
        return True

    def _notes(self) -> None:
        """Take what the bot noted between two announcements."""
        while self._rest and self._rest[0][1]["_"] in _OWN:
            number, line = self._rest.popleft()
            kind = line["_"]
            if kind == "hand":
                if not self._joined:
                    self._check_hand(number, line)
            elif kind == "sent":
                self._sent.append((number, line))
            else:
                self._sent[:] = [(at, sent) for at, sent in self._sent if sent.get("ask") != line.get("ask")]
                if kind == "not" and line.get("code") in _LOGGED:
                    self._told.append((number, str(line.get("rule") or line["code"])))

    def _check_hand(self, number: int, line: Line) -> None:
        cards = line["cards"]
        held = self._playing.hands[self._seat]
        if not cards:
            return
        if mask_of(INDEX[card] for card in cards) not in (held, self._laid_away):
            raise self._parted("E703", "another hand", cards, [NAMES[card] for card in bits(held)], number)
        self._hands += 1

    def _own_act(self, plain: Line) -> None:
        """An act of this bot takes effect: it must have sent it."""
        wanted = {key: value for key, value in plain.items() if key in _AS_SENT.get(plain["_"], ("_",))}
        noted = [(at, line) for at, line in self._upcoming() if line["_"] == "sent"]
        for at, line in (*self._sent, *noted):
            if _same_act(line.get("act"), wanted):
                self._sent[:] = [(other, sent) for other, sent in self._sent if other > at]
                self._used(at)
                self._acts += 1
                return
        raise self._parted("E704", "the bot sent no such act", "", plain, None)

    def _upcoming(self) -> Iterator[tuple[int, Line]]:
        """Notes that come before the next announcement: of a discard, which is announced to nobody."""
        for at, line in self._rest:
            if line["_"] not in _OWN:
                return
            yield at, line

    def _used(self, at: int) -> None:
        for number, (other, _) in enumerate(self._rest):
            if other == at:
                del self._rest[number]
                return
            if other > at:
                return

    def _round(self, record: Record) -> None:
        if isinstance(record, Round):
            self._told.clear()
            self._broken_off = False
        elif isinstance(record, Forfeit | Void | Resign):
            self._broken_off = True
        elif isinstance(record, Score):
            if self._told and not self._broken_off and not self._joined:
                number, code = self._told[0]
                raise self._parted("E706", "a refusal that the log does not have", code, "", number)
            self._told.clear()

    def _check_refused(self, record: Refused) -> None:
        if record.seat != self._seat or self._joined:
            return
        self._notes()
        for place, (_, code) in enumerate(self._told):
            if code == record.code:
                del self._told[place]
                return
        raise self._parted("E705", "a refusal that the bot was not told of", "", record.code, None)

    def _check_end(self, record: End) -> None:
        self._notes()
        if not self._rest:
            self._why = "the transcript ends before the match does"
            return
        number, line = self._rest.popleft()
        says = {"_": "over", "rank": record.rank, "status": record.status, "total": record.total}
        if line != says:
            raise self._parted("E707", "another end", line, says, number)
        self._events += 1

    @property
    def _playing(self) -> Game:
        assert self._replay.game is not None
        return self._replay.game

    def _finish(self) -> None:
        self._notes()
        if self._rest:
            number, line = self._rest[0]
            raise self._parted("E702", "the log does not have this", line, "", number, after=True)

    def _parted(
        self, code: str, message: str, says: object, has: object, number: int | None, *, after: bool = False
    ) -> _Parted:
        line = None if after else self._line
        return _Parted(Parting(code, line, number, message, _text(says), _text(has)))


_AS_SENT: Final[dict[str, tuple[str, ...]]] = {
    "cut": ("_", "at"),
    "discard": ("_", "cards"),
    "play": ("_", "card"),
    "signal": ("_", "sign"),
}
"""By kind of act, the fields that a bot sends."""


def _same_act(sent: object, wanted: Line) -> bool:
    if not isinstance(sent, dict) or set(sent) != set(wanted):
        return False
    if isinstance(cards := sent.get("cards"), list):
        return sorted(map(str, cards)) == sorted(wanted["cards"]) and sent["_"] == wanted["_"]
    return sent == wanted


def _says(line: Line, plain: Line) -> bool:
    """Whether a line of a transcript announces a record: it may leave out what nobody was told."""
    return all(plain.get(key) == value for key, value in line.items()) and ("by" in line) == ("by" in plain)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))[:200]
