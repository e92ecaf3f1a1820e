"""Play an event, or go on with one: the same command again finishes what a crash, a stop or a full disk has left.

The event's folder is the spec's `output`, or SPEC's name with .event for its ending, or -o DIR. Ctrl-C (or SIGTERM)
finishes the running matches and ends; a second one leaves them as they stand. Nothing is lost either way.

exit codes: 0 the event is over, 2 it could not be begun or go on (the message says why), 4 it was stopped before its
end: run the same command again.

example:
  toep tournament run spring.toml --concurrency 2
"""

import argparse
import asyncio
import os
import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.config import Number
from referee.cli.exits import INCOMPLETE, VALID, CommandError
from referee.cli.options import seed_of_file

if TYPE_CHECKING:
    from referee.tournament.director import Director
    from referee.tournament.observer import Observer
    from referee.tournament.spec_types import Spec

MAX_CONCURRENCY = 1024


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("spec", type=Path, metavar="SPEC", help="the event's file")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="the event's folder")
    parser.add_argument(
        "--concurrency",
        type=Number(int, 1, MAX_CONCURRENCY),
        metavar="N",
        help="matches at once, instead of the spec's",
    )
    parser.add_argument("--tokens", type=Path, metavar="FILE", help="tokens of remote bots, instead of the spec's file")
    parser.add_argument("--json", action="store_true", help="print how the event stands in the end as JSON")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--quiet", action="store_true", help="say nothing on the way")
    shown.add_argument("--plain", action="store_true", help="one line of progress, also on a terminal")
    parser.add_argument("--spent", action="store_true", help="say at the end what time was spent on")
    parser.add_argument("--verbose", action="store_true", help="show the referee's own log on standard error")


def run(args: argparse.Namespace) -> int:
    """Play; raises `CommandError`."""
    from referee.log.writer import LogWriteError
    from referee.service.errors import HallError
    from referee.service.server import BindError
    from referee.service.telemetry import configure as configure_logging
    from referee.service.tls import TlsError
    from referee.tournament.errors import TournamentError
    from referee.tournament.event import open_event
    from referee.tournament.journal import JournalError
    from referee.tournament.ledger import LedgerError
    from referee.tournament.status import status_of
    from referee.tournament.status import text as status_text

    configure_logging(verbose=args.verbose)
    try:
        director = _director(args)
        director.prepare()
        try:
            over = asyncio.run(_run(director))
        finally:
            director.close()
        status = status_of(open_event(director.folder.path))
    except (TournamentError, JournalError, LedgerError, HallError, BindError, TlsError, LogWriteError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename or args.spec}: {error.strerror or error}") from None
    if args.json:
        import msgspec

        print(msgspec.json.encode(status).decode())
    else:
        print(status_text(status, director.folder.path))
    if args.spent:
        _say_spent(director)
    if not over:
        again = shlex.join(["toep", "tournament", *sys.argv[2:]]) if len(sys.argv) > 2 else "the same command"
        print(f"stopped before the end; nothing is lost: to go on, run {again}", file=sys.stderr)
    return VALID if over else INCOMPLETE


def _director(args: argparse.Namespace) -> "Director":
    """The director of the event; raises as `run` does."""
    from referee.service import tls
    from referee.tournament.director import Director
    from referee.tournament.folder import Folder
    from referee.tournament.spec import output_of, parse_spec

    data = args.spec.read_bytes()
    spec = parse_spec(data, args.spec)
    where = args.spec.absolute().parent
    tokens = args.tokens or (where / spec.tokens if spec.tokens else None)
    remote = [bot.name for bot in spec.bots if bot.remote]
    encryption = None
    if remote and spec.tls_cert:
        encryption = tls.load(where / spec.tls_cert, where / spec.tls_key)
    return Director(
        spec,
        data,
        where,
        Folder(args.output or output_of(spec, args.spec)),
        _observer(args, spec),
        concurrency=args.concurrency,
        seed=seed_of_file(where / spec.seed_file, f"seed_file {spec.seed_file}") if spec.seed_file else None,
        tokens=_tokens(tokens, remote, own=spec.trust == "own"),
        tls=encryption,
        hidden=[tokens] if tokens else [],
    )


def _observer(args: argparse.Namespace, spec: "Spec") -> "Observer":
    """Who shows how it goes: a picture on a terminal, lines elsewhere."""
    from referee.tournament.observer import Plain, Silent

    if args.quiet:
        return Silent()
    if args.plain or args.verbose or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return Plain()
    from referee.tournament.live import Live

    return Live(spec)


def _tokens(path: Path | None, remote: list[str], *, own: bool) -> dict[str, str] | None:
    """The tokens of remote bots, None: they need none. Raises `TokensError`, `CommandError`.

    ``own``: all bots are the organiser's, so that on this machine, which the spec has seen to, none has to be kept out.
    """
    from referee.tournament.remote import tokens_for

    if not remote:
        return {}
    if path is not None:
        return tokens_for(path, remote)
    if own:
        return None
    raise CommandError(
        f"tokens: {', '.join(remote)} dial in, and whoever is on this machine, each bot too, could play as any of them:"
        ' name a file with their tokens (or write trust = "own" if all of these bots are yours)'
    )


async def _run(director: "Director") -> bool:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _interrupted, director)
    return await director.run()


def _interrupted(director: "Director") -> None:
    if not director.draining:
        print("finishing the running matches; once more: leave them as they stand", file=sys.stderr)
    director.stop()


def _say_spent(director: "Director") -> None:
    """What time was spent on, summed over tables, and the processor's time."""
    import resource

    for what, seconds in sorted(director.spent.items(), key=lambda one: -one[1]):
        print(f"spent     {what:<8} {seconds:8.1f} s")
    for whose, usage in (("director", resource.RUSAGE_SELF), ("bots", resource.RUSAGE_CHILDREN)):
        used = resource.getrusage(usage)
        print(f"processor {whose:<8} {used.ru_utime + used.ru_stime:8.1f} s")
