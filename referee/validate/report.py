"""What comes out of checking one log: for programs as data, for people as text in the form of compiler messages."""

from typing import Final, Literal

import msgspec
from msgspec import Struct

from referee.validate.findings import Finding, LevelResult, Testimony

Verdict = Literal["VALID", "INVALID", "INCOMPLETE", "DISPUTED", "UNSUPPORTED", "UNREADABLE"]
EXIT: Final[dict[Verdict, int]] = {
    "VALID": 0, "INVALID": 1, "UNREADABLE": 2, "UNSUPPORTED": 3, "INCOMPLETE": 4, "DISPUTED": 4,
}  # fmt: skip
"""The exit code that goes with each verdict."""


class Result(Struct, frozen=True, kw_only=True):
    """What the log says came of the match, by seat; trust it as far as the verdict goes."""

    status: str
    bots: list[str]
    rank: list[int]
    total: list[int]


class Report(Struct, frozen=True, kw_only=True):
    """Everything there is to say about one file."""

    file: str
    verdict: Verdict
    exit: int
    match: str | None = None
    result: Result | None = None
    lines: int = 0
    """Lines read, a torn one not counted."""

    rounds: int = 0
    """Deals, void ones included."""

    acts: int = 0
    """Effective acts."""

    hidden: int = 0
    """Lines of a view that hold a hash instead of a record."""

    opened: int = 0
    """How many of these were written anew from the seed, and have that hash."""

    levels: list[LevelResult]
    missing: list[str]
    """What a complete log would have besides."""

    findings: list[Finding]
    """Errors and warnings, errors first."""

    testimonies: list[Testimony] = []
    """What else the log was held against."""

    @property
    def errors(self) -> list[Finding]:
        """What is proven wrong, or cannot be judged by this version."""
        return [finding for finding in self.findings if finding.severity == "error"]

    @property
    def warnings(self) -> list[Finding]:
        """What to know before trusting the log."""
        return [finding for finding in self.findings if finding.severity == "warning"]

    def json(self) -> bytes:
        """The report as one line of JSON, without LF."""
        return msgspec.json.encode(self)


def finding_text(finding: Finding) -> str:
    """``FILE:LINE:BYTE: error E340 [R-TRICK-01] message (deal 2, trick 3, /win: expected 1, actual 0; ...)``."""
    place = ":".join(str(part) for part in (finding.file, finding.line, finding.byte) if part is not None)
    rule = f" [{finding.rule}]" if finding.rule else ""
    values = ", ".join(
        f"{name} {value}" for name, value in (("expected", finding.expected), ("actual", finding.actual)) if value
    )
    where = ", ".join(
        part
        for part in (
            f"deal {finding.deal}" if finding.deal is not None else "",
            f"trick {finding.trick}" if finding.trick is not None else "",
            finding.pointer,
        )
        if part
    )
    details = ": ".join(part for part in (where, values) if part)
    text = f"{place}: {finding.severity} {finding.code}{rule} {finding.message}"
    if details:
        text += f" ({details})"
    if finding.severity == "error" and finding.line is not None:
        good = finding.last_good
        text += f"; agrees up to line {good}" if good else "; nothing before it"
    return text


def text(report: Report) -> str:
    """The whole report for people, ending in the verdict."""
    out = [finding_text(finding) for finding in report.findings]
    if report.match is not None:
        out.append(f"match   {report.match}")
    out.append(f"counts  {report.lines} lines, {report.rounds} deals, {report.acts} acts")
    if report.hidden:
        out.append(f"view    {report.hidden} hidden lines, {report.opened} of them opened with the seed")
    for level in report.levels:
        reason = f" ({level.reason})" if level.reason else ""
        out.append(f"{level.level:<7} {level.what}: {level.status}{reason}")
    for testimony in report.testimonies:
        reason = f" ({testimony.reason})" if testimony.reason else ""
        out.append(f"against {testimony.kind} {testimony.source}: {testimony.status}{reason}")
    if report.missing:
        out.append(f"missing {', '.join(report.missing)}")
    if report.result is not None:
        result = report.result
        places = sorted(zip(result.rank, result.bots, result.total, strict=False))
        shown = "; ".join(f"{rank}. {_plain(bot)} {total}" for rank, bot, total in places)
        out.append(f"result  {result.status}: {shown}")
    out.append(report.verdict)
    return "\n".join(out)


def _plain(name: str) -> str:
    """A display name as it may be shown on any terminal."""
    return name.encode("ascii", "backslashreplace").decode("ascii")
