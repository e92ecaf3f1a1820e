"""What the validator has to say about a place in a log, and how its parts say it to each other."""

from typing import Final, Literal

from msgspec import Struct

Level = Literal["L0", "L1", "L2", "L3", "L4", "L5", "L6"]
Status = Literal["pass", "fail", "not checked"]
Severity = Literal["error", "warning"]


class Finding(Struct, frozen=True, kw_only=True):
    """One fault or one warning. Texts are printable ASCII and never longer than a line of a log needs."""

    code: str
    """A key of `referee.validate.codes.PAGES`: what is wrong, stable for ever."""

    severity: Severity
    file: str
    line: int | None = None
    """1-based; None when it is about the whole file."""

    byte: int | None = None
    """0-based offset in the uncompressed file: of the fault if it has a place in the line, else of the line."""

    deal: int | None = None
    """The number of the round."""

    trick: int | None = None
    pointer: str = ""
    """A JSON pointer (RFC 6901) into the line; empty: the whole line."""

    expected: str = ""
    actual: str = ""
    rule: str = ""
    """The id of the rule that is broken, if it is one of the game."""

    last_good: int | None = None
    """The last line, 1-based, up to which this level of the log still agreed; None when there is none."""

    message: str


class LevelResult(Struct, frozen=True, kw_only=True):
    """How far one level was checked, and what came of it."""

    level: Level
    what: str
    status: Status
    reason: str = ""
    """Why it was not checked, or where it failed."""


class Testimony(Struct, frozen=True):
    """Something else that tells of the match, and whether the log agrees with it."""

    kind: Literal["transcript", "view", "engine"]
    source: str
    """The file, or the command."""

    status: Status
    reason: str = ""


class Place(Struct, frozen=True, gc=False):
    """A line of the log."""

    index: int
    """0-based."""

    offset: int
    """Of its first byte."""


class Fault(Exception):
    """A checker's verdict on a line: it does not agree. Never leaves this package.

    ``rule`` overrides the code's own rule; ``place`` and ``deal`` say where when it is not the line being read, and
    ``unsupported`` that the program, not the log, is at its end.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        pointer: str = "",
        expected: object = "",
        actual: object = "",
        rule: str = "",
        place: Place | None = None,
        deal: int | None = None,
        unsupported: bool = False,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code: Final = code
        self.message: Final = message
        self.pointer: Final = pointer
        self.expected: Final = str(expected)
        self.actual: Final = str(actual)
        self.rule: Final = rule
        self.place: Final = place
        self.deal: Final = deal
        self.unsupported: Final = unsupported
