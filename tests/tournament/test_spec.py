"""A spec is read strictly: every mistake is an error that names file, line and key, and says the way out."""

import contextlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.log.policy import NOTHING
from referee.log.records import Conduct, Rounds
from referee.ruleset import PRESETS, resolve
from referee.tournament.runner import command_of
from referee.tournament.spec import SpecError, output_of, parse_spec, read_spec
from referee.tournament.spec_text import init_text
from referee.tournament.spec_types import Gauntlet, Limits, RoundRobin, Spec
from tests.test_schemas import SCHEMAS, fits

SCHEMA = SCHEMAS["tournament.schema.json"]


def bots(names: str, more: str = "") -> str:
    """Sample bots with names of one letter."""
    return "".join(f'[[bots]]\nname = "{name}"\ncommand = "random"\n{more}' for name in names)


def spec_text(head: str = "", names: str = "abc", tail: str = "") -> str:
    """A spec whose name is on line 1, its seats on line 2, and ``head`` from line 3 on."""
    seats = "" if head.startswith("seats") else "seats = 3"
    return f'name = "x"\n{seats}\n{head}\n{bots(names)}{tail}'


def parse(text: str) -> Spec:
    return parse_spec(text.encode(), "event.toml")


def test_a_spec_with_nothing_but_bots_has_safe_defaults() -> None:
    spec = parse(spec_text())
    assert (spec.trust, spec.duplicates, spec.seed, spec.blocks) == ("strangers", "none", "", 0)
    assert spec.rules == PRESETS["cafe"]
    assert spec.length == Rounds(rounds=100)
    assert spec.format == RoundRobin()
    assert spec.bots[0].command == ["random"]


def test_everything_can_be_said() -> None:
    spec = parse(
        spec_text(
            'length = "game"\ntrust = "own"\nclock = "none"\nduplicates = "fixed-field"\nfaulted = "keep"\n'
            'format = { kind = "gauntlet", candidates = ["a"] }\nrules = { preset = "short", limit = 5 }\n',
            "abcd",
            'folder = "there"\nenvironment = { LEVEL = "3" }\nlimits = { memory_mb = 64 }\n[conduct]\ntries = 1\n',
        )
    )
    assert spec.format == Gauntlet(candidates=["a"])
    assert spec.rules == resolve({"preset": "short", "limit": 5})
    assert spec.conduct.tries == 1
    assert spec.bots[3].limits == Limits(memory_mb=64)
    assert spec.bots[3].environment == {"LEVEL": "3"}


def test_a_conduct_may_say_what_is_meant_by_nothing() -> None:
    nothing = toml({"conduct": {**NOTHING}}).replace("conduct = ", "conduct=")
    spec = parse(f'{nothing}clock = "none"\n{spec_text()}')
    assert spec.conduct == Conduct()
    assert fits(tomllib.loads(f"{nothing}{spec_text()}"), SCHEMA, SCHEMA)
    assert parse(spec_text(tail='[conduct]\nleft = "wait"\nbank_ms = 0\n')).conduct == Conduct(left="wait")


def test_bots_of_other_machines_are_let_in_over_tls_or_what_encrypts_besides() -> None:
    head = "address = '0.0.0.0:7777'\ntokens = 'x'\n"
    for more in ("plaintext = true", "tls_cert = 'x'\ntls_key = 'x'"):
        assert parse(spec_text(head + more, tail=REMOTE)).bots[3].remote
    assert parse(spec_text("trust = 'own'", tail=REMOTE)).tokens == ""


def test_limits_and_what_may_be_read() -> None:
    spec = parse(spec_text(tail="limits = { files = 64 }\nreads = ['data', '/opt/models']\n"))
    assert spec.bots[2].limits == Limits(files=64)
    command = command_of(spec.bots[2], Path("/there"))
    assert (command.limits.files, command.limits.output_kb) == (64, 1024)
    assert command.reads == (Path("/there/data"), Path("/opt/models"))


