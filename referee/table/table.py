"""One table: a game, its steps, its clocks, its conduct policy and its log. Sans-IO.

Messages and the time are passed in, messages and the next deadline come out; the only thing a table writes to is its
log, and always before a message that rests on the written lines leaves. So clocks, silence and lost links are tested
without sockets and without waiting.
"""

from collections.abc import Callable
from typing import Final, Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from referee.deal import Deal, Deals
from referee.game.game import Game
from referee.game.records import Act, AnyAct, Cards, Discard, Exchange, Forfeit, Record, Resign, Round, Trick, Void
from referee.game.stand_in import stand_in
from referee.game.state import Phase
from referee.log.policy import TIMED, Budgets, Faults, fault_kind, voids
from referee.log.records import Head, Late, Verdict
from referee.log.writer import LogWriter
from referee.table.head import rounds_of
from referee.table.journal import Journal, Refusal
from referee.table.messages import (
    DISCARD,
    NEVER,
    Ask,
    AskKind,
    Message,
    Over,
    RefusalCode,
    Refused,
    Superseded,
    Update,
    ask_id,
)
from referee.table.steps import STEP_ACTS, Answer, Pass, Step, effective, next_step

Out = list[Message] | tuple[()]
"""What a table says; often nothing."""


PRIVATE_RECORDS: Final = (Cards, Discard)
"""What the game says that not everybody may hear."""


class Malformed(Struct, frozen=True, gc=False):
    """An answer that is no act at all: the schema refuses it before the rules are asked."""

    why: str
    code: RefusalCode = RefusalCode.MALFORMED


class Fault(Struct, frozen=True, gc=False):
    """What is wrong with an answer to a live ask."""

    code: RefusalCode
    rule: str
    why: str


class Given(Struct, gc=False):
    """An act in answer to an ask: the seat's own or, when it was late or out of tries, the referee's."""

    ask: int
    act: AnyAct
    late: Late | None = None
    timed: bool = False
    """An act was required, and its time counts."""


