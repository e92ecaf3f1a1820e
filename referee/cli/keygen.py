"""Make a key for a referee, which signs the seals of its logs with it (`--key FILE` of `toep play` and `toep serve`).

NAME is how signatures name the key: best a name of your own that looks like an address without `https://`. FILE gets
the private key, readable by you only; FILE.pub and standard output get the public key. Nothing is overwritten.

example:
  toep keygen club.example/referee -o referee.key
  toep keygen --show referee.key
"""

import argparse
import secrets
from pathlib import Path

from referee.cli.exits import VALID, CommandError
from referee.log.ed25519 import KEY_SIZE
from referee.log.keyfile import KeyFileError, read_key, write_key
from referee.log.note import KeyTextError, Signer


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="the key's name: printable ASCII, no spaces, no '+'")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="where the new private key goes")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print the public key of this private key")


def run(args: argparse.Namespace) -> int:
    """Make a key or show one, and print its vkey; raises `CommandError`."""
    if args.show is not None and (args.name is not None or args.output is not None):
        raise CommandError("--show FILE goes alone")
    try:
        if args.show is not None:
            print(read_key(args.show).vkey)
            return VALID
        if args.name is None or args.output is None:
            raise CommandError("give NAME and -o FILE for a new key, or --show FILE")
        signer = Signer(args.name, secrets.token_bytes(KEY_SIZE))
        write_key(args.output, signer)
    except (KeyTextError, KeyFileError) as error:
        raise CommandError(str(error)) from None
    print(signer.vkey)
    return VALID
