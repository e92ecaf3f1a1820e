"""Let a program that only reads and writes JSON lines play: each ask is a line to it, each line from it an act.

example:
  toep play --bot random --bot random --bot "mine=toep bridge -- sh my_bot.sh"
"""

import argparse

from toep_client import bridge


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="-- CMD", help="the program and its arguments")


def run(args: argparse.Namespace) -> int:
    return bridge.main(args.command)
