"""A bot against a scripted referee, over a real stream."""

import asyncio
from collections.abc import Mapping

import grpc
import pytest
from google.protobuf import unknown_fields
from toep_client import (
    Act,
    Bot,
    BotError,
    Event,
    Match,
    Over,
    Play,
    Refusal,
    Settings,
    Toep,
    Trouble,
    View,
    entry,
    play,
)
from toep_client.settings import ADDRESS, BOT, MATCHES, PARALLEL, TOKEN

from referee.v1 import acts_pb2, events_pb2, play_pb2, table_pb2

from .conftest import Hosting, Line, Maker, Referee


class First(Bot):
    """Answers with the first legal act and writes down what it is told."""

    version = "1.2"

    def __init__(self) -> None:
        self.told: list[object] = []

    def act(self, view: View) -> Act:
        self.told.append((view.table, view.ask, view.trick))
        return view.legal[0]

    def seated(self, match: Match) -> None:
        self.told.append(match)

    def event(self, event: Event) -> None:
        self.told.append(event)

    def refused(self, view: View | None, refusal: Refusal) -> None:
        self.told.append((None if view is None else view.ask, refusal))

    def over(self, over: Over) -> None:
        self.told.append(over)


def settings(referee: Referee, **changes: int | str | None) -> Settings:
    values: dict[str, int | str | None] = {"address": referee.address, "bot": "bob", **changes}
    return Settings(**values)  # type: ignore[arg-type]


@pytest.mark.asyncio
async def test_a_whole_visit(hosting: Hosting, make: Maker, capsys: pytest.CaptureFixture[str]) -> None:
    async def script(line: Line) -> None:
        await line.welcome()
        event = events_pb2.Event(play=events_pb2.PlayEvent(card=32), seat=0)  # type: ignore[arg-type]
        news = table_pb2.TableUpdate(table=7, events=[event], state=make.state((1, 0, "Th")))
        await line.say(seated=[make.seated()], updates=[news], asks=[make.ask("9h Jc", "9h")])
        await line.hear()
        refusal = play_pb2.Refusal(
            table=7,
            ask=40,
            code=play_pb2.REFUSAL_CODE_ILLEGAL,
            rule="R-SUIT-01",
            message="Follow\nsuit.",
            tries_left=2,
        )
        await line.say(asks=[make.ask("9h Jc", "Jc", ask=41)], refusals=[refusal])
        await line.hear()
        await line.say(superseded=[play_pb2.Superseded(table=7, ask=41)])
        await line.say(over=[make.over()], draining=play_pb2.Draining(reason="maintenance"))
        await line.goodbye()

    bot = First()
    async with hosting(script) as referee:
        await play(bot, settings(referee, token="s3cret"))
        await referee.finished.wait()
    assert bot.told == [
        make.match(),
        Event(7, "play", 0, False, {"card": "Th"}),
        (7, 40, [(0, "Th")]),
        (40, Refusal(7, 40, "illegal", "R-SUIT-01", "Follow\nsuit.", 2, Play("9h"))),
        (7, 41, [(0, "Th")]),
        Over(7, "match-7", "complete", (1, 2, 2, 4), (0, 4, 4, 10), (1,)),
    ]
    assert referee.heard == [
        play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, bot="bob", version="1.2", parallel=1024)),
        play_pb2.PlayRequest(answers=[play_pb2.Answer(table=7, ask=40, play=acts_pb2.Play(card=31))]),  # type: ignore[arg-type]
        play_pb2.PlayRequest(answers=[play_pb2.Answer(table=7, ask=41, play=acts_pb2.Play(card=1))]),  # type: ignore[arg-type]
        play_pb2.PlayRequest(leave=play_pb2.Leave(reason="the referee is closing down")),
    ]
    assert referee.metadata["authorization"] == "Bearer s3cret"
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        'refused: match match-7, seat 1, table 7, ask 40 (card): answered {"_": "play", "card": "9h"}: '
        "illegal, R-SUIT-01: Follow suit. [tries left: 2]"
    ]


