"""The RPCs of RefereeService: from protobuf requests to the hall and back, and errors to status codes."""

import asyncio
import hmac
import secrets
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, Literal, NoReturn, TypeVar

import grpc
import msgspec
import structlog
from google.protobuf.message import DecodeError
from grpc import aio
from structlog.contextvars import bind_contextvars, clear_contextvars

from referee.deal import SEED_SIZE
from referee.log.policy import ConductError, make_conduct
from referee.log.records import Length, Rounds
from referee.log.writer import LogWriteError
from referee.ruleset import DEFAULT_PRESET, RulesetError, resolve
from referee.service import edge
from referee.service.counts import Counts
from referee.service.errors import HallError
from referee.service.hall import Hall
from referee.service.options import MAX_ANSWERS, MAX_LOBBY_SECONDS, MAX_REQUEST_BYTES, PROTOCOL, RETRY_KEY
from referee.service.seating import Seating
from referee.service.session import Session
from referee.service.standard import REFEREE
from referee.service.summary import OPEN, Summary
from referee.table.head import MatchPlan
from referee.v1 import play_pb2, referee_service_pb2

log = structlog.get_logger()
R = TypeVar("R")

CHUNK: Final = 256 * 1024
PAGE: Final = 100
MAX_PAGE: Final = 1000
MAX_TOKEN: Final = 9
"""Digits of a page token."""

HELLO_SECONDS: Final = 10.0
"""Time for a bot's first message."""

NO_MESSAGE: Final = "a message cannot be read: its bytes are no PlayRequest, or a text in it is not UTF-8"

FAREWELL_SECONDS: Final = 2.0
"""Time for the last batch to reach a bot whose stream the referee ends."""

