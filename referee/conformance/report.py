"""The report on a run: for people, as JSON, and as JUnit XML for whatever shows test results."""

from collections import Counter, defaultdict
from typing import Final
from xml.etree import ElementTree

import msgspec

from referee.conformance.run import Outcome, Run, Status

EXCUSED: Final[tuple[Status, ...]] = ("known", "flaky")
STATUSES: Final[tuple[Status, ...]] = ("passed", "failed", "skipped", *EXCUSED)
SHOWN: Final = 20
"""Failures that are spelled out for people; the rest are named."""


def verdict(run: Run) -> str:
    """``PASS`` or ``FAIL``."""
    return "PASS" if run.passed else "FAIL"


def summary(run: Run) -> str:
    """``912 passed, 0 failed, 35 skipped``, and what else there is."""
    more = [f"{count} {word}" for word in EXCUSED if (count := run.count(word))]
    if run.stale:
        more.append(f"{len(run.stale)} stale")
    counts = [f"{run.count('passed')} passed", f"{run.count('failed')} failed", f"{run.count('skipped')} skipped"]
    return ", ".join([*counts, *more])


def by_rule(run: Run) -> dict[str, Counter[str]]:
    """By rule id, or code, how many items about it have each status; ids in order."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for outcome in run.outcomes:
        for ref in outcome.refs:
            found[ref][outcome.status] += 1
    return dict(sorted(found.items()))


def by_tier(run: Run) -> dict[str, Counter[str]]:
    """By tier, how many items have each status; an item that needs several options counts for each of them."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for outcome in run.outcomes:
        for tier in outcome.tiers:
            found[tier][outcome.status] += 1
    return dict(sorted(found.items(), key=lambda entry: (entry[0] != "core", entry[0])))


def text(run: Run) -> str:
    """For people, ending in the summary."""
    out = []
    failures = [outcome for outcome in run.outcomes if outcome.status == "failed"]
    for outcome in failures[:SHOWN]:
        rules = f" [{' '.join(outcome.refs)}]" if outcome.refs else ""
        out.append(f"FAILED  {outcome.id} ({outcome.level}){rules}: {outcome.title}")
        out.extend(f"        {line}" for line in outcome.why)
    if more := failures[SHOWN:]:
        out.append(f"FAILED  and {len(more)} more: {' '.join(outcome.id for outcome in more)}")
    out.extend(f"STALE   {entry}: on a list, and nothing fails there" for entry in run.stale)
    rows = [(rule, counts) for rule, counts in by_rule(run).items() if counts["failed"]]
    if rows:
        out.append("by rule")
        out.extend(f"  {rule:<12} {_counts(counts)}" for rule, counts in rows)
    out.append("by tier")
    out.extend(f"  {tier:<20} {_counts(counts)}" for tier, counts in by_tier(run).items())
    out.append(f"subject {run.subject}")
    out.append(f"{verdict(run)}: {summary(run)}")
    return "\n".join(out)


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[word]} {word}" for word in STATUSES if counts[word])


class _Document(msgspec.Struct, frozen=True, kw_only=True):
    verdict: str
    exit: int
    subject: str
    kit: str
    level: str
    summary: dict[str, int]
    rules: dict[str, dict[str, int]]
    tiers: dict[str, dict[str, int]]
    stale: list[str]
    outcomes: list[Outcome]


def document(run: Run) -> bytes:
    """As one line of JSON."""
    return msgspec.json.encode(
        _Document(
            verdict=verdict(run),
            exit=0 if run.passed else 1,
            subject=run.subject,
            kit=run.kit,
            level=run.level,
            summary={status: run.count(status) for status in STATUSES},
            rules={rule: dict(counts) for rule, counts in by_rule(run).items()},
            tiers={tier: dict(counts) for tier, counts in by_tier(run).items()},
            stale=run.stale,
            outcomes=run.outcomes,
        )
    )


def junit(run: Run) -> bytes:
    """As JUnit XML: a suite for each folder of the kit; known and flaky failures count as skipped."""
    root = ElementTree.Element("testsuites", name=run.subject)
    suites: dict[str, ElementTree.Element] = {}
    for outcome in run.outcomes:
        folder, _, name = outcome.id.partition("/")
        suite = suites.get(folder)
        if suite is None:
            suite = suites[folder] = ElementTree.SubElement(root, "testsuite", name=folder)
        case = ElementTree.SubElement(suite, "testcase", classname=folder, name=name)
        if outcome.status == "failed":
            failure = ElementTree.SubElement(case, "failure", message=_printable(outcome.why[0] if outcome.why else ""))
            failure.text = _printable("\n".join((outcome.title, *outcome.why)))
        elif outcome.status != "passed":
            ElementTree.SubElement(case, "skipped", message=_printable(" ".join((outcome.status, *outcome.why))))
    for entry in run.stale:
        suite = suites.setdefault("lists", ElementTree.SubElement(root, "testsuite", name="lists"))
        case = ElementTree.SubElement(suite, "testcase", classname="lists", name=_printable(entry))
        ElementTree.SubElement(case, "failure", message="on a list, and nothing fails there")
    for suite in root:
        suite.set("tests", str(len(suite)))
        suite.set("failures", str(len(suite.findall("testcase/failure"))))
        suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _printable(words: str) -> str:
    """Text that XML can hold."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in words)
