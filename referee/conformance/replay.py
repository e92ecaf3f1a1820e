"""A log replayed by another engine, and whether it comes to the same verdict."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from referee.conformance.process import EngineError, EngineProcess
from referee.log.reader import open_log
from referee.validate.findings import Testimony
from referee.validate.report import Report
from referee.validate.testimony import held_against
from referee.validate.transcript import Parting


class EngineReplay:
    """Another engine, and the time that it has for each log. The program starts with the first log."""

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self.command: Final = tuple(command)
        self.seconds: Final = seconds
        self._process: EngineProcess | None = None

    def __reduce__(self) -> tuple[type["EngineReplay"], tuple[tuple[str, ...], float]]:
        return EngineReplay, (self.command, self.seconds)  # A process of its own in every worker.

    def replay(self, report: Report, log: str) -> Report:
        """The report after asking the engine too. An engine that cannot say leaves the log unchecked."""
        if self._process is None:
            self._process = EngineProcess(self.command, seconds=self.seconds)
        source = " ".join(self.command)
        try:
            answer = self._ask(self._process, log)
        except EngineError as error:
            return held_against(report, Testimony("engine", source, "not checked", str(error)), None)
        result = answer.get("result")
        if not isinstance(result, dict):
            why = str(answer.get("skipped") or answer.get("errored") or "it gave no result")
            return held_against(report, Testimony("engine", source, "not checked", why[:200]), None)
        first = report.errors[0] if report.errors else None
        ours = _said(report.verdict, first.line if first else None, first.code if first else None)
        theirs = _said(result.get("verdict"), result.get("line"), result.get("code"))
        if ours == theirs:
            return held_against(report, Testimony("engine", source, "pass", f"it says {theirs}, too"), None)
        line = result.get("line") if isinstance(result.get("line"), int) else first.line if first else None
        parting = Parting("E721", line, None, "another engine says otherwise", expected=theirs, actual=ours)
        return held_against(report, Testimony("engine", source, "fail", f"it says {theirs}"), parting)

    def _ask(self, process: EngineProcess, log: str) -> "dict[str, object]":
        if not log.endswith(".zst"):
            return dict(process.ask("replay", path=str(Path(log).resolve())))
        with tempfile.NamedTemporaryFile(suffix=".toep") as plain, open_log(log) as stream:
            shutil.copyfileobj(stream, plain)
            plain.flush()
            return dict(process.ask("replay", path=plain.name))

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.close()
            self._process = None


def _said(verdict: object, line: object, code: object) -> str:
    """A verdict in words: ``INVALID, E340 in line 12``."""
    where = f" in line {line}" if isinstance(line, int) else ""
    return f"{verdict}, {code}{where}" if isinstance(code, str) else f"{verdict}"
