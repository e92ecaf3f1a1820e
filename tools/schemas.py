"""Make the JSON Schemas in schema/ from the code.

python tools/schemas.py            write them
python tools/schemas.py --check    only say whether they are in sync (exit code 1 when not)
"""

import json
import sys
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from referee.conformance.cases import Case, Result
from referee.conformance.engine import Answer, Count, CountCase, Hello, Replayed, Request
from referee.game.records import ACTS, COMPLETE, Confess
from referee.log.canonical import NO_EXTENSIONS
from referee.log.policy import NOTHING
from referee.log.records import AnyRecord
from referee.ruleset import DEFAULT_PRESET, PRESETS, Ruleset
from referee.tournament.report.tables import Document
from referee.tournament.spec_types import Spec
from referee.validate.report import Report

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "schema"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

ONE_OF_ITS_RESULTS: Final = [{"$ref": f"#/$defs/{kind.__name__}"} for kind in (Result, Count, Hello, Replayed)]


def schemas() -> dict[str, dict[str, Any]]:
    """By file name, the schemas."""
    return {
        "case.schema.json": _root(Case, "A rule case: a file of fixtures/cases"),
        "count.schema.json": _root(CountCase, "A count that is known: a file of fixtures/counts"),
        "engine.schema.json": _engine(),
        "event-report.schema.json": _root(Document, "A report of an event: report.json of toep tournament report"),
        "log.schema.json": _log(),
        "report.schema.json": _root(Report, "A report of toep verify --json"),
        "rules.schema.json": _root(Ruleset, "A whole rule set, as in a log's head"),
        "tournament.schema.json": _tournament(),
    }


def _root(kind: Any, title: str) -> dict[str, Any]:
    """The schema of a document of this type."""
    (schema,), definitions = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    whole: dict[str, Any] = _plain({"$schema": DIALECT, "title": title, **schema, "$defs": definitions})
    return whole


def _log() -> dict[str, Any]:
    """A line of a log: every field that a line always has is required, though a player's act may leave it out."""
    whole = _root(AnyRecord, "One line of a log")
    definitions = whole["$defs"]
    # A field that says nothing is left out; one that has a default in the code is written out.
    conduct = definitions["Conduct"]
    conduct["required"] = sorted(name for name, field in conduct["properties"].items() if "default" in field)
    refused = definitions["Refused"]["properties"]
    for act in ACTS:
        name = act.__name__
        sent, logged = definitions[name], dict(definitions[name])
        made = {"by", "ms", *(("card", "pay") if act is Confess else COMPLETE.get(act, ()))}
        definitions[f"{name}Sent"] = {
            **sent,
            "title": f"{name}Sent",
            "properties": {key: value for key, value in sent["properties"].items() if key not in made},
        }
        logged["required"] = sorted({*logged["required"], *COMPLETE.get(act, ())})
        definitions[name] = logged
    refused["got"] = {"anyOf": [{"$ref": f"#/$defs/{act.__name__}Sent"} for act in ACTS]}
    for kind in get_args(AnyRecord):
        if kind not in NO_EXTENSIONS:
            definitions[kind.__name__]["patternProperties"] = {"^x_[a-z0-9_]*$": {"type": ["integer", "string"]}}
    whole["$defs"] = dict(sorted(definitions.items()))
    return whole


def _engine() -> dict[str, Any]:
    """The lines of the engine protocol: a request or an answer."""
    kinds = [Request, Result, Count, Hello, Replayed, Case]
    _, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    # An answer's result is one of several structs without tags, which is nothing that can be decoded, only written.
    seq = definitions["Request"]["properties"]["seq"]
    text = {"type": "string"}
    definitions["Request"]["properties"]["case"] = {"$ref": "#/$defs/Case"}
    definitions["Answer"] = {
        "title": "Answer",
        "description": Answer.__doc__,
        "type": "object",
        "properties": {
            "seq": seq,
            "result": {"anyOf": ONE_OF_ITS_RESULTS},
            "skipped": text,
            "errored": text,
            "code": text,
        },
        "oneOf": [{"required": [field]} for field in ("result", "skipped", "errored")],
    }
    lines = [{"$ref": "#/$defs/Request"}, {"$ref": "#/$defs/Answer"}]
    title = "A line of the engine protocol"
    whole: dict[str, Any] = _plain({"$schema": DIALECT, "title": title, "anyOf": lines, "$defs": definitions})
    return whole


def _tournament() -> dict[str, Any]:
    """The spec of an event as its file has it: rules by their preset and what differs, a command as a text too."""
    whole = _root(Spec, "The spec of an event (a TOML file)")
    definitions = whole["$defs"]
    options = definitions.pop("Ruleset")["properties"]
    preset = {"enum": sorted(PRESETS)}
    definitions["Rules"] = {
        "title": "Rules",
        "description": "A preset, and options that differ from it.",
        "type": "object",
        "properties": {"preset": {**preset, "default": DEFAULT_PRESET}, **options},
        "required": [],
        "additionalProperties": False,
    }
    definitions["Spec"]["properties"]["rules"] = {
        "anyOf": [preset, {"$ref": "#/$defs/Rules"}],
        "default": DEFAULT_PRESET,
    }
    # A file may also say what a log leaves out.
    conduct = definitions["Conduct"]["properties"]
    for name, nothing in NOTHING.items():
        conduct[name] = {**conduct[name], "default": nothing}
        if isinstance(nothing, int):
            conduct[name]["minimum"] = nothing
        else:
            conduct[name]["enum"] = sorted([*conduct[name]["enum"], nothing])
    bot = definitions["Bot"]["properties"]
    bot["command"] = {"anyOf": [{"type": "string"}, bot["command"]]}
    whole["$defs"] = dict(sorted(definitions.items()))
    return whole


def _plain(value: Any) -> Any:
    """With patterns as JSON Schema spells them, and definitions in alphabetical order."""
    if isinstance(value, dict):
        items = {key: _plain(item) for key, item in value.items()}
        if isinstance(pattern := items.get("pattern"), str):
            items["pattern"] = pattern.replace(r"\A", "^").replace(r"\Z", "$")
        if isinstance(definitions := items.get("$defs"), dict):
            items["$defs"] = dict(sorted(definitions.items()))
        return items
    return [_plain(item) for item in value] if isinstance(value, list) else value


def spelled(schema: dict[str, Any]) -> str:
    """A schema as the text of its file."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """Write the schemas, or compare them; returns the exit code."""
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    made = {name: spelled(schema) for name, schema in schemas().items()}
    if not arguments:
        FOLDER.mkdir(exist_ok=True)
        for name, text in made.items():
            (FOLDER / name).write_text(text)
        print(f"schema: {len(made)} files written")
        return 0
    there = {path.name: path.read_text() for path in FOLDER.glob("*.json")}
    wrong = sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))
    if wrong:
        print(f"schema: not what the code says: {', '.join(wrong)}; run: python tools/schemas.py", file=sys.stderr)
        return 1
    print(f"schema: in sync, {len(made)} files")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
