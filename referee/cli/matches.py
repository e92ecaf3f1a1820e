"""Options that describe a match, for the commands that set one up."""

import argparse
from collections.abc import Sequence

import msgspec

from referee.cli.exits import CommandError
from referee.cli.options import add_rules, rules_from
from referee.log.policy import ConductError, make_conduct, needs_clock, told
from referee.log.records import Conduct, Length, Rounds
from referee.service.rpc import version_text
from referee.table.head import MatchPlan

CONDUCT = {
    "act_ms": "time for an act that is required",
    "window_ms": "time to use a window",
    "tries": "answers that may be refused before the referee acts",
    "faults": "how often the referee acts for a seat before it is forfeited; 0: never",
    "max_deals": "deals after which the match is abandoned",
    "bank_ms": "what a seat has besides for all its required acts together",
    "increment_ms": "what each required act adds to the bank",
    "ready_ms": "time for a seat's first required act, where that is more",
    "late_faults": "the same as --faults, of acts because the bot was late; 0: no limit of its own",
    "link_faults": "the same as --faults, of acts while the bot was not connected; 0: no limit of its own",
    "refused_faults": "the same as --faults, of acts because all tries were refused; 0: no limit of its own",
    "left": "what becomes of a seat whose bot left or crashed",
    "stall": "what becomes of lateness that is the referee's own or its host's",
}
CHOICES = {"left": ("forfeit", "wait"), "stall": ("count", "excuse", "void")}


def add_match(parser: argparse.ArgumentParser) -> None:
    """Rules, length, clock and conduct."""
    add_rules(parser)
    parser.add_argument("--rounds", type=int, metavar="K", help="K independent rounds (default: a game to the end)")
    parser.add_argument(
        "--clock", choices=("ms", "none"), default="ms", help="times in the log, or none (reproducible)"
    )
    defaults = told(Conduct())
    for name, text in CONDUCT.items():
        flag = "--" + name.replace("_", "-")
        about = f"{text} (default: {defaults[name]})"
        if name in CHOICES:
            parser.add_argument(flag, choices=CHOICES[name], help=about)
        else:
            parser.add_argument(flag, type=int, metavar="N", help=about)


def plan_from(args: argparse.Namespace, bots: Sequence[str]) -> MatchPlan:
    """The match that the arguments describe, between these bots; raises `CommandError`."""
    wanted = {name: value for name in CONDUCT if (value := getattr(args, name)) is not None}
    try:
        conduct = make_conduct(wanted)
        length: Length = "game" if args.rounds is None else msgspec.convert({"rounds": args.rounds}, Rounds)
    except ConductError as error:
        raise CommandError(f"conduct: {error}") from None
    except msgspec.ValidationError as error:
        raise CommandError(f"--rounds: {error}") from None
    if args.clock == "none" and (name := needs_clock(conduct)):
        raise CommandError(f"--{name.replace('_', '-')} needs --clock ms: without times in the log nobody can check it")
    return MatchPlan(
        rules=rules_from(args), bots=bots, length=length, conduct=conduct, clock=args.clock, engine=version_text()
    )
