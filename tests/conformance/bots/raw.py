"""Bots on the bare protocol: a good one, and many that are bad in one way each. ``python raw.py NAME``."""

import os
import queue
import subprocess
import sys
import time
from collections.abc import Iterator

import grpc

from referee.v1 import acts_pb2, play_pb2, referee_service_pb2_grpc


class Good:
    """Passes, goes along, plays the lowest card, stays until its matches are over or the referee closes."""

    def __init__(self) -> None:
        self.requests: queue.SimpleQueue[play_pb2.PlayRequest | None] = queue.SimpleQueue()
        self.name = os.environ["TOEP_BOT"]
        self.token = os.environ["TOEP_TOKEN"]
        self.most = int(os.environ["TOEP_MATCHES"])
        self.asked = self.over = self.seats = 0
        self.draining = False

    def answer(self, ask: play_pb2.Ask) -> play_pb2.Answer | None:
        """The answer to an ask; None for silence."""
        reply = play_pb2.Answer(table=ask.table, ask=ask.ask)
        if ask.may >> acts_pb2.ACT_KIND_PASS & 1:
            reply.decline.SetInParent()
        elif ask.legal:
            reply.play.card = (ask.legal & -ask.legal).bit_length()  # type: ignore[assignment]
        elif ask.may >> acts_pb2.ACT_KIND_DISCARD & 1:
            cards = [bit + 1 for bit in range(32) if ask.hand >> bit & 1]
            reply.discard.cards.extend(cards[:3])  # type: ignore[arg-type]
        else:
            reply.stay.SetInParent()
        return reply

    def take(self, response: play_pb2.PlayResponse) -> None:
        """One message."""
        self.seats += len(response.seated)
        answers = []
        for ask in response.asks:
            self.asked += 1
            if answer := self.answer(ask):
                answers.append(answer)
        if answers:
            self.requests.put(play_pb2.PlayRequest(answers=answers))
        self.over += len(response.over)
        self.draining = self.draining or response.HasField("draining")
        if self.done():
            self.leave()

    def done(self) -> bool:
        """Whether there is nothing more to do."""
        return self.over >= self.most or (self.draining and self.over >= self.seats)

    def leave(self) -> None:
        """Say goodbye."""
        self.requests.put(play_pb2.PlayRequest(leave=play_pb2.Leave(reason="done")))
        self.requests.put(None)

    def hello(self) -> play_pb2.Hello:
        """Who it is."""
        return play_pb2.Hello(protocol=1, bot=self.name, parallel=64)

    def outgoing(self) -> Iterator[play_pb2.PlayRequest]:
        """What it sends."""
        return iter(self.requests.get, None)

    def run(self) -> int:
        """Play; returns the exit code."""
        self.requests.put(play_pb2.PlayRequest(hello=self.hello()))
        metadata = (("authorization", f"Bearer {self.token}"),)
        with grpc.insecure_channel(os.environ["TOEP_ADDRESS"]) as channel:
            stub = referee_service_pb2_grpc.RefereeServiceStub(channel)  # type: ignore[no-untyped-call]
            try:
                for response in stub.Play(self.outgoing(), metadata=metadata):
                    self.take(response)
            except grpc.RpcError as error:
                print(f"lost: {error}", file=sys.stderr)
                return 1
            finally:
                self.requests.put(None)
        return 0


class Silent(Good):
    """Never answers."""

    def answer(self, ask: play_pb2.Ask) -> play_pb2.Answer | None:
        return None


class Cheat(Good):
    """Plays the jack of clubs, whatever it holds."""

    def answer(self, ask: play_pb2.Ask) -> play_pb2.Answer | None:
        reply = super().answer(ask)
        if reply is not None and ask.legal:
            reply.play.card = next(bit for bit in range(32) if not ask.hand >> bit & 1) + 1  # type: ignore[assignment]
        return reply


class Hasty(Good):
    """Plays a wrong card at every third ask, and a right one when it is asked again."""

    def answer(self, ask: play_pb2.Ask) -> play_pb2.Answer | None:
        reply = super().answer(ask)
        if reply is not None and ask.legal and ask.ask % 64 == 1:
            reply.play.card = next(bit for bit in range(32) if not ask.hand >> bit & 1) + 1  # type: ignore[assignment]
        return reply


class Empty(Good):
    """Answers without an act."""

    def answer(self, ask: play_pb2.Ask) -> play_pb2.Answer | None:
        return play_pb2.Answer(table=ask.table, ask=ask.ask)


class Coward(Good):
    """Passes when a card is due."""

    def answer(self, ask: play_pb2.Ask) -> play_pb2.Answer | None:
        return play_pb2.Answer(table=ask.table, ask=ask.ask, decline=acts_pb2.Pass())