def test_a_command_is_a_text_or_a_list() -> None:
    spec = parse('name = "x"\nseats = 3\nbots = [\n'
                 '{ name = "a", command = "python3 \'my bot.py\' -v" },\n'
                 '{ name = "b", command = ["python3", "my bot.py"] },\n'
                 '{ name = "c", remote = true }]\n')  # fmt: skip
    assert spec.bots[0].command == ["python3", "my bot.py", "-v"]
    assert spec.bots[1].command == ["python3", "my bot.py"]
    assert spec.bots[2].command is msgspec.UNSET


PAIR = 'format = { kind = "pair", candidates = ["a", "b"] }\n'
GAUNTLET = 'format = { kind = "gauntlet", candidates = ["a", "b"] }\n'
REMOTE = '[[bots]]\nname = "r"\nremote = true\n'
SEED = "0" * 64

# Text, line, key, and a part of what is said.
WRONG: list[tuple[str, int, str, str]] = [
    ("", 1, "name", "missing"),
    ("[", 1, "", "not TOML"),
    ('a = 1\nname = "x', 2, "", "not TOML"),
    ('name = "x"\nname = "y"\n', 2, "", "not TOML"),
    ('name = "x"\n', 1, "bots", "missing"),
    ('name = "x y"\n', 1, "name", "letters, digits"),
    ('name = "x y"\n' + bots("abcd"), 1, "name", "letters, digits"),
    (f'name = "{"x" * 41}"\n' + bots("abcd"), 1, "name", "40 at most"),
    # keys
    (spec_text("\nseets = 3"), 4, "seets", "do you mean seats?"),
    (spec_text("colour = 3"), 3, "colour", "there are name, bots, rules"),
    (spec_text(tail="fulder = '.'\n"), 13, "bots[2].fulder", "do you mean folder?"),
    (spec_text(tail="[bots.limits]\nmemory = 3\n"), 14, "bots[2].limits.memory", "do you mean memory_mb?"),
    (spec_text(tail="[conduct]\nact = 3\n"), 14, "conduct.act", "no such key"),
    # types and ranges
    (spec_text("blocks = '3'"), 3, "blocks", "write a whole number, not a text"),
    (spec_text("blocks = 3.0"), 3, "blocks", "write a whole number, not a number with a decimal point"),
    (spec_text("blocks = true"), 3, "blocks", "write a whole number, not true or false"),
    (spec_text("blocks = -1"), 3, "blocks", "at least 0"),
    (spec_text("blocks = 100001"), 3, "blocks", "at most 100000"),
    (spec_text("trust = 'me'"), 3, "trust", "it may be isolated, own, strangers"),
    (spec_text("trust = 2020-01-01"), 3, "trust", "not"),
    (spec_text("seed = 'abc'"), 3, "seed", "64 hex digits"),
    (spec_text("length = 30"), 3, "length", '"game" or { rounds = K }'),
    (spec_text("length = 'long'"), 3, "length", '"game" or { rounds = K }'),
    (spec_text("length = { rounds = 0 }"), 3, "length.rounds", "at least 1"),
    (spec_text("output = 3"), 3, "output", "a text in quotes"),
    ('name = "x"\nbots = 3\n', 2, "bots", "a list"),
    (spec_text(names="a"), 4, "bots", "at least 2 entries"),
    (spec_text(tail="environment = { A = 'x', B = 3 }\n"), 13, "bots[2].environment.B", "not a whole number"),
    (spec_text(tail="[[bots]]\nname = ''\ncommand = 'x'\n"), 14, "bots[3].name", "at least 1 character"),
    (spec_text(tail="[[bots]]\nname = 'x'\ncommand = ['x', 3]\n"), 15, "bots[3].command[1]", "a text in quotes"),
    (spec_text(tail="[[bots]]\nname = 'x'\ncommand = 'x \"'\n"), 15, "bots[3].command", "No closing quotation"),
    # rules
    (spec_text("rules = 'coffee'"), 3, "rules", "cafe"),
    (spec_text("rules = 3"), 3, "rules", "preset"),
    (spec_text(tail="[rules]\nlimits = 3\n"), 14, "rules.limits", "no such option"),
    (spec_text(tail="[rules]\npreset = 'short'\nlimit = 0\n"), 15, "rules.limit", "1..99"),
    (spec_text(tail="[rules]\nchance = true\n"), 14, "rules.chance", "needs four_alike"),
    (spec_text("seats = 2"), 3, "seats", "3 to 8 players"),
    # bots
    (spec_text(names="abca"), 14, "bots[3].name", "a is there 2 times"),
    (spec_text(tail="[[bots]]\nname = 'd'\n"), 13, "bots[3].command", "missing"),
    (spec_text(tail="[[bots]]\nname = 'd'\ncommand = ''\n"), 15, "bots[3].command", "nothing in it"),
    (spec_text(tail="[[bots]]\nname = 'ä'\ncommand = 'x'\n"), 14, "bots[3].name", "printable ASCII"),
    (spec_text(tail="[[bots]]\nname = 'd\\te'\ncommand = 'x'\n".replace("'", '"')), 14, "bots[3].name", "ASCII"),
    (spec_text(tail="remote = true\n"), 12, "bots[2].command", "starts itself"),
    (spec_text(tail=REMOTE + "folder = 'x'\n"), 16, "bots[3].folder", "starts itself"),
    (spec_text(tail="environment = { TOEP_TOKEN = 'x' }\n"), 13, "bots[2].environment.TOEP_TOKEN", "referee's own"),
    (spec_text(tail="environment = { 1A = 'x' }\n"), 13, "bots[2].environment.1A", "no digit first"),
    # formats
    (spec_text("seats = 4\n"), 5, "bots", "there are 3 for tables of 4"),
    (spec_text("format = {}"), 3, "format.kind", "round-robin, gauntlet, pair"),
    (spec_text("format = { kind = 'swiss' }"), 3, "format.kind", "round-robin, gauntlet, pair"),
    (spec_text("format = 'pair'"), 3, "format", "a table"),
    (spec_text("format = { kind = 'pair' }"), 3, "format.candidates", "missing"),
    (spec_text("format = { kind = 'round-robin', candidates = ['a'] }"), 3, "format.candidates", "no such key"),
    (spec_text("format = { kind = 'gauntlet', candidates = ['z'] }"), 3, "format.candidates[0]", "a, b, c"),
    (spec_text("format = { kind = 'gauntlet', candidates = ['a', 'a'] }"), 3, "format.candidates[1]", "twice"),
    (spec_text(GAUNTLET), 3, "format.candidates", "leaves 1 references, and 2 sit at each table"),
    (spec_text("format = { kind = 'pair', candidates = ['a'] }"), 3, "format.candidates", "at least 2"),
    (spec_text("seats = 2\nrules = 'short'\n" + PAIR), 7, "bots", "only the two candidates play"),
    (spec_text("seats = 2\nrules = 'short'\nduplicates = 'fixed-field'\n" + PAIR, "ab"), 5, "duplicates", "no field"),
    (spec_text("duplicates = 'fixed-field'"), 3, "duplicates", "gauntlet"),
    # blocks
    ('name = "x"\nseats = 8\n' + bots("".join(map(chr, range(65, 91)))), 1, "blocks", "1,562,275 blocks"),
    (spec_text("faulted = 'drop'\nreplacements = 3"), 4, "replacements", "replaces nothing"),
    (spec_text("stop = { high = 0.1 }"), 3, "stop", "two candidates"),
    (spec_text(PAIR + "stop = { low = 0.5, high = 0.5 }"), 4, "stop.high", "more than low"),
    (spec_text(PAIR + "stop = { alpha = 0.5 }"), 4, "stop.alpha", "less than 0.5"),
    (spec_text(PAIR + "blocks = 5\nstop = { minimum = 6 }"), 5, "stop.minimum", "write less"),
    # secrets, trust
    (spec_text(f"trust = 'own'\nseed = '{SEED}'\nseed_file = 'x'"), 5, "seed_file", "leave out one"),
    (spec_text(f"seed = '{SEED}'"), 3, "seed", "knows all cards"),
    (spec_text("trust = 'isolated'\nisolation = 'uid'"), 4, "isolation", "sandbox"),
    (spec_text("duplicates = 'rotation'"), 3, "duplicates", 'trust = "own"'),
    (spec_text("trust = 'own'\nduplicates = 'williams'", tail=REMOTE), 4, "duplicates", "remote bot remembers"),
    (spec_text("duplicates = 'fixed-field'\n" + GAUNTLET, "abc", REMOTE), 3, "duplicates", "remote bot remembers"),
    # clocks, network
    (spec_text("clock = 'none'", tail="[conduct]\nbank_ms = 3\n"), 14, "conduct.bank_ms", "clock"),
    (spec_text("address = 'here'"), 3, "address", "HOST:PORT"),
    (spec_text("tokens = 'x'"), 3, "tokens", "none has remote"),
    (spec_text("tls_cert = 'x'", tail=REMOTE), 1, "tls_key", "missing"),
    (spec_text("address = '0.0.0.0:7777'", tail=REMOTE), 1, "tokens", "anybody could play"),
    (spec_text("address = '0.0.0.0:7777'\ntokens = 'x'", tail=REMOTE), 1, "tls_cert", "in the clear"),
    (spec_text("plaintext = true"), 3, "plaintext", "none has remote"),
    (spec_text("tokens = 'x'\nplaintext = true\ntls_cert = 'x'\ntls_key = 'x'", tail=REMOTE), 4, "plaintext", "one of"),
    (spec_text("length = { rounds = 1001 }"), 3, "length.rounds", "abandoned after 1,000 deals"),
    (spec_text("length = { rounds = 5 }", tail="[conduct]\nmax_deals = 4\n"), 3, "length.rounds", "larger max_deals"),
    # limits
    (spec_text("isolation = 'none'", tail="limits = { processes = 9 }\n"), 13, "bots[2].limits.processes", "by user"),
    (spec_text(tail="reads = ['']\n"), 13, "bots[2].reads", "files and folders"),
    (spec_text(tail=REMOTE + "reads = ['x']\n"), 16, "bots[3].reads", "starts itself"),
    (spec_text(tail="[conduct]\nlate_faults = false\n"), 14, "conduct.late_faults", "a whole number"),
    (spec_text(tail="[conduct]\nbank_ms = -1\n"), 14, "conduct.bank_ms", "at least"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "key", "said"), WRONG)
