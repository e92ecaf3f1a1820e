"""What in a spec contradicts itself, or the game."""

import re
from collections import Counter
from collections.abc import Iterator
from math import comb
from typing import Final

from msgspec import UNSET

from referee.log.canonical import display_name_fault
from referee.log.records import Rounds
from referee.tournament import trust
from referee.tournament.lines import Key
from referee.tournament.spec_types import MAX_BLOCKS, Bot, Limits, Pair, RoundRobin, Spec

VARIABLE: Final = re.compile(r"\A[A-Za-z_][A-Za-z0-9_]*\Z")
RESERVED: Final = "TOEP_"
"""What the names of those variables begin with in which a bot finds its referee."""

ADDRESS: Final = re.compile(r"\A(unix:.+|(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):\d{1,5})\Z")
LOCAL: Final = re.compile(r"\A(127\.\d+\.\d+\.\d+|localhost|\[::1\]):\d+\Z")
TIMED: Final = ("bank_ms", "increment_ms")
"""What of a conduct needs a clock whose times stand in the log."""

Contradiction = tuple[Key, str]


def contradictions(spec: Spec) -> Iterator[Contradiction]:
    """Each as the key to change, and what is wrong and the way out; the most basic first, and the later ones only make
    sense when it is put right."""
    for place, bot in enumerate(spec.bots):
        for key, why in _of_bot(bot):
            yield ("bots", place, *key), why
    for name, count in Counter(bot.name for bot in spec.bots).items():
        if count > 1:
            second = [place for place, bot in enumerate(spec.bots) if bot.name == name][1]
            yield ("bots", second, "name"), f"{name} is there {count} times; give each bot a name of its own"
    yield from _of_format(spec)
    yield from _of_blocks(spec)
    yield from _of_secrets(spec)
    yield from _of_conduct(spec)
    yield from _of_network(spec)


def _of_bot(bot: Bot) -> Iterator[Contradiction]:
    if not bot.name.isascii() or not bot.name.isprintable() or display_name_fault(bot.name):
        yield ("name",), f"{bot.name!r} has characters that a bot's name may not have; use printable ASCII"
    if bot.remote:
        for field, default in (("command", UNSET), ("folder", "."), ("environment", {}),
                               ("limits", Limits()), ("reads", [])):  # fmt: skip
            if getattr(bot, field) != default:
                yield (field,), f"a remote bot starts itself; leave out {field}, or remote"
        return
    if any(not path or "\0" in path for path in bot.reads):
        yield ("reads",), "write files and folders, seen from this file"
    if bot.command is UNSET:
        yield ("command",), "it is missing; write the command that starts the bot, or remote = true"
        return
    if not bot.command or not bot.command[0]:
        yield ("command",), "there is nothing in it; write the command that starts the bot"
    for word in bot.command:
        if "\0" in word:
            yield ("command",), "U+0000 cannot stand in a command"
    for name, value in bot.environment.items():
        if not VARIABLE.match(name):
            yield ("environment", name), "the name of a variable has letters, digits and '_', and no digit first"
        elif name.startswith(RESERVED):
            yield ("environment", name), f"variables that begin with {RESERVED} are the referee's own; leave it out"
        elif "\0" in value:
            yield ("environment", name), "U+0000 cannot stand in a variable"


def _of_format(spec: Spec) -> Iterator[Contradiction]:
    seats, bots, least = spec.seats, len(spec.bots), spec.rules.min_players
    if seats < least:
        yield ("seats",), f"these rules take {least} to 8 players; write seats = {least}, or rules for two"
    if bots < seats:
        yield ("bots",), f"there are {bots} for tables of {seats} seats; add some, or write seats = {bots}"
        return
    if isinstance(spec.format, RoundRobin):
        if spec.duplicates == "fixed-field":
            yield (
                ("duplicates",),
                (
                    'a round robin has no field of references to be fixed; write format = { kind = "gauntlet", '
                    "candidates = [...] }, or other duplicates"
                ),
            )
        return
    names, candidates = [bot.name for bot in spec.bots], spec.format.candidates
    key = ("format", "candidates")
    for place, name in enumerate(candidates):
        if name not in names:
            yield (*key, place), f"no bot is called {name!r}; there are {', '.join(names)}"
        elif name in candidates[:place]:
            yield (*key, place), f"{name} is there twice; name each candidate once"
    references = bots - len(set(candidates))
    together = isinstance(spec.format, Pair) and spec.duplicates != "fixed-field"
    wanted = seats - (2 if together else 1)
    if isinstance(spec.format, Pair) and seats == 2:
        if spec.duplicates == "fixed-field":
            yield (
                ("duplicates",),
                (
                    "with two seats the candidates sit opposite each other, and no field is left; "
                    "write seats = 3 or more, or other duplicates"
                ),
            )
        elif bots > 2:
            yield (
                ("bots",),
                (
                    f"there are {bots}, and at tables of two seats only the two candidates play; leave out the others, "
                    "or write seats = 3 or more"
                ),
            )
    elif references < wanted:
        yield (
            key,
            (
                f"that leaves {references} references, and {wanted} sit at each table; "
                "add bots, or name fewer candidates, or write fewer seats"
            ),
        )


