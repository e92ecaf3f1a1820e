"""Events with bots that dial in: their specs, their secrets, and bots of the client's library."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from toep_client import Act, Bot, Over, Settings, Trouble, View
from toep_client import play as play_bot

from referee.tournament.director import Director
from referee.tournament.event import open_event
from referee.tournament.folder import Folder
from referee.tournament.journal import Ruling
from referee.tournament.ledger import Ledger
from referee.tournament.observer import Silent
from referee.tournament.spec import parse_spec

PATIENCE: Final = 120.0
TOKENS: Final = {"ann": "token-of-ann-0123456789", "bob": "token-of-bob-0123456789"}
HEAD: Final = """
name = "e"
length = { rounds = 3 }
seats = 2
trust = "strangers"
isolation = "none"
clock = "none"
concurrency = 2
faulted = "keep"
seed_file = "seed"
tokens = "tokens.json"
rules = "short"

[conduct]
act_ms = 600000
window_ms = 600000
"""


def free_address() -> str:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{found.getsockname()[1]}"


def write(folder: Path, local: str = "cor", remote: str = "ann bob", **changes: object) -> Path:
    """A spec in a folder, with its secrets; local bots play the first legal card."""
    text = HEAD
    for key, value in {"address": free_address(), **changes}.items():
        lines = [line for line in text.splitlines() if not line.startswith(f"{key} = ")]
        spelled = f"{{ rounds = {value} }}" if key == "length" else json.dumps(value)
        text = "\n".join([f"{key} = {spelled}", *lines])
    for name in remote.split():
        text += f'\n[[bots]]\nname = "{name}"\nremote = true\n'
    for name in local.split():
        text += f'\n[[bots]]\nname = "{name}"\ncommand = "caller"\n'
    (folder / "seed").write_text(sha256(b"test").hexdigest())
    (folder / "tokens.json").write_text(json.dumps(TOKENS))
    for name in ("seed", "tokens.json"):
        (folder / name).chmod(0o600)
    path = folder / "e.toml"
    path.write_text(text)
    return path


class Notes(Silent):
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.faults: list[tuple[str, str]] = []
        self.rulings: list[Ruling] = []

    def say(self, text: str) -> None:
        self.said.append(text)

    def fault(self, match: str, bot: str, what: str) -> None:
        self.faults.append((bot, what))

    def ruling(self, ruling: Ruling) -> None:
        self.rulings.append(ruling)


class Steady(Bot):
    """Plays the first legal card, and counts the matches that are over."""

    def __init__(self) -> None:
        self.matches: list[str] = []

    def act(self, view: View) -> Act:
        return view.legal[0]

    def over(self, over: Over) -> None:
        self.matches.append(over.match_id)


@contextmanager
def directing(path: Path, notes: Notes, **more: Any) -> Iterator[Director]:
    """The director of a spec, which has its folder."""
    data = path.read_bytes()
    spec = parse_spec(data, path)
    seed = bytes.fromhex((path.parent / "seed").read_text())
    folder = Folder(path.parent / "e.event")
    tokens = json.loads((path.parent / "tokens.json").read_text())
    one = Director(spec, data, path.parent, folder, notes, seed=seed, **{"tokens": tokens, **more})
    one.prepare()
    try:
        yield one
    finally:
        one.close()


async def dial(name: str, bot: Bot, address: str, **more: Any) -> None:
    """Play from when there is a referee to the end of the event, with the name's token."""
    settings = Settings(address=address, bot=name, **{"token": TOKENS[name], **more})
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                return await play_bot(bot, settings)
            except Trouble as trouble:
                if "no referee" not in str(trouble) and "connected already" not in str(trouble):
                    raise
            await asyncio.sleep(0.02)


@asynccontextmanager
async def dialled(bots: dict[str, Bot], address: str, **more: Any) -> AsyncIterator[None]:
    """Bots that dial in, and go by themselves in the end."""
    async with asyncio.TaskGroup() as group:
        for name, bot in bots.items():
            group.create_task(dial(name, bot, address, **more))
        yield


def address_of(path: Path) -> str:
    return parse_spec(path.read_bytes(), path).address


def ledger_of(path: Path) -> Ledger:
    return open_event(path.parent / "e.event").ledger


def leaked(path: Path, notes: Notes) -> list[str]:
    """Where a token stands that must not."""
    files = [one for one in (path.parent / "e.event").rglob("*") if one.is_file()]
    found = [str(one) for one in files if any(token.encode() in one.read_bytes() for token in TOKENS.values())]
    return found + [line for line in notes.said if any(token in line for token in TOKENS.values())]
