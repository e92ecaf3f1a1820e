"""Say how an event stands, from its journal and its logs: while it runs, after a crash, or when it is over.

exit codes: 0 it is over or runs, 4 it was stopped before its end, 2 there is no event, or its journal is damaged.

example:
  toep tournament status spring.event
"""

import argparse
from pathlib import Path

import msgspec

from referee.cli.exits import INCOMPLETE, VALID, CommandError


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="the event's folder")
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def run(args: argparse.Namespace) -> int:
    """Print it; raises `CommandError`."""
    from referee.tournament.errors import TournamentError
    from referee.tournament.event import open_event
    from referee.tournament.journal import JournalError
    from referee.tournament.ledger import LedgerError
    from referee.tournament.status import status_of, text

    try:
        status = status_of(open_event(args.folder))
    except (TournamentError, JournalError, LedgerError) as error:
        raise CommandError(str(error)) from None
    print(msgspec.json.encode(status).decode() if args.json else text(status, args.folder))
    return INCOMPLETE if status.state == "stopped" else VALID
