"""The pass over a log that brings the levels together.

It reads each line once, keeps about 130 bytes a round, and fails closed: it never repairs, skips or guesses, and it
calls a log valid only when every level that is asked for has been checked to the end.
"""

from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from msgspec import UNSET

from referee.deal import commit
from referee.game.records import EFFECTIVE, Record, Round
from referee.log.canonical import LineError, Unsupported
from referee.log.reader import decode_lines, open_log, read_blocks
from referee.log.records import MAX_LINE, AnyRecord, End, Entropy, Head, Redacted, Reveal, Seal
from referee.validate import seals, shuffle
from referee.validate.codes import PAGES
from referee.validate.findings import Fault, Finding, Level, LevelResult, Place, Status
from referee.validate.opening import Opener
from referee.validate.order import Order
from referee.validate.replay import Replay
from referee.validate.report import EXIT, Report, Result, Verdict
from referee.validate.seals import Seals
from referee.validate.shuffle import Shuffle, require_opens

WHAT: Final[dict[Level, str]] = {
    "L0": "bytes",
    "L1": "schema",
    "L2": "order of records",
    "L3": "rules, replayed",
    "L4": "shuffle",
    "L5": "roots of seals",
    "L6": "publication",
}
ASKED: Final[tuple[Level, ...]] = ("L0", "L1", "L2", "L3", "L4", "L5")
"""The default level. Of L5 only the roots: signatures are asked for separately."""

AFTER: Final[dict[Level, tuple[Level, ...]]] = {
    "L0": ("L1", "L2", "L3", "L4", "L5"),
    "L1": ("L2", "L3", "L4", "L5"),
    "L2": ("L3", "L4"),
    "L3": ("L4",),
    "L4": (),
    "L5": (),
}
"""Levels that mean nothing any more once one has failed."""

NOT_ASKED: Final = "not asked"
"""Why a level beyond the one that was asked for is not checked."""


def validate(
    stream: BinaryIO, name: str, *, keep_going: bool = False, key: str | None = None, level: Level | None = None
) -> Report:
    """Check a log at the default level: L0 to L4, the roots of its seals and, where there is a key, their signatures.

    ``stream`` gives the uncompressed bytes and is read to its end or to the first error; ``name`` stands in the
    findings. A view whose seed is known is read again from its beginning, to open its hidden lines: its stream can be
    rewound. With ``keep_going`` the levels that do not depend on the one that failed are checked further, each up to
    its own first error. ``key`` is the vkey that must have signed every seal; without it the one in the head counts.
    With ``level`` nothing beyond it is asked, and VALID means: complete, and valid up to that level. L5 demands
    signatures by a ``key`` that is given. Raises `OSError` when reading fails, and `ValueError` for L6, which cannot be
    checked yet, and for a key that a lower level would not look at.
    """
    if level == "L6":
        raise ValueError("L6, publication, cannot be checked yet")
    if key is not None and level is not None and level < "L5":
        raise ValueError(f"a key is for L5: level {level} does not look at signatures")
    run = _Pass(name, keep_going, key, level)
    run.read(stream)
    if (seed := run.seed_of_view) is not None:
        stream.seek(0)
        run = _Pass(name, keep_going, key, level, Opener(seed))
        run.read(stream)
    return run.report()


def validate_path(
    path: str | Path, *, keep_going: bool = False, key: str | None = None, level: Level | None = None
) -> Report:
    """As `validate`, for a file, a compressed file ``*.zst``, or standard input for ``-``. Never raises `OSError`:
    what cannot be read has the verdict UNREADABLE."""
    try:
        with open_log(path) as stream:
            return validate(stream, str(path), keep_going=keep_going, key=key, level=level)
    except OSError as error:
        return unreadable(str(path), error.strerror or str(error))


def unreadable(name: str, why: str) -> Report:
    """The report on a file that cannot be read."""
    levels = [_level(level, "not checked", "the file cannot be read") for level in WHAT]
    return Report(
        file=name, verdict="UNREADABLE", exit=EXIT["UNREADABLE"], levels=levels, missing=[f"a readable file: {why}"],
        findings=[],
    )  # fmt: skip


def _level(level: Level, status: Status, reason: str = "") -> LevelResult:
    return LevelResult(level=level, what=WHAT[level], status=status, reason=reason)