def _of_blocks(spec: Spec) -> Iterator[Contradiction]:
    if not spec.blocks and isinstance(spec.format, RoundRobin) and len(spec.bots) >= spec.seats:
        tables = comb(len(spec.bots), spec.seats)
        if tables > MAX_BLOCKS:
            yield (
                ("blocks",),
                f"once through all tables would be {tables:,} blocks; write how many, {MAX_BLOCKS:,} at most",
            )
    if spec.replacements != 1 and spec.faulted != "replace":
        yield ("replacements",), f'faulted = "{spec.faulted}" replaces nothing; leave it out, or write "replace" there'
    if spec.stop is UNSET:
        return
    if not isinstance(spec.format, Pair):
        yield (
            ("stop",),
            'a sequential test is about two candidates; write format = { kind = "pair", ... }, or leave it out',
        )
    if spec.stop.low >= spec.stop.high:
        yield ("stop", "high"), f"it must be more than low, which is {spec.stop.low}"
    if 0 < spec.blocks < spec.stop.minimum:
        yield ("stop", "minimum"), f"the event has {spec.blocks} blocks, so it would never stop early; write less"


def _of_secrets(spec: Spec) -> Iterator[Contradiction]:
    if spec.seed and spec.seed_file:
        yield ("seed_file",), "there is a declared seed too; leave out one of them"
    if spec.seed and spec.trust != "own":
        yield (
            ("seed",),
            (
                f'who reads this file knows all cards, and trust = "{spec.trust}" says that not all bots are yours; '
                'leave it out, or write seed_file, or trust = "own"'
            ),
        )
    if spec.trust == "isolated" and spec.isolation not in ("auto", trust.KEEPS_NOTHING):
        yield ("isolation",), f'trust = "isolated" needs isolation = "{trust.KEEPS_NOTHING}", or "auto"'
    for place, one in enumerate(spec.bots):
        if spec.isolation == "none" and one.limits.processes:
            yield (
                ("bots", place, "limits", "processes"),
                'they are counted by user, so isolation = "none" cannot limit them; leave it out, or write "uid" or '
                '"sandbox" there',
            )
    for bot, times in enumerate(trust.meetings(spec)):
        # What this machine has is looked at when the event is run.
        if why := trust.refusal(spec, bot, times, trust.KEEPS_NOTHING):
            yield ("duplicates",), why.removeprefix("duplicates = ")
            return


def _of_conduct(spec: Spec) -> Iterator[Contradiction]:
    most = spec.conduct.max_deals
    if isinstance(spec.length, Rounds) and spec.length.rounds > most:
        yield (
            ("length", "rounds"),
            (
                f"every match would be abandoned after {most:,} deals, as conduct has it; write {most:,} at most, or "
                "a larger max_deals under [conduct]"
            ),
        )
    for name in TIMED:
        if spec.clock == "none" and getattr(spec.conduct, name) is not UNSET:
            yield ("conduct", name), 'with clock = "none" no time is counted; leave it out, or write clock = "ms"'


def _of_network(spec: Spec) -> Iterator[Contradiction]:
    remote = any(bot.remote for bot in spec.bots)
    if not ADDRESS.match(spec.address):
        yield ("address",), "write HOST:PORT or unix:PATH"
    for name in ("tokens", "tls_cert", "tls_key", "plaintext"):
        if getattr(spec, name) and not remote:
            yield (name,), "it is for bots that dial in, and none has remote = true; leave it out"
    if bool(spec.tls_cert) != bool(spec.tls_key):
        missing = "tls_key" if spec.tls_cert else "tls_cert"
        yield (missing,), "it is missing; encryption needs tls_cert and tls_key"
    if spec.tls_cert and spec.plaintext:
        yield ("plaintext",), "with tls_cert everything is encrypted; leave out one of them"
    here = spec.address.startswith("unix:") or LOCAL.match(spec.address) is not None
    if remote and not spec.tokens and not here:
        yield (
            ("tokens",),
            (
                f"it is missing; at {spec.address} anybody could play as any bot. Write a file of tokens, "
                "or an address of this machine only"
            ),
        )
    if remote and not here and not spec.tls_cert and not spec.plaintext:
        yield (
            ("tls_cert",),
            (
                f"it is missing; at {spec.address} cards and tokens would travel in the clear. Write tls_cert and "
                "tls_key, or plaintext = true where a tunnel or a proxy encrypts"
            ),
        )
