"""Another program that answers the engine protocol: started, asked one thing at a time, given so long, and ended.

The program is not trusted to answer, to stop talking, or to end. Its process group is killed when it is too late, and
what it writes to standard error is read and only its end is kept.
"""

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Final

MAX_ANSWER: Final = 64 * 1024 * 1024
"""Bytes of one answer."""

KEPT_STDERR: Final = 2000
"""Characters at the end of what a program writes to standard error that are kept for messages."""

GOODBYE_SECONDS: Final = 2.0
"""What a program has between ``bye`` and being killed."""


class EngineError(Exception):
    """No answer that can be used. ``kind`` is ``start``, ``timeout``, ``died``, or ``garbage``."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind: Final = kind


class EngineProcess:
    """One program; started at the first question, and again after it died or was killed."""

    def __init__(self, command: Sequence[str], *, seconds: float) -> None:
        """``seconds``: for each answer."""
        self.command: Final = list(command)
        self.seconds: Final = seconds
        self.starts = 0
        """How often it has been started."""

        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._stderr = ""
        self._threads: list[threading.Thread] = []
        self._seq = 0

    def __enter__(self) -> "EngineProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, op: str, **fields: Any) -> Mapping[str, Any]:
        """The answer to one request, its ``seq`` taken off. Raises `EngineError`; then the program has been ended."""
        self._seq += 1
        line = json.dumps({"op": op, "seq": self._seq, **fields}, separators=(",", ":")).encode() + b"\n"
        process = self._process or self._start()
        assert process.stdin is not None
        with contextlib.suppress(OSError):  # It is dead: reading says so, and why.
            process.stdin.write(line)
            process.stdin.flush()
        try:
            data = self._answers.get(timeout=self.seconds)
        except queue.Empty:
            self._kill()
            raise EngineError("timeout", f"no answer within {self.seconds:g} s") from None
        return self._read(data, self._seq)

    def _read(self, data: bytes, seq: int) -> Mapping[str, Any]:
        if not data:
            code = self._kill()
            said = self._stderr.strip().split("\n")[-1]
            how = f"it ended with exit code {code}" if code >= 0 else f"it was killed by signal {-code}"
            raise EngineError("died", f"{how}{f': {said}' if said else ''}")
        try:
            answer = json.loads(data)
        except (ValueError, RecursionError):
            answer = None
        # An answer to hello need not repeat the number of the question.
        if not isinstance(answer, dict) or answer.pop("seq", seq) != seq:
            self._kill()
            shown = data[:80].decode("ascii", "backslashreplace").strip()
            raise EngineError("garbage", f"not an answer to what was asked: {shown}")
        return answer

    def close(self) -> None:
        """Say bye, and see to it that nothing is left."""
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.write(b'{"op":"bye"}\n')
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GOODBYE_SECONDS)
        self._kill()

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineError("start", f"{self.command[0]}: {error.strerror}") from None
        self._process = process
        self._answers = queue.SimpleQueue()
        self._stderr = ""
        self.starts += 1
        self._threads = [
            threading.Thread(target=_pump, args=(process, self._answers), daemon=True),
            threading.Thread(target=self._drain, args=(process,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        return process

    def _drain(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stderr is not None
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(process.stderr.fileno(), 65536):
                self._stderr = (self._stderr + data.decode("ascii", "backslashreplace"))[-KEPT_STDERR:]

    def _kill(self) -> int:
        """End it and everything it started; returns its exit code."""
        process, self._process = self._process, None
        if process is None:
            return 0
        with contextlib.suppress(subprocess.TimeoutExpired):
            if process.stdout is not None and not self._threads[0].is_alive():
                process.wait(GOODBYE_SECONDS)  # It has hung up: it is about to end by itself.
        code = process.poll()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        killed = process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        return killed if code is None else code


def _pump(process: subprocess.Popen[bytes], answers: "queue.SimpleQueue[bytes]") -> None:
    """Hand over what a program says, line by line; nothing at all when it ends."""
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError):
        while line := process.stdout.readline(MAX_ANSWER):
            if line.strip():
                answers.put(line)
    answers.put(b"")