@pytest.mark.asyncio
async def test_a_batch_is_answered_in_one_message(hosting: Hosting, make: Maker) -> None:
    """Many tables, and two seats at one of them."""

    async def script(line: Line) -> None:
        await line.welcome()
        await line.say(
            seated=[make.seated(1), make.seated(2, 0), make.seated(2, 3)],
            updates=[make.update(1), make.update(2)],
            asks=[
                make.ask("9h", "9h", table=1),
                make.ask("Th", "Th", table=2, seat=3, ask=8),
                make.ask("Jc", "", (acts_pb2.ACT_KIND_PASS,), table=2, seat=0, ask=9),
            ],
        )
        await line.hear()
        await line.say(over=[make.over(1), make.over(2)])
        await line.goodbye()

    bot = First()
    async with hosting(script) as referee:
        await play(bot, settings(referee, matches=2))
    assert [(answer.table, answer.ask) for answer in referee.heard[1].answers] == [(1, 40), (2, 8), (2, 9)]
    assert len(referee.heard) == 3
    assert bot.told[-1] == Over(2, "match-2", "complete", (1, 2, 2, 4), (0, 4, 4, 10), (0, 3))


@pytest.mark.asyncio
async def test_the_referees_limit_is_kept(hosting: Hosting, make: Maker) -> None:
    async def script(line: Line) -> None:
        await line.welcome(max_answers=2)
        asks = [make.ask("9h", "9h", ask=number) for number in range(5)]
        await line.say(seated=[make.seated()], updates=[make.update()], asks=asks)
        for _ in range(3):
            await line.hear()
        await line.say(over=[make.over()])
        await line.goodbye()

    async with hosting(script) as referee:
        await play(First(), settings(referee, matches=1))
    assert [len(request.answers) for request in referee.heard[1:4]] == [2, 2, 1]


@pytest.mark.asyncio
async def test_a_bot_does_not_leave_in_the_middle_of_a_match(hosting: Hosting, make: Maker) -> None:
    async def script(line: Line) -> None:
        await line.welcome()
        await line.say(seated=[make.seated(1), make.seated(2)], draining=play_pb2.Draining())
        await line.say(over=[make.over(1)])
        await line.say(asks=[make.ask("9h", "9h", table=2)])
        await line.hear()
        await line.say(over=[make.over(2)])
        await line.goodbye()

    async with hosting(script) as referee:
        await play(First(), settings(referee, matches=1))
    assert [request.HasField("leave") for request in referee.heard] == [False, False, True]


@pytest.mark.asyncio
async def test_what_a_later_referee_adds_does_not_hurt(hosting: Hosting, make: Maker) -> None:
    async def script(line: Line) -> None:
        await line.welcome()
        future = make.ask("9h", "9h", kind=77)
        future.MergeFromString(b"\xfa\x07\x01?")
        assert len(unknown_fields.UnknownFieldSet(future)) == 1
        event = events_pb2.Event(seat=1)
        event.MergeFromString(b"\xfa\x07\x00")
        news = table_pb2.TableUpdate(table=7, events=[event], state=make.state())
        refusal = play_pb2.Refusal(table=99, ask=1, code=55)  # type: ignore[arg-type]
        await line.say(seated=[make.seated()], updates=[news], asks=[future], refusals=[refusal])
        await line.hear()
        over = make.over()
        over.status = 44  # type: ignore[assignment]
        await line.say(over=[over])
        await line.goodbye()

    bot = First()
    async with hosting(script) as referee:
        await play(bot, settings(referee, matches=1))
    assert bot.told[1] == Event(7, "unknown", 1, False)
    assert bot.told[2] == (None, Refusal(99, 1, "unknown", "", "", 0))
    assert bot.told[4] == Over(7, "match-7", "unknown", (1, 2, 2, 4), (0, 4, 4, 10), (1,))


@pytest.mark.asyncio
async def test_the_end_of_the_stream_between_matches_is_an_end(hosting: Hosting, make: Maker) -> None:
    async def script(line: Line) -> None:
        await line.welcome()
        await line.say(seated=[make.seated()])
        await line.say(over=[make.over()])

    bot = First()
    async with hosting(script) as referee:
        await play(bot, settings(referee))
    assert isinstance(bot.told[-1], Over)


