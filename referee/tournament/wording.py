"""What msgspec says about a document, in words for the person who wrote it in TOML."""

import difflib
import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import inspect

from referee.tournament.lines import Key

_AT: Final = re.compile(r" - at `(key in )?\$([^`]*)`\Z")
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_EXPECTED: Final = re.compile(r"Expected `([^`]+)`(?:, got `(\w+)`| of length (>=|<=) (\d+)| (>=|<=|>|<) (\S+))")
_WANTED: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text in quotes",
    "bool": "true or false",
    "array": "a list, [...]",
    "object": "a table",
}
_GOT: Final = {
    "int": "a whole number",
    "float": "a number with a decimal point",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}
GAME_OR_ROUNDS: Final = '"game" or { rounds = K }'
_BOUND: Final = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
_PATTERNS: Final = {
    "name": "letters, digits, '.', '_' and '-' are allowed, 40 at most, the first a letter or a digit",
    "seed": "64 hex digits in lower case, or nothing",
}


def spelled(key: Key) -> str:
    """``("bots", 1, "name")`` as ``bots[1].name``."""
    text = ""
    for part in key:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def near(name: str, known: list[str]) -> str:
    """``; do you mean ...?``, or nothing."""
    close = difflib.get_close_matches(name, known, 1)
    return f"; do you mean {close[0]}?" if close else ""


def explain(message: str, document: Mapping[str, Any], kind: type) -> tuple[Key, str]:
    """The key that a `msgspec.ValidationError` is about, and what is wrong with it.

    ``document`` is what was converted to ``kind`` when the error with this message was raised.
    """
    key = _key(message, document)
    text = _AT.sub("", message)
    type_here = _type_at(inspect.type_info(kind), key, document)
    if found := re.match(r"Object contains unknown field `(.*)`", text, re.DOTALL):
        known = _fields(type_here, document, key)
        meant = near(found[1], known) or f"; there are {', '.join(known)}"
        return (*key, found[1]), f"there is no such key{meant}"
    if found := re.match(r"Object missing required field `(.*)`", text):
        return (*key, found[1]), f"it is missing{_choices_of(type_here, found[1])}"
    if text.startswith(("Invalid enum value", "Invalid value")):
        choices = _choices(type_here) or _tags(type_here)
        if key == ("length",):
            choices = [GAME_OR_ROUNDS]
        return key, f"{text.partition('value ')[2]} is not allowed; it may be {', '.join(choices)}"
    if found := _EXPECTED.match(text):
        return key, _expected(found, key)
    if "matching regex" in text:
        return key, _PATTERNS.get(str(key[-1]), "characters that are not allowed") if key else text
    return key, text


def _expected(found: re.Match[str], key: Key) -> str:
    wanted = " or ".join(_WANTED.get(part, part) for part in found[1].split(" | "))
    if key == ("length",):
        wanted = GAME_OR_ROUNDS
    if found[2]:
        return f"write {wanted}, not {_GOT.get(found[2], found[2])}"
    if found[3]:
        thing, things = ("character", "characters") if found[1] == "str" else ("entry", "entries")
        return f"it must have {_BOUND[found[3]]} {int(found[4]):,} {thing if found[4] == '1' else things}"
    return f"it must be {wanted}, {_BOUND[found[5]]} {found[6]}"


def _key(message: str, document: Mapping[str, Any]) -> Key:
    """The way to the place that a message names; where it says ``[...]``, the first value that can be meant."""
    found = _AT.search(message)
    key: Key = ()
    here: Any = document
    for name, place in _STEP.findall(found[2] if found else ""):
        if place == "...":
            step: str | int = next((one for one in here if not isinstance(here[one], str)), "") if here else ""
        else:
            step = int(place) if place else name
        key = (*key, step)
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):
            here = None
    return key


def _type_at(kind: inspect.Type, key: Key, document: Any) -> inspect.Type | None:
    """The type of what stands at a key."""
    here: inspect.Type | None = kind
    for step in key:
        here = _inner(here, step, document)
        document = _item(document, step)
    return here


def _inner(kind: inspect.Type | None, step: str | int, document: Any) -> inspect.Type | None:
    if isinstance(kind, inspect.UnionType):
        if isinstance(document, Mapping) and (struct := _tagged(kind, document)) is not None:
            return _inner(struct, step, document)
        if step == "kind":
            return kind
        found = (_inner(one, step, document) for one in kind.types)
        return next((one for one in found if one is not None), None)
    if isinstance(kind, inspect.StructType):
        return next((field.type for field in kind.fields if field.encode_name == step), None)
    if isinstance(kind, inspect.ListType):
        return kind.item_type
    return kind.value_type if isinstance(kind, inspect.DictType) else None


def _tagged(kind: inspect.UnionType, document: Mapping[str, Any]) -> inspect.StructType | None:
    """The struct that a table's tag says it is; without tags, the only one."""
    structs = [one for one in kind.types if isinstance(one, inspect.StructType)]
    if len(structs) == 1:
        return structs[0]
    return next((one for one in structs if one.tag_field and document.get(one.tag_field) == one.tag), None)


def _item(document: Any, step: str | int) -> Any:
    try:
        return document[step]
    except (KeyError, IndexError, TypeError):
        return None


def _fields(kind: inspect.Type | None, document: Any, key: Key) -> list[str]:
    for step in key:
        document = _item(document, step)
    if isinstance(kind, inspect.UnionType):
        kind = _tagged(kind, document if isinstance(document, Mapping) else {})
    if not isinstance(kind, inspect.StructType):
        return []
    tag = [kind.tag_field] if kind.tag_field else []
    return [*tag, *(field.encode_name for field in kind.fields)]


def _choices(kind: inspect.Type | None) -> list[str]:
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return [str(value) for one in kinds if isinstance(one, inspect.LiteralType) for value in one.values]


def _tags(kind: inspect.Type | None) -> list[str]:
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return [str(one.tag) for one in kinds if isinstance(one, inspect.StructType)]


def _choices_of(kind: inspect.Type | None, name: str) -> str:
    """What may be written for a key that is missing, where that is one of few words."""
    choices = _tags(kind) if name == "kind" else _choices(_inner(kind, name, None))
    return f"; it may be {', '.join(choices)}" if choices else ""
