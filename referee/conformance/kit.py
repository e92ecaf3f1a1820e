"""The conformance kit: what an engine or a validator is asked, what the right answer is, and how much it matters.

The kit is data: files of ``fixtures``, in a checkout, in the package, or in an archive that `toep conform export` made.
Each question is an `Item`. Its *level* says how much a wrong answer weighs, its *tier* which options one has to play to
be asked.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from referee.conformance.cases import Case, CaseError, load_case
from referee.conformance.engine import CountCase
from referee.ruleset import OPTIONS, PRESETS, Ruleset, RulesetError, resolve

Level = Literal["must", "should", "may"]
LEVELS: Final[tuple[Level, ...]] = ("must", "should", "may")
"""``must``: a rule of the sources. ``should``: a choice for a place that they leave open. ``may``: a random game, which
shows that two engines differ, and not which one is right."""

Kind = Literal["run", "count", "replay"]
CORE: Final = "core"
CORE_PRESETS: Final = ("short", "cafe")
"""The presets that everybody plays."""


class Item(Struct, frozen=True, kw_only=True):
    """One question, and the right answer."""

    id: str
    """``cases/NAME``, ``generated/NAME``, ``counts/NAME`` or ``log/FOLDER/NAME``: where it lies in the kit."""

    title: str
    kind: Kind
    level: Level
    options: tuple[str, ...]
    """Options whose values are not those of a core preset; none: the question belongs to the tier ``core``."""

    rules: dict[str, Any] | None
    """The whole rule set; None for a log, whose rules are in it."""

    refs: tuple[str, ...]
    """Rule ids and codes that it is about."""

    request: dict[str, Any]
    """What is sent, besides ``op`` and ``seq``. Paths are relative to the kit."""

    expect: dict[str, Any]

    @property
    def tiers(self) -> tuple[str, ...]:
        """``core``, or the options that one has to play."""
        return self.options or (CORE,)


class KitError(Exception):
    """There is no kit where one should be, or it is damaged."""


def find_kit() -> Path:
    """The kit that belongs to this program: in its package, or in the checkout that it runs from."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "fixtures", package.parent / "fixtures"):
        if (folder / "cases").is_dir():
            return folder
    raise KitError("this install has no fixtures; give the folder of an export (toep conform export) with --kit DIR")


def engine_items(folder: Path) -> list[Item]:
    """Every case, count and log that an engine is asked about, in the order of their ids. Raises `KitError`."""
    try:
        items = [
            *(_case_item(load_case(path), "cases") for path in _files(folder / "cases")),
            *(_case_item(load_case(path), "generated", "may") for path in _files(folder / "cases" / "generated")),
            *map(_count_item, _files(folder / "counts")),
        ]
    except (CaseError, RulesetError, OSError, msgspec.DecodeError) as error:
        raise KitError(f"{folder}: {error}") from None
    if not items:
        raise KitError(f"{folder}: there are no cases")
    logs = [item for item in validator_items(folder) if _replayable(item)]
    return [*items, *logs]


def _files(folder: Path) -> Iterable[Path]:
    return sorted(folder.glob("*.json"))


def _weight(case: Case) -> Level:
    return "must" if any(ref.startswith(("R-", "S")) for ref in case.refs) else "should"


def _case_item(case: Case, folder: str, level: Level | None = None) -> Item:
    """``level``: None: what the rules that it is about make it."""
    fields = msgspec.to_builtins(case)
    expect = {"refused": None, **fields.pop("expect")}
    rules = resolve(case.rules)
    return Item(
        id=f"{folder}/{case.id}",
        title=case.title,
        kind="run",
        level=level or _weight(case),
        options=options_beyond_core(rules),
        rules=msgspec.to_builtins(rules),
        refs=tuple(ref for ref in case.refs if ref[0] in "RH"),
        request={"case": {key: value for key, value in fields.items() if key not in ("title", "refs")}},
        expect=expect,
    )


def _count_item(path: Path) -> Item:
    count = msgspec.json.decode(path.read_bytes(), type=CountCase)
    rules = resolve(count.case.rules)
    return Item(
        id=f"counts/{count.id}",
        title=count.title,
        kind="count",
        level="must",
        options=options_beyond_core(rules),
        rules=msgspec.to_builtins(rules),
        refs=(),
        request={"case": msgspec.to_builtins(count.case), "depth": count.depth},
        expect=msgspec.to_builtins(count.expect),
    )


class _Expected(Struct, frozen=True):
    """One entry of ``verify`` in ``log/expectations.json``."""

    file: str
    about: str
    verdict: str
    exit: int
    findings: list[dict[str, Any]]
    warnings: list[str]
    options: dict[str, str] = {}


class _Expectations(Struct, frozen=True):
    verify: list[_Expected]


def validator_items(folder: Path) -> list[Item]:
    """Every log that a validator is asked about, in the order of the expectations. Raises `KitError`."""
    path = folder / "log" / "expectations.json"
    try:
        entries = msgspec.json.decode(path.read_bytes(), type=_Expectations).verify
    except (OSError, msgspec.DecodeError) as error:
        raise KitError(f"{path}: {error}") from None
    return [_log_item(entry) for entry in entries]


def _log_item(entry: _Expected) -> Item:
    first = entry.findings[0] if entry.findings else {}
    asked = "".join(f"?{name}" for name in sorted(entry.options))
    expect: dict[str, Any] = {"verdict": entry.verdict, "line": first.get("line"), "code": first.get("code")}
    return Item(
        id=f"log/{entry.file}{asked}",
        title=entry.about,
        kind="replay",
        level="must",
        options=("log",),
        rules=None,
        refs=tuple(ref for ref in (first.get("code"), first.get("rule")) if ref),
        request={"path": f"log/{entry.file}", **entry.options},
        expect=expect,
    )


def _replayable(item: Item) -> bool:
    """Whether an engine that is no validator can be asked: whole logs, plain files, the default check."""
    return (
        item.request.keys() == {"path"}
        and not item.request["path"].endswith(".zst")
        and item.expect["verdict"] in ("VALID", "INVALID")
        and (item.expect["code"] or "E3")[:2] == "E3"
        and "view" not in item.id
    )


@functools.cache
def _core() -> tuple[dict[str, Any], ...]:
    return tuple(msgspec.to_builtins(PRESETS[name]) for name in CORE_PRESETS)


def options_beyond_core(rules: Ruleset) -> tuple[str, ...]:
    """The options in which a rule set differs from every core preset; for the nearest one, in alphabetical order."""
    values = msgspec.to_builtins(rules)
    return min((tuple(option for option in OPTIONS if values[option] != core[option]) for core in _core()), key=len)


def plays(options: Mapping[str, list[Any]], item: Item) -> bool:
    """Whether an engine that says it plays these values is to be asked; ``[low, high]`` for a number."""
    if item.rules is None:
        return True
    # An option that an engine does not know has the value of the core presets for it.
    unknown = set(item.options) - options.keys()
    return not unknown and all(
        _among(options[option], value) for option, value in item.rules.items() if option in options
    )


def _among(values: list[Any], value: Any) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return len(values) == 2 and bool(values[0] <= value <= values[1])
    return value in values


def chosen(items: Iterable[Item], tiers: Iterable[str]) -> Iterator[Item]:
    """The items that belong to some tiers only; with no tiers, all of them."""
    wanted = set(tiers)
    return (item for item in items if not wanted or set(item.tiers) <= wanted)
