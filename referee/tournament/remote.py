"""Bots that dial in: their tokens, what their authors have to be told, and who of them is here."""

import contextlib
import json
import os
import secrets
import shlex
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any, Final

from referee.tournament.errors import TournamentError

TOKEN_BYTES: Final = 24
"""Of randomness in a token that is made here."""

RECONNECT_SECONDS: Final = 600
"""For how long bots are advised to try to get back: a director that was killed is started again by a person."""

EVERYWHERE: Final = ("0.0.0.0", "[::]", "*")  # noqa: S104 - to be recognised
"""Hosts that mean every address of this machine, so that nobody can dial them."""


class TokensError(TournamentError):
    """A file of tokens that cannot be used; the message never shows one."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"tokens {path}: {why}")


def read_tokens(path: Path) -> dict[str, str]:
    """The tokens in a file, by the names of bots. Raises `TokensError`."""
    try:
        mode = path.stat().st_mode & 0o777
        if mode & 0o077:
            raise TokensError(path, f"others have access to it (mode {mode:04o}): chmod 600 {path}")
        found: Any = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise TokensError(path, "it is not there; `toep tournament tokens SPEC` makes it") from None
    except OSError as error:
        raise TokensError(path, error.strerror or str(error)) from None
    except ValueError:
        raise TokensError(path, 'it must be JSON, {"NAME": "TOKEN", ...}') from None
    if not isinstance(found, dict) or not all(isinstance(token, str) and token for token in found.values()):
        raise TokensError(path, 'it must be JSON, {"NAME": "TOKEN", ...}')
    for bot, token in found.items():
        if not (token.isascii() and token.isprintable()):
            raise TokensError(path, f"that of {bot} cannot be sent; use printable ASCII")
    return found


def tokens_for(path: Path, bots: Sequence[str]) -> dict[str, str]:
    """The tokens of these bots, from a file that may have more. Raises `TokensError`."""
    found = read_tokens(path)
    if missing := [bot for bot in bots if bot not in found]:
        raise TokensError(path, f"there is none for {', '.join(missing)}; `toep tournament tokens SPEC` adds it")
    if len({found[bot] for bot in bots}) < len(bots):
        raise TokensError(path, "two bots have the same; give each one of its own")
    return {bot: found[bot] for bot in bots}


def make_tokens(path: Path, bots: Sequence[str]) -> list[str]:
    """See to it that a file has a token for each of these bots; those that it has stay.

    Returns the bots that got one now. Raises `TokensError`.
    """
    found = read_tokens(path) if path.exists() else {}
    made = [bot for bot in bots if bot not in found]
    if not made:
        return []
    found |= {bot: secrets.token_urlsafe(TOKEN_BYTES) for bot in made}
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.unlink(missing_ok=True)
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            file.write(json.dumps(found, indent=1) + "\n")
            file.flush()
            os.fsync(fd)
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise TokensError(path, error.strerror or str(error)) from None
    return made


def invitation(bots: Sequence[str], address: str, *, tokens: bool, encrypted: bool) -> list[str]:
    """What the organiser has to know about where bots dial in, line by line; no secrets.

    ``address``: where the referee listens.
    """
    how = "encrypted" if encrypted else "not encrypted"
    host, _, port = address.rpartition(":")
    told = f"HOST:{port}" if host in EVERYWHERE else address
    words = [f"TOEP_ADDRESS={shlex.quote(told)}", "TOEP_BOT=NAME"]
    words += ["TOEP_TOKEN=..."] if tokens else []
    words += ["TOEP_TLS=1"] if encrypted else []
    words += [f"TOEP_RECONNECT_SECONDS={RECONNECT_SECONDS}"]
    lines = [
        f"remote bots dial in at {address} ({how}): {', '.join(bots)}",
        f"each is told: {' '.join(words)}",
    ]
    if told != address:
        lines.append("HOST is a name or an address by which they reach this machine")
    if encrypted:
        lines.append("TOEP_TLS_CA=FILE besides, with your authority's certificate, if their systems do not know it")
    return lines


class Presence:
    """Who of the remote bots is connected, as last looked."""

    def __init__(self, bots: Sequence[str]) -> None:
        self._bots: Final = tuple(bots)
        self._here: set[str] = set()

    def changes(self, connected: Container[str]) -> list[str]:
        """A line for each that has come or gone since the last look. ``connected``: the names of all who are here."""
        lines = []
        for bot in self._bots:
            if bot in connected and bot not in self._here:
                self._here.add(bot)
                lines.append(f"{bot} has dialled in; {self._others()}")
            elif bot not in connected and bot in self._here:
                self._here.remove(bot)
                lines.append(f"{bot} is not connected any more")
        return lines

    def _others(self) -> str:
        missing = [bot for bot in self._bots if bot not in self._here]
        return f"not here: {', '.join(missing)}" if missing else "all remote bots are here"
