"""Options that describe a match, for the commands that set one up."""

import argparse
from collections.abc import Sequence

import msgspec

from referee.cli.exits import CommandError
from referee.cli.options import add_rules, rules_from
from referee.log.records import Conduct, Length, Rounds
from referee.service.rpc import version_text
from referee.table.head import MatchPlan

CONDUCT = {
    "act_ms": "time for an act that is required",
    "window_ms": "time to use a window",
    "tries": "answers that may be refused before the referee acts",
    "faults": "how often the referee acts for a seat before it is forfeited; 0: never",
    "max_deals": "deals after which the match is abandoned",
}


def add_match(parser: argparse.ArgumentParser) -> None:
    """Rules, length, clock and conduct."""
    add_rules(parser)
    parser.add_argument("--rounds", type=int, metavar="K", help="K independent rounds (default: a game to the end)")
    parser.add_argument(
        "--clock", choices=("ms", "none"), default="ms", help="times in the log, or none (reproducible)"
    )
    defaults = Conduct()
    for name, text in CONDUCT.items():
        flag = "--" + name.replace("_", "-")
        parser.add_argument(flag, type=int, metavar="N", help=f"{text} (default: {getattr(defaults, name)})")


def plan_from(args: argparse.Namespace, bots: Sequence[str]) -> MatchPlan:
    """The match that the arguments describe, between these bots; raises `CommandError`."""
    wanted = {name: value for name in CONDUCT if (value := getattr(args, name)) is not None}
    try:
        conduct = msgspec.convert(wanted, Conduct)
        length: Length = "game" if args.rounds is None else msgspec.convert({"rounds": args.rounds}, Rounds)
    except msgspec.ValidationError as error:
        raise CommandError(f"--rounds or conduct: {error}") from None
    return MatchPlan(
        rules=rules_from(args), bots=bots, length=length, conduct=conduct, clock=args.clock, engine=version_text()
    )
