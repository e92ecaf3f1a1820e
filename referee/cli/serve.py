"""Run the referee for bots that dial in. It ends when it is told to (SIGTERM or Ctrl-C): running matches are finished.

Matches are set up with CreateMatch, or right here with --match. A file of tokens is JSON: {"organiser": "...", "bots":
{"NAME": "..."}}; without it anybody who can connect may play, and so it listens on loopback only.

example:
  toep serve --logs logs --match anna,bob,carol --match bob,carol,anna
"""

import argparse
import asyncio
import secrets
import signal
from pathlib import Path

import msgspec

from referee.cli.exits import CommandError
from referee.cli.matches import add_match, plan_from
from referee.cli.options import add_key, key_from
from referee.deal import SEED_SIZE
from referee.ruleset import RulesetError
from referee.service.hall import HallError
from referee.service.server import BindError, Server, is_loopback
from referee.service.store import Store
from referee.service.telemetry import configure as configure_logging


class Tokens(msgspec.Struct, forbid_unknown_fields=True):
    """A file of tokens."""

    organiser: str
    bots: dict[str, str]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--address", default="127.0.0.1:7777", help="host:port or unix:PATH (default: 127.0.0.1:7777)")
    parser.add_argument("--logs", type=Path, default=Path("logs"), metavar="DIR", help="where logs go (default: logs)")
    parser.add_argument("--tokens", type=Path, metavar="FILE", help="who may play and who may create matches")
    parser.add_argument(
        "--plaintext", action="store_true", help="listen beyond this machine although nothing is encrypted"
    )
    parser.add_argument("--match", action="append", default=[], metavar="A,B,...", help="set up a match of these bots")
    parser.add_argument(
        "--deals", metavar="NAME", help="the same cards in every --match: seeds are revealed when all of them are over"
    )
    parser.add_argument("--once", action="store_true", help="end when every match of --match is over")
    parser.add_argument(
        "--drain", type=float, default=600.0, metavar="S", help="seconds for running matches at the end"
    )
    add_key(parser)
    parser.add_argument("--json-log", action="store_true", help="the referee's own log as JSON lines")
    add_match(parser)


def run(args: argparse.Namespace) -> int:
    configure_logging(verbose=True, as_json=args.json_log)
    if not is_loopback(args.address) and not (args.tokens and args.plaintext):
        raise CommandError(
            f"--address {args.address} can be reached from other machines: give --tokens FILE, and --plaintext to say"
            " that nothing is encrypted"
        )
    if args.once and not args.match:
        raise CommandError("--once: there is no --match to wait for")
    if args.deals and not args.match:
        raise CommandError("--deals: there is no --match that it could be about")
    tokens = _tokens(args.tokens) if args.tokens else None
    signer = key_from(args)
    try:
        store = Store(args.logs)
        server = Server(
            store,
            address=args.address,
            tokens=tokens.bots if tokens else None,
            organiser=tokens.organiser if tokens else "",
            signer=signer,
        )
        asyncio.run(_serve(server, args))
    except (RulesetError, HallError, BindError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename or args.logs}: {error.strerror}") from None
    return 0


async def _serve(server: Server, args: argparse.Namespace) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    address = await server.start()
    try:
        server.hall.sets.take_up()
        seatings = []
        for names in args.match:
            plan = msgspec.structs.replace(plan_from(args, names.split(",")), deals=args.deals or "")
            seatings.append(server.hall.create(plan, secrets.token_bytes(SEED_SIZE), declared=False))
        if args.deals:
            server.hall.close_deals(args.deals)
        print(f"listening on {address}", flush=True)
        if args.once:
            waiting = [asyncio.create_task(seating.done.wait()) for seating in seatings]
            stopping = asyncio.create_task(stop.wait())
            everything = asyncio.gather(*waiting)
            await asyncio.wait((everything, stopping), return_when=asyncio.FIRST_COMPLETED)
            everything.cancel()
            stopping.cancel()
        else:
            await stop.wait()
        if not args.once:
            await _drain(server, stop, args.drain)
    finally:
        await server.stop()


async def _drain(server: Server, stop: asyncio.Event, seconds: float) -> None:
    """Finish running matches; a second signal cuts that short."""
    stop.clear()
    draining = asyncio.create_task(server.drain("the referee is closing down", seconds))
    hurry = asyncio.create_task(stop.wait())
    await asyncio.wait((draining, hurry), return_when=asyncio.FIRST_COMPLETED)
    draining.cancel()
    hurry.cancel()


def _tokens(path: Path) -> Tokens:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Tokens)
    except OSError as error:
        raise CommandError(f"--tokens {path}: {error.strerror}") from None
    except (msgspec.DecodeError, msgspec.ValidationError):
        # The decoder's message may quote a token.
        raise CommandError(f'--tokens {path}: it must be {{"organiser": "...", "bots": {{"NAME": "..."}}}}') from None
