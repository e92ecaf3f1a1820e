"""The RPCs of RefereeService: from protobuf requests to the hall and back, and errors to status codes."""

import asyncio
import hmac
import secrets
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, Literal, NoReturn

import grpc
import msgspec
import structlog
from grpc import aio

from referee.deal import SEED_SIZE
from referee.log.records import Conduct, Length, Rounds
from referee.ruleset import DEFAULT_PRESET, RulesetError, resolve
from referee.service import edge
from referee.service.hall import Hall, HallError, Seating
from referee.service.options import MAX_ANSWERS, MAX_REQUEST_BYTES, PROTOCOL
from referee.service.session import Session
from referee.table.head import MatchPlan
from referee.v1 import play_pb2, referee_service_pb2

log = structlog.get_logger()

CHUNK: Final = 256 * 1024
PAGE: Final = 100
MAX_PAGE: Final = 1000
MAX_TOKEN: Final = 9
"""Digits of a page token."""

HELLO_SECONDS: Final = 10.0
"""Time for a bot's first message."""

FAREWELL_SECONDS: Final = 2.0
"""Time for the last batch to reach a bot whose stream the referee ends."""


def version_text() -> str:
    """Name and version of this referee."""
    try:
        return f"toep {version('toep')}"
    except PackageNotFoundError:
        return "toep"


