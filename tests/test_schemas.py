"""The JSON Schemas are what the code says, and the fixtures are what the schemas say."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.conformance.engine import respond
from referee.log.writer import MemorySink
from referee.ruleset import resolve
from referee.table.head import MatchPlan
from referee.table.inprocess import write_match
from tools import schemas

ROOT = Path(__file__).parents[1]
SCHEMAS: dict[str, dict[str, Any]] = {
    path.name: json.loads(path.read_bytes()) for path in (ROOT / "schema").glob("*.json")
}
TYPES: dict[str, type | tuple[type, ...]] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "number": (int, float),
    "object": dict,
    "string": str,
}


def fits(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    """Whether a value is what a schema says, for the words that our schemas use."""
    if reference := schema.get("$ref"):
        return fits(value, root["$defs"][reference.removeprefix("#/$defs/")], root)
    for word in ("anyOf", "oneOf"):
        if word in schema:
            found = sum(fits(value, option, root) for option in schema[word])
            if not found or (word == "oneOf" and found > 1):
                return False
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or (kind == "integer" and isinstance(value, bool))):
        return False
    if ("enum" in schema and value not in schema["enum"]) or ("const" in schema and value != schema["const"]):
        return False
    if isinstance(value, str):
        return "pattern" not in schema or re.search(schema["pattern"], value) is not None
    if isinstance(value, int):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    if isinstance(value, list):
        return _fits_list(value, schema, root)
    return not isinstance(value, dict) or _fits_object(value, schema, root)


def _fits_list(value: list[Any], schema: dict[str, Any], root: dict[str, Any]) -> bool:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return False
    first = schema.get("prefixItems", [])
    rest = schema.get("items", {})
    kinds = [*first, *([rest] * (len(value) - len(first)))] if isinstance(rest, dict) else first
    return all(fits(item, kind, root) for item, kind in zip(value, kinds, strict=True))


def _fits_object(value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any]) -> bool:
    if not set(schema.get("required", ())) <= value.keys():
        return False
    known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name, item in value.items():
        kind = known.get(name, more)
        if kind is False or (isinstance(kind, dict) and not fits(item, kind, root)):
            return False
    return True


def test_the_files_are_in_sync_with_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert schemas.main(["--check"]) == 0, capsys.readouterr().err
    assert schemas.main(["--chek"]) == 2


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_a_schema_is_closed_and_portable(name: str) -> None:
    """Every reference leads somewhere, and patterns are those of JSON Schema, not of Python."""
    text = json.dumps(SCHEMAS[name])
    assert set(re.findall(r'"#/\$defs/(\w+)"', text)) <= SCHEMAS[name].get("$defs", {}).keys()
    assert r"\\A" not in text
    assert r"\\Z" not in text


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("cases/*.json", "case.schema.json"),
        ("cases/generated/*.json", "case.schema.json"),
        ("counts/*.json", "count.schema.json"),
    ],
)
def test_fixtures_are_what_their_schema_says(pattern: str, name: str) -> None:
    files = sorted((ROOT / "fixtures").glob(pattern))
    assert len(files) > 20
    schema = SCHEMAS[name]
    for path in files:
        value = json.loads(path.read_bytes())
        assert fits(value, schema, schema), path.name
        assert not fits({**value, "surplus": 1}, schema, schema)


def test_lines_of_the_protocol_are_what_their_schema_says() -> None:
    schema = SCHEMAS["engine.schema.json"]
    case = {"rules": "short", "seats": 2, "start": {"hands": [["Jh"], ["Th"]]}, "acts": []}
    requests: list[dict[str, Any]] = [
        {"op": "hello"},
        {"op": "run", "seq": 1, "case": case},
        {"op": "count", "seq": "b", "case": case, "depth": 2},
        {"op": "replay", "seq": 3, "path": "none"},
        {"op": "run", "seq": 4, "case": {**case, "seats": 9}},
    ]
    for request in requests:
        assert fits(request, schema, schema)
        answer = json.loads(msgspec.json.encode(respond(json.dumps(request).encode())))
        assert fits(answer, schema, schema), answer
    nonsense: list[object] = [{"seq": 1}, {"op": 1}, {"op": "run", "case": {"seats": "2"}}, {"result": {}}]
    for wrong in nonsense:
        assert not fits(wrong, schema, schema), wrong


@pytest.mark.parametrize("preset", ["classic-all", "club", "rubber"])
def test_lines_of_a_log_are_what_their_schema_says(preset: str) -> None:
    schema = SCHEMAS["log.schema.json"]
    sink = MemorySink()
    write_match(MatchPlan(rules=resolve(preset), bots=["a", "b", "c"]), b"\x07" * 32, sink, eagerness=0.3)
    lines = [json.loads(line) for line in bytes(sink.data).splitlines()]
    assert len(lines) > 50
    assert all(fits(line, schema, schema) for line in lines)
    rules = SCHEMAS["rules.schema.json"]
    assert fits(lines[0]["rules"], rules, rules)
    assert fits({"_": "toep", "ms": 3, "seat": 1, "stake": 2}, schema, schema)
    assert fits({"_": "trick", "win": 0}, schema, schema)
    nonsense: list[object] = [
        {"_": "toep"},
        {"_": "knock", "seat": 1},
        {"_": "toep", "seat": 8},
        {"_": "play", "seat": 0, "card": "1h"},
    ]
    for wrong in nonsense:
        assert not fits(wrong, schema, schema), wrong
