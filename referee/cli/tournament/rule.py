"""Make a ruling about an event, whether it runs or not. Every ruling is journaled, with its reason.

pause               begin no more matches; the running ones are finished
resume              begin matches again
drain               finish the running matches, and end the director; the same command goes on later
concurrency N       so many matches at once
drop BOT            its matches that are not decided are not played; results so far stand
disqualify BOT      the same, and nothing that it took part in counts
rerun BLOCK         the block does not count; it is played again with fresh deals. A match's id stands for its block
accept BOT          it may be made of other files when the event goes on

example:
  toep tournament rule spring.event drop anna --why "her author asked for it"
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.exits import VALID, CommandError

if TYPE_CHECKING:
    from referee.tournament.ledger import Ledger

KINDS = ("pause", "resume", "drain", "concurrency", "drop", "disqualify", "rerun", "accept")
NUMBERS = ("concurrency",)
BLOCKS = ("rerun",)
BOTS = ("drop", "disqualify", "accept")


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="the event's folder")
    parser.add_argument("kind", choices=KINDS, metavar="RULING", help=", ".join(KINDS))
    parser.add_argument("about", nargs="?", metavar="WHAT", help="the bot, the block or the number that it is about")
    parser.add_argument("--why", default="", metavar="TEXT", help="the reason; drop, disqualify and rerun need one")


def run(args: argparse.Namespace) -> int:
    """Make it; raises `CommandError`."""
    import msgspec

    from referee.tournament.errors import TournamentError
    from referee.tournament.event import open_event
    from referee.tournament.journal import JournalError
    from referee.tournament.ledger import LedgerError
    from referee.tournament.rulings import Request, rule

    fields: dict[str, object] = {"kind": args.kind, "why": args.why}
    what = {**dict.fromkeys(NUMBERS, "number"), **dict.fromkeys(BLOCKS, "block"), **dict.fromkeys(BOTS, "bot")}
    if args.kind in what and args.about is None:
        raise CommandError(f"{args.kind}: say which {what[args.kind]}")
    if args.kind not in what and args.about is not None:
        raise CommandError(f"{args.kind} is about nothing in particular: leave out {args.about}")
    if args.kind in ("drop", "disqualify", "rerun", "accept") and not args.why:
        raise CommandError(f"{args.kind}: give the reason with --why TEXT; it stands in the journal")
    if args.kind in NUMBERS:
        if not args.about.isascii() or not args.about.isdigit():
            raise CommandError(f"{args.kind} {args.about}: a number is needed")
        fields["number"] = int(args.about)
    elif args.kind in BOTS:
        fields["bot"] = args.about
    try:
        event = open_event(args.folder)
        if args.kind in BLOCKS:
            fields["block"] = _block(args.about, event.ledger)
        request = msgspec.convert(fields, Request)
        print(rule(event.folder, request, event.ledger))
    except msgspec.ValidationError as error:
        raise CommandError(f"{args.kind}: {error}") from None
    except (TournamentError, JournalError, LedgerError) as error:
        raise CommandError(str(error)) from None
    return VALID


def _block(about: str, ledger: "Ledger") -> int:
    """The block with this number, or of the match with this id; raises `CommandError`."""
    if about.isascii() and about.isdigit():
        return int(about)
    if about in ledger.set_up:
        return ledger.set_up[about].block
    raise CommandError(f"rerun {about}: it is neither the number of a block nor the id of a match that was played")
