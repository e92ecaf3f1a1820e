"""Bots in every language over TLS, at one table: each checks the referee's certificate and shows its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from referee.validate import validate_path
from tests.support.certs import Authority

from .conftest import GO_SECONDS

GOLANG = Path(__file__).parents[2] / "clients" / "go"
BOTS = ("node", "go", "python")


@pytest.fixture(scope="module")
def commands(typescript: Path, go: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The command of the sample bot in each language."""
    program = tmp_path_factory.mktemp("go") / "simple"
    build = [go, "build", "-buildvcs=false", "-mod=readonly", "-o", str(program), "./cmd/simple"]
    built = subprocess.run(build, cwd=GOLANG, capture_output=True, text=True, timeout=GO_SECONDS, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return {
        "node": ["node", str(typescript / "dist" / "samples" / "simple.js")],
        "go": [str(program)],
        "python": [sys.executable, "-m", "toep_client", "caller"],
    }


@contextmanager
def started(words: list[str], folder: Path, **variables: str) -> Iterator[subprocess.Popen[str]]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TOEP_")}
    process = subprocess.Popen(
        words, cwd=folder, env={**clean, **variables}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def listening(folder: Path, *words: str, name: str = "server") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A referee that encrypts and wants certificates, and its address."""
    serve = [sys.executable, "-m", "referee", "serve", "--address", "127.0.0.1:0", "--tls-cert", f"{name}.pem"]
    serve += ["--tls-key", f"{name}.key", "--tls-client-ca", "ca.pem", *words]
    with started(serve, folder) as referee:
        assert referee.stdout is not None
        yield referee, referee.stdout.readline().split()[-1]


def test_bots_of_every_language_play_over_tls(tmp_path: Path, commands: dict[str, list[str]]) -> None:
    ca = Authority(tmp_path)
    ca.pair("server")
    with ExitStack() as stack:
        match = ("--match", ",".join(BOTS), "--rules", "cafe", "--rounds", "3", "--once")
        referee, address = stack.enter_context(listening(tmp_path, *match))
        bots = []
        for name, words in commands.items():
            cert, key = ca.pair(name)
            variables = {"TOEP_TLS_CA": str(ca.ca), "TOEP_TLS_CERT": str(cert), "TOEP_TLS_KEY": str(key)}
            bots.append(
                stack.enter_context(
                    started(words, tmp_path, TOEP_ADDRESS=address, TOEP_BOT=name, TOEP_MATCHES="1", **variables)
                )
            )
        for bot in bots:
            _, said = bot.communicate(timeout=60)
            assert (bot.returncode, said) == (0, "")
        _, log = referee.communicate(timeout=60)
        assert referee.returncode == 0, log
    (path,) = (tmp_path / "logs").glob("*.toep")
    assert validate_path(path).exit == 0


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_tells_its_author_why_it_does_not_get_in(
    tmp_path: Path, commands: dict[str, list[str]], name: str
) -> None:
    """Another authority, only those of the system, no certificate of its own, no encryption: exit code 2 and a line."""
    ca, other = Authority(tmp_path), Authority(tmp_path, "other")
    ca.pair("server")
    own = ca.pair("own")
    shown = {"TOEP_TLS_CERT": str(own.cert), "TOEP_TLS_KEY": str(own.key)}
    with listening(tmp_path) as (_, address):
        for variables in (
            {"TOEP_TLS_CA": str(other.ca), **shown},
            {"TOEP_TLS": "1", **shown},
            {"TOEP_TLS_CA": str(ca.ca)},
            {},
        ):
            assert address in turned_away(commands[name], tmp_path, TOEP_ADDRESS=address, TOEP_BOT=name, **variables)


def turned_away(words: list[str], folder: Path, **variables: str) -> str:
    """The line that a bot says."""
    with started(words, folder, **variables) as bot:
        _, said = bot.communicate(timeout=60)
    assert bot.returncode == 2, said
    # The C library may say something of its own before.
    *before, line = said.splitlines()
    assert all("ssl_transport_security" in one for one in before), said
    return line


@pytest.mark.parametrize("hosts", [("localhost",), ("10.9.8.7", "example.org")], ids=",".join)
@pytest.mark.parametrize("name", BOTS)
def test_a_certificate_for_another_address_is_not_taken(
    tmp_path: Path, commands: dict[str, list[str]], name: str, hosts: tuple[str, ...]
) -> None:
    ca = Authority(tmp_path)
    ca.pair("elsewhere", hosts)
    own = ca.pair("own")
    shown = {"TOEP_TLS_CA": str(ca.ca), "TOEP_TLS_CERT": str(own.cert), "TOEP_TLS_KEY": str(own.key)}
    with listening(tmp_path, name="elsewhere") as (_, address):
        assert address in turned_away(commands[name], tmp_path, TOEP_ADDRESS=address, TOEP_BOT=name, **shown)
