"""Options of `toep serve` from flags, environment, file and defaults: every option from every place."""

import argparse
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import structlog

from referee.cli import serve
from referee.cli.config import Effective, Options, shown
from referee.cli.exits import CommandError
from referee.cli.main import run


class Sample(NamedTuple):
    """One value of an option in its three spellings, what it comes to, and what the default comes to."""

    flag: tuple[str, ...]
    variable: str
    toml: str
    value: Any
    default: Any


def path(default: Path | None = None) -> Sample:
    return Sample(("a/b",), "a/b", '"a/b"', Path("a/b"), default)


def text(default: str | None, word: str = "some text") -> Sample:
    return Sample((word,), word, json.dumps(word), word, default)


def number(default: int | float | None, value: int | float = 7) -> Sample:
    return Sample((str(value),), str(value), str(value), value, default)


SWITCH = Sample((), "true", "true", True, False)

SAMPLES: dict[str, Sample] = {
    "address": text("127.0.0.1:7777", "[::1]:1"),
    "logs": path(Path("logs")),
    "tokens": path(),
    "tls_cert": path(),
    "tls_key": path(),
    "tls_client_ca": path(),
    "plaintext": SWITCH,
    "match": Sample(("a,b",), "a,b", '["a,b"]', ["a,b"], []),
    "deals": text(None),
    "lobby_seconds": number(0),
    "grace_seconds": number(0),
    "max_matches": number(2000),
    "once": SWITCH,
    "drain": number(600.0, 1.5),
    "durable": SWITCH,
    "key": path(),
    "json_log": SWITCH,
    "metrics": text(None, "127.0.0.1:9464"),
    "rules": text("cafe", "short"),
    "set": Sample(("limit=7",), "limit=7", '["limit=7"]', ["limit=7"], []),
    "rounds": number(None),
    "clock": text("ms", "none"),
    "act_ms": number(None),
    "window_ms": number(None),
    "tries": number(None),
    "faults": number(None),
    "max_deals": number(None),
    "bank_ms": number(None),
    "increment_ms": number(None),
    "ready_ms": number(None),
    "late_faults": number(None),
    "link_faults": number(None),
    "refused_faults": number(None),
    "left": text(None, "wait"),
    "stall": text(None, "void"),
}
"""Every option that can stand in a file."""


@pytest.fixture(autouse=True)
def _own_logging() -> Iterator[None]:
    """A command sets up the log of its process; this one goes on."""
    yield
    structlog.reset_defaults()


def effective(*flags: str, **environ: str) -> dict[str, Effective]:
    parser = argparse.ArgumentParser()
    serve.configure(parser)
    args = parser.parse_args(flags)
    options: Options = args.options
    return options.effective(args, environ)


def flag(name: str) -> tuple[str, ...]:
    return ("--" + name.replace("_", "-"), *SAMPLES[name].flag)


def variable(name: str) -> dict[str, str]:
    return {"TOEP_SERVE_" + name.upper(): SAMPLES[name].variable}


def file(folder: Path, *names: str, extra: str = "") -> Path:
    made = folder / "toep.toml"
    made.write_text(
        "# a comment\n" + "".join(f"{one.replace('_', '-')} = {SAMPLES[one].toml}\n" for one in names) + extra
    )
    return made


