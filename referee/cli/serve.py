"""Run the referee for bots that dial in. It ends when it is told to (SIGTERM or Ctrl-C): running matches are finished.

Matches are set up with CreateMatch, or right here with --match. A file of tokens is JSON: {"organiser": "...", "bots":
{"NAME": "..."}}; without it anybody who can connect may play, and so it listens on loopback only.

Every option may also stand in the environment (--act-ms: TOEP_SERVE_ACT_MS) and in a TOML file (--config FILE: act-ms).
A flag counts more than the environment, that more than the file, and that more than the default.

example:
  toep serve --logs logs --match anna,bob,carol --match bob,carol,anna
"""

import argparse
import asyncio
import os
import secrets
import signal
from pathlib import Path

import msgspec
import structlog

from referee.cli.config import Number, Options, shown
from referee.cli.exits import CommandError
from referee.cli.matches import add_match, plan_from
from referee.cli.options import add_key, key_from
from referee.deal import SEED_SIZE
from referee.ruleset import RulesetError
from referee.service import tls
from referee.service.errors import HallError
from referee.service.names import Names
from referee.service.options import HOLD_MS, MAX_GRACE_SECONDS, MAX_LOBBY_SECONDS, MAX_MATCHES
from referee.service.rpc import version_text
from referee.service.server import BindError, Server, is_loopback
from referee.service.store import Store
from referee.service.telemetry import configure as configure_logging

log = structlog.get_logger()


class Tokens(msgspec.Struct, forbid_unknown_fields=True):
    """A file of tokens."""

    organiser: str
    bots: dict[str, str]


ENVIRONMENT = "TOEP_SERVE_"
"""What the variables of options begin with."""

ALIASES = {"TOEP_TOKENS": "tokens"}
MAX_DRAIN = 31_536_000
"""Seconds, a year."""

