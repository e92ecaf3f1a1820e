"""Measure this machine with as many tables as you plan, and say which limits are safe on it.

Sample bots play at all tables for some seconds, through the same service as any bot, while the referee measures how
long answers take and how late its own loop wakes. Bots that think, or that are far away, need their own time on top.

exit codes: 0 the planned limits are safe, 1 they are too short, 2 nothing could be measured

example:
  toep doctor --tables 200 --act-ms 5000
"""

import argparse
import asyncio
import json
from pathlib import Path

import msgspec

from referee.cli.exits import CommandError
from referee.cli.options import add_rules, rules_from
from referee.log.records import Conduct
from referee.service.doctor import Diagnosis, DoctorError, Load, examine
from referee.service.processes import StartError
from referee.service.server import BindError
from referee.service.telemetry import configure as configure_logging

TOO_SHORT = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    defaults = Conduct()
    add_rules(parser)
    parser.add_argument("--tables", type=int, default=100, metavar="N", help="tables at once (default: 100)")
    parser.add_argument("--seats", type=int, default=4, metavar="N", help="seats of each (default: 4)")
    parser.add_argument("--seconds", type=float, default=10.0, metavar="S", help="how long (default: 10)")
    parser.add_argument("--logs", type=Path, default=Path(), metavar="DIR", help="where logs will go (default: here)")
    parser.add_argument("--act-ms", type=int, default=defaults.act_ms, metavar="N", help="planned time for an act")
    parser.add_argument(
        "--window-ms", type=int, default=defaults.window_ms, metavar="N", help="planned time for a window"
    )
    parser.add_argument("--json", action="store_true", help="print what was measured as JSON")


def run(args: argparse.Namespace) -> int:
    """Measure and judge; raises `CommandError`."""
    rules = rules_from(args)
    if not 1 <= args.tables <= 10_000 or args.seconds <= 0:
        raise CommandError("--tables is 1 to 10,000, --seconds more than 0")
    if not rules.min_players <= args.seats <= 8:
        raise CommandError(f"--seats is {rules.min_players} to 8 under these rules")
    configure_logging(verbose=False)
    try:
        found = asyncio.run(examine(args.logs, Load(args.tables, args.seats, args.seconds, rules)))
    except (DoctorError, StartError, BindError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"--logs {args.logs}: {error.strerror}") from None
    short = [
        f"--{name}-ms {planned} is too short: {safe} is safe"
        for name, planned, safe in (
            ("act", args.act_ms, found.safe_act_ms), ("window", args.window_ms, found.safe_window_ms),
        )
        if planned < safe
    ]  # fmt: skip
    if args.json:
        print(json.dumps({**msgspec.to_builtins(found), "safe": not short}))
    else:
        print(text(found))
        for line in short:
            print(line)
        if not short:
            print(f"safe: --act-ms {args.act_ms} --window-ms {args.window_ms}")
    return TOO_SHORT if short else 0


def text(found: Diagnosis) -> str:
    """What was measured, for people."""
    return "\n".join(
        (
            f"load     {found.tables} tables of {found.seats} for {found.seconds:g} s: "
            f"{found.answers_per_second:,} answers a second",
            f"answers  half within {found.median_ms} ms, 99 of 100 within {found.p99_ms} ms, all within "
            f"{found.worst_ms} ms",
            f"referee  woke late by {found.stall_p99_ms} ms at most 99 times of 100, by {found.stall_worst_ms} ms once",
            f"disk     {found.sync_ms:g} ms for a sync",
        )
    )
