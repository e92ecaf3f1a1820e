"""Options of one command from four places: its flags, its environment, one file, and its defaults, in this order.

Each option has one name: ``--act-ms`` is ``TOEP_SERVE_ACT_MS`` in the environment and ``act-ms`` in the file. A list
replaces the one of a place that counts less. What a place has that is no option, or a value that is none, is an error
that names the place and never shows the value.
"""

import argparse
import difflib
import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.cli.exits import CommandError

ENVIRONMENT: Final = "environment"
"""How `Settings.sources` calls a variable, before its name."""

OWN: Final = ("config", "print_config", "help")
"""Options that are about the options: they do not stand in a file."""

YES: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
MAX_CONFIG: Final = 1024 * 1024
"""Bytes of a file at most."""


class Number:
    """A type of argparse: a number between two bounds, both included."""

    def __init__(self, kind: type[int] | type[float], low: int, high: int) -> None:
        self.kind: Final = kind
        self._low = low
        self._high = high

    def __call__(self, text: str) -> int | float:
        try:
            value = self.kind(text)
        except ValueError:
            value = self._low - 1
        if not self._low <= value <= self._high:  # Neither is what is no number at all.
            whole = "whole number" if self.kind is int else "number"
            raise argparse.ArgumentTypeError(f"it must be a {whole} from {self._low} to {self._high}")
        return value


class Effective(NamedTuple):
    """What counts for an option."""

    value: Any
    source: str
    """``flag``, ``environment NAME``, ``FILE:LINE`` or ``default``."""


