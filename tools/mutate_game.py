"""Mutation tests of the rules: small changes to referee/game, one at a time, and what notices them.

    python tools/mutate_game.py                          every mutant of every chapter
    python tools/mutate_game.py --files play.py flow.py  those of some chapters
    python tools/mutate_game.py --sample 200             a random sample (always the same one)
    python tools/mutate_game.py --jobs 1                 one process at a time instead of two
    python tools/mutate_game.py --grep "in_round &"      only mutants whose line of output has this text

Every mutant lives in a process of its own, which imports the changed source and asks, until something differs:

``cases``   the rule cases of fixtures/cases, whose expectations come from the rule book
``counts``  the counts of fixtures/counts
``tests``   tests/game, without the random games of test_properties.py
``games``   the generated cases, and random games under their rule sets, compared with those of the unchanged source

So what only ``games`` notices is a change that nobody has written down: the replay knows that something differs, not
what is right. A mutant that takes many times as long as the source, or too much memory, counts as noticed. Listed are
the mutants that neither cases nor counts notice, without those of tools/mutants.md, which no case can tell from the
source.
"""

import argparse
import ast
import copy
import gc
import hashlib
import importlib
import importlib.util
import io
import json
import multiprocessing
import os
import random
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final, NamedTuple

import msgspec
import pytest

import referee.game.records  # (not changed: loaded once, for all mutants)
import referee.game.rulebook
from referee.cards import PACK_SIZE
from referee.deal import Deals  # noqa: F401
from referee.ruleset import resolve

ROOT: Final = Path(__file__).resolve().parents[1]
CHAPTERS: Final = ROOT / "referee" / "game"
KNOWN: Final = ROOT / "tools" / "mutants.md"
NOT_MUTATED: Final = ("__init__.py", "records.py", "rulebook.py")
STAGES: Final = ("cases", "counts", "tests", "games")
SURVIVED: Final = "survived"

MORE_MEMORY: Final = 1 << 30
"""How much memory a mutant may take on top of what this program has."""

MOST_ACTS: Final = 120
"""Where a random game is stopped."""


# -- mutants -----------------------------------------------------------------------------------------------------------


class Mutant(NamedTuple):
    """One change: ``new`` in place of a node of the tree of ``file``."""

    file: str
    line: int
    what: str
    """``file:function: before -> after``: what tools/mutants.md names it by."""

    tree: ast.Module
    parent: ast.AST
    field: str
    index: int
    """Place in a list of nodes; -1 where the field is the node itself."""

    new: ast.AST

    def code(self) -> CodeType:
        """The changed module. The tree stays changed: call it in a process that ends with the mutant."""
        put(self.parent, self.field, self.index, self.new)
        return compile(ast.fix_missing_locations(self.tree), str(CHAPTERS / self.file), "exec")


def put(parent: ast.AST, field: str, index: int, node: ast.AST) -> None:
    """Set a child of a node."""
    if index < 0:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


SWAPS: Final[dict[type[ast.AST], tuple[type[ast.AST], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
NAMES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
CALLS_TO_DROP: Final = ("sorted", "reversed")
RULE_ID: Final = re.compile(r"(R|H)-[A-Z0-9-]{2,12}")
UNTOUCHED: Final = ("annotation", "returns", "decorator_list", "bases", "ctx", "type_params")
TYPES: Final = ("Annotated", "Literal", "Callable")


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file, from top to bottom."""
    tree = ast.parse(path.read_text())
    for function, parent, field, index, node in places(tree, "module"):
        for new in variants(node, parent):
            shown, at = (node, -1) if len(ast.unparse(node)) > 12 or not isinstance(parent, ast.expr) else (parent, 0)
            before = ast.unparse(shown)
            if at < 0:
                after = "pass" if isinstance(new, ast.Pass) else ast.unparse(new)
            else:
                put(parent, field, index, new)
                after = ast.unparse(shown)
                put(parent, field, index, node)
            line = getattr(node, "lineno", getattr(parent, "lineno", 0))
            if isinstance(node, ast.operator | ast.boolop | ast.cmpop):
                before, after = around(parent, field, index, node, new)
            what = f"{path.name}:{function}: {one_line(before)} -> {one_line(after)}"
            yield Mutant(path.name, line, what, tree, parent, field, index, new)


def around(parent: ast.AST, field: str, index: int, node: ast.AST, new: ast.AST) -> tuple[str, str]:
    """An expression, or statement, before and after its operator changes."""
    before = ast.unparse(parent)
    put(parent, field, index, new)
    after = ast.unparse(parent)
    put(parent, field, index, node)
    return before, after


def one_line(text: str) -> str:
    """A source text in one line that is not too long."""
    text = " ".join(text.split())
    return text if len(text) <= 100 else text[:97] + "..."


def places(node: ast.AST, function: str) -> Iterator[tuple[str, ast.AST, str, int, ast.AST]]:
    """(function, parent, field, index, node) of every node that may be changed, in the order of the source."""
    if isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in TYPES
    ):
        return
    if isinstance(node, ast.FunctionDef):
        function = node.name
    elif isinstance(node, ast.ClassDef):
        function = node.name
    for field, value in ast.iter_fields(node):
        if field in UNTOUCHED:
            continue
        children = enumerate(value) if isinstance(value, list) else [(-1, value)]
        for index, child in children:
            if isinstance(child, ast.AST):
                yield function, node, field, index, child
                yield from places(child, function)


def variants(node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
    """What may stand in place of a node."""
    for kind in SWAPS.get(type(node), ()):
        yield kind()
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Constant(value=str(value)) if RULE_ID.fullmatch(value):
            yield ast.Constant("R-DECK-01" if isinstance(parent, ast.Call | ast.Return) else value)
        case ast.UnaryOp(op=ast.Not() | ast.Invert() | ast.USub(), operand=operand):
            yield operand
        case ast.Name(id=name) if name in NAMES and isinstance(parent, ast.Call) and parent.func is node:
            yield ast.Name(NAMES[name], ast.Load())
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in CALLS_TO_DROP:
            yield ast.Call(ast.Name("list", ast.Load()), [first], [])
        case ast.BoolOp(values=values):
            for left_out in range(len(values)):
                rest = [value for number, value in enumerate(values) if number != left_out]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        case ast.keyword(arg=str()) if isinstance(parent, ast.Call) and defaults_here(parent):
            yield ast.keyword("**", ast.Constant(None))
    if is_condition(node, parent):
        yield from (ast.Constant(True), ast.Constant(False))
    if isinstance(node, ast.stmt) and isinstance(parent, ast.FunctionDef | ast.If | ast.For | ast.While):
        yield from without(node)


def defaults_here(call: ast.Call) -> bool:
    """Whether the keywords of a call of the chapters can be left out."""
    return False


def is_condition(node: ast.AST, parent: ast.AST) -> bool:
    """Whether a node is what an `if`, a `while`, or a comprehension asks."""
    if isinstance(parent, ast.If | ast.While | ast.IfExp):
        return parent.test is node
    return isinstance(parent, ast.comprehension) and node in parent.ifs


def without(node: ast.stmt) -> Iterator[ast.AST]:
    """A statement left out; a function that returns nothing."""
    match node:
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Assign() | ast.Delete() | ast.Continue() | ast.Raise():
            yield ast.Pass()
        case ast.AnnAssign(value=ast.expr()):
            yield ast.Pass()
        case ast.Return(value=None):
            yield ast.Pass()
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield ast.Return(ast.Constant(None))
