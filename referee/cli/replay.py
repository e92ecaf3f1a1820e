"""Put the match of a log to a bot again, and compare what it answers.

CMD is started as `toep play` starts a bot, and gets the very asks that seat N got: the other seats act as the log says.
What it answers is compared with what is recorded. After a difference the match goes on as it was recorded, so that
every ask is put. Windows that nobody used are not in the log: there the recorded answer is a pass. Answers that came to
nothing are not in it either, and are not compared.

exit codes: 0 every answer is the same, 1 some are different, 2 wrong use, or the log or the bot cannot be used

example:
  toep replay match.toep --seat 2 -- python my_bot.py
"""

import argparse
import asyncio
import sys
from typing import Any

import msgspec

from referee.cli.exits import CommandError
from referee.conformance.bot.again import AgainError, Compared, Replayer, Report
from referee.conformance.bot.recorded import RecordedError, read
from referee.conformance.bot.subject import argv_of
from referee.service.processes import StartError
from referee.service.server import BindError
from referee.service.telemetry import configure as configure_logging


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("log", metavar="LOG", help="a log; - is standard input")
    parser.add_argument("--seat", type=int, required=True, metavar="N", help="the seat that the bot takes, from 0")
    parser.add_argument("--stop", action="store_true", help="stop at the first difference")
    parser.add_argument("--no-deadline", action="store_true", help="wait for ever, for a bot in a debugger")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.usage = "toep replay LOG --seat N [--stop] [--no-deadline] [--json] -- CMD"
    _split_at_dashes(parser)


def _split_at_dashes(parser: argparse.ArgumentParser) -> None:
    """Let the parser read what stands before ``--``: argparse takes options behind LOG for a part of CMD."""
    whole = parser.parse_known_args

    def parse(args: Any = None, namespace: Any = None) -> Any:
        words = list(args or ())
        place = words.index("--") if "--" in words else len(words)
        found, extra = whole(words[:place], namespace)
        found.program = words[place + 1 :]
        return found, extra

    parser.parse_known_args = parse  # type: ignore[method-assign]


def run(args: argparse.Namespace) -> int:
    """Put a match to a bot; raises `CommandError`."""
    if not args.program:
        raise CommandError("write the bot behind --: toep replay LOG --seat N -- CMD")
    configure_logging(verbose=False)
    shown = 0

    def tell(found: Compared) -> None:
        nonlocal shown
        shown += 1
        if not args.json:
            print(difference_text(found, whole=shown == 1), flush=True)

    try:
        replayer = Replayer(read(args.log), args.seat, stop=args.stop, deadline=not args.no_deadline, tell=tell)
        report = asyncio.run(replayer.run(args.log, argv_of(args.program)))
    except (RecordedError, AgainError, StartError, BindError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename or args.log}: {error.strerror or error}") from None
    if args.json:
        print(msgspec.json.encode(report).decode())
    else:
        for line in report.stderr:
            print(f"  {line}", file=sys.stderr)
        print(closing_text(report))
    return report.exit


def difference_text(found: Compared, *, whole: bool) -> str:
    """A difference for people; the first one with what the bot was shown."""
    title = (
        f"different at line {found.line}, ask {found.ask} ({found.kind}): recorded {found.recorded}, now {found.now}"
    )
    return "\n".join((title, *(f"  {line}" for line in found.view))) if whole else title


def closing_text(report: Report) -> str:
    """The verdict and the counts."""
    lines = [report.stopped] if report.stopped else []
    asked = report.same + report.different + report.unknown
    lines.append(
        f"{report.verdict}: {asked} asks of seat {report.seat}: {report.same} answered the same, "
        f"{report.different} differently, {report.unknown} not known"
    )
    return "\n".join(lines)
