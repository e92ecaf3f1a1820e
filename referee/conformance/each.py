"""A validator that is run once for each log, as most command-line tools are."""

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.conformance.process import EngineError

VERDICTS: Final = {0: "VALID", 1: "INVALID", 2: "UNREADABLE", 3: "UNSUPPORTED", 4: "INCOMPLETE"}
"""What an exit code says."""


class PerFile:
    """Runs a command for every question. It has to say the verdict by its exit code, and can say more in JSON."""

    def __init__(self, command: Sequence[str], *, seconds: float) -> None:
        self._command = list(command)
        self._seconds = seconds

    def ask(self, op: str, **fields: Any) -> Mapping[str, Any]:
        """The verdict on one log. Raises `EngineError`."""
        words = [*self._command]
        for option in ("key", "level"):
            if option in fields:
                words += [f"--{option}", fields[option]]
        try:
            process = subprocess.Popen(
                [*words, fields["path"]],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineError("start", f"{words[0]}: {error.strerror}") from None
        try:
            output, _ = process.communicate(timeout=self._seconds)
        except subprocess.TimeoutExpired:
            raise EngineError("timeout", f"no verdict within {self._seconds:g} s") from None
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        return {"result": self._result(process.returncode, output)}

    def _result(self, code: int, output: bytes) -> dict[str, Any]:
        verdict = VERDICTS.get(code, f"exit code {code}")
        said = _last_json(output)
        if said is None:
            return {"verdict": verdict}
        if said.get("verdict") not in (verdict, None) and code != 4:
            verdict = f"exit code {code}, and {said['verdict']}"
        errors = [one for one in said.get("findings", []) if isinstance(one, dict) and one.get("severity") != "warning"]
        first = errors[0] if errors else said
        return {"verdict": verdict, "code": first.get("code"), "line": first.get("line")}


def _last_json(output: bytes) -> dict[str, Any] | None:
    lines = output.strip().splitlines()
    if not lines:
        return None
    try:
        value = json.loads(lines[-1])
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
