"""Check logs: their bytes, order, rules, shuffle and seals, line by line.

A PATH is a log (`*.toep`, or `*.toep.zst`), a directory (every log in it), or `-` for standard input. Each level is
printed as passed, failed or not checked; what was not checked is never taken for valid. A finding names its code;
`toep explain CODE` says more.

exit codes: 0 valid and complete, 1 proven invalid, 2 cannot be read, 3 unsupported version, 4 incomplete.
Of many files the worst counts, in the order 1, 3, 4, 2, 0.

example:
  toep verify match.toep
  toep verify --quiet logs/
  toep verify --key referee.key.pub match.toep
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from referee.cli.exits import USAGE, WORST_FIRST, CommandError
from referee.log.note import KeyTextError, Verifier
from referee.log.reader import STDIN
from referee.validate import report as reports
from referee.validate.report import Report
from referee.validate.validator import validate_path

SUFFIXES = (".toep", ".toep.zst")


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a log, a directory of logs, or - for standard input")
    parser.add_argument(
        "--key", metavar="KEY", help="the referee's public key, or a file with it: it must have signed every seal"
    )
    parser.add_argument("--json", action="store_true", help="print one report a line, as JSON")
    parser.add_argument("--quiet", action="store_true", help="print errors and verdicts only")
    parser.add_argument(
        "--keep-going", action="store_true", help="after an error, go on with the levels that do not depend on it"
    )


def run(args: argparse.Namespace) -> int:
    """Check every path; returns the worst exit code."""
    key = read_vkey(args.key) if args.key else None
    files = [file for path in args.paths for file in logs_at(path)]
    exits = set()
    for file in files:
        report = validate_path(file, keep_going=args.keep_going, key=key)
        exits.add(report.exit)
        if report.exit == USAGE:
            print(f"toep verify: {file}: {', '.join(report.missing)} is needed", file=sys.stderr)
        if args.json:
            print(report.json().decode())
        else:
            _print(report, quiet=args.quiet, many=len(files) > 1)
    return next(code for code in WORST_FIRST if code in exits)


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


def _print(report: Report, *, quiet: bool, many: bool) -> None:
    if report.verdict == "UNREADABLE":
        lines = ["UNREADABLE"]
    elif quiet:
        lines = [*map(reports.finding_text, report.errors), report.verdict]
    else:
        lines = reports.text(report).split("\n")
    if many:
        lines[-1] = f"{report.file}: {lines[-1]}"
    print("\n".join(lines))
