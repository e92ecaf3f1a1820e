"""A scripted referee, and the messages that it sends; the TypeScript client as it is built, and the Go compiler."""

import asyncio
import fcntl
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest
from toep_client import Match, View
from toep_client.cards import INDEX, mask_of

from referee.v1 import play_pb2, rules_pb2, table_pb2

TYPESCRIPT = Path(__file__).parents[2] / "clients" / "typescript"
GO_SECONDS = 600
"""The first time, the compiler makes the standard library, too."""

Context = grpc.aio.ServicerContext[play_pb2.PlayRequest, play_pb2.PlayResponse]


@dataclass
class Line:
    """The referee's end of one stream."""

    context: Context
    heard: list[play_pb2.PlayRequest]

    async def hear(self) -> play_pb2.PlayRequest | None:
        """The bot's next message; None when it has closed its side."""
        request = await self.context.read()
        if not isinstance(request, play_pb2.PlayRequest):
            return None
        self.heard.append(request)
        return request

    async def say(self, **fields: object) -> None:
        await self.context.write(play_pb2.PlayResponse(**fields))  # type: ignore[arg-type]

    async def welcome(self, max_answers: int = 0, protocol: int = 1) -> None:
        await self.hear()
        await self.say(welcome=play_pb2.Welcome(protocol=protocol, referee="fake", max_answers=max_answers))

    async def goodbye(self) -> None:
        """Reads until the bot has closed its side."""
        while await self.hear() is not None:
            pass


Script = Callable[[Line], Awaitable[None]]


@dataclass
class Referee:
    """A fake referee: where it is, what it heard, and with which metadata."""

    address: str = ""
    heard: list[play_pb2.PlayRequest] = field(default_factory=list)
    metadata: dict[str, str | bytes] = field(default_factory=dict)
    finished: asyncio.Event = field(default_factory=asyncio.Event)


Hosting = Callable[[Script], AbstractAsyncContextManager[Referee]]


@pytest.fixture
def hosting() -> Hosting:
    """``async with hosting(script) as referee``: a referee that plays a script on every stream."""

    @asynccontextmanager
    async def host(script: Script) -> AsyncIterator[Referee]:
        referee = Referee()

        async def serve(_: object, context: Context) -> None:
            referee.metadata.update({str(key): value for key, value in context.invocation_metadata() or ()})
            try:
                await script(Line(context, referee.heard))
            finally:
                referee.finished.set()

        server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
        method = grpc.stream_stream_rpc_method_handler(
            serve,
            request_deserializer=play_pb2.PlayRequest.FromString,
            response_serializer=play_pb2.PlayResponse.SerializeToString,
        )
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("referee.v1.RefereeService", {"Play": method}),)
        )
        referee.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
        await server.start()
        try:
            yield referee
        finally:
            await server.stop(None)

    return host


@dataclass(frozen=True)
class Maker:
    """Makes messages of one match for four: ann, bob, cor and dee, with the bot at seat 1 of table 7."""

    def seated(self, table: int = 7, seat: int = 1) -> play_pb2.Seated:
        return play_pb2.Seated(
            table=table,
            match_id=f"match-{table}",
            seat=seat,
            bots=["ann", "bob", "cor", "dee"],
            rules=[
                rules_pb2.RuleOption(name="folded_cards", choice="win"),
                rules_pb2.RuleOption(name="limit", number=10),
                rules_pb2.RuleOption(name="armoede", flag=False),
                rules_pb2.RuleOption(name="from_the_future"),
            ],
        )

    def state(self, *plays: tuple[int, int, str], **fields: object) -> table_pb2.TableState:
        """A state with these plays, each (trick, seat, card)."""
        values: dict[str, object] = {
            "round": 3,
            "trick": 1,
            "dealer": 3,
            "lead": 0,
            "turn": 1,
            "stake": 2,
            "in_round": 0b1111,
            "in_game": 0b1111,
            "points": [1, 2, 3, 4],
            "accepted": [1, 1, 1, 1],
            "stock": 16,
        }
        coded = [trick << 8 | seat << 5 | INDEX[card] for trick, seat, card in plays]
        return table_pb2.TableState(plays=coded, **(values | fields))  # type: ignore[arg-type]

    def update(self, table: int = 7, state: table_pb2.TableState | None = None) -> table_pb2.TableUpdate:
        return table_pb2.TableUpdate(table=table, state=self.state() if state is None else state)

    def ask(
        self,
        hand: str = "",
        legal: str = "",
        may: tuple[int, ...] = (),
        kind: int = play_pb2.ASK_KIND_CARD,
        *,
        ask: int = 40,
        table: int = 7,
        seat: int = 1,
    ) -> play_pb2.Ask:
        """An ask; cards are names with spaces between, ``may`` has kinds of act."""
        return play_pb2.Ask(
            table=table,
            ask=ask,
            seat=seat,
            kind=kind,  # type: ignore[arg-type]
            hand=mask_of(hand.split()),
            legal=mask_of(legal.split()),
            may=sum(1 << act for act in may),
            budget_ms=1000,
        )

    def match(self) -> Match:
        rules: dict[str, str | int | bool] = {"folded_cards": "win", "limit": 10, "armoede": False}
        return Match(7, "match-7", 1, ("ann", "bob", "cor", "dee"), rules, 0)

    def view(self, ask: play_pb2.Ask, state: table_pb2.TableState | None = None) -> View:
        return View(self.match(), ask, self.state() if state is None else state)

    def over(self, table: int = 7) -> play_pb2.MatchOver:
        return play_pb2.MatchOver(
            table=table,
            match_id=f"match-{table}",
            status=play_pb2.MATCH_STATUS_COMPLETE,
            rank=[1, 2, 2, 4],
            total=[0, 4, 4, 10],
        )


@pytest.fixture
def make() -> Maker:
    return Maker()


@pytest.fixture(scope="session")
def typescript() -> Path:
    """The folder of the TypeScript client, built from its sources as they are."""
    if shutil.which("npm") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("npm is missing, and the TypeScript client must be tested here")
        pytest.skip("npm is not installed: the TypeScript client is not tested")
    # One worker builds, the others wait for it.
    with open(TYPESCRIPT / "package.json", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (TYPESCRIPT / "node_modules").is_dir():
            subprocess.run(
                ["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=TYPESCRIPT, check=True, timeout=300
            )
        built = TYPESCRIPT / "dist" / "built"
        newest = max(path.stat().st_mtime for path in (TYPESCRIPT / "src").rglob("*.ts"))
        if not built.exists() or built.stat().st_mtime < newest:
            subprocess.run(["npm", "run", "--silent", "build"], cwd=TYPESCRIPT, check=True, timeout=300)
            built.touch()
    return TYPESCRIPT


@pytest.fixture(scope="session")
def go() -> str:
    """The go command."""
    found = shutil.which("go")
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("go is missing, and the Go client must be tested here")
        pytest.skip("go is not installed: the Go client is not tested")
    return found