class Options:
    """The options of one command's parser, and how they are found out."""

    def __init__(self, parser: argparse.ArgumentParser, prefix: str, aliases: Mapping[str, str] | None = None) -> None:
        """Takes over the parser: from now on it leaves out what no flag said. ``prefix`` is that of the variables;
        ``aliases`` are names of further variables, with the option that each means."""
        self._prefix = prefix
        self._aliases = aliases or {}
        self._actions: dict[str, argparse.Action] = {}
        self._defaults: dict[str, Any] = {}
        for action in parser._actions:
            if action.dest != "help":
                self._actions[action.dest] = action
                self._defaults[action.dest] = action.default
                action.default = argparse.SUPPRESS
        parser.set_defaults(options=self)

    @property
    def names(self) -> list[str]:
        """The options that a file may have, as it spells them."""
        return [_spelled(name) for name in self._actions if name not in OWN]

    def effective(self, args: argparse.Namespace, environ: Mapping[str, str]) -> dict[str, Effective]:
        """The value of every option, by its name in a namespace, and where it is from; raises `CommandError`."""
        flags = {name: Effective(vars(args)[name], "flag") for name in self._actions if name in vars(args)}
        variables = self._from_environment(environ)
        defaults = {name: Effective(value, "default") for name, value in self._defaults.items()}
        config = {**defaults, **variables, **flags}["config"]
        file = self._from_file(config.value) if config.value is not None else {}
        return {**defaults, **file, **variables, **flags}

    # -- the environment -------------------------------------------------------------------------------------------

    def _from_environment(self, environ: Mapping[str, str]) -> dict[str, Effective]:
        found: dict[str, Effective] = {}
        for variable, text in environ.items():
            if variable in self._aliases:
                name = self._aliases[variable]
                if self._variable(name) in environ:
                    raise CommandError(f"{variable} and {self._variable(name)} mean the same: set one of them")
            elif variable.startswith(self._prefix):
                name = variable.removeprefix(self._prefix).lower()
                if name not in self._actions or name == "print_config" or variable != self._variable(name):
                    known = [self._variable(one) for one in self._actions if one != "print_config"]
                    raise CommandError(f"{variable}: there is no such option{_near(variable, known)}")
            else:
                continue
            if text:  # An empty variable is as good as none.
                found[name] = Effective(self._from_text(name, text, variable), f"{ENVIRONMENT} {variable}")
        return found

    def _variable(self, name: str) -> str:
        return self._prefix + name.upper()

    def _from_text(self, name: str, text: str, place: str) -> Any:
        action = self._actions[name]
        if action.nargs == 0:
            if text.lower() not in YES:
                raise CommandError(f"{place}: write true or false")
            return YES[text.lower()]
        if isinstance(action, argparse._AppendAction):
            return [self._typed(action, part.strip(), place) for part in text.split(";") if part.strip()]
        return self._typed(action, text, place)

    # -- the file --------------------------------------------------------------------------------------------------

    def _from_file(self, path: Path) -> dict[str, Effective]:
        try:
            with path.open("rb") as file:
                data = file.read(MAX_CONFIG + 1)
            text = data.decode("utf-8")
            if len(data) > MAX_CONFIG:
                raise CommandError(f"--config {path}: more than {MAX_CONFIG:,} bytes")
            table = tomllib.loads(text)
        except OSError as error:
            raise CommandError(f"--config {path}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise CommandError(f"--config {path}: not a text in UTF-8") from None
        except tomllib.TOMLDecodeError as error:
            raise CommandError(f"--config {path}: not TOML: {error}") from None
        found: dict[str, Effective] = {}
        for key, value in table.items():
            place = f"{path}:{_line_of(key, text)}"
            name = key.replace("-", "_")
            if key not in self.names:
                raise CommandError(f"{place}: there is no option {key!r}{_near(key, self.names)}")
            found[name] = Effective(self._from_toml(name, value, f"{place}: {key}"), place)
        return found

    def _from_toml(self, name: str, value: Any, place: str) -> Any:
        action = self._actions[name]
        if action.nargs == 0:
            if type(value) is not bool:
                raise CommandError(f"{place}: write true or false")
            return value
        if isinstance(action, argparse._AppendAction):
            if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
                raise CommandError(f'{place}: write a list of texts, such as ["..."]')
            return [self._typed(action, part, place) for part in value]
        kind = action.type.kind if isinstance(action.type, Number) else action.type
        number = kind in (int, float)
        if number and (type(value) is bool or not isinstance(value, int if kind is int else int | float)):
            raise CommandError(f"{place}: write a number, without quotes")
        if not number and not isinstance(value, str):
            raise CommandError(f"{place}: write a text, in quotes")
        return self._typed(action, str(value), place)

    def _typed(self, action: argparse.Action, text: str, place: str) -> Any:
        """The value that a text means, as the flag would have it."""
        kind: Any = action.type
        try:
            value = text if kind is None else kind(text)
        except argparse.ArgumentTypeError as error:
            raise CommandError(f"{place}: {error}") from None
        except ValueError:
            wanted = {int: "a whole number", float: "a number"}.get(kind, "something else")
            raise CommandError(f"{place}: it must be {wanted}") from None
        if action.choices is not None and value not in action.choices:
            raise CommandError(f"{place}: it must be one of {', '.join(map(str, action.choices))}")
        return value


def shown(values: Mapping[str, Effective]) -> str:
    """The values as a file that can be given to ``--config``, with where each is from; an unset one is a comment.

    There are no secrets to leave out: those stand in files, and this has only their names.
    """
    lines = []
    for name, (value, source) in values.items():
        if name in OWN:
            continue
        key = _spelled(name)
        lines.append(f"# {key} is not set" if value is None else f"{key} = {_toml(value)}  # {source}")
    return "\n".join(lines)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    # What JSON escapes in ASCII, TOML reads the same way, but for characters of two halves.
    return json.dumps(str(value), ensure_ascii=str(value).isascii()).replace("\x7f", "\\u007f")


def _spelled(name: str) -> str:
    return name.replace("_", "-")


def _line_of(key: str, text: str) -> int:
    """The line on which a key of the top level stands; 1 if it cannot be said."""
    quoted = re.escape(key)
    found = re.search(rf"^[ \t]*(?:\[+[ \t]*)?[\"']?{quoted}[\"']?[ \t]*[=.\]]", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _near(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f"; do you mean {close[0]}?" if close else ""