def test_a_mistake_is_found_where_it_is(text: str, line: int, key: str, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse(text)
    error = caught.value
    assert (error.line, error.key) == (line, key), str(error)
    assert said in error.why
    assert str(error).startswith(f"event.toml:{line}: {key}")


def test_a_fixed_field_with_one_candidate_may_have_remote_references() -> None:
    head = "duplicates = 'fixed-field'\nformat = { kind = 'gauntlet', candidates = ['a'] }"
    assert parse(spec_text(head, tail=REMOTE)).bots[3].remote


def test_what_is_no_text_is_no_spec(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_bytes(b'name = "x"\n# \xff\n')
    with pytest.raises(SpecError, match=r"event\.toml:2: not a text in UTF-8"):
        read_spec(path)
    path.write_bytes(b"#" * (1024 * 1024 + 1))
    with pytest.raises(SpecError, match="1,048,576 bytes"):
        read_spec(path)
    with pytest.raises(FileNotFoundError):
        read_spec(tmp_path / "none")


def test_deep_nesting_is_no_crash() -> None:
    with pytest.raises(SpecError):
        parse("a = " + "[" * 100_000)


def test_the_folder_of_an_event_is_named_after_its_spec(tmp_path: Path) -> None:
    path = tmp_path / "spring.toml"
    assert output_of(parse(spec_text()), path) == tmp_path / "spring.event"
    assert output_of(parse(spec_text("output = 'there'")), path) == tmp_path / "there"


ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-1, 1) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None, max_examples=200)
@given(st.sampled_from([*Spec.__struct_fields__, "bots.name", "bots.limits", "format.kind", "zz"]), ANY)
def test_no_value_of_any_key_is_a_crash(key: str, value: object) -> None:
    """Whatever stands there, it is a spec or an error with a line."""
    outer, _, inner = key.partition(".")
    whole: dict[str, Any] = tomllib.loads(spec_text())
    if inner and outer == "bots":
        whole["bots"][1][inner] = value
    else:
        whole[outer] = {inner: value} if inner else value
    text = toml(whole)
    with contextlib.suppress(SpecError):
        parse(text)


