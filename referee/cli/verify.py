"""Check logs: their bytes, order, rules, shuffle and seals, line by line.

A PATH is a log (`*.toep`, or `*.toep.zst`), a directory (every log in it), an event's folder (everything in it: the
journal, each log, each result, seeds, standings), or `-` for standard input. Each level is printed as passed, failed
or not checked; what was not checked is never taken for valid. A finding names its code; `toep explain CODE` says
more. --transcript, --view and --engine hold a log against something else that tells of the match, and say where the
two part.

exit codes: 0 valid and complete, 1 proven invalid, 2 cannot be read or the check itself failed, 3 unsupported version,
4 incomplete, or what was asked for is missing or says otherwise.
Of many files the worst counts, in the order 1, 3, 4, 2, 0.

example:
  toep verify match.toep
  toep verify --quiet -j 0 logs/
  toep verify --key referee.key.pub match.toep
  toep verify --transcript mine/match.seat1.jsonl match.toep
"""

import argparse
import contextlib
import os
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, get_args

import msgspec

from referee.cli.exits import USAGE, WORST_FIRST, CommandError
from referee.cli.options import read_vkey
from referee.cli.progress import Progress
from referee.cli.workers import outcomes
from referee.conformance.replay import EngineReplay
from referee.log.reader import STDIN
from referee.validate import report as reports
from referee.validate.findings import Level
from referee.validate.report import EXIT, Report, Verdict
from referee.validate.testimony import TestimonyError, with_transcript, with_view
from referee.validate.validator import ASKED, unreadable, validate_path

SUFFIXES = (".toep", ".toep.zst")
ENGINE_SECONDS: Final = 60.0
"""What another engine has to replay one log."""


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
    transcripts: tuple[Path, ...] = ()
    views: tuple[Path, ...] = ()
    engine: EngineReplay | None = None
    json: bool = False
    quiet: bool = False
    many: bool = False

    def check(self, file: str) -> Outcome:
        """Check a file. A failure of the validator itself is no verdict on a log, and never goes unnoticed."""
        try:
            report = validate_path(file, keep_going=self.keep_going, key=self.key, level=self.level)
            if report.verdict != "UNREADABLE":
                report = self._against(report, file)
        except TestimonyError as error:
            return self.lost(file, str(error))
        except Exception as error:
            return self.lost(file, f"{type(error).__name__}: {error}")
        return self._words(report)

    def _against(self, report: Report, file: str) -> Report:
        for path in self.transcripts:
            report = with_transcript(report, file, path)
        for path in self.views:
            report = with_view(report, file, path)
        return self.engine.replay(report, file) if self.engine else report

    def lost(self, file: str, why: str) -> Outcome:
        """The check itself failed: the file counts as unreadable."""
        report = unreadable(file, why)
        levels = [msgspec.structs.replace(level, reason="the check failed") for level in report.levels]
        return self._words(
            msgspec.structs.replace(report, levels=levels, missing=[f"a check that comes to its end: {why}"])
        )

    def close(self) -> None:
        """There are no more files."""
        if self.engine:
            self.engine.close()

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
        "--transcript", action="append", default=[], type=Path, metavar="FILE",
        help="what a bot saw and said, as its SDK kept it: does the log agree?",
    )  # fmt: skip
    parser.add_argument(
        "--view", action="append", default=[], type=Path, metavar="FILE",
        help="a view, whole or begun: is it one of this log?",
    )  # fmt: skip
    parser.add_argument(
        "--engine", metavar="CMD", help="another engine (see toep engine) that replays each log: does it agree?"
    )
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
    events = [path for path in args.paths if is_event(path)]
    if events:
        return _events(args, events)
    files = [file for path in args.paths for file in logs_at(path)]
    many = len(files) > 1
    for option in ("transcript", "view", "engine"):
        if getattr(args, option) and STDIN in files:
            raise CommandError(f"--{option}: the log is read more than once, so give it as a file")
    for option in ("transcript", "view"):
        if getattr(args, option) and many:
            raise CommandError(f"--{option} is about one log: {len(files)} are given")
    checker = Checker(
        keep_going=args.keep_going,
        key=key,
        level=args.level,
        transcripts=tuple(args.transcript),
        views=tuple(args.view),
        engine=EngineReplay(_words_of(args.engine), ENGINE_SECONDS) if args.engine else None,
        json=args.json,
        quiet=args.quiet,
        many=many,
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
            progress.show(counts.total(), counts["INVALID"])
    if many and not args.json:
        print(summary(counts))
    return next(code for code in WORST_FIRST if code in {EXIT[verdict] for verdict in counts})


def is_event(path: str) -> bool:
    """Whether a PATH is the folder of a tournament."""
    return path != STDIN and (Path(path) / "journal.jsonl").is_file()


def _events(args: argparse.Namespace, events: list[str]) -> int:
    """Check the folders of tournaments; returns the worst exit code."""
    from referee.tournament.verify import LogCheck, Wrong, text, verify_event

    if len(events) < len(args.paths):
        raise CommandError("an event's folder is checked as a whole: give logs and events to commands of their own")
    for option in ("key", "level", "transcript", "view", "engine"):
        if getattr(args, option):
            raise CommandError(
                f"--{option} is about logs, and {events[0]} is an event: give its logs, {events[0]}/logs"
            )
    jobs = args.jobs or os.cpu_count() or 1

    def check_all(files: list[str], check: LogCheck) -> Iterator[list[Wrong]]:
        progress = Progress(len(files), sys.stderr, shown=not args.json)
        with contextlib.closing(outcomes(files, jobs, check)) as found, progress:
            for done, wrong in enumerate(found, 1):
                yield wrong
                progress.show(done)

    codes = set()
    for path in events:
        report = verify_event(Path(path), check_all)
        codes.add(report.exit)
        if args.json:
            print(msgspec.json.encode(report).decode())
        elif args.quiet:
            print("\n".join([*(one.text() for one in report.wrong), report.verdict]))
        else:
            print(text(report))
    return next(code for code in WORST_FIRST if code in codes)


def _words_of(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CommandError(f"--engine: {error}") from None
    if not words:
        raise CommandError("--engine: there is no command")
    return words


def summary(counts: Counter[Verdict]) -> str:
    """``10,000 files: 9,998 VALID, 1 INVALID, 1 INCOMPLETE``."""
    parts = [f"{counts[verdict]:,} {verdict}" for verdict in get_args(Verdict) if counts[verdict]]
    return f"{counts.total():,} files: {', '.join(parts)}"


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