MAX_OPEN = 1_000_000
"""Matches at once that nobody means to exceed."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--address", default="127.0.0.1:7777", help="host:port or unix:PATH (default: 127.0.0.1:7777)")
    parser.add_argument("--logs", type=Path, default=Path("logs"), metavar="DIR", help="where logs go (default: logs)")
    parser.add_argument("--tokens", type=Path, metavar="FILE", help="who may play and who may create matches")
    parser.add_argument(
        "--tls-cert", type=Path, metavar="FILE", help="encrypt with this certificate and its chain, PEM"
    )
    parser.add_argument("--tls-key", type=Path, metavar="FILE", help="the key of that certificate, PEM")
    parser.add_argument(
        "--tls-client-ca", type=Path, metavar="FILE", help="every client needs a certificate of this authority too"
    )
    parser.add_argument(
        "--plaintext", action="store_true", help="listen beyond this machine although nothing is encrypted"
    )
    parser.add_argument("--match", action="append", default=[], metavar="A,B,...", help="set up a match of these bots")
    parser.add_argument(
        "--deals", metavar="NAME", help="the same cards in every --match: seeds are revealed when all of them are over"
    )
    parser.add_argument(
        "--lobby-seconds",
        type=Number(int, 0, MAX_LOBBY_SECONDS),
        default=0,
        metavar="S",
        help="cancel a match whose bots have not all come by then (default: 0, wait for ever)",
    )
    parser.add_argument(
        "--grace-seconds",
        type=Number(int, 0, MAX_GRACE_SECONDS),
        default=0,
        metavar="S",
        help="forfeit a bot that was lost in a match and is not back by then (default: 0, only its clocks decide)",
    )
    parser.add_argument(
        "--max-matches",
        type=Number(int, 1, MAX_OPEN),
        default=MAX_MATCHES,
        metavar="N",
        help=f"refuse new matches while so many wait or are played (default: {MAX_MATCHES})",
    )
    parser.add_argument("--once", action="store_true", help="end when every match of --match is over")
    parser.add_argument(
        "--drain",
        type=Number(float, 0, MAX_DRAIN),
        default=600.0,
        metavar="S",
        help="seconds for running matches at the end",
    )
    parser.add_argument(
        "--durable", action="store_true", help="tell nobody anything before the lines behind it are on the disk"
    )
    add_key(parser)
    parser.add_argument("--json-log", action="store_true", help="the referee's own log as JSON lines")
    parser.add_argument("--metrics", metavar="ADDRESS", help="host:port on this machine where Prometheus finds numbers")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file of options")
    parser.add_argument("--print-config", action="store_true", help="print the values that count, and end")
    add_match(parser)
    Options(parser, ENVIRONMENT, ALIASES)


def run(args: argparse.Namespace) -> int:
    options: Options = args.options
    values = options.effective(args, os.environ)
    if values["print_config"].value:
        print(shown(values))
        return 0
    return serve(argparse.Namespace(**{name: one.value for name, one in values.items()}))


def serve(args: argparse.Namespace) -> int:
    """Run the referee with these options; raises `CommandError`."""
    configure_logging(verbose=True, as_json=args.json_log)
    _check_addresses(args)
    plan_from(args, [])  # Also when no match needs them yet: rules or a conduct that cannot be.
    if args.once and not args.match:
        raise CommandError("--once: there is no --match to wait for")
    if args.deals and not args.match:
        raise CommandError("--deals: there is no --match that it could be about")
    tokens = read_tokens(args.tokens) if args.tokens else None
    signer = key_from(args)
    try:
        encryption = tls.load(args.tls_cert, args.tls_key, args.tls_client_ca) if args.tls_cert else None
        store = Store(args.logs, durable=args.durable)
        store.lock()
        server = Server(
            store,
            address=args.address,
            tokens=tokens.bots if tokens else None,
            organiser=tokens.organiser if tokens else "",
            signer=signer,
            tls=encryption,
            metrics=args.metrics or "",
            lobby_seconds=args.lobby_seconds,
            names=Names(store.resume_key(), _hold_ms(args.grace_seconds)),
            grace_seconds=args.grace_seconds,
            max_matches=args.max_matches,
        )
        asyncio.run(_serve(server, args))
    except (RulesetError, HallError, BindError, tls.TlsError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename or args.logs}: {error.strerror}") from None
    return 0


def _check_addresses(args: argparse.Namespace) -> None:
    """Raise `CommandError` where something secret would travel in the clear, or was meant to and cannot."""
    if (args.tls_cert is None) != (args.tls_key is None):
        raise CommandError("--tls-cert and --tls-key belong together: give both")
    if args.tls_client_ca and not args.tls_cert:
        raise CommandError("--tls-client-ca: clients show certificates only with --tls-cert and --tls-key")
    if args.tls_cert and args.plaintext:
        raise CommandError("--plaintext: with --tls-cert everything is encrypted; leave one of them out")
    if not is_loopback(args.address) and not (args.tokens and (args.tls_cert or args.plaintext)):
        raise CommandError(
            f"--address {args.address} can be reached from other machines: give --tokens FILE, and --tls-cert FILE"
            " --tls-key FILE, or --plaintext to say that nothing is encrypted"
        )
    if args.metrics and (args.metrics.startswith("unix:") or not is_loopback(args.metrics)):
        raise CommandError(f"--metrics {args.metrics}: give an address of this machine only, such as 127.0.0.1:9464")


async def _serve(server: Server, args: argparse.Namespace) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    address = await server.start()
    if args.tokens or args.tls_cert:
        loop.add_signal_handler(signal.SIGHUP, read_again, server, args)
    try:
        try:
            seatings = server.hall.take_up(version_text())
            for names in args.match:
                plan = msgspec.structs.replace(plan_from(args, names.split(",")), deals=args.deals or "")
                seatings.append(server.hall.create(plan, secrets.token_bytes(SEED_SIZE), declared=False))
            if args.deals:
                server.hall.close_deals(args.deals)
        except BaseException:
            # A wrong option must not cost the matches of an earlier process.
            server.hall.let_go()
            raise
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


def read_again(server: Server, args: argparse.Namespace) -> None:
    """Read the tokens and the certificates again. When one of the files cannot be used, everything stays as it was."""
    try:
        tokens = read_tokens(args.tokens) if args.tokens else None
        certificates = server.tls.reread() if server.tls else None
    except (CommandError, tls.TlsError) as error:
        log.error("files not read again", error=str(error))
        return
    server.use(
        tokens=tokens.bots if tokens else None,
        organiser=tokens.organiser if tokens else "",
        certificates=certificates,
    )
    expires = server.tls.expires.isoformat(timespec="seconds") if server.tls else None
    log.info("files read again", bots=len(tokens.bots) if tokens else None, certificate_until=expires)


def _hold_ms(grace_seconds: int) -> int:
    """How long a name is kept for a bot that was lost; short enough that one that was started anew can still come."""
    return min(HOLD_MS, 500 * grace_seconds) if grace_seconds else HOLD_MS


async def _drain(server: Server, stop: asyncio.Event, seconds: float) -> None:
    """Finish running matches; a second signal cuts that short."""
    stop.clear()
    draining = asyncio.create_task(server.drain("the referee is closing down", seconds))
    hurry = asyncio.create_task(stop.wait())
    await asyncio.wait((draining, hurry), return_when=asyncio.FIRST_COMPLETED)
    draining.cancel()
    hurry.cancel()


def read_tokens(path: Path) -> Tokens:
    """The tokens in a file; raises `CommandError`."""
    try:
        mode = path.stat().st_mode & 0o777
        if mode & tls.OTHERS:
            raise CommandError(f"--tokens {path}: others have access to it (mode {mode:04o}): chmod 600 {path}")
        return msgspec.json.decode(path.read_bytes(), type=Tokens)
    except OSError as error:
        raise CommandError(f"--tokens {path}: {error.strerror}") from None
    except (msgspec.DecodeError, msgspec.ValidationError):
        # The decoder's message may quote a token.
        raise CommandError(f'--tokens {path}: it must be {{"organiser": "...", "bots": {{"NAME": "..."}}}}') from None