def toml(value: Any) -> str:
    """A document as TOML; null, which it lacks, as a date."""
    return "\n".join(f"{json.dumps(key)} = {_inline(item)}" for key, item in value.items()) + "\n"


def _inline(value: Any) -> str:
    if value is None:
        return "2020-01-01"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


# -- the schema, and the text of `init` --------------------------------------------------------------------------------


def test_specs_are_what_the_schema_says() -> None:
    for text in (init_text("spring"), spec_text(GAUNTLET, "abcd"), spec_text("rules = { limit = 3 }\nlength = 'game'")):
        table = tomllib.loads(text)
        assert fits(table, SCHEMA, SCHEMA)
        parse(text)


@pytest.mark.parametrize(
    "head",
    ["seets = 3", "blocks = '3'", "trust = 'me'", "rules = { x = 3 }", "rules = 'x'", "length = 3", "stop = {x=1}"],
)
def test_the_schema_finds_mistakes_too(head: str) -> None:
    assert not fits(tomllib.loads(spec_text(head)), SCHEMA, SCHEMA)


def test_the_text_of_init_is_a_spec() -> None:
    spec = parse(init_text("spring"))
    assert spec.name == "spring"
    assert len(spec.bots) == 3


def test_every_key_stands_in_the_text_of_init() -> None:
    text = init_text("spring")
    for name in _keys(SCHEMA):
        assert f"{name} =" in text or f" {name}," in text or f" {name}\n" in text or f"[{name}]" in text, name