STALL_SECONDS: Final = 30.0
"""Time for a bot to take a batch. The clock of an ask starts when it leaves, so one that reads nothing would hold its
matches up for ever."""


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
        self.use_tokens(tokens, organiser)

    def use_tokens(self, tokens: Mapping[str, str] | None, organiser: str) -> None:
        """Have these tokens for every call and stream from now on; streams that stand go on."""
        self._tokens = tokens
        self._organiser = organiser

    # -- the bots' stream ------------------------------------------------------------------------------------------

    async def play(self, _: object, context: Any) -> None:
        """One bot, from its Hello to the end of its stream."""
        try:
            first = await asyncio.wait_for(context.read(), HELLO_SECONDS)
        except TimeoutError:
            raise HallError("DEADLINE_EXCEEDED", "no Hello came; send it as the first message") from None
        if first is aio.EOF or not first.HasField("hello"):
            raise HallError("INVALID_ARGUMENT", "the first message of a stream must have a Hello")
        hello: play_pb2.Hello = first.hello
        if hello.protocol != PROTOCOL:
            text = f"this referee speaks protocol {PROTOCOL}, the bot speaks {hello.protocol}"
            raise HallError("FAILED_PRECONDITION", text)
        guest = self.hall.guests.find(hello.bot, _bearer(context))
        if guest is None:
            self._check_token(context, self._token_of(hello.bot))
        account = guest.account if guest else hello.bot
        session = self.hall.connect(
            account,
            hello.parallel,
            resume_token=hello.resume_token,
            proven=guest is not None or self._tokens is not None,
            name=hello.bot,
        )
        connected_at = self.hall.now()
        log.info("bot connected", bot=hello.bot, version=hello.version[:64], parallel=session.parallel)
        welcome = play_pb2.Welcome(
            protocol=PROTOCOL,
            referee=version_text(),
            max_request_bytes=MAX_REQUEST_BYTES,
            max_answers=MAX_ANSWERS,
            parallel=session.parallel,
            resume_token=self.hall.names.token(account),
        )
        session.push(play_pb2.PlayResponse(welcome=welcome).SerializeToString())
        writer = asyncio.create_task(self._write(context, session))
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
                self.hall.counts.reject("FAILED_PRECONDITION")
                await context.abort(grpc.StatusCode.FAILED_PRECONDITION, session.ended)
        finally:
            self.hall.disconnect(session)
            for task in (writer, reader, ending):
                task.cancel()
            await asyncio.gather(writer, reader, ending, return_exceptions=True)
            connected_ms = self.hall.now() - connected_at
            log.info("bot gone", bot=hello.bot, why=session.ended or "left", connected_ms=connected_ms)

    async def _read(self, context: Any, session: Session) -> None:
        while True:
            request = await context.read()
            if session.ended:
                return  # Another stream may have taken its place, and whatever comes here would be about that one.
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

    async def _write(self, context: Any, session: Session) -> None:
        batch = b""
        while True:
            if batch:
                try:
                    async with asyncio.timeout(STALL_SECONDS):
                        await context.write(batch)
                except TimeoutError:
                    session.end("this bot does not read its stream")
                    return
            if (session.ended or session.leaving) and not session.wake.is_set():
                return
            await session.wake.wait()
            if self.hall.store.durable:
                session.stage()
                try:
                    await self.hall.store.settle()
                except LogWriteError:
                    # Some match ends here, and what waits may rest on it. The bot's other tables go on when it is back.
                    session.end("the referee could not write a log; dial in again")
                    return
            batch = session.take_batch()

    # -- matches ---------------------------------------------------------------------------------------------------

    async def create_match(
        self, request: referee_service_pb2.CreateMatchRequest, context: Any
    ) -> referee_service_pb2.CreateMatchResponse:
        """Set up a match."""
        self._check_token(context, self._organiser)
        seed = request.open_seed or secrets.token_bytes(SEED_SIZE)
        seating = self.hall.create(
            plan_of(request), seed, declared=bool(request.open_seed), lobby_seconds=lobby_of(request)
        )
        log.info("match created", match=seating.match, bots=seating.bots, lobby_seconds=seating.lobby_seconds)
        return await self._settled(referee_service_pb2.CreateMatchResponse(info=info(self.hall, seating)))

    async def get_match(
        self, request: referee_service_pb2.GetMatchRequest, context: Any
    ) -> referee_service_pb2.GetMatchResponse:
        """One match."""
        self._check_anybody(context)
        one = self.hall.find(request.match_id)
        return await self._settled(referee_service_pb2.GetMatchResponse(info=info(self.hall, one)))

    async def list_matches(
        self, request: referee_service_pb2.ListMatchesRequest, context: Any
    ) -> referee_service_pb2.ListMatchesResponse:
        """A page of matches; the token is the number of the table to start behind."""
        self._check_anybody(context)
        size = min(request.page_size or PAGE, MAX_PAGE)
        if request.page_token and not (request.page_token.isdecimal() and len(request.page_token) <= MAX_TOKEN):
            raise HallError("INVALID_ARGUMENT", "page_token: take it from the last response")
        start = int(request.page_token or 0)
        page = self.hall.listed[start : start + size]
        token = str(start + size) if start + size < len(self.hall.listed) else ""
        infos = (info(self.hall, one) for one in page)
        return await self._settled(referee_service_pb2.ListMatchesResponse(infos=infos, next_page_token=token))

    async def _settled(self, response: R) -> R:
        """A response, when what it rests on may be told."""
        await self.hall.store.settle()
        return response

    async def close_deals(
        self, request: referee_service_pb2.CloseDealsRequest, context: Any
    ) -> referee_service_pb2.CloseDealsResponse:
        """Take no more matches into a deal set."""
        self._check_token(context, self._organiser)
        deals = self.hall.close_deals(request.deals)
        log.info("deals closed", deals=deals.name, playing=len(deals.playing), final=len(deals.final))
        return referee_service_pb2.CloseDealsResponse(playing=len(deals.playing), final=len(deals.final))

    async def download_log(
        self, request: referee_service_pb2.DownloadLogRequest, context: Any
    ) -> AsyncIterator[referee_service_pb2.DownloadLogResponse]:
        """The log of a match that is over. Before that it holds hidden cards, and seals that are not on disk yet."""
        self._check_anybody(context)
        one = self.hall.find(request.match_id)
        if not one.on_disk:
            over = one.status not in OPEN
            why = "has no whole log" if over else "is not over; its log is open after that"
            if over and one.deals:
                why = f"is over; its log is open when its deal set {one.deals} is closed and over"
            raise HallError("FAILED_PRECONDITION", f"match {request.match_id} {why}")
        with self.hall.store.log_path(one.match).open("rb") as file:
            while chunk := file.read(CHUNK):
                yield referee_service_pb2.DownloadLogResponse(chunk=chunk)

    # -- who may ---------------------------------------------------------------------------------------------------

    def _token_of(self, bot: str) -> str | None:
        if self._tokens is None:
            return ""
        return self._tokens.get(bot)

    def _check_anybody(self, context: Any) -> None:
        """Raise `HallError` unless the call carries some token of this referee, the organiser's or any bot's."""
        if self._tokens is None and not self._organiser:
            return
        given = _bearer(context)
        known = [self._organiser, *(self._tokens or {}).values()]
        if not any(hmac.compare_digest(given, f"Bearer {token}".encode()) for token in known if token):
            raise HallError("UNAUTHENTICATED", "wrong or missing token")

    def _check_token(self, context: Any, wanted: str | None) -> None:
        """Raise `HallError` unless the call carries this bearer token; an empty one is not asked for, None is never
        right."""
        if wanted == "":
            return
        if wanted is None or not hmac.compare_digest(_bearer(context), f"Bearer {wanted}".encode()):
            raise HallError("UNAUTHENTICATED", "wrong or missing token; a bot takes it from TOEP_TOKEN")


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
        conduct = make_conduct(edge.read_conduct(request.conduct))
        length: Length = msgspec.convert({"rounds": request.rounds}, Rounds) if request.rounds else "game"
    except ConductError as error:
        raise HallError("INVALID_ARGUMENT", f"conduct: {error}") from None
    except msgspec.ValidationError as error:
        raise HallError("INVALID_ARGUMENT", f"rounds: {error}") from None
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


