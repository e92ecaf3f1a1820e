"""Make referee/game/rulebook.py from docs/rules.md: the text of every rule, by id.

    python tools/rulebook.py            write it
    python tools/rulebook.py --check    only say whether it is in sync (exit code 1 when not)

An entry of the rule book is a paragraph that begins with its id in bold, ``**R-TOEP-08** The raised stake ...``, or a
row of a table whose first column is one: its text is then the other columns.
"""

import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "rules.md"
MODULE: Final = ROOT / "referee" / "game" / "rulebook.py"
RULE_ID: Final = re.compile(r"R-[A-Z]{3,5}-[0-9]{2}|H-[0-9]{2}")
WIDTH: Final = 120

_ENTRY: Final = re.compile(r"\*\*([RH]-\S*?)\*\* (.+)", re.DOTALL)
_ROW: Final = re.compile(r"\| \*\*([RH]-\S*?)\*\* \| (.+) \|$")

HEAD: Final = '''"""The rule book by id: what an act can be refused with, a finding can name, or a case can be about.

Generated from docs/rules.md by tools/rulebook.py; do not edit. ``R-`` ids are rules of the game, ``H-`` ids are places
where the written rules leave a hole, with the choice made.
"""

from typing import Final

RULES: Final[dict[str, str]] = {
'''
TAIL: Final = '''}
"""By id, in the order of the rule book: the whole entry, as plain text."""
'''


def entries(page: str) -> list[tuple[str, str]]:
    """(id, plain text) of every entry of a page in Markdown, in order. Ids are not checked."""
    return list(_entries(page))


def _entries(page: str) -> Iterator[tuple[str, str]]:
    without_blocks = re.sub(r"^```.*?^```$", "", page, flags=re.DOTALL | re.MULTILINE)
    for paragraph in re.split(r"\n\s*\n", without_blocks):
        if entry := _ENTRY.match(paragraph):
            yield entry[1], _plain(entry[2])
        for line in paragraph.split("\n"):
            if row := _ROW.match(line):
                what, _, why = row[2].partition(" | ")
                yield row[1], _plain(f"Not applicable to a referee: {what}; {why}.")


def _plain(text: str) -> str:
    """A text without its Markdown and its line breaks."""
    text = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", text)
    return " ".join(re.sub(r"[`*]", "", text).split())


def render(rules: list[tuple[str, str]]) -> str:
    """The module, as the formatter would leave it."""
    return HEAD + "".join(_item(rule, text) for rule, text in rules) + TAIL


def _item(rule: str, text: str) -> str:
    line = f'    "{rule}": {_quoted(text)},\n'
    if len(line) <= WIDTH + 1:
        return line
    if len(line := f"        {_quoted(text)}\n") <= WIDTH + 1:
        return f'    "{rule}": (\n{line}    ),\n'
    parts = textwrap.wrap(text, WIDTH - 12, break_long_words=False, break_on_hyphens=False)
    spaced = [part + " " for part in parts[:-1]] + parts[-1:]
    return f'    "{rule}": (\n' + "".join(f"        {_quoted(part)}\n" for part in spaced) + "    ),\n"


def _quoted(text: str) -> str:
    """A literal with as few escapes as there can be, as the formatter prefers."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + text.replace(quote, "\\" + quote) + quote


def main(arguments: list[str]) -> int:
    """Write the module, or compare it; returns the exit code."""
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    rules = entries(PAGE.read_text())
    bad = [rule for rule, _ in rules if not RULE_ID.fullmatch(rule)]
    names = [rule for rule, _ in rules]
    bad += sorted({rule for rule in names if names.count(rule) > 1})
    if bad:
        print(f"{PAGE.name}: malformed or doubled ids: {', '.join(bad)}", file=sys.stderr)
        return 1
    wanted = render(rules)
    if arguments:
        if MODULE.read_text() != wanted:
            print(f"{MODULE.name} is not what {PAGE.name} says; run: python tools/rulebook.py", file=sys.stderr)
            return 1
        print(f"{MODULE.name}: in sync, {len(rules)} rules")
        return 0
    MODULE.write_text(wanted)
    print(f"{MODULE.name}: {len(rules)} rules written")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