def _keys(schema: dict[str, Any]) -> set[str]:
    kinds = ("Spec", "Bot", "Limits", "SequentialStop", "Gauntlet", "Pair", "Conduct")
    return {name for kind in kinds for name in schema["$defs"][kind]["properties"]}


def test_what_is_commented_out_in_it_is_the_default() -> None:
    """Each key alone, put in, changes nothing."""
    lines = init_text("spring").split("\n")
    before = parse("\n".join(lines))
    put_in = 0
    for number, line in enumerate(lines):
        if not line.startswith("#") or line.startswith("# ") or line == "#":
            continue
        changed = [*lines]
        changed[number] = line[1:]
        if line.startswith("#[stop]"):
            break
        spec = tomllib.loads("\n".join(changed))
        if "tls" not in line and "remote" not in line and "tokens" not in line and "plain" not in line:
            assert parse(toml(spec)) == before, line
        put_in += 1
    assert put_in > 15


def test_the_sequential_test_in_it_has_the_defaults() -> None:
    text = init_text("spring")
    part = text[text.index("#[stop]") : text.index("# -- bots")]
    whole = tomllib.loads("\n".join(line.removeprefix("#") for line in part.split("\n")))
    assert msgspec.convert(whole["stop"], type(parse(spec_text(PAIR + "stop = {}")).stop)) == parse(
        spec_text(PAIR + "stop = {}")
    ).stop  # fmt: skip


# -- the page ----------------------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parents[2] / "docs" / "tournament.md").read_text()


@pytest.mark.parametrize("kind", ["Spec", "Bot", "Limits", "SequentialStop"])
def test_every_key_is_documented_with_its_default(kind: str) -> None:
    """Tables of the page have exactly the keys there are."""
    for name, field in SCHEMA["$defs"][kind]["properties"].items():
        row = re.search(rf"^\| `{name}` \| (.+?) \| .+ \|$", PAGE, re.MULTILINE)
        assert row, name
        assert row[1] in (_default(kind, name, field), f"`{_default(kind, name, field)}`"), name


def _default(kind: str, name: str, field: dict[str, Any]) -> str:
    if name in SCHEMA["$defs"][kind]["required"]:
        return "must be given"
    if name == "format":
        return '{ kind = "round-robin" }'
    if "default" not in field:
        return "not set"
    if name == "length":
        return "{ rounds = 100 }"
    # Tables of which every key has a default of its own.
    return "{}" if isinstance(field["default"], dict) else json.dumps(field["default"])


def test_the_page_has_no_key_that_is_none() -> None:
    tables = PAGE[PAGE.index("### Keys of the event") : PAGE.index("## Formats")]
    kinds = ("Spec", "Bot", "Limits", "SequentialStop")
    known = {name for kind in kinds for name in SCHEMA["$defs"][kind]["properties"]}
    assert set(re.findall(r"^\| `(\w+)` \|", tables, re.MULTILINE)) == known
