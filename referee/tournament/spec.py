"""The spec of an event: one TOML file, read strictly.

A key that nobody knows, a value of the wrong type or out of its range, and keys that contradict each other are errors
that name file, line and key. Whatever a spec leaves out has the default of `referee.tournament.spec_types`.
"""

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any, Final

import msgspec

from referee.log.policy import NOTHING
from referee.ruleset import RulesetError, resolve
from referee.tournament import sense, wording
from referee.tournament.errors import SpecError
from referee.tournament.lines import Key, line_of, lines_of
from referee.tournament.spec_types import (
    Bot,
    Duplicates,
    Gauntlet,
    Isolation,
    Limits,
    Pair,
    RoundRobin,
    SequentialStop,
    Spec,
    Trust,
)

__all__ = [
    "Bot",
    "Duplicates",
    "Gauntlet",
    "Isolation",
    "Limits",
    "Pair",
    "RoundRobin",
    "SequentialStop",
    "Spec",
    "SpecError",
    "Trust",
    "output_of",
    "parse_spec",
    "read_spec",
]

MAX_BYTES: Final = 1024 * 1024
"""Of a spec."""

_AT_LINE: Final = re.compile(r" \(at line (\d+), column (\d+)\)")


def read_spec(path: Path) -> Spec:
    """The spec in a file; raises `SpecError` for what is wrong with it, `OSError` when it cannot be read."""
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    return parse_spec(data, path)


def parse_spec(data: bytes, path: Path | str) -> Spec:
    """The spec that the bytes of a file are; ``path`` is what errors call it. Raises `SpecError`."""
    if len(data) > MAX_BYTES:
        raise SpecError(path, 1, "", f"more than {MAX_BYTES:,} bytes; a spec names bots, it does not contain them")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SpecError(path, line, "", "not a text in UTF-8; save it as UTF-8") from None
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SpecError(path, *_toml_fault(str(error), text)) from None
    except RecursionError:
        raise SpecError(path, 1, "", "nested too deeply; a spec needs tables in lists in tables at most") from None
    lines = lines_of(text)

    def fault(key: Key, why: str) -> SpecError:
        return SpecError(path, line_of(lines, key), wording.spelled(key), why)

    _put_rules(table, fault)
    _put_commands(table, fault)
    _put_conduct(table)
    try:
        spec = msgspec.convert(table, Spec)
    except msgspec.ValidationError as error:
        raise fault(*wording.explain(str(error), table, Spec)) from None
    for key, why in sense.contradictions(spec):
        raise fault(key, why)
    return spec


def output_of(spec: Spec, path: Path) -> Path:
    """The event's folder, for the spec in the file ``path``."""
    return path.parent / spec.output if spec.output else path.with_name(path.stem + ".event")


def _toml_fault(message: str, text: str) -> tuple[int, str, str]:
    found = _AT_LINE.search(message)
    # At the end of the document there is no line in the message.
    line = int(found[1]) if found else text.count("\n") + 1
    why = _AT_LINE.sub("", message).replace(" (at end of document)", " at the end of the file")
    return line, "", f"not TOML: {why[:1].lower()}{why[1:]}"


def _put_rules(table: dict[str, Any], fault: Any) -> None:
    """The whole rule set in the place of what the file says about it."""
    rules = table.get("rules")
    if rules is None:
        return
    if not isinstance(rules, str | dict):
        raise fault(("rules",), "write a preset in quotes, or a table of options with preset = ...")
    try:
        table["rules"] = msgspec.to_builtins(resolve(rules))
    except RulesetError as error:
        inside = isinstance(rules, dict) and error.option in rules
        why = str(error).removeprefix(f"{error.option}: ")
        raise fault(("rules", error.option) if inside else ("rules",), why) from None


def _put_conduct(table: dict[str, Any]) -> None:
    """A conduct without the fields whose value says the same as their absence."""
    conduct = table.get("conduct")
    if isinstance(conduct, dict):
        # A boolean equals a number, and is still no number.
        table["conduct"] = {
            name: value
            for name, value in conduct.items()
            if name not in NOTHING or type(value) is bool or value != NOTHING[name]
        }


def _put_commands(table: dict[str, Any], fault: Any) -> None:
    """A list of words in the place of a command that is one text."""
    bots = table.get("bots")
    for place, bot in enumerate(bots if isinstance(bots, list) else ()):
        if not isinstance(bot, dict) or not isinstance(bot.get("command"), str):
            continue
        try:
            bot["command"] = shlex.split(bot["command"])
        except ValueError as error:
            raise fault(("bots", place, "command"), f"{error}; or write a list of words") from None