def refused(*flags: str, **environ: str) -> str:
    with pytest.raises(CommandError) as caught:
        effective(*flags, **environ)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_there_is_a_sample_of_every_option() -> None:
    parser = argparse.ArgumentParser()
    serve.configure(parser)
    options: Options = parser.parse_args([]).options
    assert [name.replace("-", "_") for name in options.names] == list(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_option_from_every_place(tmp_path: Path, name: str) -> None:
    """A flag counts more than the environment, that more than the file, and that more than the default."""
    sample, config = SAMPLES[name], ("--config", str(file(tmp_path, name)))
    place = f"{tmp_path}/toep.toml:2"
    assert effective()[name] == Effective(sample.default, "default")
    assert effective(*config)[name] == Effective(sample.value, place)
    assert effective(**variable(name))[name] == Effective(sample.value, f"environment TOEP_SERVE_{name.upper()}")
    assert effective(*flag(name))[name] == Effective(sample.value, "flag")
    others = {other: one for other, one in effective(*config).items() if other not in (name, "config")}
    assert {one.source for one in others.values()} == {"default"}


OTHER: dict[str, str] = {
    "plaintext": "no", "once": "0", "json_log": "FALSE", "durable": "false", "match": "c,d; e,f",
    "set": "limit=9", "clock": "ms", "rules": "cafe", "left": "forfeit", "stall": "excuse",
}  # fmt: skip


@pytest.mark.parametrize("name", SAMPLES)
def test_what_counts_more(tmp_path: Path, name: str) -> None:
    """A place that says something else than the one below it wins, whole: lists are not joined."""
    config = ("--config", str(file(tmp_path, name)))
    key = "TOEP_SERVE_" + name.upper()
    between = effective(*config, **{key: OTHER.get(name, "8")})[name]
    assert between.source == f"environment {key}"
    assert between.value != SAMPLES[name].value
    above = effective(*config, *flag(name), **{key: OTHER.get(name, "8")})[name]
    assert above == Effective(SAMPLES[name].value, "flag")


def test_lists() -> None:
    assert effective(TOEP_SERVE_MATCH="c,d; e,f")["match"].value == ["c,d", "e,f"]
    assert effective("--match", "a,b", "--match", "c,d", TOEP_SERVE_MATCH="e,f")["match"].value == ["a,b", "c,d"]


def test_an_empty_variable_is_as_good_as_none() -> None:
    assert effective(TOEP_SERVE_DRAIN="", TOEP_TOKENS="")["drain"].source == "default"


def test_the_file_can_be_named_in_the_environment(tmp_path: Path) -> None:
    made = file(tmp_path, "drain")
    assert effective(TOEP_SERVE_CONFIG=str(made))["drain"].value == 1.5
    assert effective("--config", str(made), TOEP_SERVE_CONFIG="none")["drain"].value == 1.5


def test_the_other_name_of_the_file_of_tokens(tmp_path: Path) -> None:
    found = effective("--config", str(file(tmp_path, "tokens")), TOEP_TOKENS="c/d")["tokens"]
    assert found == Effective(Path("c/d"), "environment TOEP_TOKENS")
    assert effective("--tokens", "e", TOEP_TOKENS="c/d")["tokens"].value == Path("e")
    assert "set one of them" in refused(TOEP_TOKENS="a", TOEP_SERVE_TOKENS="b")


def test_a_whole_number_will_do_for_seconds(tmp_path: Path) -> None:
    assert effective("--config", str(file(tmp_path, extra="drain = 5\n")))["drain"].value == 5.0


def test_variables_of_bots_are_none_of_its_business() -> None:
    assert effective(TOEP_TOKEN="secret", TOEP_BOT="ann", TOEP_ADDRESS="x")["address"].source == "default"


WRONG_FILES = {
    "unknown": ("lgos = 'a'\n", "toml:2: there is no option 'lgos'; do you mean logs?"),
    "unlike anything": ("zzz = 1\n", "toml:2: there is no option 'zzz'"),
    "an underscore": ("act_ms = 1\n", "toml:2: there is no option 'act_ms'; do you mean act-ms?"),
    "a section": ("once = true\n\n[serve]\nlogs = 'a'\n", "toml:4: there is no option 'serve'"),
    "itself": ("config = 'a'\n", "toml:2: there is no option 'config'"),
    "printing": ("print-config = true\n", "toml:2: there is no option 'print-config'"),
    "a text for a number": ("once = true\ntries = '3'\n", "toml:3: tries: write a number"),
    "a fraction": ("tries = 1.5\n", "toml:2: tries: write a number"),
    "a switch for a number": ("tries = true\n", "toml:2: tries: write a number"),
    "a number for a switch": ("once = 1\n", "toml:2: once: write true or false"),
    "a number for a text": ("logs = 1\n", "toml:2: logs: write a text"),
    "a secret for a file": ("tokens = {organiser = 'secret'}\n", "toml:2: tokens: write a text"),
    "a text for a list": ("match = 'a,b'\n", "toml:2: match: write a list"),
    "a list of numbers": ("match = [1]\n", "toml:2: match: write a list"),
    "no choice": ("clock = 'secret'\n", "toml:2: clock: it must be one of ms, none"),
    "out of range": ("lobby-seconds = -1\n", "toml:2: lobby-seconds: it must be a whole number from 0 to"),
    "no number at all": ("drain = nan\n", "toml:2: drain: it must be a number from 0 to"),
    "no TOML": ("tries = \n", "toml: not TOML: Invalid value (at line 2, column 9)"),
    "twice": ("tries = 1\ntries = 2\n", "not TOML: Cannot overwrite a value (at line 3"),
}


@pytest.mark.parametrize("name", WRONG_FILES)
def test_what_is_wrong_in_a_file_is_named(tmp_path: Path, name: str) -> None:
    """By file, line and key; the value, which may have got there by mistake, is not shown."""
    extra, said = WRONG_FILES[name]
    text = refused("--config", str(file(tmp_path, extra=extra)))
    assert said in text
    assert "secret" not in text


def test_a_file_that_is_none(tmp_path: Path) -> None:
    assert "--config none: No such file or directory" in refused("--config", "none")
    assert "Is a directory" in refused("--config", str(tmp_path))
    (tmp_path / "x").write_bytes(b"\xff\xfe")
    assert "not a text in UTF-8" in refused("--config", str(tmp_path / "x"))
    (tmp_path / "x").write_bytes(b"#" * 1_048_577)
    assert "more than" in refused("--config", str(tmp_path / "x"))


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"TOEP_SERVE_DRIAN": "secret"}, "TOEP_SERVE_DRIAN: there is no such option; do you mean TOEP_SERVE_DRAIN?"),
        ({"TOEP_SERVE_drain": "1"}, "TOEP_SERVE_drain: there is no such option"),
        ({"TOEP_SERVE_PRINT_CONFIG": "1"}, "TOEP_SERVE_PRINT_CONFIG: there is no such option"),
        ({"TOEP_SERVE_ONCE": "secret"}, "TOEP_SERVE_ONCE: write true or false"),
        ({"TOEP_SERVE_TRIES": "secret"}, "TOEP_SERVE_TRIES: it must be a whole number"),
        ({"TOEP_SERVE_DRAIN": "secret"}, "TOEP_SERVE_DRAIN: it must be a number from 0 to"),
        ({"TOEP_SERVE_CLOCK": "secret"}, "TOEP_SERVE_CLOCK: it must be one of ms, none"),
    ],
    ids=str,
)
def test_what_is_wrong_in_the_environment_is_named(environ: dict[str, str], said: str) -> None:
    text = refused(**environ)
    assert said in text
    assert "secret" not in text


