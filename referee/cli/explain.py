"""Explain a finding's code (E340, W010) or a rule (R-SUIT-01, H-02).

example:
  toep explain E340
  toep explain R-TOEP-08
"""

import argparse
import difflib
import json
import textwrap

from referee.cli.exits import CommandError
from referee.game.rulebook import RULES
from referee.validate.codes import PAGES, Page
from referee.validate.validator import WHAT

WIDTH = 100


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("code", metavar="CODE", help="a finding's code, or a rule id; upper or lower case")
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the page of a code or the sentence of a rule; raises `CommandError` when there is no such thing."""
    name = args.code.upper()
    if (page := PAGES.get(name)) is not None:
        print(_page_json(name, page) if args.json else _page(name, page))
    elif (sentence := RULES.get(name)) is not None:
        print(json.dumps({"rule": name, "text": sentence}) if args.json else f"{name}\n{_wrapped(sentence)}")
    else:
        near = difflib.get_close_matches(name, [*PAGES, *RULES], n=5, cutoff=0.5)
        hint = f"; near: {', '.join(near)}" if near else "; codes are like E340 or W010, rules like R-SUIT-01 or H-02"
        raise CommandError(f"{args.code}: no such code or rule{hint}")
    return 0


def _page(code: str, page: Page) -> str:
    where = f"level {page.level}, {WHAT[page.level]}" if page.level else "a warning" if code[0] == "W" else "a dispute"
    parts = [f"{code}: {page.title} ({where})", _wrapped(page.explanation)]
    if page.rule:
        parts.append(_wrapped(f"{page.rule}: {RULES[page.rule]}"))
    return "\n".join(parts)


def _page_json(code: str, page: Page) -> str:
    return json.dumps(
        {"code": code, "explanation": page.explanation, "level": page.level, "rule": page.rule, "title": page.title}
    )


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ")
