"""Encryption: which files are refused and why, and who gets in."""

import datetime
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from toep_client import Settings, Trouble
from toep_client import play as play_bot
from toep_client.samples.caller import Caller

from referee.cli.main import run
from referee.service import tls
from referee.service.server import Server, is_loopback
from referee.service.store import Store
from tests.support.certs import DAY, NOW, Authority, Pair

SECRET = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n"

Wrong = Callable[[Authority, Pair, Path], tuple[Path, Path, Path | None]]


def written(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text)
    path.chmod(mode)
    return path


def readable(pair: Pair, mode: int) -> Path:
    pair.key.chmod(mode)
    return pair.key


# Each: the three files, and what the one line says.
WRONG: dict[str, tuple[Wrong, str]] = {
    "no certificate": (lambda _, pair, at: (at / "none", pair.key, None), "--tls-cert {}/none: No such file"),
    "no key": (lambda _, pair, at: (pair.cert, at / "none", None), "--tls-key {}/none: No such file"),
    "no authority": (lambda _, pair, at: (*pair, at / "none"), "--tls-client-ca {}/none: No such file"),
    "a folder": (lambda _, pair, at: (at, pair.key, None), "--tls-cert {}: Is a directory"),
    "certificate and key mixed up": (lambda _, pair, at: (pair.key, pair.cert, None), "{}/server.key: no certificate"),
    "a certificate for a key": (lambda _, pair, at: (pair.cert, written(at / "k", "x"), None), "{}/k: no private key"),
    "a broken key": (lambda _, pair, at: (pair.cert, written(at / "k", SECRET), None), "{}/k: no private key in PEM"),
    "another key": (lambda ca, pair, _: (pair.cert, ca.pair("b").key, None), "{}/b.key: it does not fit the certif"),
    "a passphrase": (
        lambda ca, _, __: (*ca.pair("c", passphrase=b"secret"), None),
        "{}/c.key: it has a passphrase",
    ),
    "readable by all": (lambda _, pair, __: (pair.cert, readable(pair, 0o644), None), "(mode 0644): chmod 600 {}/"),
    "writable by a group": (lambda _, pair, __: (pair.cert, readable(pair, 0o660), None), "(mode 0660): chmod 600"),
    "an authority that is none": (
        lambda _, pair, at: (*pair, written(at / "r", "x")),
        "--tls-client-ca {}/r: no certificate",
    ),
    "expired": (lambda ca, _, __: (*ca.pair("d", begins=NOW - 3 * DAY, ends=NOW - 2 * DAY), None), "it was good until"),
    "not good yet": (lambda ca, _, __: (*ca.pair("e", begins=NOW + DAY / 2), None), "it is good from"),
    "huge": (lambda _, pair, at: (written(at / "h", "x" * 1_048_577), pair.key, None), "{}/h: more than 1,048,576 by"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_that_cannot_be_used(tmp_path: Path, name: str) -> None:
    """One line that names the file, with nothing of what is in it."""
    make, said = WRONG[name]
    ca = Authority(tmp_path)
    cert, key, client_ca = make(ca, ca.pair("server"), tmp_path)
    with pytest.raises(tls.TlsError) as caught:
        tls.load(cert, key, client_ca)
    text = str(caught.value)
    assert said.format(tmp_path) in text
    assert "\n" not in text
    assert "secret" not in text.replace(str(tmp_path), "")
    assert "PRIVATE" not in text


def test_a_key_that_a_group_may_read_is_fine(tmp_path: Path) -> None:
    cert, key = Authority(tmp_path).pair("server")
    key.chmod(0o640)
    ends = tls.load(cert, key).expires
    assert abs(ends - (NOW + DAY)) < datetime.timedelta(seconds=1)


TOKENS = '{"organiser": "secret-o", "bots": {"ann": "secret-a"}}'
BEYOND = ("--address", "0.0.0.0:0")

# Each: options, where FOLDER stands for a folder with the files, and what the one line has.
REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "beyond loopback without anything": (BEYOND, "give --tokens FILE, and --tls-cert"),
    "beyond loopback without tokens": (
        (*BEYOND, "--tls-cert", "FOLDER/server.pem", "--tls-key", "FOLDER/server.key"),
        "give --tokens FILE",
    ),
    "beyond loopback in the clear": ((*BEYOND, "--tokens", "FOLDER/tokens"), "--plaintext to say"),
    "a certificate alone": (("--tls-cert", "FOLDER/server.pem"), "belong together"),
    "a key alone": (("--tls-key", "FOLDER/server.key"), "belong together"),
    "an authority alone": (("--tls-client-ca", "FOLDER/ca.pem"), "only with --tls-cert"),
    "encrypted and plain": (
        ("--tls-cert", "FOLDER/server.pem", "--tls-key", "FOLDER/server.key", "--plaintext"),
        "leave one of them out",
    ),
    "a key that is not there": (
        ("--tls-cert", "FOLDER/server.pem", "--tls-key", "FOLDER/none"),
        "--tls-key FOLDER/none: No such file or directory",
    ),
    "tokens for everybody": (("--tokens", "FOLDER/open"), "--tokens FOLDER/open: others have access to it (mode 0644)"),
    "tokens that are none": (("--tokens", "FOLDER/server.key"), "--tokens FOLDER/server.key: it must be"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_command_that_would_be_unsafe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Authority(tmp_path).pair("server")
    written(tmp_path / "tokens", TOKENS)
    written(tmp_path / "open", TOKENS, 0o644)
    words, said = REFUSED[name]
    assert run(["serve", *(word.replace("FOLDER", str(tmp_path)) for word in words)]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert said.replace("FOLDER", str(tmp_path)) in streams.err
    assert streams.err.count("\n") == 1
    assert "secret" not in streams.err
    assert not (tmp_path / "logs").exists() or list((tmp_path / "logs").iterdir()) == []


@pytest.mark.parametrize(
    ("address", "is_it"),
    [
        ("127.0.0.1:1", True),
        ("127.8.9.1:1", True),
        ("localhost:1", True),
        ("[::1]:1", True),
        ("unix:/tmp/x", True),
        ("0.0.0.0:1", False),
        ("[::]:1", False),
        ("127.0.0.1.example.org:1", False),
        ("127.example.org:1", False),
        ("localhost.example.org:1", False),
        ("10.0.0.1:1", False),
        (":1", False),
    ],
)
def test_what_this_machine_alone_can_reach(address: str, is_it: bool) -> None:
    assert is_loopback(address) == is_it


# -- who gets in -------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def listening(folder: Path, pair: Pair, client_ca: Path | None = None) -> AsyncIterator[Server]:
    server = Server(Store(folder / "logs"), tls=tls.load(*pair, client_ca), tokens={"ann": "secret-a"})
    await server.start()
    try:
        yield server
    finally:
        await server.stop(0)


async def trouble(server: Server, **how: object) -> str:
    """What a bot is told that does not get in; it has no matches, and would stay if it did."""
    settings = Settings(address=server.address, bot="ann", token="secret-a", **how)  # type: ignore[arg-type]
    with pytest.raises(Trouble) as caught:
        await play_bot(Caller(), settings)
    assert server.hall.sessions == {}
    assert caught.value.code == 2
    return str(caught.value)


async def comes_in(server: Server, **how: object) -> None:
    """A bot gets in, hears that the referee closes down, and leaves in peace."""
    server.hall.draining = ""
    settings = Settings(address=server.address, bot="ann", token="secret-a", **how)  # type: ignore[arg-type]
    real = server.hall.connect

    def connect(bot: str, parallel: int, **whose: Any) -> object:
        session = real(bot, parallel, **whose)
        server.hall.drain("enough")
        return session

    server.hall.connect = connect  # type: ignore[method-assign, assignment]
    try:
        await play_bot(Caller(), settings)
    finally:
        server.hall.connect = real  # type: ignore[method-assign]


@pytest.mark.asyncio
async def test_a_bot_that_trusts_the_authority_gets_in(tmp_path: Path) -> None:
    ca = Authority(tmp_path)
    async with listening(tmp_path, ca.pair("server")) as server:
        await comes_in(server, tls=True, tls_ca=str(ca.ca))


@pytest.mark.asyncio
async def test_a_bot_that_does_not_encrypt_gets_nothing(tmp_path: Path) -> None:
    async with listening(tmp_path, Authority(tmp_path).pair("server")) as server:
        assert "TOEP_TLS_CA" in await trouble(server)


@pytest.mark.asyncio
async def test_a_referee_that_is_not_the_one_is_told_no_token(tmp_path: Path) -> None:
    """Its certificate is of another authority, or for another name: no bot goes on to say who it is."""
    ca, other = Authority(tmp_path), Authority(tmp_path, "other")
    async with listening(tmp_path, ca.pair("server")) as server:
        assert "TOEP_TLS_CA" in await trouble(server, tls=True, tls_ca=str(other.ca))
        assert "TOEP_TLS_CA" in await trouble(server, tls=True)
    async with listening(tmp_path, ca.pair("elsewhere", hosts=("referee.example.org",))) as server:
        assert "certificate" in await trouble(server, tls=True, tls_ca=str(ca.ca))


@pytest.mark.asyncio
async def test_with_a_client_authority_only_its_bots_get_in(tmp_path: Path) -> None:
    ca, clients, other = Authority(tmp_path), Authority(tmp_path, "clients"), Authority(tmp_path, "other")
    mine, forged = clients.pair("mine"), other.pair("forged")
    async with listening(tmp_path, ca.pair("server"), clients.ca) as server:
        trusting = {"tls": True, "tls_ca": str(ca.ca)}
        await comes_in(server, **trusting, tls_cert=str(mine.cert), tls_key=str(mine.key))
        assert "over TLS" in await trouble(server, **trusting)
        assert "over TLS" in await trouble(server, **trusting, tls_cert=str(forged.cert), tls_key=str(forged.key))


@pytest.mark.asyncio
async def test_a_certificate_is_no_token(tmp_path: Path) -> None:
    ca = Authority(tmp_path)
    mine = ca.pair("ann")
    async with listening(tmp_path, ca.pair("server"), ca.ca) as server:
        settings = Settings(
            address=server.address,
            bot="ann",
            tls=True,
            tls_ca=str(ca.ca),
            tls_cert=str(mine.cert),
            tls_key=str(mine.key),
        )
        with pytest.raises(Trouble, match="TOEP_TOKEN"):
            await play_bot(Caller(), settings)


# -- a bot's own files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"tls_ca": "none"}, "TOEP_TLS_CA='none': No such file"),
        ({"tls_ca": "server.key"}, "TOEP_TLS_CA='server.key' has no certificate"),
        ({"tls_cert": "none", "tls_key": "server.key"}, "TOEP_TLS_CERT='none': No such file"),
        ({"tls_cert": "server.pem", "tls_key": "other.key"}, "that fit each other"),
        ({"tls_cert": "server.pem", "tls_key": "locked.key"}, "that fit each other"),
    ],
    ids=str,
)
@pytest.mark.asyncio
async def test_a_bots_file_that_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ca = Authority(tmp_path)
    for name in ("server", "other"):
        ca.pair(name)
    ca.pair("locked", passphrase=b"secret")
    settings = Settings(address="127.0.0.1:1", bot="ann", tls=True, **files)  # type: ignore[arg-type]
    with pytest.raises(Trouble) as caught:
        await play_bot(Caller(), settings)
    assert said in str(caught.value)
    assert caught.value.code == 2
