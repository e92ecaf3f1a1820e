"""Run a sample bot: random, careful or caller. It finds the referee in its environment.

example:
  TOEP_ADDRESS=127.0.0.1:7777 TOEP_BOT=anna toep bot careful
"""

import argparse

from toep_client.__main__ import SAMPLES, main


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=list(SAMPLES), help="which sample")


def run(args: argparse.Namespace) -> int:
    return main([args.name])
