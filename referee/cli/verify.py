"""Check logs: their bytes, order, rules, shuffle and seals, line by line.

A PATH is a log (`*.toep`, or `*.toep.zst`), a directory (every log in it), or `-` for standard input. Each level is
printed as passed, failed or not checked; what was not checked is never taken for valid. A finding names its code;
`toep explain CODE` says more.

exit codes: 0 valid and complete, 1 proven invalid, 2 cannot be read or the check itself failed, 3 unsupported version,
4 incomplete, or what --level demands is missing.
Of many files the worst counts, in the order 1, 3, 4, 2, 0.

example:
  toep verify match.toep
  toep verify --quiet -j 0 logs/
  toep verify --key referee.key.pub match.toep
"""

import argparse
import contextlib
import os
import shutil
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Self, TextIO, get_args

import msgspec

from referee.cli.exits import USAGE, WORST_FIRST, CommandError
from referee.log.note import KeyTextError, Verifier
from referee.log.reader import STDIN
from referee.validate import report as reports
from referee.validate.findings import Level
from referee.validate.report import EXIT, Report, Verdict
from referee.validate.validator import ASKED, unreadable, validate_path

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

SUFFIXES = (".toep", ".toep.zst")
AHEAD: Final = 2
"""Files that a worker is given at a time, so that it need not wait for the next one."""

WINDOW: Final = 16
"""Files a worker that may be under way or waiting for an earlier one to be printed; bounds what is kept."""

REDRAW: Final = 0.1
"""Seconds between two states of the progress line."""


class Outcome(NamedTuple):
    """What there is to say about one file, as it is printed."""

    verdict: Verdict
    out: str
    err: str


class Checker(msgspec.Struct, frozen=True, kw_only=True):
    """Checks files, and puts into words what came of them."""

    keep_going: bool = False
    key: str | None = None
    level: Level | None = None
    json: bool = False
    quiet: bool = False
    many: bool = False

    def check(self, file: str) -> Outcome:
        """Check a file. A failure of the validator itself is no verdict on a log, and never goes unnoticed."""
        try:
            report = validate_path(file, keep_going=self.keep_going, key=self.key, level=self.level)
        except Exception as error:
            return self.lost(file, f"{type(error).__name__}: {error}")
        return self._words(report)

    def lost(self, file: str, why: str) -> Outcome:
        """The check itself failed: the file counts as unreadable."""
        report = unreadable(file, why)
        levels = [msgspec.structs.replace(level, reason="the check failed") for level in report.levels]
        return self._words(
            msgspec.structs.replace(report, levels=levels, missing=[f"a check that comes to its end: {why}"])
        )

    def _words(self, report: Report) -> Outcome:
        if self.json:
            lines = [report.json().decode()]
        elif report.verdict == "UNREADABLE":
            lines = ["UNREADABLE"]
        elif self.quiet:
            lines = [*map(reports.finding_text, report.errors), report.verdict]
        else:
            lines = reports.text(report).split("\n")
        if self.many and not self.json:
            lines[-1] = f"{report.file}: {lines[-1]}"
        needed = f"toep verify: {report.file}: {', '.join(report.missing)} is needed"
        return Outcome(report.verdict, "\n".join(lines), needed if report.exit == USAGE else "")


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a log, a directory of logs, or - for standard input")
    parser.add_argument(
        "--key", metavar="KEY", help="the referee's public key, or a file with it: it must have signed every seal"
    )
    parser.add_argument(
        "--level", choices=ASKED, metavar="LEVEL",
        help="check no further than this level, L0 to L5; L5 demands signatures by --key"
        " (default: L0 to L4, the roots of seals, and such signatures as there are)",
    )  # fmt: skip
    parser.add_argument(
        "-j", "--jobs", type=int, default=1, metavar="N",
        help="check N files at a time, each in a process of its own; 0: as many as there are cores (default: 1)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one report a line, as JSON")
    parser.add_argument("--quiet", action="store_true", help="print errors and verdicts only")
    parser.add_argument(
        "--keep-going", action="store_true", help="after an error, go on with the levels that do not depend on it"
    )


