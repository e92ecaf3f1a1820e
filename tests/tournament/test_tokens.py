"""Tokens of bots that dial in, and what is said about where they do."""

import json
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.tournament.remote import Presence, invitation, tokens_for
from tests.support.dialling import write


def test_what_bots_are_to_be_told() -> None:
    here = invitation(["ann", "bob"], "127.0.0.1:7777", tokens=True, encrypted=False)
    assert here == [
        "remote bots dial in at 127.0.0.1:7777 (not encrypted): ann, bob",
        "each is told: TOEP_ADDRESS=127.0.0.1:7777 TOEP_BOT=NAME TOEP_TOKEN=... TOEP_RECONNECT_SECONDS=600",
    ]
    there = "\n".join(invitation(["ann"], "0.0.0.0:7777", tokens=True, encrypted=True))
    assert "TOEP_ADDRESS=HOST:7777" in there
    assert "TOEP_TLS=1" in there
    assert "TOEP_TLS_CA=FILE" in there
    assert "TOEP_TOKEN" not in "\n".join(invitation(["ann"], "unix:/tmp/x", tokens=False, encrypted=False))


def test_who_has_come_and_who_has_gone() -> None:
    presence = Presence(["ann", "bob"])
    assert presence.changes({"cor"}) == []
    assert presence.changes({"bob", "cor"}) == ["bob has dialled in; not here: ann"]
    assert presence.changes({"bob", "ann"}) == ["ann has dialled in; all remote bots are here"]
    assert presence.changes({"ann"}) == ["bob is not connected any more"]
    assert presence.changes({"ann"}) == []


@pytest.mark.parametrize(
    ("content", "mode", "said"),
    [
        ("{", 0o600, "it must be JSON"),
        ('["secret-1"]', 0o600, "it must be JSON"),
        ('{"ann": "secret-1"}', 0o600, "there is none for bob"),
        ('{"ann": "secret-1", "bob": 3}', 0o600, "it must be JSON"),
        ('{"ann": "secret-1", "bob": "secret-1"}', 0o600, "two bots have the same"),
        ('{"ann": "secret-1", "bob": "secret-\\u00e4"}', 0o600, "that of bob cannot be sent"),
        ('{"ann": "secret-1", "bob": "secret-2"}', 0o640, "chmod 600"),
        (None, 0, "`toep tournament tokens SPEC` makes it"),
    ],
)
def test_a_file_of_tokens_that_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, mode: int, said: str
) -> None:
    path = write(tmp_path)
    (tmp_path / "tokens.json").unlink()
    if content is not None:
        (tmp_path / "tokens.json").write_text(content)
        (tmp_path / "tokens.json").chmod(mode)
    assert run(["tournament", "run", str(path)]) == 2
    errors = capsys.readouterr().err
    assert said in errors
    assert "secret" not in errors
    assert not (tmp_path / "e.event" / "journal.jsonl").exists()


def test_tokens_are_made_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, file = write(tmp_path), tmp_path / "tokens.json"
    file.write_text('{"bob": "secret-of-bob"}')
    assert run(["tournament", "tokens", str(path)]) == 0
    first = json.loads(file.read_text())
    assert (first["bob"], len(first["ann"]), file.stat().st_mode & 0o777) == ("secret-of-bob", 32, 0o600)
    said = capsys.readouterr().out
    assert said == f"{file}\nmade for ann\nkept for bob\n"
    assert run(["tournament", "tokens", str(path)]) == 0
    assert json.loads(file.read_text()) == first
    assert tokens_for(file, ["ann"]) == {"ann": first["ann"]}
    other = tmp_path / "others.json"
    assert run(["tournament", "tokens", str(path), "-o", str(other)]) == 0
    assert set(json.loads(other.read_text())) == {"ann", "bob"}


def test_tokens_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(path: Path, *more: str) -> str:
        assert run(["tournament", "tokens", str(path), *more]) == 2
        return capsys.readouterr().err

    assert "it names no file of tokens" in said(write(tmp_path, tokens=""))
    assert "No such file" in said(tmp_path / "none.toml")
    assert "No such file" in said(write(tmp_path), "-o", str(tmp_path / "none" / "tokens.json"))
    (tmp_path / "bad.json").write_text('["secret"]')
    (tmp_path / "bad.json").chmod(0o600)
    assert "it must be JSON" in said(write(tmp_path), "-o", str(tmp_path / "bad.json"))
    local = write(tmp_path, local="cor dee", remote="", tokens="")
    local.write_text(local.read_text().replace('tokens = ""', ""))
    assert "no bot has remote = true" in said(local)


def test_strangers_need_tokens_on_this_machine_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, tokens="")
    assert run(["tournament", "run", str(path)]) == 2
    assert "ann, bob dial in, and whoever is on this machine" in capsys.readouterr().err
