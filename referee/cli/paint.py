"""What terminals can show: colours, suit symbols, and columns that line up whatever a bot is called."""

import os
import re
import unicodedata
from collections.abc import Iterable
from typing import Final, TextIO

from referee.cards import INDEX, CardName

WIDTH: Final = 96
"""Columns of a line that can be wrapped."""

NAME: Final = 20
"""Columns of a name, at most."""

SYMBOLS: Final = {"h": "♥", "s": "♠", "d": "♦", "c": "♣"}
RED: Final = "hd"

_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")


class Paint:
    """Colours and symbols, as far as an output has them; without colours every method but the card's is the text."""

    def __init__(self, out: TextIO, color: bool | None = None) -> None:
        """``color`` None: on a terminal, unless the environment has NO_COLOR or a dumb terminal."""
        if color is None:
            color = out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self._color: Final = color
        self._encoding: Final = out.encoding or "ascii"
        self._unicode: Final = self._encoding.lower().startswith(("utf-8", "utf8"))
        self.dot: Final = " · " if self._unicode else " | "
        """What stands between short facts."""

    def dim(self, text: str) -> str:
        """For what one may skip."""
        return self._with("2", text)

    def bold(self, text: str) -> str:
        """For titles."""
        return self._with("1", text)

    def raised(self, text: str) -> str:
        """For what raises the stake."""
        return self._with("1;33", text)

    def won(self, text: str) -> str:
        """For tricks."""
        return self._with("32", text)

    def trouble(self, text: str) -> str:
        """For what went wrong."""
        return self._with("35", text)

    def _with(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._color else text

    def card(self, name: CardName) -> str:
        """A card in two columns: ``T♥``, or ``Th`` where there are no symbols."""
        text = name[0] + SYMBOLS[name[1]] if self._unicode else name
        return self._with("31", text) if name[1] in RED else text

    def cards(self, cards: Iterable[CardName]) -> str:
        """Cards by suit, hearts first, high cards first."""
        return " ".join(self.card(name) for name in sorted(cards, key=INDEX.__getitem__, reverse=True))

    def name(self, name: str) -> str:
        """A name in characters that the output has, in at most `NAME` columns."""
        name = name.encode(self._encoding, "backslashreplace").decode(self._encoding)
        if columns(name) <= NAME:
            return name
        while columns(name) > NAME - 1:
            name = name[:-1]
        return name + ("…" if self._unicode else "~")


def columns(text: str) -> int:
    """How many columns of a terminal a text takes, colours aside."""
    return sum(map(_columns_of, _COLOURS.sub("", text)))


def _columns_of(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def pad(text: str, width: int) -> str:
    """A text with spaces up to so many columns."""
    return text + " " * (width - columns(text))


def flow(parts: Iterable[str], gap: str, indent: int) -> list[str]:
    """Parts side by side, in indented lines of at most `WIDTH` columns if the parts allow it."""
    lines: list[str] = []
    for part in parts:
        if lines and columns(lines[-1]) + len(gap) + columns(part) <= WIDTH:
            lines[-1] += gap + part
        else:
            lines.append(" " * indent + part)
    return lines


def listed(words: Iterable[str], last: str = "and") -> str:
    """``a, b and c``."""
    *most, end = words or ("",)
    return f"{', '.join(most)} {last} {end}" if most else end


def count(number: int, what: str) -> str:
    """``1 round``, ``2 rounds``."""
    return f"{number} {what}{'' if number == 1 else 's'}"
