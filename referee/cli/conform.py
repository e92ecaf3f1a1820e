"""Test an engine, a validator or a bot of your own.

`engine` and `validator` start CMD, which speaks the engine protocol on its standard input and output (see `toep
engine`). With --per-file a validator is a program that is run once for each log instead; its exit code is compared, and
verdict, code and line if the last line it prints is JSON with them. `export` writes cases, counts and logs as one
archive. `bot` starts CMD as `toep play` starts a bot, and plays referee: it puts it through one step after the other.

exit codes: 0 it conforms, 1 it does not, 2 it cannot be started, or wrong use

example:
  toep conform engine -- node my-engine.js
  toep conform engine --tier core --known-failing todo.txt -- ./engine
  toep conform validator --per-file -- ./my-verify --json
  toep conform export dist
  toep conform bot -- python my_bot.py
"""

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from referee.cli.exits import INVALID, VALID, CommandError
from referee.cli.progress import Progress
from referee.conformance import report
from referee.conformance.archive import export
from referee.conformance.each import PerFile
from referee.conformance.kit import LEVELS, Item, KitError, chosen, engine_items, find_kit, validator_items
from referee.conformance.known import Known, KnownError
from referee.conformance.process import EngineError, EngineProcess
from referee.conformance.run import Asked, Judge, Outcome, Restarting, Run, greet, judge

SECONDS = 10.0


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    kinds = parser.add_subparsers(dest="kind", metavar="WHAT", required=True)
    for kind, summary in (("engine", "cases, counts and logs"), ("validator", "logs, good and bad")):
        child = kinds.add_parser(kind, help=summary)
        child.add_argument("--kit", type=Path, metavar="DIR", help="the folder of an export (default: this install's)")
        child.add_argument(
            "--tier", action="append", default=[], metavar="NAME", help="core, or an option; several may be given"
        )
        child.add_argument("--level", choices=LEVELS, default="should", help="what decides (default: must and should)")
        child.add_argument("--known-failing", type=Path, metavar="FILE", help="ids that fail, one a line")
        child.add_argument("--known-flaky", type=Path, metavar="FILE", help="ids that fail now and then")
        child.add_argument(
            "--seconds", type=float, default=SECONDS, metavar="S", help="time for each answer (default: 10)"
        )
        child.add_argument("--json", action="store_true", help="print the report as JSON")
        child.add_argument("--junit", type=Path, metavar="FILE", help="write the report as JUnit XML too")
        if kind == "validator":
            child.add_argument("--per-file", action="store_true", help="run CMD FILE for each log")
        child.add_argument("program", nargs=argparse.REMAINDER, metavar="-- CMD", help="the program and its arguments")
    _configure_bot(kinds.add_parser("bot", help="a bot, through every step of the protocol"))
    child = kinds.add_parser("export", help="everything as one archive")
    child.add_argument("folder", type=Path, metavar="DIR")
    child.add_argument("--kit", type=Path, metavar="DIR", help="the folder of an export (default: this install's)")


def _configure_bot(child: argparse.ArgumentParser) -> None:
    child.add_argument(
        "--step", action="append", default=[], metavar="NAME", help="only this step; several may be given"
    )
    child.add_argument(
        "--seconds",
        type=float,
        default=SECONDS,
        metavar="S",
        help="time for an act, and a fifth for a window (default: 10)",
    )
    child.add_argument("--no-deadline", action="store_true", help="wait for ever, for a bot in a debugger")
    child.add_argument("--json", action="store_true", help="print the report as JSON")
    child.add_argument("--junit", type=Path, metavar="FILE", help="write the report as JUnit XML too")
    child.add_argument("program", nargs=argparse.REMAINDER, metavar="-- CMD", help="the bot and its arguments")


def run(args: argparse.Namespace) -> int:
    """Test a program; raises `CommandError`."""
    if args.kind == "bot":
        return _run_bot(args)
    try:
        kit = args.kit or find_kit()
        if args.kind == "export":
            print(export(kit, args.folder))
            return VALID
        done = _judge(args, kit)
    except (KitError, KnownError, EngineError) as error:
        raise CommandError(str(error)) from None
    except FileExistsError as error:
        raise CommandError(f"{error.filename}: it is there already, and stays") from None
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from None
    if args.junit:
        args.junit.write_bytes(report.junit(done))
    print(report.document(done).decode() if args.json else report.text(done))
    return VALID if done.passed else INVALID


def _run_bot(args: argparse.Namespace) -> int:
    """Needs more than the base install, unlike the rest."""
    command = _command(args)
    try:
        from referee.conformance.bot import run as bots
        from referee.conformance.bot.stage import Patience
        from referee.conformance.bot.steps import NAMES, STEPS
        from referee.conformance.bot.subject import argv_of
        from referee.service.processes import StartError
        from referee.service.telemetry import configure as configure_logging
    except ModuleNotFoundError as error:
        raise CommandError(f"{error.name} is missing: pip install 'toep[service]'") from None
    if unknown := [name for name in args.step if name not in NAMES]:
        raise CommandError(f"--step {' '.join(unknown)}: no such step; there are {' '.join(NAMES)}")
    configure_logging(verbose=False)
    steps = [step for step in STEPS if not args.step or step.name in args.step]
    patience = Patience(act_seconds=args.seconds, deadline=not args.no_deadline)

    def tell(result: bots.Result) -> None:
        if not args.json:
            print(bots.result_text(result), flush=True)

    try:
        done = asyncio.run(bots.run(argv_of(command), " ".join(command), steps, patience, tell=tell))
        if args.junit:
            args.junit.write_bytes(bots.junit(done))
    except StartError as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from None
    print(bots.document(done).decode() if args.json else bots.closing_text(done))
    return done.exit


def _command(args: argparse.Namespace) -> list[str]:
    command: list[str] = args.program[1:] if args.program[:1] == ["--"] else args.program
    if not command:
        raise CommandError(f"write the program behind --: toep conform {args.kind} -- CMD")
    if args.seconds <= 0:
        raise CommandError("--seconds: more than 0")
    return command


def _judge(args: argparse.Namespace, kit: Path) -> Run:
    command = _command(args)
    items = list(chosen(engine_items(kit) if args.kind == "engine" else validator_items(kit), args.tier))
    if not items:
        raise CommandError(f"--tier {' '.join(args.tier)}: no such questions; there are {' '.join(_tiers(kit))}")
    failing = Known.read(args.known_failing) if args.known_failing else None
    flaky = Known.read(args.known_flaky) if args.known_flaky else None
    with _program(args, command) as program:
        options = None
        subject = " ".join(command)
        if not isinstance(program, PerFile):
            name, options = greet(program)
            subject = f"{name} ({subject})"
        worker = Judge(program, kit, failing=failing, flaky=flaky, options=options)
        with Progress(len(items), sys.stderr, shown=not args.json) as progress:
            done = failed = 0

            def tell(outcome: Outcome) -> None:
                nonlocal done, failed
                done += 1
                failed += outcome.status == "failed"
                progress.show(done, failed)

            return judge(items, worker, subject, str(kit), args.level, tell=tell)


def _tiers(kit: Path) -> list[str]:
    items: list[Item] = engine_items(kit)
    return sorted({tier for item in items for tier in item.tiers})


@contextlib.contextmanager
def _program(args: argparse.Namespace, command: list[str]) -> Iterator[Asked]:
    if getattr(args, "per_file", False):
        yield PerFile(command, seconds=args.seconds)
        return
    with EngineProcess(command, seconds=args.seconds) as process:
        yield Restarting(process)
