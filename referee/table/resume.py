"""Taking a match up after a crash: the table that its unfinished log leads to.

The match is played again from its head, with the acts of the log as answers. Every line that the table would write is
compared with the one that stands, so a log that is damaged, or was written by a referee that knows other rules, is not
gone on with. Where the log stops, in the middle of what one act leads to if need be, the table goes on writing.

Windows that nobody used leave no line. The step that was being asked is therefore asked anew from its beginning, with
the same ids; acts that stand are never asked for again.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from referee.deal import SEED_SIZE, commit
from referee.game.records import (
    ACTS,
    COMPLETE,
    NO_SALT,
    AnyAct,
    Cards,
    Confess,
    Forfeit,
    Record,
    Resign,
    Round,
    Score,
    Void,
)
from referee.game.stand_in import stand_in
from referee.log.canonical import LineError
from referee.log.note import Signer
from referee.log.policy import voids
from referee.log.reader import decode_bytes
from referee.log.records import AnyRecord, End, Head, Late, Redacted, Refused
from referee.log.writer import LogMismatch, LogWriter, Sink
from referee.ruleset import RulesetError
from referee.table.journal import Refusal
from referee.table.messages import ANSWER, CUT, DISCARD
from referee.table.steps import Step
from referee.table.table import PRIVATE_RECORDS, Out, Table


class ResumeError(Exception):
    """A log that cannot be gone on with; it stays as it is. The message never shows a seed."""


class Unfinished(Struct, frozen=True):
    """A log as a crash has left it."""

    head: Head
    lines: list[bytes]
    """The whole ones, without LF."""
    records: list[AnyRecord]
    final: bool
    """It has an end and a seal over that: at most its seed is missing."""
    size: int
    """Bytes up to the last whole line; what comes behind is torn and was never told to anybody."""


def read_unfinished(data: bytes) -> Unfinished:
    """A log up to its last whole line; raises `ResumeError` when one of them is damaged, or there is none."""
    *lines, torn = data.split(b"\n")
    records: list[AnyRecord] = []
    for number, line in enumerate(lines, 1):
        try:
            records.append(decode_bytes(line))
        except LineError as error:
            raise ResumeError(f"line {number}: {error}") from None
        if isinstance(records[-1], Redacted):
            raise ResumeError(f"line {number}: this is a view")
    if not records or not isinstance(records[0], Head):
        raise ResumeError("it does not begin with a head")
    final = any(isinstance(record, End) for record in records[:-1])
    return Unfinished(records[0], lines, records, final, len(data) - len(torn))


def resume(
    log: Unfinished,
    seed: bytes,
    sink: Sink,
    *,
    signer: Signer | None = None,
    engine: str = "",
    hold: bool = False,
    refusals: Sequence[Refusal] = (),
    memo: Callable[[list[Refusal]], None] | None = None,
) -> tuple[Table, LogWriter, list[Refusal]]:
    """The table, its writer, and the refusals of the running round, which are the memo's from now on.

    Nothing is written before the writer's first flush: lines that followed from the last act and are missing, and
    what comes after them. The file must end with its last whole line by then. ``engine``: this referee's name and
    version; ``refusals``: what the ``memo`` was given before the crash. Raises `ResumeError`.
    """
    head = log.head
    if len(seed) != SEED_SIZE or commit(seed) != head.commit:
        raise ResumeError("the seed does not open the commitment")
    if head.engine is not UNSET and engine and head.engine != engine:
        raise ResumeError(f"it was written by {head.engine}, and this is {engine}")
    key = signer.vkey if signer else ""
    if (head.key or "") != key:
        raise ResumeError("it is signed by another key" if head.key else "it is not signed")
    writer = LogWriter(sink, match=head.match, signer=signer, stands=log.lines)
    try:
        table = _Following(head, seed, writer, log.records, refusals, hold=hold, memo=memo)
        kept = table.follow()
    except RulesetError as error:
        raise ResumeError(str(error)) from None
    except LogMismatch as error:
        raise ResumeError(error.args[0]) from None
    return table, writer, kept


def as_sent(act: AnyAct) -> AnyAct:
    """The act as a player sends it: what the game fills in is unset."""
    derived = ("card", "pay") if type(act) is Confess else COMPLETE.get(type(act), ())
    return replace(act, **dict.fromkeys(derived, UNSET)) if derived else act


class _Following(Table):
    """A table that takes its answers from a log, as far as that goes, and is like any other from there on."""

    def __init__(
        self,
        head: Head,
        seed: bytes,
        writer: LogWriter,
        records: Sequence[AnyRecord],
        refusals: Sequence[Refusal],
        *,
        hold: bool,
        memo: Callable[[list[Refusal]], None] | None,
    ) -> None:
        super().__init__(head, seed, writer, hold=hold)
        self._records: Final = records
        self._writer: Final = writer
        self._memory: Final = {one[:3]: one for one in refusals}
        self._memo: Final = memo
        self._found: list[Refusal] = []
        """The refusals of the running round, in steps that are over by what the log says."""
        self._behind = True
        """Lines of the log are still ahead, so that nothing is written and nobody is told anything."""
        self._partial = False
        """The log ends within a sealed step; the lines of it that stand are compared when it is over."""
        self._unexplained = False
        """The referee acted in the running round for a seat that was neither late nor out of tries."""

    def follow(self) -> list[Refusal]:
        """Play to the end of the log; returns the refusals of the running round. Raises `ResumeError`, and
        `LogMismatch`."""
        self.start(0)
        while self.over is None and not self._partial and (record := self._next()) is not None:
            self._take(record)
        if self._next() is not None and not self._partial:
            raise self._damaged("there are lines behind the end")
        if self.over is None:
            self._check_explained()
            self._journal.restore(self._found)
        self._journal.memo = self._memo
        self._out.clear()
        self._behind = False
        return self._found

    def _next(self, skip: int = 0) -> AnyRecord | None:
        """The next record that stands; None behind the last one."""
        place = self._writer.lines + skip
        return self._records[place] if place < len(self._records) else None

    def _damaged(self, why: str) -> ResumeError:
        return ResumeError(f"line {self._writer.lines + 1} of {self.head.match}: {why}")

    # -- what the log tells ----------------------------------------------------------------------------------------

    def _take(self, record: AnyRecord) -> None:
        """Let the open step end as the log says that it did."""
        step = self._step
        assert step is not None
        if self._was_abandoned(step):
            self.abandon()
        elif (late := self._voided(0)) is not None:
            self._void(late, 0)
        elif step.kind is DISCARD or (step.kind is ANSWER and self.game.rules.answers == "simultaneous"):
            self._take_sealed(step)
        else:
            for seat in list(self._pending):
                self._recall(seat)
            late, act = self._act_at(0)
            if act is not None and self._fits(act):
                self._answer(act, late)
            elif any(ask.required for ask in self._pending.values()):
                raise self._damaged(f"{record.__struct_config__.tag} does not follow here")
            self._end_step(step)

    def _was_abandoned(self, step: Step) -> bool:
        """Whether the referee was told to stop here. A pack that is offered to be cut is dealt first, and then void."""
        skip = 0
        if step.kind is CUT:
            while isinstance(self._next(skip), Cards):
                skip += 1
        record = self._next(skip)
        return isinstance(record, End) or (isinstance(record, Void) and record.why == "cancelled")

    def _voided(self, skip: int) -> Late | None:
        """The lateness that made the round void here; also when a crash has cut off the ``void`` itself."""
        late, record = self._next(skip), self._next(skip + 1)
        if not isinstance(late, Late) or not voids(self._conduct, late):
            return None
        asked = self._pending.get(late.seat)
        if asked is None or not asked.required or not (record is None or isinstance(record, Void)):
            raise self._damaged("a void round does not follow here")
        return late

    def _take_sealed(self, step: Step) -> None:
        """All acts of a sealed step that stand. When the log ends before the last of them the step stays open, and
        the others are asked again; what stands is told when they have answered."""
        skip = 0
        act: AnyAct | None = None
        asked = len(self._pending) + len(self._given)
        while len(self._fixed) < asked and not isinstance(act, Resign):
            late, act = self._act_at(skip)
            if act is None:
                break
            self._recall(act.seat)
            if not self._fits(act):
                break
            self._answer(act, late)
            self._fixed.append(act.seat)
            skip += 1 if late is None else 2
        if not self._fixed:
            raise self._damaged("an answer is due here")
        if (stalled := self._voided(skip)) is not None:
            self._void(stalled, 0)
            return
        if self._pending and self._next(skip) is None and not isinstance(act, Resign):
            self._partial = True
            return
        for seat in list(self._pending):
            self._recall(seat)
        self._end_step(step)

    def _recall(self, seat: int) -> None:
        """What a seat was refused in this step, as far as it is remembered, uses up its tries again."""
        while (ask := self._pending.get(seat)) is not None:
            one = self._memory.get((self._journal.at, seat, self._attempts[seat]))
            if one is None:
                return
            self._found.append(one)
            self._tries[seat] += 1
            if self._tries[seat] < self._conduct.tries:
                self._attempts[seat] += 1
            elif ask.required:
                self._give(ask, stand_in(self.game, seat))
            else:
                del self._pending[seat]

    def _act_at(self, skip: int) -> tuple[Late | None, AnyAct | None]:
        """The act that stands there, and that it was late; one that a crash has cut off after its ``late`` follows
        from it."""
        record = self._next(skip)
        late = record if isinstance(record, Late) and not voids(self._conduct, record) else None
        if late is not None:
            record = self._next(skip + 1)
            if record is None and late.seat in self._pending and self._pending[late.seat].required:
                return late, stand_in(self.game, late.seat)
        return late, as_sent(record) if isinstance(record, ACTS) else None

    def _fits(self, act: AnyAct) -> bool:
        """Whether an act answers one of the open asks, or is the referee's for a seat that is out of tries."""
        if act.seat in self._given:
            return act == self._given[act.seat].act
        ask = self._pending.get(act.seat)
        return ask is not None and self._judge(ask, act) is None

    def _answer(self, act: AnyAct, late: Late | None) -> None:
        ask = self._pending.get(act.seat)
        if ask is None:
            return
        if act.by is not UNSET:
            if not ask.required or act != stand_in(self.game, act.seat):
                raise self._damaged("not what the referee plays in a player's place")
            self._unexplained = self._unexplained or late is None
        elif late is not None:
            raise self._damaged("a player who was late has acted")
        if late is not None and late.budget != ask.budget_ms:
            raise self._damaged("a time that the conduct does not give")
        timed = act.by is UNSET and self.head.clock == "ms" and type(act) not in PRIVATE_RECORDS
        if timed is (act.ms is UNSET):
            raise self._damaged("a time is missing, or there is one too many")
        self._give(ask, act, late)

    def _end_step(self, step: Step) -> None:
        self._pending.clear()
        self._close_step(step)
        self._advance(0)

    # -- what the table does ---------------------------------------------------------------------------------------

    def _record(self, records: list[Record], acts: int = 0) -> None:
        if self._behind:
            for place, record in enumerate(records):
                if type(record) is Score:
                    self._restore_for_score(place)
                    break
        super()._record(records, acts)
        if not self._behind:
            return
        if any(type(record) is Round for record in records):
            self._found = []
            self._unexplained = False
        following = self._next()
        if isinstance(following, Forfeit) and following.why == "left":
            self._forfeits.insert(0, (following.seat, "left"))

    def _restore_for_score(self, place: int) -> None:
        """The refusals that stand before a score; of a score that is missing, those that are remembered."""
        first = self._writer.lines + place
        stand = list(takewhile(lambda one: isinstance(one, Refused), self._records[first:]))
        lines = [(one.at, one.seat, n, one) for n, one in enumerate(stand) if isinstance(one, Refused)]
        if first + len(stand) == len(self._records):
            self._check_explained()
            memory = sorted(self._found, key=lambda one: one[:3])
            # A power cut may have spared what stands in the log and not what was remembered.
            if [_plain(one) for one in memory[: len(lines)]] == [_plain(one) for one in lines]:
                lines = memory
        self._journal.restore(lines)

    def _check_explained(self) -> None:
        if self._unexplained:
            raise ResumeError(
                "the refused answers of the running round are lost, and an act of the referee rests on them"
            )

    def _deliver(self) -> Out:
        return () if self._behind else super()._deliver()


def _plain(refusal: Refusal) -> Refused:
    """What was refused, without the salt that the log gives it."""
    return replace(refusal[3], salt=NO_SALT)