async def lost(hosting: Hosting, line_script: object, bot: Bot | None = None) -> Trouble:
    async with hosting(line_script) as referee:  # type: ignore[arg-type]
        with pytest.raises(Trouble) as caught:
            await play(bot or First(), settings(referee, token="s3cret"))
    return caught.value


@pytest.mark.asyncio
async def test_the_end_of_the_stream_in_a_match_is_a_loss(hosting: Hosting, make: Maker) -> None:
    async def script(line: Line) -> None:
        await line.welcome()
        await line.say(seated=[make.seated()])

    trouble = await lost(hosting, script)
    assert (trouble.code, str(trouble)) == (1, "the referee ended the stream in the middle of 1 match(es)")


@pytest.mark.asyncio
async def test_a_broken_stream_is_a_loss(hosting: Hosting, make: Maker) -> None:
    async def script(line: Line) -> None:
        await line.welcome()
        await line.context.abort(grpc.StatusCode.INTERNAL, "internal error, id=5")

    trouble = await lost(hosting, script)
    assert (trouble.code, str(trouble)) == (
        1,
        "the connection to the referee was lost (internal: internal error, id=5): is it still running?",
    )


@pytest.mark.asyncio
async def test_a_refused_bot_is_told_what_to_check_and_no_secret(hosting: Hosting) -> None:
    async def script(line: Line) -> None:
        # As a referee does: a status that comes while the other side is still writing can be lost.
        await line.hear()
        await line.context.abort(grpc.StatusCode.UNAUTHENTICATED, "bad token s3cret")

    trouble = await lost(hosting, script)
    assert trouble.code == 2
    assert "(bad token ***): check TOEP_BOT and TOEP_TOKEN" in str(trouble)


@pytest.mark.asyncio
async def test_another_protocol_is_refused(hosting: Hosting) -> None:
    async def script(line: Line) -> None:
        await line.welcome(protocol=2)
        await line.goodbye()

    trouble = await lost(hosting, script)
    assert trouble.code == 2
    assert "speaks protocol 2, this client 1" in str(trouble)


@pytest.mark.asyncio
async def test_an_ask_for_a_strange_seat_is_trouble(hosting: Hosting, make: Maker) -> None:
    async def script(line: Line) -> None:
        await line.welcome()
        await line.say(seated=[make.seated()], asks=[make.ask(seat=2)])
        await line.goodbye()

    trouble = await lost(hosting, script)
    assert (trouble.code, str(trouble)) == (1, "the referee asks seat 2 of table 7, where this bot does not sit")


class Broken(Bot):
    def act(self, view: View) -> Act:
        raise KeyError("nothing")


class Vague(Bot):
    def act(self, view: View) -> Act:
        return None  # type: ignore[return-value]


class BrokenLater(Bot):
    async def act(self, view: View) -> Act:
        raise KeyError(view.ask)


@pytest.mark.asyncio
@pytest.mark.parametrize(("bot", "cause"), [(Broken(), KeyError), (Vague(), TypeError), (BrokenLater(), KeyError)])
async def test_a_failing_bot_is_its_authors_business(
    hosting: Hosting, make: Maker, bot: Bot, cause: type[Exception]
) -> None:
    async def script(line: Line) -> None:
        await line.welcome()
        await line.say(seated=[make.seated()], asks=[make.ask("9h", "9h")])
        await line.goodbye()

    async with hosting(script) as referee:
        with pytest.raises(BotError) as caught:
            await play(bot, settings(referee))
        await referee.finished.wait()
    assert isinstance(caught.value.__cause__, cause)


def test_a_failing_bot_is_shown_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def fail(bot: Bot, settings: Settings) -> None:
        try:
            bot.act(View(Match(1, "m", 0, (), {}, 0), play_pb2.Ask()))
        except KeyError as error:
            raise BotError("act() failed") from error

    monkeypatch.setattr(entry, "play", fail)
    assert entry.main(Broken(), {ADDRESS: "localhost:1", BOT: "bob"}) == 70
    error = capsys.readouterr().err
    assert 'raise KeyError("nothing")' in error
    assert error.endswith("the bot failed: act() failed\n")


