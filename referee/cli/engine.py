"""Answer rule cases on standard input, one JSON object a line, for comparing engines.

example:
  $ echo '{"op":"hello"}' | toep engine
  $ echo '{"op":"run","seq":1,"case":{"rules":"short","seats":2,"start":{"hands":[["Jh"],["Th"]],"lead":0},
    "acts":[{"_":"play","seat":0,"card":"Jh"}]}}' | tr -d '\\n' | toep engine

Operations: hello, run, count, replay, bye. The command ends with exit code 0 on bye and at the end of the input; a
line it cannot make sense of gets an "errored" answer. fixtures/cases/README.md describes cases and answers.
"""

import argparse
import sys

from referee.cli.exits import VALID


def configure(parser: argparse.ArgumentParser) -> None:
    """No options: everything is in the requests."""


def run(args: argparse.Namespace) -> int:
    """Serve standard input until it ends."""
    from referee.conformance.engine import serve

    serve(iter(sys.stdin.buffer.readline, b""), sys.stdout.buffer)
    return VALID