def lobby_of(request: referee_service_pb2.CreateMatchRequest) -> int | None:
    """How long the match waits for its bots, in seconds, if the request says so; raises `HallError`."""
    if not request.HasField("lobby_seconds"):
        return None
    if request.lobby_seconds > MAX_LOBBY_SECONDS:
        raise HallError("INVALID_ARGUMENT", f"lobby_seconds: at most {MAX_LOBBY_SECONDS:,}; 0 is for ever")
    return request.lobby_seconds


def info(hall: Hall, match: Seating | Summary) -> referee_service_pb2.MatchInfo:
    """What anybody may know about a match."""
    now = match.summary(hall.now()) if isinstance(match, Seating) else match
    return referee_service_pb2.MatchInfo(
        match_id=now.match,
        status=edge.STATUS[now.status],
        bots=now.bots,
        connected=sum(1 << seat for seat, account in enumerate(now.accounts) if account in hall.sessions),
        round=now.round,
        total=now.total,
        rank=now.rank,
        commit=now.commit,
        table=now.number,
        revealed=now.on_disk,
        awaited=sum(1 << seat for seat in now.awaited),
        waited_ms=now.waited_ms,
        lobby_seconds=now.lobby_seconds,
    )


class Guard:
    """Wraps the methods of the service: errors become status codes, and log lines say during which call they came."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def call(self, name: str, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """A unary or bidi method; the text of an unexpected error stays here."""

        async def guarded(request: Any, context: Any) -> Any:
            number = _begin(name)
            try:
                return await method(request, context)
            except (aio.BaseError, asyncio.CancelledError):
                raise  # It has a status already, or a link that none can be sent over.
            except Exception as error:
                await self._abort(context, error, number)
            finally:
                clear_contextvars()

        return guarded

    def stream(self, name: str, method: Callable[..., AsyncIterator[Any]]) -> Callable[..., AsyncIterator[Any]]:
        """The same for a method that streams its response."""

        async def guarded(request: Any, context: Any) -> AsyncIterator[Any]:
            number = _begin(name)
            try:
                async for response in method(request, context):
                    yield response
            except (aio.BaseError, asyncio.CancelledError):
                raise  # It has a status already, or a link that none can be sent over.
            except Exception as error:
                await self._abort(context, error, number)
            finally:
                clear_contextvars()

        return guarded

    async def _abort(self, context: Any, error: Exception, number: str) -> NoReturn:
        if isinstance(error, HallError):
            self._counts.reject(error.code)
            hint = ((RETRY_KEY, str(error.retry_ms)),) if error.retry_ms else ()
            await context.abort(grpc.StatusCode[error.code], str(error), hint)
        if isinstance(error, RulesetError):
            self._counts.reject("INVALID_ARGUMENT")
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        if isinstance(error, DecodeError):
            self._counts.reject("INVALID_ARGUMENT")
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, NO_MESSAGE)
        self._counts.reject("INTERNAL")
        self._counts.faults += 1
        log.exception("internal error", id=number)
        await context.abort(grpc.StatusCode.INTERNAL, f"internal error, id={number}")
        raise AssertionError("abort raises")


def _begin(name: str) -> str:
    """A call begins: every log line of its task, and of the tasks that it starts, has its id; returns that."""
    clear_contextvars()
    number = uuid.uuid4().hex[:12]
    bind_contextvars(call=number, rpc=name)
    return number


def handler(service: RefereeService) -> grpc.GenericRpcHandler:
    """The methods of the service. Play sends bytes that are serialised already."""
    pb = referee_service_pb2
    guard = Guard(service.hall.counts)

    def unary(name: str, method: Any, request: Any, response: Any) -> tuple[str, Any]:
        guarded = guard.call(name, method)
        return name, grpc.unary_unary_rpc_method_handler(guarded, request.FromString, response.SerializeToString)

    return grpc.method_handlers_generic_handler(
        REFEREE,
        {
            "Play": grpc.stream_stream_rpc_method_handler(
                guard.call("Play", service.play), play_pb2.PlayRequest.FromString, lambda batch: batch
            ),
            "DownloadLog": grpc.unary_stream_rpc_method_handler(
                guard.stream("DownloadLog", service.download_log),
                pb.DownloadLogRequest.FromString,
                pb.DownloadLogResponse.SerializeToString,
            ),
            **dict(
                (
                    unary("CreateMatch", service.create_match, pb.CreateMatchRequest, pb.CreateMatchResponse),
                    unary("GetMatch", service.get_match, pb.GetMatchRequest, pb.GetMatchResponse),
                    unary("ListMatches", service.list_matches, pb.ListMatchesRequest, pb.ListMatchesResponse),
                    unary("CloseDeals", service.close_deals, pb.CloseDealsRequest, pb.CloseDealsResponse),
                )
            ),
        },
    )
