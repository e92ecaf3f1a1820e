"""What a table writes: where each record goes, when refusals are shown, when a seal closes what stands."""

from collections.abc import Callable, Iterable

from msgspec import UNSET

from referee.deal import Deal
from referee.game.records import AnyAct, Out, Record, Score
from referee.log.records import End, Head, Refused, Reveal
from referee.log.writer import LogWriter
from referee.table.messages import RefusalCode

LOGGED_CODES = {
    RefusalCode.MALFORMED: "malformed",
    RefusalCode.TOO_LARGE: "too_large",
    RefusalCode.NOT_ASKED: "not_asked",
}


Refusal = tuple[int, int, int, Refused]
"""(at, seat, attempt) by which they are sorted, and the line."""


class Journal:
    """Writes one match's log in the order that the format asks for.

    Refused acts wait for the end of their round, so that their place tells nothing; every round ends in a seal.
    """

    def __init__(self, log: LogWriter, head: Head) -> None:
        """Raises `ValueError` unless ``head.key`` names the key that the writer signs with, or neither has one."""
        if (head.key or "") != log.key:
            raise ValueError("the head names another key than the one that signs")
        self.at = 0
        """Effective acts so far."""
        self._log = log
        self._match = head.match
        self.memo: Callable[[list[Refusal]], None] | None = None
        """Is given refusals of steps that are over, before any line of the log that rests on them is written: what a
        crash must not take along until they stand in the log."""
        self._refusals: list[Refusal] = []
        self._kept = 0
        """How many of the refusals are of steps that are over."""
        self._noted = 0
        """How many of those the memo has."""

    def open(self, head: Head) -> None:
        """The head, sealed before anything else happens."""
        self._log.append(head)
        self._log.seal()

    def new_round(self, deal: Deal) -> None:
        """From here on private lines are salted by this deal."""
        match = self._match
        self._log.salt_for = lambda index: deal.salt(match, index)

    def write(self, records: list[Record], acts: int) -> None:
        """Append what the game says, in its order; refusals go before a score, a seal behind it and its outs.

        ``acts`` is how many effective acts there are among the records.
        """
        scored = False
        for record in records:
            if type(record) is Score:
                scored = True
                self._write_refusals()
            elif scored and type(record) is not Out:
                self._log.seal()
                scored = False
            self._log.append(record)
        if scored:
            self._log.seal()
        self.at += acts

    def refuse(self, seat: int, attempt: int, code: RefusalCode, rule: str, got: AnyAct | None) -> None:
        """Keep a refused act for the end of its round."""
        refused = Refused(
            at=self.at,
            code=rule or LOGGED_CODES[code],
            got=got if rule and got is not None else UNSET,
            salt="",
            seat=seat,
        )
        self._refusals.append((self.at, seat, attempt, refused))

    def keep_step(self) -> None:
        """A step is over: what was refused in it will be written."""
        self._kept = len(self._refusals)

    def drop_step(self) -> None:
        """A step was broken off: what was refused in it is forgotten, since what would have been is not known."""
        del self._refusals[self._kept :]

    def restore(self, refusals: Iterable[Refusal]) -> None:
        """These, and no others, are the refusals of the running round, in steps that are over; the memo has them."""
        self._refusals = list(refusals)
        self._kept = self._noted = len(self._refusals)

    def _note(self) -> None:
        if self.memo is not None and self._noted < self._kept:
            self.memo(self._refusals[self._noted : self._kept])
            self._noted = self._kept

    def _write_refusals(self) -> None:
        self._note()
        for *_, refused in sorted(self._refusals, key=lambda entry: entry[:3]):
            self._log.append(refused)
        self._refusals.clear()
        self._kept = self._noted = 0

    def close(self, status: str, rank: list[int], total: list[int], seed: bytes | None) -> None:
        """The end, and then the seed, each sealed; without a seed the log stays final and unrevealed."""
        end = End(n=self._log.lines, rank=rank, status=status, total=total)  # type: ignore[arg-type]
        self._log.append(end)
        self._log.seal()
        if seed is not None:
            self._log.append(Reveal(seed=seed.hex()))
            self._log.seal()

    def flush(self) -> None:
        """Everything appended is in the file when this returns."""
        if self._noted < self._kept:
            self._note()
        self._log.flush()