def test_values_that_contradict_the_rules_are_found_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("--tries", "0"), ("--set", "limit=0"), ("--rules", "bridge")):
        assert run(["serve", *words]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_the_values_that_count_are_printed_as_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be given to --config, and then says the same."""
    for name in SAMPLES:
        monkeypatch.delenv("TOEP_SERVE_" + name.upper(), raising=False)
    monkeypatch.setenv("TOEP_SERVE_DRAIN", "1.5")
    config = file(tmp_path, "tries", "match")
    assert run(["serve", "--config", str(config), "--logs", 'a "b" ü', "--once", "--print-config"]) == 0
    printed = capsys.readouterr().out
    assert "drain = 1.5  # environment TOEP_SERVE_DRAIN\n" in printed
    assert f"tries = 7  # {config}:2\n" in printed
    assert 'address = "127.0.0.1:7777"  # default\n' in printed
    assert "# tokens is not set\n" in printed
    assert tomllib.loads(printed)["logs"] == 'a "b" ü'
    monkeypatch.delenv("TOEP_SERVE_DRAIN")
    again = tmp_path / "again.toml"
    again.write_text(printed)
    assert run(["serve", "--config", str(again), "--print-config"]) == 0
    values = re.compile(r" +#.*")
    assert values.sub("", capsys.readouterr().out) == values.sub("", printed)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_value_survives_being_printed(tmp_path: Path, name: str) -> None:
    made = tmp_path / "printed.toml"
    made.write_text(shown(effective(*flag(name))))
    assert effective("--config", str(made))[name].value == SAMPLES[name].value


def test_no_secret_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is secret stands in files, and is not even read."""
    secret = tmp_path / "tokens.json"
    secret.write_text('{"organiser": "secret", "bots": {}}')
    assert run(["serve", "--tokens", str(secret), "--key", str(secret), "--print-config"]) == 0
    streams = capsys.readouterr()
    assert str(secret) in streams.out
    assert '"secret"' not in streams.out
