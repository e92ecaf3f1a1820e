"""A log held against something else that tells of the same match: a bot's transcript, a view, another engine.

Whatever differs proves no line wrong by itself, since there is no telling which of the two is right. So the verdict on
a log that is sound in itself becomes DISPUTED, and nothing else changes.
"""

from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO

import msgspec

from referee.log.reader import RawLine, open_log, read_lines
from referee.log.records import Redacted
from referee.log.seal import base64_root, decode_base64
from referee.log.tree import leaf_hash
from referee.validate.findings import Finding, Status, Testimony
from referee.validate.report import EXIT, Report
from referee.validate.transcript import Parting, TranscriptError, compare, read_transcript

_REDACTED = msgspec.json.Decoder(Redacted)


class TestimonyError(Exception):
    """What a log was to be held against cannot be read: one line that says why."""


def with_transcript(report: Report, log: str, path: Path) -> Report:
    """The report after holding the log against a bot's own transcript; raises `TestimonyError` and `OSError`."""
    try:
        lines = read_transcript(path)
    except TranscriptError as error:
        raise TestimonyError(f"{path}: {error}") from None
    except OSError as error:
        raise TestimonyError(f"{path}: {error.strerror}") from None
    with open_log(log) as stream:
        found = compare(stream, lines)
    said = f"{found.events} announcements, {found.acts} acts and {found.hands} hands of seat {lines[0]['seat']} agree"
    status: Status = "fail" if found.parting else "pass" if found.complete else "not checked"
    reason = f"{said}; {found.why}" if found.why else said
    return held_against(report, Testimony("transcript", str(path), status, reason), found.parting)


def with_view(report: Report, log: str, path: Path) -> Report:
    """The report after holding the log against a view of it, whole or begun; raises `TestimonyError` and `OSError`."""
    try:
        with open_log(log) as whole, open_log(path) as part:
            found, same, shown = _compare_view(whole, part)
    except OSError as error:
        raise TestimonyError(f"{error.filename or path}: {error.strerror or error}") from None
    said = f"{same} lines are those of the log, {shown} of them by their leaf"
    return held_against(report, Testimony("view", str(path), "fail" if found else "pass", said), found)


def _compare_view(log: BinaryIO, view: BinaryIO) -> tuple[Parting | None, int, int]:
    """(where they part, lines that agree, lines of which one shows the leaf only)."""
    same = shown = 0
    for ours, theirs in zip_longest(read_lines(log), read_lines(view)):
        if theirs is None:
            break
        number = theirs.index + 1
        if ours is None:
            return Parting("E712", None, number, "the view has lines beyond the end of the log"), same, shown
        if ours.data != theirs.data or ours.complete != theirs.complete:
            if _leaf(ours) != _leaf(theirs):
                return Parting("E711", number, number, "neither the same line nor its leaf"), same, shown
            shown += 1
        same += 1
    return None, same, shown


def _leaf(line: RawLine) -> str:
    """The leaf of a line in base64; of a hidden one the leaf that it states."""
    try:
        stated = _REDACTED.decode(line.data).hash
    except (msgspec.DecodeError, RecursionError):
        stated = ""
    return stated if decode_base64(stated) else base64_root(leaf_hash(line.data))


def held_against(report: Report, testimony: Testimony, parting: Parting | None) -> Report:
    """The report with one testimony more; where the two part is an error of the family E7xx."""
    findings, verdict, missing = report.findings, report.verdict, report.missing
    if parting is not None:
        where = f"{testimony.source}:{parting.transcript_line}: " if parting.transcript_line else ""
        finding = Finding(
            code=parting.code,
            severity="error",
            file=report.file,
            line=parting.line,
            expected=parting.expected,
            actual=parting.actual,
            last_good=parting.line - 1 or None if parting.line else report.lines or None,
            message=f"{where}{parting.message}",
        )
        findings = [*report.errors, finding, *report.warnings]
    if testimony.status == "fail" and verdict in ("VALID", "INCOMPLETE"):
        verdict = "DISPUTED"
    elif testimony.status == "not checked":
        missing = [*missing, f"a {testimony.kind} that can be followed to the end"]
        verdict = "INCOMPLETE" if verdict == "VALID" else verdict
    return msgspec.structs.replace(
        report,
        verdict=verdict,
        exit=EXIT[verdict],
        findings=findings,
        missing=missing,
        testimonies=[*report.testimonies, testimony],
    )
