"""Comparing answers: what an engine said, as plain JSON, with what is expected."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.conformance.kit import Item

Answer = Mapping[str, Any]


def differences(item: Item, answer: Answer) -> list[str]:
    """One line for each field that is not as expected; nothing when the answer is right."""
    result = answer.get("result")
    if not isinstance(result, dict):
        return [f"no result: {_short(answer)}"]
    return _COMPARE[item.kind](item.expect, result)


_MAY_BE_ABSENT: Final = ("points", "refused")
"""Fields of a result that are left out where there is nothing to say; null elsewhere is not the same as nothing."""


def _run(expect: Mapping[str, Any], result: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for name, wanted in expect.items():
        if name not in result and name not in _MAY_BE_ABSENT:
            found.append(f"{name}: not in the result")
            continue
        got = result.get(name)
        if name == "legal":
            seats = got if isinstance(got, dict) else {}
            for seat, acts in wanted.items():
                _compare(found, f"legal[{seat}]", _acts(acts), _acts(seats.get(str(seat))))
        elif name == "hands":
            _compare(found, name, _hands(wanted), _hands(got))
        else:
            _compare(found, name, _plain(wanted), got)
    return found


def _count(expect: Mapping[str, Any], result: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    _compare(found, "count", expect["count"], result.get("count"))
    _compare(found, "sub", _subs(expect["sub"]), _subs(result.get("sub")))
    return found


def _replay(expect: Mapping[str, Any], result: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for name in ("verdict", "code", "line"):
        _compare(found, name, expect[name], result.get(name))
    return found


_COMPARE: Final[dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], list[str]]]] = {
    "run": _run, "count": _count, "replay": _replay,
}  # fmt: skip


def _compare(found: list[str], name: str, wanted: object, got: object) -> None:
    # True is 1 in Python, and not in JSON.
    if _text(wanted) != _text(got):
        found.append(f"{name}: expected {_text(wanted)}, got {_text(got)}")


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _hands(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(hand, list) for hand in value):
        return [sorted(map(str, hand)) for hand in value]
    return value


def _acts(value: Any) -> Any:
    """Legal acts, in an order of their own; of a discard the order of its cards means nothing."""
    if not isinstance(value, list):
        return value
    return sorted(_text(_act(act)) for act in value)


def _act(act: Any) -> Any:
    if isinstance(act, dict) and isinstance(act.get("cards"), list):
        return {**act, "cards": sorted(map(str, act["cards"]))}
    return act


def _subs(value: Any) -> Any:
    if isinstance(value, list | tuple) and all(isinstance(sub, list | tuple) and len(sub) == 2 for sub in value):
        return sorted([_text(_act(act)), number] for act, number in value)
    return value


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _short(answer: Answer) -> str:
    text = _text(dict(answer))
    return text if len(text) <= 200 else f"{text[:197]}..."
