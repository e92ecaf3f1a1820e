"""Play a match between bots on this machine, over gRPC on loopback, and write its log.

A bot is `random`, `careful` or `caller` (sample bots), or a command line that starts one, or NAME=COMMAND. It finds
the referee in its environment (TOEP_ADDRESS, TOEP_BOT, TOEP_TOKEN).

example:
  toep play --rules cafe --bot random --bot careful --bot "mine=python3 my_bot.py" -o match.toep
"""

import argparse
import asyncio
import json
import secrets
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Final

from referee.cli.exits import CommandError
from referee.cli.matches import add_match, plan_from
from referee.cli.options import add_key, key_from, read_seed
from referee.deal import SEED_SIZE
from referee.log.note import Signer
from referee.log.writer import LogWriteError
from referee.ruleset import RulesetError
from referee.service import local
from referee.service.errors import HallError
from referee.service.isolation import WANTED, IsolationError, choose
from referee.service.processes import StartError, parse_bots
from referee.service.server import BindError
from referee.service.store import Store
from referee.service.telemetry import configure as configure_logging

PROBLEMS: Final = (
    ValueError, RulesetError, HallError, StartError, BindError, IsolationError, LogWriteError, local.LocalError,
)  # fmt: skip


def configure_parser(parser: argparse.ArgumentParser) -> None:
    """What `demo` has too."""
    add_match(parser)
    parser.add_argument("--seed", metavar="HEX", help="a declared, public seed: 64 hex digits")
    parser.add_argument("--seed-file", type=Path, metavar="FILE", help="a file with a secret seed of 64 hex digits")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument(
        "--isolation",
        choices=WANTED,
        default="none",
        help="what keeps bots from the log and each other (default: none)",
    )
    parser.add_argument("--verbose", action="store_true", help="show the referee's own log on standard error")


def configure(parser: argparse.ArgumentParser) -> None:
    configure_parser(parser)
    add_key(parser)
    parser.add_argument("--bot", action="append", required=True, metavar="BOT", help="a bot; once for each seat")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="the log (default: MATCH.toep here)")


def run(args: argparse.Namespace) -> int:
    result, path = play(args, args.bot, args.output, signer=key_from(args))
    if args.json:
        print(json.dumps({**asdict(result), "log": str(path)}))
    else:
        print_result(result)
        print(f"log: {path}")
    return 0


def play(
    args: argparse.Namespace,
    bots: list[str],
    output: Path | None,
    folder: Path = Path(),
    signer: Signer | None = None,
) -> tuple[local.Result, Path]:
    """Play the match that the arguments describe; returns its result and where its log is.

    ``output`` is the log's path; without it the log gets the match's name, in ``folder``. ``signer`` signs its seals.
    """
    configure_logging(verbose=args.verbose)
    seed = read_seed(args)
    declared = args.seed is not None
    try:
        commands = parse_bots(bots)
        plan = plan_from(args, [command.name for command in commands])
        isolation = choose(args.isolation)
        store = Store(output.parent if output else folder, output)
        result = asyncio.run(
            local.play(
                store,
                plan,
                commands,
                seed or secrets.token_bytes(SEED_SIZE),
                declared=declared,
                say=_say,
                signer=signer,
                isolation=isolation,
                private=[path for path in (args.seed_file, getattr(args, "key", None)) if path is not None],
            )
        )
    except PROBLEMS as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename or output}: {error.strerror}") from None
    return result, store.log_path(result.match)


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def print_result(result: local.Result) -> None:
    """The standings, best first."""
    print(f"match {result.match}: {result.status} after {result.rounds} rounds")
    width = max(len(bot) for bot in result.bots)
    order = sorted(range(len(result.bots)), key=lambda seat: (result.rank[seat], seat))
    for seat in order:
        faults = f"  ({result.faults[seat]} times the referee had to act)" if result.faults[seat] else ""
        print(
            f"  {result.rank[seat]}. {result.bots[seat]:<{width}}  seat {seat}  {result.total[seat]:>3} points{faults}"
        )
