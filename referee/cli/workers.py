"""Many files at a time, each in a process of its own, their outcomes in order."""

import contextlib
import signal
from collections import deque
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from referee.log.reader import STDIN

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

AHEAD: Final = 2
"""Files that a worker is given at a time, so that it need not wait for the next one."""

WINDOW: Final = 16
"""Files a worker that may be under way or waiting for an earlier one to be printed; bounds what is kept."""

DISMISSED_SECONDS: Final = 5.0
"""What a worker that has nothing more to do has to end."""

T_co = TypeVar("T_co", covariant=True)


class Checker(Protocol[T_co]):
    """What a worker does. It is sent to another process, so it can be pickled."""

    def check(self, file: str) -> T_co:
        """What comes of a file. Never raises."""

    def lost(self, file: str, why: str) -> T_co:
        """What comes of a file whose check did not come to its end."""

    def close(self) -> None:
        """There are no more files."""


class _Worker:
    """A process that checks files one after another."""

    def __init__(self, checker: Checker[T_co]) -> None:
        from multiprocessing import get_context

        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.given: deque[int] = deque()
        """The positions of the files it has not answered for."""

        self._process: SpawnProcess = context.Process(target=_work, args=(theirs, checker), daemon=True)
        # Ctrl-C reaches every process of the terminal: workers are born deaf to it, and end with this one.
        hears = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self._process.start()
        finally:
            signal.signal(signal.SIGINT, hears)
            theirs.close()

    def give(self, position: int, file: str) -> None:
        self.given.append(position)
        with contextlib.suppress(OSError):  # It is dead: reading from it will say so.
            self.connection.send(file)

    def dismiss(self) -> None:
        """There is nothing more to do: it ends by itself, after what it has started."""
        self.connection.close()
        self._process.join(DISMISSED_SECONDS)

    def kill(self) -> None:
        """Stop it, whatever it is doing."""
        self.connection.close()
        self._process.kill()

    def end(self) -> str:
        """Wait for the end of one that has hung up; returns how it ended."""
        self._process.join(timeout=1)
        self.kill()
        self._process.join()
        code = self._process.exitcode or 0
        return f"ended with exit code {code}" if code >= 0 else f"was killed by signal {-code}"


def _work(connection: "Connection", checker: Checker[T_co]) -> None:
    """The life of a worker process."""
    try:
        with contextlib.suppress(EOFError, OSError):  # Whoever asked is gone.
            while True:
                connection.send(checker.check(connection.recv()))
    finally:
        checker.close()


def outcomes(files: Sequence[str], jobs: int, checker: Checker[T_co]) -> Generator[T_co, None, None]:
    """What comes of every file, in order; at most `WINDOW` of them a worker are kept at any time.

    A worker that dies takes with it the file that it had in hand: that one counts as unreadable, and another worker
    goes on with the rest.
    """
    jobs = min(jobs, len(files))
    if jobs < 2 or STDIN in files:  # Only this process has its standard input.
        try:
            yield from map(checker.check, files)
        finally:
            checker.close()
        return
    from multiprocessing.connection import wait

    done: dict[int, T_co] = {}
    again: deque[int] = deque()
    begun = 0
    workers: list[_Worker] = []
    try:
        workers.extend(_Worker(checker) for _ in range(jobs))
        for position in range(len(files)):
            while position not in done:
                while len((worker := min(workers, key=lambda worker: len(worker.given))).given) < AHEAD:
                    if again:
                        worker.give(again[0], files[again.popleft()])
                    elif begun < min(len(files), position + WINDOW * jobs):
                        worker.give(begun, files[begun])
                        begun += 1
                    else:
                        break
                ready = wait([worker.connection for worker in workers if worker.given])
                for number, worker in enumerate(workers):
                    if worker.connection not in ready:
                        continue
                    try:
                        outcome = worker.connection.recv()
                    except (EOFError, OSError):
                        lost = worker.given.popleft()
                        done[lost] = checker.lost(files[lost], f"its process {worker.end()}")
                        again.extend(worker.given)
                        workers[number] = _Worker(checker)
                    else:
                        done[worker.given.popleft()] = outcome
            yield done.pop(position)
        for worker in workers:
            worker.dismiss()
    finally:
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.end()