class RefereeService:
    """The service over one hall."""

    def __init__(self, hall: Hall, *, tokens: Mapping[str, str] | None = None, organiser: str = "") -> None:
        """``tokens``: a bearer token for each bot's name; None: whoever can connect may play. ``organiser``: the token
        for creating matches; empty: whoever can connect may create them."""
        self.hall: Final = hall
        self._tokens = tokens
        self._organiser = organiser

    # -- the bots' stream ------------------------------------------------------------------------------------------

    async def play(self, _: object, context: Any) -> None:
        """One bot, from its Hello to the end of its stream."""
        try:
            first = await asyncio.wait_for(context.read(), HELLO_SECONDS)
        except TimeoutError:
            await context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, "no Hello came; send it as the first message")
        if first is aio.EOF or not first.HasField("hello"):
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the first message of a stream must have a Hello")
        hello: play_pb2.Hello = first.hello
        if hello.protocol != PROTOCOL:
            text = f"this referee speaks protocol {PROTOCOL}, the bot speaks {hello.protocol}"
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, text)
        await self._check_token(context, self._token_of(hello.bot))
        session = self.hall.connect(hello.bot, hello.parallel)
        log.info("bot connected", bot=hello.bot, version=hello.version[:64], parallel=session.parallel)
        welcome = play_pb2.Welcome(
            protocol=PROTOCOL,
            referee=version_text(),
            max_request_bytes=MAX_REQUEST_BYTES,
            max_answers=MAX_ANSWERS,
            parallel=session.parallel,
        )
        writer = asyncio.create_task(self._write(context, session, welcome))
        reader = asyncio.create_task(self._read(context, session))
        ending = asyncio.create_task(session.over.wait())
        try:
            await asyncio.wait((writer, reader, ending), return_when=asyncio.FIRST_COMPLETED)
            if not _failure(reader):
                # When the bot has gone or said goodbye, what waits for it still leaves if it can.
                await asyncio.wait((writer,), timeout=FAREWELL_SECONDS)
            if error := _failure(reader) or _failure(writer):
                raise error
            if session.ended:
                # First: a status waits behind everything that the bot has not read.
                self.hall.disconnect(session)
                await context.abort(grpc.StatusCode.FAILED_PRECONDITION, session.ended)
        finally:
            self.hall.disconnect(session)
            for task in (writer, reader, ending):
                task.cancel()
            await asyncio.gather(writer, reader, ending, return_exceptions=True)
            log.info("bot gone", bot=hello.bot, why=session.ended or "left")

    async def _read(self, context: Any, session: Session) -> None:
        while True:
            request = await context.read()
            if request is aio.EOF or request.HasField("leave"):
                if request is not aio.EOF:
                    self.hall.leave(session.bot)
                session.leaving = True
                session.wake.set()
                return
            if request.HasField("hello"):
                session.end("Hello is sent once, in the first message")
                return
            if len(request.answers) > MAX_ANSWERS:
                session.end(f"a message has at most {MAX_ANSWERS} answers")
                return
            self.hall.receive(session, request.answers)

    async def _write(self, context: Any, session: Session, welcome: play_pb2.Welcome) -> None:
        await context.write(play_pb2.PlayResponse(welcome=welcome).SerializeToString())
        while True:
            await session.wake.wait()
            if batch := session.take_batch():
                await context.write(batch)
            if (session.ended or session.leaving) and not session.wake.is_set():
                return

    # -- matches ---------------------------------------------------------------------------------------------------

    async def create_match(
        self, request: referee_service_pb2.CreateMatchRequest, context: Any
    ) -> referee_service_pb2.CreateMatchResponse:
        """Set up a match."""
        await self._check_token(context, self._organiser)
        seed = request.open_seed or secrets.token_bytes(SEED_SIZE)
        seating = self.hall.create(plan_of(request), seed, declared=bool(request.open_seed))
        log.info("match created", match=seating.match, bots=seating.bots)
        return referee_service_pb2.CreateMatchResponse(info=info(seating))

    async def get_match(
        self, request: referee_service_pb2.GetMatchRequest, context: Any
    ) -> referee_service_pb2.GetMatchResponse:
        """One match."""
        await self._check_anybody(context)
        return referee_service_pb2.GetMatchResponse(info=info(self.hall.find(request.match_id)))

    async def list_matches(
        self, request: referee_service_pb2.ListMatchesRequest, context: Any
    ) -> referee_service_pb2.ListMatchesResponse:
        """A page of matches; the token is the number of the table to start behind."""
        await self._check_anybody(context)
        size = min(request.page_size or PAGE, MAX_PAGE)
        if request.page_token and not (request.page_token.isdecimal() and len(request.page_token) <= MAX_TOKEN):
            raise HallError("INVALID_ARGUMENT", "page_token: take it from the last response")
        start = int(request.page_token or 0)
        matches = list(self.hall.matches.values())
        page = matches[start : start + size]
        token = str(start + size) if start + size < len(matches) else ""
        return referee_service_pb2.ListMatchesResponse(infos=map(info, page), next_page_token=token)

    async def close_deals(
        self, request: referee_service_pb2.CloseDealsRequest, context: Any
    ) -> referee_service_pb2.CloseDealsResponse:
        """Take no more matches into a deal set."""
        await self._check_token(context, self._organiser)
        deals = self.hall.close_deals(request.deals)
        log.info("deals closed", deals=deals.name, playing=len(deals.playing), final=len(deals.final))
        return referee_service_pb2.CloseDealsResponse(playing=len(deals.playing), final=len(deals.final))

    async def download_log(
        self, request: referee_service_pb2.DownloadLogRequest, context: Any
    ) -> AsyncIterator[referee_service_pb2.DownloadLogResponse]:
        """The log of a match that is over. Before that it holds hidden cards, and seals that are not on disk yet."""
        await self._check_anybody(context)
        seating = self.hall.find(request.match_id)
        if not seating.on_disk:
            over = seating.status not in ("waiting", "playing")
            why = "has no whole log" if over else "is not over; its log is open after that"
            if over and seating.deals:
                why = f"is over; its log is open when its deal set {seating.deals} is closed and over"
            raise HallError("FAILED_PRECONDITION", f"match {request.match_id} {why}")
        with self.hall.store.log_path(seating.match).open("rb") as file:
            while chunk := file.read(CHUNK):
                yield referee_service_pb2.DownloadLogResponse(chunk=chunk)

    # -- who may ---------------------------------------------------------------------------------------------------

    def _token_of(self, bot: str) -> str | None:
        if self._tokens is None:
            return ""
        return self._tokens.get(bot)

    async def _check_anybody(self, context: Any) -> None:
        """Abort unless the call carries some token of this referee, the organiser's or any bot's."""
        if self._tokens is None and not self._organiser:
            return
        given = _bearer(context)
        known = [self._organiser, *(self._tokens or {}).values()]
        if not any(hmac.compare_digest(given, f"Bearer {token}".encode()) for token in known if token):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "wrong or missing token")

    async def _check_token(self, context: Any, wanted: str | None) -> None:
        """Abort unless the call carries this bearer token; an empty one is not asked for, None is never right."""
        if wanted == "":
            return
        if wanted is None or not hmac.compare_digest(_bearer(context), f"Bearer {wanted}".encode()):
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED, "wrong or missing token; a bot takes it from TOEP_TOKEN"
            )


def _failure(task: asyncio.Task[None]) -> BaseException | None:
    """The error that a task ended with, unless it is only that the link is gone."""
    error = task.exception() if task.done() and not task.cancelled() else None
    return None if isinstance(error, aio.BaseError) else error


