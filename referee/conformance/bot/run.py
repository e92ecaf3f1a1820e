"""A run of the steps on one bot, and the report on it: for people, as JSON, and as JUnit XML."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal
from xml.etree import ElementTree

import msgspec
from msgspec import Struct

from referee.conformance.bot.measure import Measure
from referee.conformance.bot.stage import ANSWERS_SHOWN, Failed, Patience, Stage
from referee.conformance.bot.steps import STEPS, Step, judge_times

Status = Literal["ok", "warning", "failed", "skipped"]
STATUSES: Final[tuple[Status, ...]] = ("ok", "warning", "failed", "skipped")


class Result(Struct, frozen=True, kw_only=True):
    """What came of one step."""

    step: str
    title: str
    status: Status
    seconds: float
    why: tuple[str, ...] = ()
    """What is wrong, a line each."""

    advice: tuple[str, ...] = ()
    """What to do, a sentence each."""

    answers: tuple[str, ...] = ()
    """Of a step that failed, the last asks and what the bot answered."""

    stderr: tuple[str, ...] = ()
    """Of a step that failed, the bot's last lines on standard error."""


class Row(Struct, frozen=True, kw_only=True):
    """How long answers to one kind of ask took, in milliseconds."""

    answers: int
    p50: float
    p99: float
    max: float
    budget: int


class Run(Struct, frozen=True, kw_only=True):
    """Everything that came of a run."""

    verdict: Literal["PASS", "FAIL"]
    exit: int
    subject: str
    summary: dict[str, int]
    steps: list[Result]
    times: dict[str, Row]
    batch: int
    """The most asks that came to the bot in one message."""


async def run(
    command: Sequence[str],
    subject: str,
    steps: Iterable[Step] = STEPS,
    patience: Patience | None = None,
    *,
    tell: Callable[[Result], None] = lambda _: None,
) -> Run:
    """Put a bot through steps; ``tell`` hears of each result as it comes. Raises `StartError` and `BindError`."""
    measure = Measure()
    results: list[Result] = []
    for step in steps:
        if results and (results[0].step, results[0].status) == ("hello", "failed"):
            result = Result(step=step.name, title=step.title, status="skipped", seconds=0, why=("it says no hello",))
        else:
            result = await _result(step, command, patience or Patience(), measure)
        results.append(result)
        tell(result)
    counts: dict[str, int] = {status: sum(result.status == status for result in results) for status in STATUSES}
    failed = counts["failed"] > 0
    rows = {
        kind: Row(
            answers=len(times.ms),
            p50=round(times.p50, 2),
            p99=round(times.p99, 2),
            max=round(max(times.ms), 2),
            budget=times.budget,
        )
        for kind, times in measure.rows()
    }
    return Run(
        verdict="FAIL" if failed else "PASS",
        exit=int(failed),
        subject=subject,
        summary=counts,
        steps=results,
        times=rows,
        batch=measure.batch,
    )


async def _result(step: Step, command: Sequence[str], patience: Patience, measure: Measure) -> Result:
    began = time.monotonic()
    failure: Failed | None = None
    lines: list[str] = []
    async with Stage(command, patience, step.tamper()) as stage:
        try:
            await step.run(stage)
        except Failed as error:
            failure = error
            stage.noise()
        lines = stage.subject.last_lines()
        measure.take(stage.tap, 0 if step.name == "unknown" else len(stage.idle_windows()))
    if step.name == "time" and failure is None:
        judge_times(stage, measure)
    seconds = round(time.monotonic() - began, 2)
    why = tuple(remark.why for remark in stage.remarks)
    advice = tuple(dict.fromkeys(remark.advice for remark in stage.remarks))
    if failure is None:
        status: Status = "warning" if stage.remarks else "ok"
        return Result(step=step.name, title=step.title, status=status, seconds=seconds, why=why, advice=advice)
    return Result(
        step=step.name,
        title=step.title,
        status="failed",
        seconds=seconds,
        why=(failure.why, *why),
        advice=(failure.advice,),
        answers=tuple(stage.tap.last(ANSWERS_SHOWN, failure.table)),
        stderr=tuple(lines),
    )


# -- the report --------------------------------------------------------------------------------------------------------


def result_text(result: Result) -> str:
    """One step for people."""
    word = "FAILED" if result.status == "failed" else result.status
    lines = [f"{word:<8} {result.step:<10} {result.title}"]
    lines += [f"         {line}" for line in result.why]
    if result.answers:
        lines.append("         what it was asked last, and what it answered:")
        lines += [f"           {line}" for line in result.answers]
    if result.stderr:
        lines.append("         its last lines on standard error:")
        lines += [f"           {line}" for line in result.stderr]
    lines += [f"         -> {sentence}" for sentence in result.advice]
    return "\n".join(lines)


def closing_text(run: Run) -> str:
    """What stands under the steps: the times, and the verdict."""
    lines = []
    if run.times:
        lines.append(f"{'answers, in ms':<16} {'number':>7} {'p50':>8} {'p99':>8} {'max':>8} {'budget':>9}")
        for kind, row in run.times.items():
            lines.append(
                f"  {kind:<14} {row.answers:>7} {row.p50:>8.1f} {row.p99:>8.1f} {row.max:>8.1f} {row.budget:>9}"
            )
        lines.append(f"  at most {run.batch} asks in one message")
    lines.append(f"subject {run.subject}")
    counts = ", ".join(f"{count} {status}" for status, count in run.summary.items() if count or status == "failed")
    lines.append(f"{run.verdict}: {counts}")
    return "\n".join(lines)


def document(run: Run) -> bytes:
    """As one line of JSON."""
    return msgspec.json.encode(run)


def junit(run: Run) -> bytes:
    """As JUnit XML: one suite, a case for each step; what a warning says is the case's output."""
    root = ElementTree.Element("testsuites", name=_printable(run.subject))
    suite = ElementTree.SubElement(
        root,
        "testsuite",
        name="bot",
        tests=str(len(run.steps)),
        failures=str(run.summary["failed"]),
        skipped=str(run.summary["skipped"]),
    )
    for result in run.steps:
        case = ElementTree.SubElement(suite, "testcase", classname="bot", name=result.step, time=str(result.seconds))
        if result.status == "failed":
            failure = ElementTree.SubElement(case, "failure", message=_printable(result.why[0]))
            failure.text = _printable(result_text(result))
        elif result.status == "skipped":
            ElementTree.SubElement(case, "skipped", message=_printable(result.why[0]))
        elif result.status == "warning":
            ElementTree.SubElement(case, "system-out").text = _printable(result_text(result))
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _printable(words: str) -> str:
    """Text that XML can hold."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in words)