class Table:
    """A match being played. Times are whole milliseconds of one monotonic clock.

    Every method that takes an input returns the messages it leads to, in order, after the log lines that they rest on
    are written. `on_time` is due at ``deadline``; calling it earlier does no harm.
    """

    def __init__(
        self,
        head: Head,
        seed: bytes,
        log: LogWriter,
        *,
        hold: bool = False,
        memo: Callable[[list[Refusal]], None] | None = None,
        blame: Callable[[int, int], Verdict | None] | None = None,
    ) -> None:
        """``seed``: 32 bytes, which ``head.commit`` commits to; it is revealed in the log when the match is over.

        ``hold``: it is not, because other matches with the same cards go on (see `referee.log.reveal`). ``memo``: as in
        `Journal`. ``blame``: whose doing it was, the host's or the referee's own, when time was lost between two
        moments; None: nobody's, and so the bot's.
        """
        seats = len(head.seats)
        self.head: Final = head
        self.game: Final = Game(head.rules, seats, rounds_of(head.length))
        self.deadline = NEVER
        self.over: Over | None = None
        self._faults: Final = Faults(head.conduct, seats)
        self.faults: Final = self._faults.total
        """How often the referee acted for each seat."""
        self.blame = blame
        self._conduct = head.conduct
        self._budgets: Final = Budgets(head.conduct, seats)
        self._counts_time: Final = not self._budgets.plain
        self._deals = Deals(seed, head.deals)
        self._dealt: Deal | None = None
        """The deal of the running round."""
        self._seed = seed
        self._hold = hold
        self._journal = Journal(log, head)
        self._journal.memo = memo
        self._step: Step | None = None
        self._pending: dict[int, Ask] = {}
        """By seat, the asks of the step that have no answer yet."""
        self._given: dict[int, Given] = {}
        """By seat, the acts of the step; a window that was declined leaves nothing."""
        self._fixed: list[int] = []
        """The seats whose acts of a sealed step stand in the log, in its order; a crash has lost those of others."""
        self._attempts = [0] * seats
        self._tries = [0] * seats
        self._declined: list[tuple[int, int]] = []
        """The windows of the step that were declined ahead: seat, and how far."""
        self._quiet_trick = self._quiet_round = 0
        self._down = 0
        self._done: set[AskKind] = set()
        """Windows of this round that nobody used when they were last open."""
        self._forfeits: list[tuple[int, Literal["faults", "left"]]] = []
        self._news: list[Record] = []
        self._out: list[Message] = []

    # -- inputs ----------------------------------------------------------------------------------------------------

    def start(self, now: int) -> Out:
        """Write the head and deal."""
        self._journal.open(self.head)
        self._advance(now)
        return self._deliver()

    def sent(self, ask: Ask, now: int) -> int:
        """An ask went out: its clock starts, unless it runs already. Returns the milliseconds that are left, 0 when it
        is not open any more."""
        if self._pending.get(ask.seat) is not ask:
            return 0
        if ask.sent_at != NEVER:
            return max(0, ask.deadline - now)
        self._start_clock(ask, now)
        return ask.budget_ms

    def is_open(self, seat: int, ask: int) -> bool:
        """Whether an ask still waits for its answer."""
        pending = self._pending.get(seat)
        return pending is not None and pending.id == ask

    def on_act(self, seat: int, number: int, answer: Answer | Malformed, now: int) -> Out:
        """A seat answers an ask. Whoever calls has put the right seat into an act."""
        ask = self._pending.get(seat)
        if ask is None or ask.id != number:
            why = "this ask was answered before, has timed out, or never existed"
            return [Refused(seat, number, RefusalCode.STALE, "", why, 0)]
        if now >= ask.deadline:
            # The clock decides, not the order in which a busy loop gets to things.
            self._out.append(Refused(seat, number, RefusalCode.STALE, "", "the time for this ask was over", 0))
            self._time_out(ask, now)
        elif type(answer) is Pass and not ask.required:
            if answer.until:
                self._declined.append((seat, answer.until))
            del self._pending[seat]
        elif fault := self._judge(ask, answer):
            self._refuse(ask, fault, answer if isinstance(answer, Act) else None)
        else:
            assert isinstance(answer, Act)
            if self.head.clock == "ms" and type(answer) not in PRIVATE_RECORDS:
                answer = replace(answer, ms=0 if ask.sent_at == NEVER else now - ask.sent_at)
            self._give(ask, answer)
        if self._pending and not self._out:
            return ()  # Most answers: others are still awaited.
        return self._resolve(now)

    def on_time(self, now: int) -> Out:
        """Time has passed: deal with whoever is late."""
        for ask in list(self._pending.values()):
            if ask.deadline <= now and self._pending.get(ask.seat) is ask:
                self._time_out(ask, now)
        out = self._resolve(now)
        self.deadline = min((ask.deadline for ask in self._pending.values()), default=NEVER)
        return out

    def on_link(self, seat: int, up: bool, now: int) -> Out:
        """A seat's connection came or went.

        While it is down clocks run without anything being sent; when it is back its open ask is repeated.
        """
        ask = self._pending.get(seat)
        if up:
            self._down &= ~(1 << seat)
            return [ask] if ask else ()
        self._down |= 1 << seat
        if ask and ask.sent_at == NEVER:
            self._start_clock(ask, now)
        return ()

    def on_leave(self, seat: int, now: int) -> Out:
        """A seat's bot left for good: the seat is forfeited, unless the conduct says that it is waited for.

        If it owed an answer nothing of that step takes effect; otherwise the step is finished first. So what the log
        says depends on the ask at which the bot left, not on when the news came.
        """
        if self._step is None or self.over:
            return ()
        if self._conduct.left == "wait":
            return self.on_link(seat, up=False, now=now)
        self._forfeits.append((seat, "left"))
        if seat in self._pending:
            self._break_off()
            self._advance(now)
        return self._deliver()

    def _break_off(self) -> None:
        """Nothing of the running step takes effect, but what stands in the log already."""
        fixed = self._take_fixed()
        for other, one in self._given.items():
            self._supersede(other, one)
        self._step = None
        self._pending.clear()
        self._given.clear()
        self._declined.clear()
        self._journal.drop_step()
        for one in fixed:
            self._carry_out(one)

    def abandon(self) -> Out:
        """Stop the match: the running round is void and the log is closed."""
        # A round whose pack is being offered to be cut is in the log already: it gets its cards, and is void.
        while self._step is not None and self.over is None and self.game.needs_deal:
            self._deal()
        for one in self._take_fixed():
            self._carry_out(one)
        if self.over is None:
            if self.game.check(void := Void(why="cancelled")) is None:
                self._record(self.game.apply(void), acts=1)
            self._finish("abandoned")
        return self._deliver()

    def await_all(self, now: int) -> None:
        """Nobody is connected: whoever is asked has the time of a required act at least to come back and answer."""
        self._down = (1 << self.game.seats) - 1
        for ask in self._pending.values():
            ask.sent_at, ask.deadline = now, now + max(ask.budget_ms, self._conduct.act_ms)
            self.deadline = min(self.deadline, ask.deadline)

    # -- one answer ------------------------------------------------------------------------------------------------

    def _judge(self, ask: Ask, answer: Answer | Malformed) -> Fault | None:
        """What is wrong with an answer: schema first, then the rules, then whether this ask is about such an act."""
        if isinstance(answer, Malformed):
            return Fault(answer.code, "", answer.why)
        if isinstance(answer, Pass):
            return Fault(RefusalCode.NOT_ASKED, "", "an act is required here, not a pass")
        kind = type(answer)
        taken = kind in STEP_ACTS[ask.kind] or kind is Resign
        # Before hands are picked up the rules would tell of cards that nobody has seen: whose they are, four alike.
        unseen = self.game.phase is Phase.BLIND
        if (taken or not unseen) and (refusal := self.game.check(answer)):
            return Fault(RefusalCode.ILLEGAL, refusal.rule, refusal.why)
        return None if taken else Fault(RefusalCode.NOT_ASKED, "", f"this ask does not take a {kind.__name__.lower()}")

    def _refuse(self, ask: Ask, fault: Fault, got: AnyAct | None) -> None:
        seat = ask.seat
        self._tries[seat] += 1
        left = self._conduct.tries - self._tries[seat]
        self._journal.refuse(seat, self._attempts[seat], fault.code, fault.rule, got)
        self._out.append(Refused(seat, ask.id, fault.code, fault.rule, fault.why, left))
        if left:
            self._attempts[seat] += 1
            again = replace(ask, id=ask_id(self._journal.at, seat, self._attempts[seat]))
            self._pending[seat] = again
            self._out.append(again)
        elif ask.required:
            self._give(ask, stand_in(self.game, seat))
        else:
            del self._pending[seat]

    def _time_out(self, ask: Ask, now: int) -> None:
        """The referee acts for a seat that owed an act; silence in a window is a pass, and free."""
        if not ask.required:
            del self._pending[ask.seat]
            return
        elapsed = now - ask.sent_at if self.head.clock == "ms" else UNSET
        verdict: Verdict = "link" if self._down >> ask.seat & 1 else "bot"
        if self.blame is not None and (found := self.blame(ask.sent_at, now)) is not None:
            verdict = found
        late = Late(budget=ask.budget_ms, elapsed=elapsed, seat=ask.seat, verdict=verdict)
        if voids(self._conduct, late):
            self._void(late, now)
        else:
            self._give(ask, stand_in(self.game, ask.seat), late)

    def _void(self, late: Late, now: int) -> None:
        """No answer came in time, and it was not the players' doing: the round counts for nothing."""
        self._break_off()
        self._budgets.late(late)
        self._record([late, *self.game.apply(Void(why="crash"))], acts=1)
        self._advance(now)

    def _give(self, ask: Ask, act: AnyAct, late: Late | None = None) -> None:
        del self._pending[ask.seat]
        self._given[ask.seat] = Given(ask.id, act, late, self._counts_time and ask.required and isinstance(act, TIMED))

    def _decline_ahead(self, seat: int, until: int) -> None:
        if until == 1:
            self._quiet_trick |= 1 << seat
        elif until == 2:
            self._quiet_round |= 1 << seat

    # -- steps -----------------------------------------------------------------------------------------------------

    def _resolve(self, now: int) -> Out:
        """When every ask of the step is answered: carry out what counts, and ask on."""
        if not self._pending and self._step is not None:
            self._close_step(self._step)
            self._advance(now)
        return self._deliver()

    def _close_step(self, step: Step) -> None:
        self._step = None
        self._journal.keep_step()
        for seat, until in self._declined:
            self._decline_ahead(seat, until)
        self._declined.clear()
        fixed = self._take_fixed() if self._fixed else None
        given, self._given = self._given, {}
        counting = effective(self.game, step, given)
        if fixed:
            counting = fixed + counting
        for seat, one in given.items():
            if one not in counting:
                self._supersede(seat, one)
        if not counting:
            self._done.add(step.kind)
        for number, one in enumerate(counting):
            # The first was judged when it came; an act before the others may have ended the round.
            if number == 0 or self.game.check(one.act) is None:
                self._carry_out(one)
            else:
                self._supersede(one.act.seat, one)

    def _take_fixed(self) -> list[Given]:
        """The acts that stand in the log already, in its order: they take effect whatever the others do."""
        if not self._fixed:
            return []
        fixed = [self._given.pop(seat) for seat in self._fixed]
        self._fixed.clear()
        return fixed

    def _supersede(self, seat: int, one: Given) -> None:
        """Tell a seat that its act came to nothing; what the referee did for it is nobody's business."""
        if one.act.by is UNSET:
            self._out.append(Superseded(seat, one.ask))

    def _carry_out(self, one: Given) -> None:
        act, late = one.act, one.late
        records = self.game.carry_out(act)
        if late is not None:
            records.insert(0, late)
            self._budgets.late(late)
        elif one.timed:
            self._budgets.acted(act.seat, act.ms)
        if act.by is not UNSET and (kind := fault_kind(self._conduct, late)) and self._faults.count(act.seat, kind):
            self._forfeits.append((act.seat, "faults"))
        if type(act) is Exchange:
            self._done.discard(AskKind.CHECK)
        self._record(records, acts=1)

    def _record(self, records: list[Record], acts: int = 0) -> None:
        """Log what happened and tell it; an effective act makes every ask before it old."""
        self._journal.write(records, acts)
        if acts:
            self._attempts = [0] * self.game.seats
            self._tries = [0] * self.game.seats
        for record in records:
            kind = type(record)
            if kind is Trick:
                self._quiet_trick = 0
            elif kind is Round:
                self._quiet_trick = self._quiet_round = 0
                self._done.clear()
            if kind not in PRIVATE_RECORDS:
                self._news.append(record)

    def _advance(self, now: int) -> None:
        """Go on until somebody must be waited for or the match is over."""
        game = self.game
        while self.over is None and self._step is None:
            if game.over:
                self._finish(game.status)
            elif game.needs_draw:
                self._record(game.draw(self._deals.deal(0, 1).pack))
            elif game.needs_deal and not (game.cut_open and AskKind.CUT not in self._done and not game.cut_at):
                self._deal()
            elif self._forfeits and not game.needs_deal:
                self._forfeit(*self._forfeits.pop(0))
            else:
                step = next_step(game, self._quiet_trick | self._quiet_round, self._done)
                if isinstance(step, Phase):
                    self._record(game.close(step))
                else:
                    self._ask(step, now)

    def _deal(self) -> None:
        """Open a deal; deal at once unless the pack is offered to be cut."""
        game = self.game
        if not game.cut_open:
            if game.deals >= self._conduct.max_deals:
                self._finish("abandoned")
                return
            self._dealt = self._deals.deal(*game.next_deal())
            self._journal.new_round(self._dealt)
            if game.rules.cut:
                self._record(game.open_deal())
                return
        assert self._dealt is not None
        self._record(game.deal(self._dealt.pack))

    def _forfeit(self, seat: int, why: Literal["faults", "left"]) -> None:
        """The seat's faults have reached what the policy allows, or its bot has said goodbye."""
        act = Forfeit(seat=seat, why=why)
        if self.game.check(act) is None:
            self._record(self.game.apply(act), acts=1)

    def _ask(self, step: Step, now: int) -> None:
        """Send a step's asks. A seat without tries is not asked again before the next effective act."""
        if self._news:
            self._out.append(Update(self._news))
            self._news = []
        self._step = step
        at, hands, seen, conduct = self._journal.at, self.game.hands, self.game.seen, self._conduct
        budgets, counts_time = self._budgets, self._counts_time
        for seat, kind, required, legal, may in step.asks:
            if self._tries[seat] >= conduct.tries:
                if required:
                    self._given[seat] = Given(0, act := stand_in(self.game, seat), timed=isinstance(act, TIMED))
                continue
            self._attempts[seat] += 1
            number = ask_id(at, seat, self._attempts[seat])
            budget = conduct.act_ms if required else conduct.window_ms
            if counts_time and required:
                budget = budgets.of(seat, secret=kind is DISCARD)
            hand = hands[seat] if seen >> seat & 1 else 0
            ask = self._pending[seat] = Ask(seat, number, kind, required, hand, legal, may, budget)
            self._out.append(ask)
            if self._down >> seat & 1:
                self._start_clock(ask, now)
        if not self._pending:
            self._close_step(step)

    def _start_clock(self, ask: Ask, now: int) -> None:
        ask.sent_at = now
        ask.deadline = now + ask.budget_ms
        self.deadline = min(self.deadline, ask.deadline)

    # -- the end ---------------------------------------------------------------------------------------------------

    def _finish(self, status: str) -> None:
        self._step = None
        self._pending.clear()
        self._given.clear()
        if self._news:
            self._out.append(Update(self._news))
            self._news = []
        rank, total = self.game.ranks(), self.game.totals()
        self._journal.close(status, rank, total, None if self._hold else self._seed)
        self.over = Over(status, rank, total)
        self._out.append(self.over)

    def _deliver(self) -> Out:
        """Write before send."""
        if not self._out:
            return ()
        self._journal.flush()
        out, self._out = self._out, []
        return out