def _bearer(context: Any) -> bytes:
    return str(dict(context.invocation_metadata() or ()).get("authorization", "")).encode()


def plan_of(request: referee_service_pb2.CreateMatchRequest) -> MatchPlan:
    """What a request asks for; raises `HallError` and `RulesetError`."""
    if request.open_seed and len(request.open_seed) != SEED_SIZE:
        raise HallError("INVALID_ARGUMENT", f"open_seed: {SEED_SIZE} bytes are needed, {len(request.open_seed)} came")
    if any(option.name == "preset" for option in request.overrides):
        raise HallError("INVALID_ARGUMENT", "overrides: preset is a field of its own")
    rules = resolve({"preset": request.preset or DEFAULT_PRESET, **edge.read_options(request.overrides)})
    try:
        conduct = msgspec.convert(edge.read_conduct(request.conduct), Conduct)
        length: Length = msgspec.convert({"rounds": request.rounds}, Rounds) if request.rounds else "game"
    except msgspec.ValidationError as error:
        raise HallError("INVALID_ARGUMENT", f"conduct or rounds: {error}") from None
    clock: Literal["ms", "none"] = "none" if request.clock == referee_service_pb2.CLOCK_NONE else "ms"
    return MatchPlan(
        rules=rules,
        bots=list(request.bots),
        length=length,
        conduct=conduct,
        clock=clock,
        match=request.match_id,
        deals=request.deals,
        engine=version_text(),
    )


def info(seating: Seating) -> referee_service_pb2.MatchInfo:
    """What anybody may know about a match."""
    game = seating.table.game
    over = seating.table.over
    return referee_service_pb2.MatchInfo(
        match_id=seating.match,
        status=edge.STATUS[seating.status],
        bots=seating.bots,
        connected=sum(1 << seat for seat, session in enumerate(seating.sessions) if session),
        round=game.round,
        total=game.totals(),
        rank=over.rank if over else [],
        commit=seating.table.head.commit,
        table=seating.number,
        revealed=seating.on_disk,
    )


def guarded(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """A unary or bidi method whose errors become status codes; the text of an unexpected one stays here."""

    async def call(request: Any, context: Any) -> Any:
        try:
            return await method(request, context)
        except (aio.BaseError, asyncio.CancelledError):
            raise  # It has a status already, or a link that none can be sent over.
        except Exception as error:
            await _abort(context, error)

    return call


def guarded_stream(method: Callable[..., AsyncIterator[Any]]) -> Callable[..., AsyncIterator[Any]]:
    """The same for a method that streams its response."""

    async def call(request: Any, context: Any) -> AsyncIterator[Any]:
        try:
            async for response in method(request, context):
                yield response
        except (aio.BaseError, asyncio.CancelledError):
            raise  # It has a status already, or a link that none can be sent over.
        except Exception as error:
            await _abort(context, error)

    return call


async def _abort(context: Any, error: Exception) -> NoReturn:
    if isinstance(error, HallError):
        await context.abort(grpc.StatusCode[error.code], str(error))
    if isinstance(error, RulesetError):
        await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
    number = uuid.uuid4().hex[:12]
    log.exception("internal error", id=number)
    await context.abort(grpc.StatusCode.INTERNAL, f"internal error, id={number}")
    raise AssertionError("abort raises")


def handler(service: RefereeService) -> grpc.GenericRpcHandler:
    """The methods of the service. Play sends bytes that are serialised already."""
    pb = referee_service_pb2

    def unary(method: Any, request: Any, response: Any) -> Any:
        return grpc.unary_unary_rpc_method_handler(guarded(method), request.FromString, response.SerializeToString)

    return grpc.method_handlers_generic_handler(
        "referee.v1.RefereeService",
        {
            "Play": grpc.stream_stream_rpc_method_handler(
                guarded(service.play), play_pb2.PlayRequest.FromString, lambda batch: batch
            ),
            "CreateMatch": unary(service.create_match, pb.CreateMatchRequest, pb.CreateMatchResponse),
            "GetMatch": unary(service.get_match, pb.GetMatchRequest, pb.GetMatchResponse),
            "ListMatches": unary(service.list_matches, pb.ListMatchesRequest, pb.ListMatchesResponse),
            "CloseDeals": unary(service.close_deals, pb.CloseDealsRequest, pb.CloseDealsResponse),
            "DownloadLog": grpc.unary_stream_rpc_method_handler(
                guarded_stream(service.download_log),
                pb.DownloadLogRequest.FromString,
                pb.DownloadLogResponse.SerializeToString,
            ),
        },
    )
