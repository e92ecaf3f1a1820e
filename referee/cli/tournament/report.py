"""Make the report of an event: a page, CSV tables and JSON, worked out again from its logs.

The event is checked first; where a log or the journal is wrong there is no report, but what `toep verify` says. Of an
event that is not over the report says so. Where there is no journal, event.toml and the logs are enough: rulings are
missing then, and the spec says which blocks count.

exit codes: 0 made, 1 the event is not what its logs say, 2 there is no event, or a file cannot be written.

example:
  toep tournament report spring.event
"""

import argparse
from pathlib import Path

from referee.cli.exits import INVALID, VALID, CommandError


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="the event's folder")
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="where it goes (default: report, in DIR)")
    parser.add_argument("--json", action="store_true", help="print it as JSON instead, and write nothing")


def run(args: argparse.Namespace) -> int:
    """Check, collect, write; raises `CommandError`."""
    from referee.tournament.errors import TournamentError
    from referee.tournament.event import open_event
    from referee.tournament.journal import JournalError
    from referee.tournament.ledger import LedgerError
    from referee.tournament.report import collect, from_logs, page, tables
    from referee.tournament.verify import verify_event

    try:
        if from_logs.is_journaled(args.folder):
            wrong, event = verify_event(args.folder).wrong, None
        else:
            event, wrong = from_logs.event_of_logs(args.folder)
        if wrong:
            for one in wrong:
                print(one.text())
            print("INVALID: no report")
            return INVALID
        report = collect.collect(event or open_event(args.folder))
    except (TournamentError, JournalError, LedgerError) as error:
        raise CommandError(str(error)) from None
    files = tables.files(report)
    if args.json:
        print(files[tables.JSON], end="")
        return VALID
    folder = args.output or args.folder / "report"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in {"index.html": page.page(report), **files}.items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
            print(folder / name)
    except OSError as error:
        raise CommandError(f"{error.filename or folder}: {error.strerror}") from None
    return VALID
