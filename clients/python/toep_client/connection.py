"""The stream between a bot and the referee."""

import asyncio
import contextlib
import inspect
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import grpc
from google.protobuf.message import Message

from referee.v1 import play_pb2
from toep_client.acts import Act, to_answer, to_plain
from toep_client.again import HINT, Again
from toep_client.bot import Bot
from toep_client.desk import Desk
from toep_client.errors import LOST, USAGE, BotError, Trouble
from toep_client.news import Event, Refusal, event_of
from toep_client.settings import ADDRESS, BOT, TLS_CA, TOKEN, Settings
from toep_client.tls import credentials
from toep_client.transcript import Transcripts
from toep_client.view import View

PROTOCOL: Final = 1
METHOD: Final = "/referee.v1.RefereeService/Play"
ANSWER_BYTES: Final = 64
"""More bytes than any answer has."""

GOODBYE_SECONDS: Final = 5.0
OPTIONS: Final = (
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.enable_retries", 0),
    ("grpc.enable_http_proxy", 0),
)

Call = grpc.aio.StreamStreamCall[Message, play_pb2.PlayResponse]
T = TypeVar("T")


async def play(bot: Bot, settings: Settings) -> None:
    """Plays until the bot has done its matches, or the referee closes down or ends the stream.

    A bot that a referee turns away with a hint when to come again waits that long and tries again, for a minute in all;
    one that loses its referee dials in again for ``settings.reconnect`` seconds. Raises `Trouble` when there is no
    stream or it is lost in the middle of a match, and `BotError` when the bot's own code raises an exception.
    """
    await visit(bot, settings, Again(settings.reconnect), asyncio.sleep)


async def visit(bot: Bot, settings: Settings, again: Again, sleep: Callable[[float], Awaitable[object]]) -> None:
    """The same; ``sleep`` waits for so many seconds."""
    desk = Desk()
    while True:
        try:
            await _stream(bot, settings, again, desk)
        except _Again as error:
            print(f"{error}: trying again in {error.seconds:.1f} s", file=sys.stderr, flush=True)
            await sleep(error.seconds)
        else:
            return


async def _stream(bot: Bot, settings: Settings, again: Again, desk: Desk) -> None:
    """One stream. Raises `_Again` when another one is worth a try, and what `play` raises."""
    metadata = () if settings.token is None else (("authorization", f"Bearer {settings.token}"),)
    async with _channel(settings) as channel:
        call: Call = channel.stream_stream(
            METHOD,
            request_serializer=play_pb2.PlayRequest.SerializeToString,
            response_deserializer=play_pb2.PlayResponse.FromString,
        )(metadata=metadata)
        transcripts = Transcripts(settings.transcripts)
        try:
            await _Stream(call, bot, settings, transcripts, again=again, desk=desk).run()
        finally:
            transcripts.close()
            call.cancel()


def _channel(settings: Settings) -> grpc.aio.Channel:
    """A channel to the referee; raises `Trouble` for certificates that cannot be used."""
    tls = credentials(settings)
    if tls is None:
        return grpc.aio.insecure_channel(settings.address, options=OPTIONS)
    return grpc.aio.secure_channel(settings.address, tls, options=OPTIONS)


class _Ended(Exception):
    """The stream is over."""


class _Again(Exception):
    """The stream is over, and another one is worth a try in so many seconds."""

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds: float = seconds


