"""The spec that ``toep tournament init`` writes: it can be played as it is, and names every key there is."""

import json
from typing import Final

from referee.log.policy import told
from referee.log.records import Conduct

_TEXT: Final = """\
# An event of `toep tournament`. It can be played as it is:  toep tournament run FILE
# What stands behind a bare # is the default. docs/tournament.md has all about every key.

name = "{name}"            # matches are named after it: letters, digits, '.', '_', '-'

# -- the game ------------------------------------------------------------------

rules = "cafe"             # a preset (`toep rules list`), or a table: rules = {{ preset = "cafe", limit = 15 }}
seats = 3                  # bots at a table, 2 to 8
length = {{ rounds = 60 }}   # rounds of a match, each from zero points; or "game": to the end by the rules

# -- who meets whom ------------------------------------------------------------

# "round-robin": everybody with everybody, over all tables.
# "gauntlet": candidates, each at a table of references:  format = {{ kind = "gauntlet", candidates = ["anna"] }}
# "pair": two candidates against each other; with more than two seats references fill the table.
format = {{ kind = "round-robin" }}

# The deals of a block are played from several seatings, so that luck hits all alike.
# "none": one seating. "rotation": each bot in each seat. "williams": also behind each other bot equally often.
# "fixed-field": candidates come one by one to the same seat of the same references.
duplicates = "rotation"
blocks = 20                # deal blocks, each with cards of its own; 0: once through all tables

# -- whose bots they are -------------------------------------------------------

# Who sees a deal twice knows hidden cards. "own": the bots are yours, and do not remember.
# "isolated": they cannot, in a sandbox. "strangers": nobody sees a deal twice ("none" or "fixed-field" only).
trust = "own"
#isolation = "auto"        # what keeps bots apart: "none", "uid" (users of their own), "sandbox"; "auto": the strongest

# -- cards ---------------------------------------------------------------------

# Without a seed here all cards are secret until a block is over. A declared seed makes an event that can be repeated.
#seed = ""                 # 64 hex digits, public
#seed_file = ""            # a file with 64 hex digits, secret

# -- how it is run -------------------------------------------------------------

#clock = "ms"              # "none": no times in the logs, so that the same seed gives the same bytes
concurrency = 2            # matches at once
#faulted = "replace"       # a block with a fault in it: "replace" it with fresh deals, "drop" it, or "keep" it
#replacements = 1          # how often one block is replaced before it is dropped
#output = ""               # the event's folder; empty: this file's name with .event
#lobby_seconds = 60        # how long a match waits for its bots; 0: for ever

# For bots that dial in (remote = true):
#address = "127.0.0.1:7777"   # where: host:port or unix:PATH
#tokens = ""                  # a file: {{"NAME": "TOKEN"}}
#tls_cert = ""                # PEM
#tls_key = ""                 # PEM
#plaintext = false            # true: they dial in from other machines, and nothing is encrypted

# What the referee does about silence and nonsense (docs/organiser.md, Conduct).
[conduct]
{conduct}

# Stop a pair's event as soon as it is clear whether the first candidate is better (docs/statistics.md):
#[stop]
#low = 0.0                 # it is not: the mean of a block's advantage, in standard deviations of it
#high = 0.2                # it is
#alpha = 0.05              # how often high may be taken for true when low is
#beta = 0.05               # how often low may be taken for true when high is
#minimum = 10              # blocks before which it does not stop

# -- bots ----------------------------------------------------------------------

[[bots]]
name = "careful"
command = "careful"        # a sample bot: random, careful, caller

[[bots]]
name = "caller"
command = ["toep", "bot", "caller"]   # any program, with its arguments
#folder = "."              # where it is started, seen from this file
#environment = {{}}          # variables: {{ LEVEL = "3" }}
#remote = false            # true: it is not started, it dials in, and has no command
#limits = {{ memory_mb = 0, processes = 0, files = 0, output_kb = 1024 }}   # 0: no limit; output: standard error
#reads = []                # more files and folders that it may read in a sandbox, seen from this file

[[bots]]
name = "random"
command = "random"
"""


def init_text(name: str) -> str:
    """A commented spec for an event of this name, which `EVENT_NAME` allows."""
    return _TEXT.format(name=name, conduct="\n".join(_conduct()))


def _conduct() -> list[str]:
    return [f"#{name} = {json.dumps(value)}" for name, value in sorted(told(Conduct()).items())]