class Thinker(Bot):
    """Thinks until it is stopped."""

    def __init__(self) -> None:
        self.stopped = False

    async def act(self, view: View) -> Act:
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped = True
        return Toep()


@pytest.mark.asyncio
async def test_thinking_ends_with_the_stream(hosting: Hosting, make: Maker) -> None:
    async def script(line: Line) -> None:
        await line.welcome()
        await line.say(seated=[make.seated()], asks=[make.ask("9h", "9h")])

    bot = Thinker()
    trouble = await lost(hosting, script, bot)
    assert trouble.code == 1
    assert bot.stopped


def test_nobody_there(capsys: pytest.CaptureFixture[str], tmp_path: object) -> None:
    address = f"unix:{tmp_path}/none.sock"
    assert entry.main(First(), {ADDRESS: address, BOT: "bob"}) == 2
    error = capsys.readouterr().err
    assert f"no referee answers at {address}" in error
    assert "start it, or set TOEP_ADDRESS" in error


GOOD = {ADDRESS: "127.0.0.1:7777", BOT: "bob"}


def test_settings() -> None:
    assert Settings.from_environ(GOOD) == Settings(address="127.0.0.1:7777", bot="bob")
    full = Settings.from_environ({**GOOD, ADDRESS: "unix:/tmp/x", TOKEN: "s3cret", PARALLEL: "3", MATCHES: "5"})
    assert full == Settings(address="unix:/tmp/x", bot="bob", token="s3cret", parallel=3, matches=5)
    assert "s3cret" not in repr(full)


@pytest.mark.parametrize(
    ("environ", "how"),
    [
        ({}, (False, None, None, None)),
        ({"TOEP_TLS": "0"}, (False, None, None, None)),
        ({"TOEP_TLS": "1"}, (True, None, None, None)),
        ({"TOEP_TLS_CA": "a"}, (True, "a", None, None)),
        ({"TOEP_TLS": "1", "TOEP_TLS_CERT": "b", "TOEP_TLS_KEY": "c"}, (True, None, "b", "c")),
        ({"TOEP_TLS_CA": "a", "TOEP_TLS_CERT": "b", "TOEP_TLS_KEY": "c"}, (True, "a", "b", "c")),
    ],
    ids=str,
)
def test_settings_of_encryption(environ: dict[str, str], how: tuple[object, ...]) -> None:
    settings = Settings.from_environ({**GOOD, **environ})
    assert (settings.tls, settings.tls_ca, settings.tls_cert, settings.tls_key) == how


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"TOEP_TLS": "yes"}, "TOEP_TLS='yes' is neither"),
        ({"TOEP_TLS_CERT": "a"}, "belong together"),
        ({"TOEP_TLS_KEY": "a"}, "belong together"),
        ({"TOEP_TLS": "0", "TOEP_TLS_CA": "a"}, "unset one of them"),
    ],
    ids=str,
)
def test_settings_of_encryption_that_are_wrong(environ: dict[str, str], said: str) -> None:
    with pytest.raises(Trouble, match=said):
        Settings.from_environ({**GOOD, **environ})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({ADDRESS: ""}, "TOEP_ADDRESS is not set"),
        ({ADDRESS: "localhost"}, "write host:port"),
        ({ADDRESS: "localhost:0"}, "write host:port"),
        ({ADDRESS: "http://localhost:80"}, "write host:port"),
        ({BOT: ""}, "TOEP_BOT is not set"),
        ({BOT: "b\udc80b"}, "TOEP_BOT has characters"),
        ({TOKEN: "s3cr\net"}, "TOEP_TOKEN must be printable ASCII"),
        ({PARALLEL: "many"}, "TOEP_PARALLEL='many' is no number"),
        ({MATCHES: "0"}, "TOEP_MATCHES='0' is no number"),
    ],
)
def test_wrong_settings_are_explained(
    change: Mapping[str, str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert entry.main(First(), {**GOOD, **change}) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "s3cr" not in error
    assert error.count("\n") == 1