def run(args: argparse.Namespace) -> int:
    """Check every path; returns the worst exit code."""
    if args.jobs < 0:
        raise CommandError(f"-j {args.jobs}: there is no such number of processes")
    if args.key and args.level and args.level < "L5":
        raise CommandError(f"--key is for L5: --level {args.level} does not look at signatures")
    key = read_vkey(args.key) if args.key else None
    files = [file for path in args.paths for file in logs_at(path)]
    many = len(files) > 1
    checker = Checker(
        keep_going=args.keep_going, key=key, level=args.level, json=args.json, quiet=args.quiet, many=many
    )
    counts: Counter[Verdict] = Counter()
    jobs = args.jobs or os.cpu_count() or 1
    progress = Progress(len(files), sys.stderr, shown=many and not args.json)
    with contextlib.closing(outcomes(files, jobs, checker)) as found, progress:
        for outcome in found:
            counts[outcome.verdict] += 1
            if outcome.err or sys.stdout.isatty():
                progress.clear()
            if outcome.err:
                print(outcome.err, file=sys.stderr)
            print(outcome.out)
            progress.show(counts)
    if many and not args.json:
        print(summary(counts))
    return next(code for code in WORST_FIRST if code in {EXIT[verdict] for verdict in counts})


def summary(counts: Counter[Verdict]) -> str:
    """``10,000 files: 9,998 VALID, 1 INVALID, 1 INCOMPLETE``."""
    parts = [f"{counts[verdict]:,} {verdict}" for verdict in get_args(Verdict) if counts[verdict]]
    return f"{counts.total():,} files: {', '.join(parts)}"


def read_vkey(text: str) -> str:
    """A public key from the command line, or from a file; raises `CommandError` for what is none."""
    if "+" not in text or Path(text).is_file():
        try:
            text = Path(text).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not text"
            raise CommandError(f"--key {text}: {why}") from None
    try:
        return Verifier(text).vkey
    except KeyTextError as error:
        raise CommandError(f"--key: {error}") from None


def logs_at(path: str) -> Iterator[str]:
    """The files that a PATH stands for; raises `CommandError` for a directory without logs."""
    if path == STDIN or not Path(path).is_dir():
        yield path
        return
    try:
        found = sorted(str(file) for file in Path(path).iterdir() if file.name.endswith(SUFFIXES) and file.is_file())
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
    if not found:
        raise CommandError(f"{path}: no {' or '.join('*' + suffix for suffix in SUFFIXES)} in this directory")
    yield from found


# -- many files at a time ----------------------------------------------------------------------------------------------


class _Worker:
    """A process that checks files one after another."""

    def __init__(self, checker: Checker) -> None:
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


def _work(connection: "Connection", checker: Checker) -> None:
    """The life of a worker process."""
    with contextlib.suppress(EOFError, OSError):  # Whoever asked is gone.
        while True:
            connection.send(checker.check(connection.recv()))


def outcomes(files: Sequence[str], jobs: int, checker: Checker) -> Generator[Outcome, None, None]:
    """What comes of every file, in order; at most `WINDOW` of them a worker are kept at any time.

    A worker that dies takes with it the file that it had in hand: that one counts as unreadable, and another worker
    goes on with the rest.
    """
    jobs = min(jobs, len(files))
    if jobs < 2 or STDIN in files:  # Only this process has its standard input.
        yield from map(checker.check, files)
        return
    from multiprocessing.connection import wait

    done: dict[int, Outcome] = {}
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
    finally:
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.end()


# -- progress ----------------------------------------------------------------------------------------------------------


class Progress:
    """One line on a terminal that says how far things are; on anything else nothing at all."""

    def __init__(self, total: int, stream: TextIO, *, shown: bool) -> None:
        self._total = total
        self._stream = stream
        self._shown = shown and stream.isatty()
        self._start = time.monotonic()
        self._next = self._start + REDRAW
        self._drawn = 0
        """Columns that are written on."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, counts: Counter[Verdict]) -> None:
        """Bring the line up to date, if that was not done just now."""
        now = time.monotonic()
        if not self._shown or now < self._next:
            return
        self._next = now + REDRAW
        line = progress_text(counts.total(), self._total, counts["INVALID"], now - self._start)
        line = line[: shutil.get_terminal_size().columns - 1]
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(line)

    def clear(self) -> None:
        """Make room for something else."""
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
            self._drawn = 0


def progress_text(done: int, total: int, invalid: int, seconds: float) -> str:
    """`` 123/10000 files, 3 invalid, 1,234 files/s, 0:12 left``."""
    minutes, left = divmod(round(seconds / done * (total - done)), 60)
    return f" {done}/{total} files, {invalid:,} invalid, {done / seconds:,.0f} files/s, {minutes}:{left:02} left"