_MARKS: Final = frozenset((Seal, Head, Entropy, End, Reveal))
"""Records that tell how complete a log is."""


class Stop(NamedTuple):
    """Why a level is not checked beyond a line."""

    status: Status
    reason: str


class _Pass:
    """One log, from its first line to the report."""

    def __init__(
        self, name: str, keep_going: bool, key: str | None, level: Level | None, opener: Opener | None = None
    ) -> None:
        self._name: Final = name
        self._keep_going: Final = keep_going
        self._asked: Final = ASKED if level is None else ASKED[: ASKED.index(level) + 1]
        self._signed: Final = level == "L5"
        """Whether signatures are demanded."""

        self._order: Final = Order()
        self._replay: Final = Replay()
        self._shuffle: Final = Shuffle(opener.seed if opener else None)
        self._seals: Final = Seals(key)
        self._opener: Final = opener
        self._findings: list[Finding] = []
        self._stopped = {other: Stop("not checked", NOT_ASKED) for other in ASKED if other not in self._asked}
        self._halted = False
        self._unsupported = False
        self._torn = False
        self._lines = 0
        self._offset = 0
        """Bytes of these lines."""
        self._sealed = 0
        """Lines up to and including the last seal."""
        self._rounds = 0
        self._acts = 0
        self._head: Head | None = None
        self._end: End | None = None
        self._entropy = False
        self._reveal: Reveal | None = None
        self._hidden = 0
        """Lines that the file does not show."""
        self._closed = False
        """One of them could not be opened."""

    def read(self, stream: BinaryIO) -> None:
        """Take the lines of a log, up to its end or to the first error."""
        for lines, whole in read_blocks(stream):
            if not whole and len(lines[0]) <= MAX_LINE:
                self._tear()
                return
            ahead, rest = iter(lines), iter(lines)
            while not self._halted:
                # Many in a row, before any is looked at: a processor is fastest at what it did just before.
                records, error = decode_lines(ahead)
                self._take(records, rest)
                if error is None:
                    break
                if not self._halted:
                    self._line_error(error, next(rest))
            if self._halted:
                return

    def _take(self, records: list[AnyRecord], lines: Iterator[bytes]) -> None:
        """Take as many lines as there are records of them, up to the first error."""
        rooted = "L5" in self._asked
        index, offset = self._lines, self._offset
        for record, line in zip(records, lines, strict=False):
            place = Place(index, offset)
            self._check(record, place)
            if self._halted:
                break
            kind = type(record)
            if kind in _MARKS:
                self._remember(record, place)
            if not rooted:
                self._count(kind)
            elif type(record) is Redacted:
                self._seals.add_hidden(b64decode(record.hash))
            else:
                self._seals.add(line)
            index += 1
            offset += len(line) + 1
        self._lines, self._offset = index, offset

    @property
    def seed_of_view(self) -> bytes | None:
        """The seed of a view in which nothing is wrong, if it is known: the hidden lines can be opened with it."""
        if self._opener or not self._hidden or self._halted or self._head is None or "L4" not in self._asked:
            return None
        seed = self._reveal.seed if self._reveal else self._head.open_seed
        if not isinstance(seed, str) or commit(bytes.fromhex(seed)) != self._head.commit:
            return None
        return bytes.fromhex(seed)

    def _tear(self) -> None:
        """The last line, which has no end."""
        self._torn = True
        self._warn("W001", Place(self._lines, self._offset))
        for level in ASKED[:2]:
            self._stopped.setdefault(level, Stop("not checked", f"line {self._lines + 1} is torn"))

    def _check(self, line: AnyRecord, place: Place) -> None:
        """Hold a line against every level that is still checked."""
        stopped = self._stopped
        record = line
        level: Level = "L3"
        try:
            if type(line) is Redacted:
                self._hidden += 1
                record = self._open(line, place)
            elif self._opener is not None:
                self._opener.step(line)
            level = "L2"
            if "L2" not in stopped:
                self._order.step(record)
            level = "L3"
            if "L3" not in stopped:
                self._replay.step(record, place)
            level = "L4"
            if "L4" not in stopped:
                if type(record) in shuffle.WATCHED:
                    self._shuffle.step(record, place, self._replay.places)
            elif type(record) is Reveal and self._closed and self._head is not None:
                require_opens(self._head, record)
        except Fault as fault:
            self._fault(PAGES[fault.code].level or level, fault, place)
            if self._halted:
                return
            if record is line and type(line) is Redacted:
                self._close(place)
        if "L5" not in stopped and type(record) in seals.WATCHED:
            try:
                self._seals.step(record)
            except Fault as fault:
                self._fault("L5", fault, place)

    def _open(self, line: Redacted, place: Place) -> AnyRecord:
        """What a hidden line is; itself when that cannot be known, and then the levels that need it end here."""
        if self._opener is not None and "L3" not in self._stopped:
            record = self._opener.open(line, place, self._replay)
            if record is not None:
                return record
        self._close(place)
        return line

    def _close(self, place: Place) -> None:
        if self._closed:
            return
        self._closed = True
        self._warn("W005", place)
        for level in ("L2", "L3", "L4"):
            self._stopped.setdefault(level, Stop("not checked", f"line {place.index + 1} is hidden"))

    def _count(self, kind: type[Record]) -> None:
        """Rounds and acts are counted here when nothing is played again."""
        if "L3" not in self._asked:
            self._rounds += kind is Round
            self._acts += kind in EFFECTIVE

    def _remember(self, record: AnyRecord, place: Place) -> None:
        if isinstance(record, Seal):
            self._sealed = place.index + 1
        elif isinstance(record, Head):
            self._head = self._head or record
        elif isinstance(record, Entropy):
            self._entropy = True
        elif isinstance(record, End):
            self._end = record
        elif isinstance(record, Reveal):
            self._reveal = record

    # -- findings --------------------------------------------------------------------------------------------------

    def _line_error(self, error: LineError, line: bytes) -> None:
        place = Place(self._lines, self._offset)
        if "L1" not in self._asked and PAGES[error.code].level == "L1" and not isinstance(error, Unsupported):
            self._lines += 1
            self._offset += len(line) + 1
            return
        self._unsupported = isinstance(error, Unsupported)
        self._findings.append(
            Finding(
                code=error.code,
                severity="error",
                file=self._name,
                line=place.index + 1,
                byte=place.offset + (error.byte or 0),
                pointer=error.pointer,
                expected=error.expected,
                actual=error.actual,
                last_good=place.index or None,
                message=error.message,
            )
        )
        self._stop(PAGES[error.code].level or "L0", error.code, place)
        self._halt(place)

    def _fault(self, level: Level, fault: Fault, place: Place) -> None:
        self._unsupported = self._unsupported or fault.unsupported
        there = fault.place or place
        self._findings.append(
            Finding(
                code=fault.code,
                severity="error",
                file=self._name,
                line=there.index + 1,
                byte=there.offset,
                deal=fault.deal or (self._replay.round if level != "L5" else None),
                trick=self._replay.trick if level == "L3" else None,
                pointer=fault.pointer,
                expected=fault.expected,
                actual=fault.actual,
                rule=fault.rule or PAGES[fault.code].rule,
                last_good=there.index or None,
                message=fault.message,
            )
        )
        self._stop(level, fault.code, there)
        if fault.unsupported or not self._keep_going:
            self._halt(place)

    def _stop(self, level: Level, code: str, place: Place) -> None:
        status: Status = "not checked" if self._unsupported else "fail"
        self._stopped[level] = Stop(status, f"{code} in line {place.index + 1}")
        for other in AFTER[level]:
            self._stopped.setdefault(other, Stop("not checked", f"not beyond {code} in line {place.index + 1}"))

    def _halt(self, place: Place) -> None:
        self._halted = True
        for level in ASKED:
            self._stopped.setdefault(level, Stop("not checked", f"not beyond line {place.index + 1}"))

    def _warn(self, code: str, place: Place | None = None, message: str = "") -> None:
        self._findings.append(
            Finding(
                code=code,
                severity="warning",
                file=self._name,
                line=place.index + 1 if place else None,
                byte=place.offset if place else None,
                last_good=place.index or None if place else None,
                message=message or PAGES[code].title,
            )
        )

    # -- the report ------------------------------------------------------------------------------------------------

    def report(self) -> Report:
        """What came of it, after the last line."""
        missing = [] if self._halted else self._missing()
        levels = [self._result(level) for level in ASKED]
        levels.append(self._signatures(levels[-1]))
        levels.append(_level("L6", "not checked", "no publication was asked for"))
        if not self._halted:
            self._trust()
        verdict = self._verdict(levels, missing)
        head, end = self._head, self._end
        result = None
        if head is not None and end is not None:
            bots = [seat.bot for seat in head.seats]
            result = Result(status=end.status, bots=bots, rank=end.rank, total=end.total)
        game = self._replay.game
        return Report(
            file=self._name,
            verdict=verdict,
            exit=EXIT[verdict],
            match=head.match if head is not None else None,
            result=result,
            lines=self._lines,
            rounds=game.deals if game is not None else self._rounds,
            acts=self._replay.acts or self._acts,
            hidden=self._hidden,
            opened=self._opener.opened if self._opener else 0,
            levels=levels,
            missing=missing,
            findings=sorted(self._findings, key=lambda finding: finding.severity != "error"),
        )

    def _signatures(self, roots: LevelResult) -> LevelResult:
        """How the signatures stand: they are checked together with the roots."""
        if "L5" not in self._asked:
            return LevelResult(level="L5", what="signatures", status="not checked", reason=NOT_ASKED)
        verifier = self._seals.verifier
        if verifier is None:
            return LevelResult(level="L5", what="signatures", status="not checked", reason="no seal is signed")
        if roots.status != "pass":
            return LevelResult(level="L5", what="signatures", status=roots.status, reason=roots.reason)
        whose = "the key that was given" if self._seals.pinned else "a key that only the log itself names"
        reason = f"{self._seals.signed} by {verifier.name}, {whose}"
        return LevelResult(level="L5", what="signatures", status="pass", reason=reason)

    def _verdict(self, levels: list[LevelResult], missing: list[str]) -> Verdict:
        errors = [finding for finding in self._findings if finding.severity == "error"]
        if any(level.status == "fail" for level in levels):
            return "INVALID"
        if self._unsupported:
            return "UNSUPPORTED"
        asked = all(level.status == "pass" for level in levels[: len(self._asked) + self._signed])
        return "VALID" if asked and not missing and not errors else "INCOMPLETE"

    def _missing(self) -> list[str]:
        """What keeps the log from being complete, with a warning for each."""
        missing = []
        if self._torn:
            missing.append("the rest of the last line")
        if self._closed:
            missing.append("the hidden lines")
        if self._head is None:
            missing.append("head")
        if self._end is None:
            self._warn("W003", message="the log stops before the end of the match")
            missing.append("end")
        elif self._reveal is None:
            if self._sealed == self._lines:
                self._warn("W004")
            missing.append("reveal")
        if self._sealed < self._lines or not self._lines:
            if self._lines:
                self._warn("W002", message=f"no seal over the last {self._lines - self._sealed} lines")
            missing.append("the last seal")
        if self._signed and not self._seals.signed:
            missing.append("signatures")
        if self._signed and not self._seals.pinned:
            missing.append("the referee's key, given with --key")
        return missing

    def _result(self, level: Level) -> LevelResult:
        """How a level stands after the last line; anything but checked to the end is no pass."""
        if level in self._stopped:
            return _level(level, *self._stopped[level])
        if not self._lines:
            return _level(level, "not checked", "there are no lines")
        final = self._end is not None
        if level in ("L2", "L3") and not final:
            return _level(level, "not checked", f"right up to line {self._lines}, where the log stops before its end")
        if level == "L4":
            declared = self._head is not None and self._head.open_seed is not UNSET
            if self._reveal is None and not (final and declared):
                return _level(level, "not checked", "the seed is not revealed")
        if level == "L5":
            if self._sealed < self._lines:
                return _level(level, "not checked", f"right up to line {self._sealed}, the last one under a seal")
            return _level(level, "pass", f"{self._seals.count} seals")
        return _level(level, "pass")

    def _trust(self) -> None:
        """What to know before trusting a log in which nothing is wrong."""
        head = self._head
        if head is None:
            return
        if head.open_seed is not UNSET:
            self._warn("W011", message="the seed was declared: whoever read the head knew all cards")
        elif not self._entropy:
            self._warn("W010", message="no player added to the shuffle: the operator chose the seed")
        if head.isolation == "none":
            self._warn("W012", message="the bots were not isolated from the referee")
        if "L5" not in self._asked:
            return
        if not self._seals.signed:
            self._warn("W013", message="no seal is signed")
        elif not self._seals.pinned:
            self._warn("W014", message="the seals are signed by a key that only the log itself names")
