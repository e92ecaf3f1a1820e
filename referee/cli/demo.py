"""Play a match between four sample bots over gRPC on loopback, show its standings and verify its log.

example:
  toep demo
"""

import argparse
from pathlib import Path

from referee.cli import play, verify

BOTS = ("careful", "random", "caller", "random")


def configure(parser: argparse.ArgumentParser) -> None:
    play.configure_parser(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="the log (default: demo/MATCH.toep)")


def run(args: argparse.Namespace) -> int:
    print(f"four bots, each a process of its own, play {args.rules} over gRPC on loopback")
    result, path = play.play(args, list(BOTS), args.output, folder=Path("demo"))
    play.print_result(result)
    print(f"log: {path}")
    checker = argparse.ArgumentParser()
    verify.configure(checker)
    return verify.run(checker.parse_args([str(path)]))
