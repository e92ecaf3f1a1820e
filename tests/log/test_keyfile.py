"""Key files and `toep keygen`: who may read them, what may stand in them, and that nothing of a key is ever shown."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.log.keyfile import KeyFileCode, KeyFileError, public_path, read_key, write_key
from referee.log.note import Signer, Verifier

NAME = "club.example/referee"
SIGNER = Signer(NAME, bytes(range(32)))
SECRET = SIGNER.private_text().split("+", 4)[4]


@pytest.fixture(autouse=True)
def generous() -> Iterator[None]:
    """A umask that takes nothing away."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "referee.key"
    write_key(path, SIGNER)
    return path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def code_of(path: Path) -> KeyFileCode:
    with pytest.raises(KeyFileError) as caught:
        read_key(path)
    assert str(path) in str(caught.value)
    assert SECRET[:10] not in str(caught.value)
    return caught.value.code


def test_a_key_is_written_and_read_back(path: Path) -> None:
    assert read_key(path).vkey == SIGNER.vkey
    assert (mode(path), mode(public_path(path))) == (0o600, 0o644)
    assert path.read_text() == SIGNER.private_text() + "\n"
    assert public_path(path).read_text() == SIGNER.vkey + "\n"


@pytest.mark.parametrize("bits", [0o640, 0o604, 0o620, 0o602, 0o610, 0o666])
def test_a_key_that_others_can_get_at_is_not_used(path: Path, bits: int) -> None:
    path.chmod(bits)
    with pytest.raises(KeyFileError, match=f"mode {bits:04o}.*chmod 600 {path}") as caught:
        read_key(path)
    assert caught.value.code is KeyFileCode.MODE
    path.chmod(0o400)
    assert read_key(path).vkey == SIGNER.vkey


@pytest.mark.parametrize("which", ["referee.key", "referee.key.pub"])
def test_nothing_is_overwritten(tmp_path: Path, which: str) -> None:
    (tmp_path / which).write_text("precious")
    with pytest.raises(KeyFileError, match="never overwritten") as caught:
        write_key(tmp_path / "referee.key", SIGNER)
    assert caught.value.code is KeyFileCode.EXISTS
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [(which, "precious")]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n",
        SIGNER.vkey,
        SIGNER.private_text() + "\n\n",
        SIGNER.private_text() + "\r\n",
        SIGNER.private_text()[:-1],
        SIGNER.private_text().replace("club", "klub"),
        SIGNER.private_text() + "x" * 10_000,
        SIGNER.private_text().replace("club", "clüb"),
    ],
)
def test_what_is_no_key(path: Path, content: str) -> None:
    path.write_text(content)
    assert code_of(path) is KeyFileCode.CONTENT


def test_a_key_without_a_line_feed_is_one(path: Path) -> None:
    path.write_text(SIGNER.private_text())
    assert read_key(path).vkey == SIGNER.vkey


def test_what_is_no_file(tmp_path: Path) -> None:
    assert code_of(tmp_path / "none") is KeyFileCode.IO
    os.mkfifo(tmp_path / "pipe", 0o600)
    assert code_of(tmp_path / "pipe") is KeyFileCode.CONTENT
    assert code_of(tmp_path) in (KeyFileCode.IO, KeyFileCode.CONTENT)
    with pytest.raises(KeyFileError) as caught:
        write_key(tmp_path / "none" / "referee.key", SIGNER)
    assert caught.value.code is KeyFileCode.IO


def test_a_full_disk_leaves_no_half_of_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(KeyFileError, match="No space left"):
        write_key(tmp_path / "referee.key", SIGNER)
    assert list(tmp_path.iterdir()) == []


# -- the command -------------------------------------------------------------------------------------------------------


def test_keygen_makes_a_key_and_shows_its_public_half(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "referee.key"
    assert run(["keygen", NAME, "-o", str(path)]) == 0
    out, err = capfd.readouterr()
    assert Verifier(out.removesuffix("\n")).name == NAME
    assert err == ""
    assert mode(path) == 0o600
    assert public_path(path).read_text() == out
    assert run(["keygen", "--show", str(path)]) == 0
    assert capfd.readouterr().out == out
    # Another key each time, and none is lost.
    assert run(["keygen", NAME, "-o", str(path)]) == 2
    assert run(["keygen", NAME, "-o", str(tmp_path / "second.key")]) == 0
    assert capfd.readouterr().out != out


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["a"],
        ["-o", "a.key"],
        ["a b", "-o", "a.key"],
        ["a+b", "-o", "a.key"],
        ["", "-o", "a.key"],
        ["a", "-o", "none/a.key"],
        ["--show", "none"],
        ["a", "--show", "a.key"],
        ["--show", "a.key", "-o", "b.key"],
    ],
)
def test_keygen_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["keygen", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("toep keygen: ")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["play", "--bot", "random"], ["serve"]])
def test_a_key_that_cannot_be_used_stops_the_command(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    monkeypatch.chdir(path.parent)
    monkeypatch.setattr("referee.cli.serve.configure_logging", lambda **_: None)
    path.chmod(0o644)
    assert run([*command, "--key", "referee.key"]) == 2
    assert "chmod 600 referee.key" in capsys.readouterr().err
    assert sorted(file.name for file in path.parent.iterdir()) == ["referee.key", "referee.key.pub"]
