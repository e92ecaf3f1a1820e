"""Make tokens for the bots that dial in: one for each bot of SPEC with remote = true, in the file that SPEC names.

A bot that has one keeps it. Nobody but you can read the file; no token is shown. Send each author the address, the
name and the token of his bot, on a way that nobody else reads.

example:
  toep tournament tokens spring.toml
"""

import argparse
from pathlib import Path

from referee.cli.exits import VALID, CommandError


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("spec", type=Path, metavar="SPEC", help="the event's file")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="the file of tokens, instead of the spec's")


def run(args: argparse.Namespace) -> int:
    """Write the file; raises `CommandError`."""
    from referee.tournament.errors import TournamentError
    from referee.tournament.remote import make_tokens
    from referee.tournament.spec import read_spec

    try:
        spec = read_spec(args.spec)
        remote = [bot.name for bot in spec.bots if bot.remote]
        if not remote:
            raise CommandError(f"{args.spec}: no bot has remote = true, so none needs a token")
        if args.output is None and not spec.tokens:
            raise CommandError(
                f'{args.spec}: it names no file of tokens; write tokens = "tokens.json", or give -o FILE'
            )
        path = args.output or args.spec.parent / spec.tokens
        made = make_tokens(path, remote)
    except TournamentError as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{args.spec}: {error.strerror}") from None
    kept = [bot for bot in remote if bot not in made]
    print(path)
    for what, bots in (("made for", made), ("kept for", kept)):
        if bots:
            print(f"{what} {', '.join(bots)}")
    return VALID
