"""A run of the kit: every item is asked, every answer judged, and nothing that went wrong is lost."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, Protocol

from msgspec import Struct

from referee.conformance.compare import differences
from referee.conformance.kit import CORE, LEVELS, Item, Level, plays
from referee.conformance.known import Known
from referee.conformance.process import EngineError, EngineProcess

Status = Literal["passed", "failed", "skipped", "known", "flaky"]
"""``known``: failed, as its list says; ``flaky``: on that list, whatever came of it."""

MAX_STARTS: Final = 50
"""How often a program is started; one that dies all the time is not asked for ever."""


class Outcome(Struct, frozen=True, kw_only=True):
    """What came of one item."""

    id: str
    title: str
    level: Level
    tiers: tuple[str, ...]
    refs: tuple[str, ...]
    status: Status
    why: tuple[str, ...] = ()
    """What is wrong, or why it was skipped: a line each."""


class Asked(Protocol):
    """Whatever answers questions."""

    def ask(self, op: str, **fields: Any) -> Mapping[str, Any]:
        """The answer; raises `EngineError`."""


class Run(Struct, frozen=True, kw_only=True):
    """Everything that came of a run."""

    subject: str
    """Who was asked, in its own words."""

    kit: str
    level: Level
    """Failures of this level and above decide."""

    outcomes: list[Outcome]
    stale: list[str]
    """Entries of the lists that say nothing any more."""

    def count(self, status: Status) -> int:
        """How many items have this status."""
        return sum(outcome.status == status for outcome in self.outcomes)

    @property
    def decisive(self) -> list[Outcome]:
        """Failures that decide."""
        deciding = LEVELS[: LEVELS.index(self.level) + 1]
        return [outcome for outcome in self.outcomes if outcome.status == "failed" and outcome.level in deciding]

    @property
    def passed(self) -> bool:
        """Whether nothing decisive failed, something was answered, and no list is stale."""
        answered = any(outcome.status in ("passed", "known", "flaky") for outcome in self.outcomes)
        return answered and not self.decisive and not self.stale


class Judge:
    """Asks one program."""

    def __init__(
        self,
        program: Asked,
        kit: Path,
        *,
        failing: Known | None = None,
        flaky: Known | None = None,
        options: Mapping[str, list[Any]] | None = None,
    ) -> None:
        """``options``: the values that the program says it plays; None: it has not said, and is asked everything."""
        self._program = program
        self._kit = kit
        self._failing = failing or Known()
        self._flaky = flaky or Known()
        self._options = options

    def outcomes(self, items: Iterable[Item]) -> Iterator[Outcome]:
        """What comes of each item, in their order."""
        for item in items:
            status, why = self._answer(item)
            if status != "skipped":
                failed = status == "failed"
                known = self._failing.has(item.id, failed=failed)
                if self._flaky.has(item.id, failed=failed):
                    status = "flaky"
                elif known and failed:
                    status = "known"
            yield Outcome(
                id=item.id,
                title=item.title,
                level=item.level,
                tiers=item.tiers,
                refs=item.refs,
                status=status,
                why=tuple(why),
            )

    def stale(self) -> list[str]:
        """After the last item: entries of known failures of which none failed, and entries that no item has."""
        return [*self._failing.unneeded(), *self._flaky.unmet()]

    def _answer(self, item: Item) -> tuple[Status, Sequence[str]]:
        if self._options is not None and not plays(self._options, item):
            if CORE in item.tiers:
                return "failed", ["the core is not optional"]
            return "skipped", ["not played, by its own hello"]
        request = dict(item.request)
        if "path" in request:
            request["path"] = str((self._kit / request["path"]).resolve())
        try:
            answer = self._program.ask(item.kind, **request)
        except EngineError as error:
            return "failed", [f"{error.kind}: {error}"]
        if (why := answer.get("skipped")) is not None:
            # Whoever says that it plays some rules cannot say of a case of them that it does not.
            core = CORE in item.tiers and item.kind == "run"
            return ("failed" if core else "skipped"), [f"skipped: {why}"]
        if (why := answer.get("errored")) is not None:
            return "failed", [f"errored: {why}"]
        found = differences(item, answer)
        return ("failed" if found else "passed"), found


class Restarting:
    """A program that is started again when it dies, but not for ever."""

    def __init__(self, process: EngineProcess) -> None:
        self._process = process

    def ask(self, op: str, **fields: Any) -> Mapping[str, Any]:
        """As `EngineProcess.ask`."""
        if self._process.starts >= MAX_STARTS:
            raise EngineError("died", f"not asked: it has died {MAX_STARTS} times")
        return self._process.ask(op, **fields)


def greet(program: Asked) -> tuple[str, dict[str, list[Any]] | None]:
    """Who answers, and the values of options it says it plays. Raises `EngineError`."""
    answer = program.ask("hello")
    result = answer.get("result")
    if not isinstance(result, dict) or result.get("protocol") != 1:
        raise EngineError("garbage", f'hello: {{"result":{{"protocol":1,..}}}} is needed, not {dict(answer)!r:.200}')
    options = result.get("options")
    valid = isinstance(options, dict) and all(isinstance(values, list) for values in options.values())
    name = f"{result.get('engine', 'nameless')} {result.get('version', '')}".strip()
    return name, options if valid else None


def judge(
    items: Sequence[Item],
    worker: Judge,
    subject: str,
    kit: str,
    level: Level,
    *,
    tell: Callable[[Outcome], None] = lambda _: None,
) -> Run:
    """Ask everything; ``tell`` hears of each outcome as it comes."""
    found = []
    for outcome in worker.outcomes(items):
        found.append(outcome)
        tell(outcome)
    return Run(subject=subject, kit=kit, level=level, outcomes=found, stale=worker.stale())