class Strict(Good):
    """Crashes on an event that it does not know."""

    def take(self, response: play_pb2.PlayResponse) -> None:
        for update in response.updates:
            for event in update.events:
                if event.WhichOneof("event") is None:
                    raise ValueError("what an event")
        super().take(response)


class Lost(Good):
    """Answers another table than the one that asks."""

    def answer(self, ask: play_pb2.Ask) -> play_pb2.Answer | None:
        reply = super().answer(ask)
        if reply is not None:
            reply.table += 1000
        return reply


class Early(Good):
    """Ends well in the middle of a match."""

    def take(self, response: play_pb2.PlayResponse) -> None:
        if self.asked >= 2:
            os._exit(0)
        super().take(response)


class Crash(Good):
    """Ends badly in the middle of a match."""

    def take(self, response: play_pb2.PlayResponse) -> None:
        if self.asked >= 2:
            print("something is broken here", file=sys.stderr, flush=True)
            os._exit(3)
        super().take(response)


class Quitter(Good):
    """Says Leave in the middle of a match."""

    def take(self, response: play_pb2.PlayResponse) -> None:
        super().take(response)
        if self.asked == 2:
            self.leave()


class Hanger(Good):
    """Hangs up in the middle of a match, and goes on running."""

    def take(self, response: play_pb2.PlayResponse) -> None:
        super().take(response)
        if self.asked >= 2:
            raise grpc.RpcError("enough")

    def run(self) -> int:
        super().run()
        subprocess.run(["sleep", "600"], check=False)
        return 0


class Stubborn(Good):
    """Takes no notice of Draining."""

    def done(self) -> bool:
        return self.over >= self.most


class Cut(Good):
    """Leaves at once when Draining comes."""

    def done(self) -> bool:
        return self.draining or super().done()


class Stayer(Good):
    """Never leaves."""

    def done(self) -> bool:
        return False


class Sore(Good):
    """Ends with a code that is not 0."""

    def run(self) -> int:
        super().run()
        return 9


class Slow(Good):
    """Is too slow for a card."""

    def answer(self, ask: play_pb2.Ask) -> play_pb2.Answer | None:
        if ask.legal:
            time.sleep(1.5 * ask.budget_ms / 1000)
        return super().answer(ask)


class Lazy(Good):
    """Is in time, but just so, for its first cards; one at a time."""

    slept = 0

    def hello(self) -> play_pb2.Hello:
        hello = super().hello()
        hello.parallel = 1
        return hello

    def answer(self, ask: play_pb2.Ask) -> play_pb2.Answer | None:
        if ask.legal and self.slept < 2:
            self.slept += 1
            time.sleep(0.6 * ask.budget_ms / 1000)
        return super().answer(ask)


class Deaf(Good):
    """Lets every window run out."""

    def answer(self, ask: play_pb2.Ask) -> play_pb2.Answer | None:
        return None if ask.may >> acts_pb2.ACT_KIND_PASS & 1 else super().answer(ask)


class Chatty(Good):
    """Writes megabytes to standard error."""

    def take(self, response: play_pb2.PlayResponse) -> None:
        for _ in range(64):
            sys.stderr.write("x" * 65535 + "\n")
        sys.stderr.flush()
        super().take(response)


class Nobody(Good):
    """Has no token."""

    def run(self) -> int:
        self.token = "wrong"
        return super().run() or 1


class Mute(Good):
    """Says nothing at all."""

    def run(self) -> int:
        subprocess.run(["sleep", "600"], check=False)
        return 0


class Content(Good):
    """Takes the end of its stream for the end of its work."""

    def run(self) -> int:
        super().run()
        return 0


class Phoenix(Good):
    """Dials in again when its line breaks."""

    def run(self) -> int:
        while super().run() and not self.done():
            self.requests = queue.SimpleQueue()
        return 0


class Proud(Good):
    """Answers an ask that was refused with the same id again."""

    def answer(self, ask: play_pb2.Ask) -> play_pb2.Answer | None:
        reply = super().answer(ask)
        if reply is not None and ask.ask % 64 > 1 and not ask.may >> acts_pb2.ACT_KIND_PASS & 1:
            reply.ask -= 1
        return reply


class Twice(Good):
    """Answers every ask twice."""

    def take(self, response: play_pb2.PlayResponse) -> None:
        super().take(response)
        if answers := [one for ask in response.asks if (one := self.answer(ask))]:
            self.requests.put(play_pb2.PlayRequest(answers=answers))


class Parent(Good):
    """Has a child that it does not end."""

    def run(self) -> int:
        child = subprocess.Popen(["sleep", "600"])
        with open(os.environ["PIDS"], "a") as file:
            file.write(f"{os.getpid()} {child.pid} {os.environ['TOEP_ADDRESS']}\n")
        return super().run()


if __name__ == "__main__":
    code = globals()[sys.argv[1]]().run()
    sys.stderr.flush()
    os._exit(code)
