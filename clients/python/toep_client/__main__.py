"""``python -m toep_client NAME``: runs a sample bot. ``python -m toep_client bridge -- CMD``: runs a bridged one."""

import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from toep_client import bridge, entry
from toep_client.bot import Bot
from toep_client.errors import USAGE
from toep_client.samples.caller import Caller
from toep_client.samples.careful import Careful
from toep_client.samples.random import Random

SAMPLES: Final[dict[str, type[Bot]]] = {"random": Random, "careful": Careful, "caller": Caller}
"""The sample bots by name."""

HELP: Final = f"""usage: toep-client NAME
       toep-client bridge -- CMD [ARGUMENT...]

Plays as one of the sample bots ({", ".join(SAMPLES)}), or as a program that speaks JSON lines.

environment:
  TOEP_ADDRESS   where the referee is: host:port or unix:path
  TOEP_BOT       the bot's name, the one that the match was created with
  TOEP_TOKEN     optional: the bot's secret
  TOEP_TLS_CA    optional: encrypt, and trust the authority in this file (TOEP_TLS=1: those of the system)
  TOEP_PARALLEL  optional: how many asks the referee may put at once
  TOEP_MATCHES   optional: leave after that many matches

example:
  TOEP_ADDRESS=127.0.0.1:7777 TOEP_BOT=anna toep-client careful"""


def main(argv: Sequence[str]) -> int:
    """Runs what the arguments say, and returns the exit code."""
    match list(argv):
        case ["-h" | "--help"]:
            print(HELP)
            return 0
        case ["bridge", *rest]:
            return bridge.main(rest)
        case [name] if name in SAMPLES:
            return entry.main(SAMPLES[name](), os.environ)
    print(HELP, file=sys.stderr)
    return USAGE


def run() -> NoReturn:
    """The entry point of the command."""
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
