"""Say what an event will be: blocks, matches, rounds, who meets whom how often, hours, disk, and what keeps bots apart.

Hours need a rate, in rounds a second of all tables together: --rate says it, --measure finds it out by playing a few
matches of the event on this machine (a sample bot sits where a remote one will), and throws them away.

example:
  toep tournament plan spring.toml
  toep tournament plan spring.toml --measure
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from referee.cli.config import Number
from referee.cli.exits import VALID, CommandError
from referee.tournament import trust
from referee.tournament.errors import TournamentError
from referee.tournament.plan import Rate, make_plan
from referee.tournament.plan import text as plan_text
from referee.tournament.schedule import format_of, make_schedule
from referee.tournament.spec import read_spec
from referee.tournament.spec_types import Isolation, Spec

SECONDS = 5.0
MAX_SECONDS = 60


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("spec", type=Path, metavar="SPEC", help="the event's file")
    rate = parser.add_mutually_exclusive_group()
    rate.add_argument(
        "--rate",
        type=Number(float, 1, 1_000_000_000),
        metavar="ROUNDS",
        help="rounds a second, of all tables together",
    )
    rate.add_argument(
        "--measure",
        type=Number(float, 1, MAX_SECONDS),
        nargs="?",
        const=SECONDS,
        metavar="S",
        help=f"play matches for S seconds (default: {SECONDS:g})",
    )
    parser.add_argument("--json", action="store_true", help="print the plan as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the plan; raises `CommandError`."""
    try:
        spec = read_spec(args.spec)
        schedule = make_schedule(spec)
        isolation = _isolation(spec)
        rate = _rate(args, spec, isolation)
        plan = make_plan(spec, schedule, format_of(spec).once_through, isolation, rate)
        try:
            trust.check(spec, schedule, isolation or "none")
        except TournamentError as error:
            # The file may be meant for another machine.
            _say(f"not on this machine: {error}")
        for key, path in _missing(spec, args.spec.parent):
            _say(f"not there: {path} ({key})")
    except TournamentError as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename or args.spec}: {error.strerror or error}") from None
    print(msgspec.json.encode(plan).decode() if args.json else plan_text(plan))
    return VALID


def _isolation(spec: Spec) -> Isolation | None:
    """What local bots get on this machine; None: what the spec asks for cannot be had."""
    from referee.service.isolation import IsolationError, choose

    try:
        return choose(spec.isolation)
    except IsolationError as error:
        _say(str(error))
        return None


def _missing(spec: Spec, folder: Path) -> Iterator[tuple[str, Path]]:
    """Files and folders that the spec names and that are not there, each with its key."""
    for name in ("seed_file", "tokens", "tls_cert", "tls_key"):
        if (text := getattr(spec, name)) and not (folder / text).is_file():
            yield name, folder / text
    for place, bot in enumerate(spec.bots):
        if not (folder / bot.folder).is_dir():
            yield f"bots[{place}].folder", folder / bot.folder
        for number, path in enumerate(bot.reads):
            if not (folder / path).exists():
                yield f"bots[{place}].reads[{number}]", folder / path


def _rate(args: argparse.Namespace, spec: Spec, isolation: Isolation | None) -> Rate | None:
    if args.rate is not None:
        return Rate(rounds_per_second=args.rate, source="given")
    if args.measure is None:
        return None
    if isolation is None:
        raise CommandError("--measure: what the spec asks for as isolation cannot be had here")
    try:
        from referee.service.telemetry import configure as configure_logging
        from referee.tournament.rate import measure
    except ModuleNotFoundError as error:
        raise CommandError(f"--measure: {error.name} is not installed: pip install 'toep[service]'") from None
    configure_logging(verbose=False)
    return measure(spec, args.spec.absolute().parent, seconds=args.measure, say=_say)


def _say(line: str) -> None:
    print(line, file=sys.stderr)