class _Stream:
    def __init__(
        self, call: Call, bot: Bot, settings: Settings, transcripts: Transcripts, *, again: Again, desk: Desk
    ) -> None:
        self.call: Call = call
        self.bot: Bot = bot
        self.settings: Settings = settings
        self.transcripts: Transcripts = transcripts
        self.again: Again = again
        self.desk: Desk = desk
        self.draining: bool = False
        self.most: int = 1
        self.ended: asyncio.Event = asyncio.Event()
        self.wants_events: bool = type(bot).event is not Bot.event
        call.add_done_callback(lambda _: self.ended.set())

    async def run(self) -> None:
        response: play_pb2.PlayResponse | None = await self.greet()
        try:
            while response is not None:
                await self.take(response)
                if self.done():
                    await self.leave()
                    return
                response = await self.read()
        except _Ended:
            pass
        code, details = await self.status()
        if code is not grpc.StatusCode.OK:
            why = f"the connection to the referee was lost ({code.name.lower()}: {details})"
            if code is grpc.StatusCode.UNAVAILABLE and (pause := self.again.lost()) is not None:
                raise _Again(why, pause)
            raise Trouble(LOST, f"{why}: is it still running?")
        if self.desk.running:
            raise Trouble(LOST, f"the referee ended the stream in the middle of {self.desk.running} match(es)")

    async def greet(self) -> play_pb2.PlayResponse:
        """Says hello, and returns the message that has the welcome."""
        hello = play_pb2.Hello(
            protocol=PROTOCOL,
            bot=self.settings.bot,
            version=self.bot.version,
            parallel=self.settings.parallel or self.bot.parallel,
            resume_token=self.again.resume_token,
        )
        try:
            await self.write(play_pb2.PlayRequest(hello=hello))
            response = await self.read()
        except _Ended:
            response = None
        if response is None:
            code, details = await self.status()
            why = self.turned_away(code, details)
            if (pause := await self.pause(code)) is not None:
                raise _Again(why, pause)
            raise Trouble(LOST if self.again.was_lost else USAGE, why)
        welcome = response.welcome
        if welcome.protocol != PROTOCOL:
            raise Trouble(
                USAGE,
                f"the referee at {self.settings.address} speaks protocol {welcome.protocol}, this client {PROTOCOL}: "
                "install the toep-client that belongs to the referee",
            )
        self.again.welcomed(welcome.resume_token)
        self.desk.resume({seated.match_id for seated in response.seated})
        by_size = max(1, welcome.max_request_bytes // ANSWER_BYTES) if welcome.max_request_bytes else sys.maxsize
        self.most = min(by_size, welcome.max_answers or sys.maxsize)
        return response

    async def pause(self, code: grpc.StatusCode) -> float | None:
        """Seconds until another try of a bot that was not let in; None: none is worth it."""
        if code is grpc.StatusCode.UNAUTHENTICATED and self.again.wrong_token():
            return 0.0
        hints = {str(key): value for key, value in await self.call.trailing_metadata() or ()}
        if (hint := hints.get(HINT)) is not None:
            return self.again.turned_away(hint)
        return self.again.unreachable() if code is grpc.StatusCode.UNAVAILABLE else None

    def turned_away(self, code: grpc.StatusCode, details: str) -> str:
        where = self.settings.address
        if code is grpc.StatusCode.UNAVAILABLE:
            if self.settings.tls:
                return (
                    f"no referee can be reached at {where} over TLS ({details}): start it, set {ADDRESS} to a name in"
                    f" its certificate, and {TLS_CA} to the authority that signed that"
                )
            return (
                f"no referee answers at {where} ({details}): start it, or set {ADDRESS} to where it is"
                f" (and {TLS_CA}, if it encrypts)"
            )
        if code in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
            return f"the referee at {where} does not let in {self.settings.bot!r} ({details}): check {BOT} and {TOKEN}"
        if code is grpc.StatusCode.OK:
            return f"the referee at {where} ended the stream without a welcome: check {ADDRESS}"
        return f"the referee at {where} refused the stream: {code.name.lower()}: {details}"

    async def take(self, response: play_pb2.PlayResponse) -> None:
        """Goes through one message, in the order in which its fields are meant."""
        for seated in response.seated:
            match = self.desk.seat(seated)
            self.transcripts.seated(match)
            self.call_bot(self.bot.seated, match)
        for update in response.updates:
            self.desk.update(update)
            if self.wants_events or self.transcripts.kept:
                self.announce([event_of(update.table, event) for event in update.events], update.table)
        for refusal in response.refusals:
            view, plain = self.desk.refused(refusal)
            for transcript in self.transcripts.of(view) if view else ():
                transcript.refused(plain)
            print(refusal_line(view, plain), file=sys.stderr, flush=True)
            self.call_bot(self.bot.refused, view, plain)
        for superseded in response.superseded:
            if (forgotten := self.desk.superseded(superseded)) is not None:
                for transcript in self.transcripts.of(forgotten):
                    transcript.superseded(superseded.ask)
        if response.asks:
            await self.answer(response)
        for over in response.over:
            result = self.desk.over(over)
            self.transcripts.over(result)
            self.call_bot(self.bot.over, result)
        if response.HasField("draining"):
            self.draining = True

    def announce(self, events: list[Event], table: int) -> None:
        """Tells the bot, and its transcripts, what happened at a table."""
        for transcript in self.transcripts.at(table):
            transcript.update(events)
        if self.wants_events:
            for event in events:
                self.call_bot(self.bot.event, event)

    async def answer(self, response: play_pb2.PlayResponse) -> None:
        answers: list[play_pb2.Answer] = []
        for ask in response.asks:
            view = self.desk.view(ask)
            for transcript in self.transcripts.of(view):
                transcript.asked(view)
            act = await self.act(view)
            try:
                answers.append(to_answer(act, view.table, view.ask))
            except TypeError as error:
                raise BotError("act() must return an act") from error
            self.desk.answered(view, act)
            for transcript in self.transcripts.of(view):
                transcript.sent(view, act)
        for start in range(0, len(answers), self.most):
            with contextlib.suppress(_Ended):  # what the referee said before it ended the stream is still to be read
                await self.write(play_pb2.PlayRequest(answers=answers[start : start + self.most]))

    async def act(self, view: View) -> Act:
        act = self.call_bot(self.bot.act, view)
        if not inspect.isawaitable(act):
            return act
        thinking = asyncio.ensure_future(_own(act))
        ending = asyncio.ensure_future(self.ended.wait())
        try:
            await asyncio.wait({thinking, ending}, return_when=asyncio.FIRST_COMPLETED)
            if not thinking.done():
                raise _Ended
            return thinking.result()
        finally:
            for task in (thinking, ending):
                task.cancel()
            await asyncio.gather(thinking, ending, return_exceptions=True)

    def call_bot(self, method: Callable[..., T], *arguments: object) -> T:
        try:
            return method(*arguments)
        except Trouble:
            raise
        except Exception as error:
            raise BotError(f"{method.__name__}() failed") from error

    def done(self) -> bool:
        """Whether the bot is to leave: never in the middle of a match."""
        enough = self.settings.matches is not None and self.desk.finished >= self.settings.matches
        return (enough or self.draining) and not self.desk.running

    async def leave(self) -> None:
        """Says goodbye, and reads what is still on its way."""
        reason = "the referee is closing down" if self.draining else "done"
        # Everything that matters was said before.
        with contextlib.suppress(_Ended, TimeoutError, grpc.aio.AioRpcError, asyncio.InvalidStateError):
            async with asyncio.timeout(GOODBYE_SECONDS):
                await self.write(play_pb2.PlayRequest(leave=play_pb2.Leave(reason=reason)))
                await self.call.done_writing()
                while await self.read() is not None:
                    pass

    async def read(self) -> play_pb2.PlayResponse | None:
        """The next message; None when the referee has ended the stream."""
        try:
            response = await self.call.read()
        except grpc.aio.AioRpcError as error:
            raise _Ended from error
        return response if isinstance(response, play_pb2.PlayResponse) else None

    async def write(self, request: play_pb2.PlayRequest) -> None:
        try:
            await self.call.write(request)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
            raise _Ended from error

    async def status(self) -> tuple[grpc.StatusCode, str]:
        """How the stream ended; the text has no line breaks and not the token."""
        code, details = await self.call.code(), await self.call.details()
        text = one_line(details or "no details")
        return code, text.replace(self.settings.token, "***") if self.settings.token else text


async def _own(act: Awaitable[Act]) -> Act:
    try:
        return await act
    except Trouble:
        raise
    except Exception as error:
        raise BotError("act() failed") from error


def refusal_line(view: View | None, refusal: Refusal) -> str:
    """One line that tells a bot's author what was refused and why."""
    where = f"table {refusal.table}, ask {refusal.ask}"
    if view is not None:
        where = f"match {view.match_id}, seat {view.seat}, table {view.table}, ask {view.ask} ({view.kind})"
    answered = "" if refusal.act is None else f": answered {json.dumps(to_plain(refusal.act))}"
    why = refusal.code + (f", {refusal.rule}" if refusal.rule else "")
    return one_line(f"refused: {where}{answered}: {why}: {refusal.message} [tries left: {refusal.tries_left}]")


def one_line(text: str) -> str:
    """Text from elsewhere, made fit for one line of a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
