"""``make crash``: a referee that is killed again and again in the middle of its matches, and goes on with them.

    python -m tests.campaigns.crash --kills 50 --matches 100 --seed 1

The same matches are played twice by the same sample bots, each a process of its own: once undisturbed, and once with a
SIGKILL of ``toep serve`` at random moments, behind a random number of events that the bots have heard of. Bots end with
exit code 1 then, and are started again. After each kill everything that any bot was told must stand in the log; in the
end every log must be valid, and the same bytes as that of the undisturbed run. Half of the seeds are secret.
"""

import argparse
import importlib
import json
import os
import queue
import random
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from hashlib import sha256
from itertools import cycle, islice, pairwise
from pathlib import Path
from typing import Final

from toep_client import Act, Bot, View, run
from toep_client.news import Event, Over
from toep_client.transcript import as_record
from toep_client.view import Match

from referee.log.records import Conduct, Rounds
from referee.log.writer import LogWriter
from referee.ruleset import PRESETS, Ruleset, resolve
from referee.service.store import LOCK, RESUME_KEY, Store
from referee.table.head import MatchPlan, make_head
from referee.table.table import Table
from referee.validate import validate_path

ROOT: Final = Path(__file__).parents[2]
BOTS: Final = {"ann": "random", "bob": "caller", "cor": "random", "dee": "careful"}
"""Sample bots by name. Each answers an ask in the same way whenever it is put."""

RULES: Final[list[Ruleset]] = [*PRESETS.values(), resolve({"preset": "cafe", "answers": "simultaneous"})]
PATIENT: Final = Conduct(act_ms=3_600_000, window_ms=3_600_000)
"""Nobody is ever late, or the runs would differ for that."""

PATIENCE: Final = 120.0
"""Seconds without a word of any bot after which the campaign fails."""

PRIVATE: Final = ("head", "seal", "cards", "discard", "refused", "end", "reveal")
"""Kinds of records that nobody is told of as they are written."""


class Failure(Exception):
    """Something that must not happen."""


# -- a bot's process -------------------------------------------------------------------------------------------------


class Telling(Bot):
    """A sample bot that prints what it hears."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._matches: dict[int, str] = {}

    def act(self, view: View) -> Act:
        act = self._bot.act(view)
        assert isinstance(act, Act)
        return act

    def seated(self, match: Match) -> None:
        self._matches[match.table] = match.match_id

    def event(self, event: Event) -> None:
        print(self._matches[event.table], json.dumps(as_record(event), sort_keys=True), flush=True)

    def over(self, over: Over) -> None:
        print(over.match_id, "over", flush=True)


def be_a_bot(kind: str) -> None:
    """Play as the environment says; does not return."""
    module = importlib.import_module(f"toep_client.samples.{kind}")
    run(Telling(getattr(module, kind.capitalize())()))


# -- the matches -----------------------------------------------------------------------------------------------------


def prepare(folder: Path, matches: int, rounds: int) -> list[str]:
    """Matches that have just begun, as a referee that was killed at once would have left them."""
    store = Store(folder)
    ids = []
    for number in range(matches):
        names = list(islice(cycle(BOTS), number % len(BOTS), number % len(BOTS) + len(BOTS)))
        rules = RULES[number % len(RULES)]
        plan = MatchPlan(
            rules=rules,
            bots=names,
            length=Rounds(rounds=rounds),
            conduct=PATIENT,
            clock="none",
            match=f"m-{number:03}",
        )
        seed = sha256(plan.match.encode()).digest()
        declared = bool(number % 2)
        head = make_head(plan, seed, declared=declared)
        log = LogWriter(store.create(head.match), match=head.match)
        if not declared:
            store.keep_seed(head.match, seed)
        Table(head, seed, log, memo=store.memo(head.match)).start(0)
        log.close()
        ids.append(head.match)
    store.close()
    return ids


# -- processes -------------------------------------------------------------------------------------------------------


Told = tuple[int, str, str]
"""(number of the bot's process, match, event); the last word of a process has no match."""


class House:
    """A referee's process and those of its bots."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder
        self.words: Final[queue.Queue[Told]] = queue.Queue()
        self.told: Final[dict[tuple[int, str], list[str]]] = defaultdict(list)
        """What each process of a bot was told of each match."""
        self._number = 0
        self._bots: list[subprocess.Popen[str]] = []
        self._readers: list[threading.Thread] = []
        self._referee: subprocess.Popen[str]
        # With tokens a bot that is started anew is known at once.
        self._secrets = {name: secrets.token_urlsafe(24) for name in BOTS}
        self._tokens = folder.parent / f"{folder.name}.tokens"
        self._tokens.touch(0o600)
        self._tokens.write_text(json.dumps({"organiser": secrets.token_urlsafe(24), "bots": self._secrets}))

    def open(self) -> None:
        """Start the referee, and then its bots."""
        serve = [sys.executable, "-m", "referee", "serve", "--address", "127.0.0.1:0", "--logs", str(self.folder)]
        serve += ["--tokens", str(self._tokens)]
        with (self.folder.parent / f"{self.folder.name}.stderr").open("a") as errors:
            self._referee = subprocess.Popen(serve, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True)
        assert self._referee.stdout is not None
        line = self._referee.stdout.readline().strip()
        if not line.startswith("listening on "):
            raise Failure("the referee does not start")
        address = line.removeprefix("listening on ")
        self._bots, self._readers = [], []
        for name, kind in BOTS.items():
            bot = subprocess.Popen(
                [sys.executable, "-m", "tests.campaigns.crash", "--bot", kind],
                cwd=ROOT,
                env={**os.environ, "TOEP_ADDRESS": address, "TOEP_BOT": name, "TOEP_TOKEN": self._secrets[name]},
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            self._number += 1
            reader = threading.Thread(target=self._listen, args=(bot, self._number), daemon=True)
            reader.start()
            self._bots.append(bot)
            self._readers.append(reader)

    def _listen(self, bot: "subprocess.Popen[str]", number: int) -> None:
        assert bot.stdout is not None
        for line in bot.stdout:
            match, _, event = line.strip().partition(" ")
            self.words.put((number, match, event))
        self.words.put((number, "", ""))

    def hear(self) -> Told:
        """The next word of a bot."""
        try:
            told = self.words.get(timeout=PATIENCE)
        except queue.Empty:
            raise Failure(f"no bot has said anything for {PATIENCE:.0f} s") from None
        self._note(told)
        return told

    def _note(self, told: Told) -> None:
        number, match, event = told
        if match and event != "over":
            self.told[number, match].append(event)

    def kill(self) -> None:
        """SIGKILL; the bots notice, and end with exit code 1."""
        self._referee.send_signal(signal.SIGKILL)
        if self._referee.wait(PATIENCE) != -signal.SIGKILL:
            raise Failure("the referee ended by itself")
        self._wait(1)

    def close(self) -> None:
        """SIGTERM; bots are told, and end with exit code 0."""
        self._referee.terminate()
        if code := self._referee.wait(PATIENCE):
            raise Failure(f"the referee ended with {code}")
        self._wait(0)

    def _wait(self, wanted: int) -> None:
        codes = {bot.wait(PATIENCE) for bot in self._bots}
        for reader in self._readers:
            reader.join(PATIENCE)
        for bot in (self._referee, *self._bots):
            assert bot.stdout is not None
            bot.stdout.close()
        while not self.words.empty():
            self._note(self.words.get())
        # Those that were still dialling have found no referee: exit code 2.
        if codes - ({1, 2} if wanted == 1 else {wanted}):
            raise Failure(f"bots ended with {sorted(codes)}")

    def reap(self) -> None:
        """Leave no process behind, whatever happened."""
        for process in (getattr(self, "_referee", None), *self._bots):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()

    def lines_of(self, match: str) -> list[str]:
        """The public records that stand in a log, as bots print them."""
        data = (self.folder / f"{match}.toep").read_bytes()
        records = [json.loads(line) for line in data[: data.rfind(b"\n") + 1].splitlines()]
        return [json.dumps(record, sort_keys=True) for record in records if record["_"] not in PRIVATE]

    def check_told(self) -> int:
        """Everything that a bot was told since the last time stands in the logs; returns how much that is."""
        count = 0
        logs: dict[str, list[str]] = {}
        for (_number, match), told in self.told.items():
            if match not in logs:
                logs[match] = self.lines_of(match)
            if not _contains(logs[match], told):
                raise Failure(f"{match}: a bot was told what its log does not have")
            count += len(told)
        self.told.clear()
        return count


def _contains(lines: list[str], part: list[str]) -> bool:
    """Whether the part stands in the lines, in one piece."""
    size = len(part)
    return any(lines[start] == part[0] and lines[start : start + size] == part for start in range(len(lines)))


# -- the campaign ----------------------------------------------------------------------------------------------------


class Outcome:
    """What a run came to."""

    def __init__(self) -> None:
        self.kills = 0
        self.resumed = 0
        """Matches that were taken up, each time."""
        self.told = 0
        """Events that bots had heard of, all of them in the logs."""
        self.words = 0
        self.broken = 0
        """How often a match was not taken up."""


def play(folder: Path, matches: int, rounds: int, kills: list[int]) -> Outcome:
    """Play all matches to their ends; the referee is killed behind so many words of the bots each time."""
    outcome = Outcome()
    prepare(folder, matches, rounds)
    store = Store(folder)
    house = House(folder)
    try:
        for limit in [*kills, None]:
            left = len(list(store.unfinished()))
            if not left:
                break
            house.open()
            outcome.resumed += left
            words = 0
            while (limit is None or words < limit) and any(store.unfinished()):
                word = house.hear()
                words += 1
                while (limit is None or words < limit) and word[2] != "over":
                    word = house.hear()
                    words += 1
            outcome.words += words
            if limit is not None and any(store.unfinished()):
                house.kill()
                outcome.kills += 1
            else:
                house.close()
            outcome.told += house.check_told()
    finally:
        house.reap()
        store.close()
    errors = (folder.parent / f"{folder.name}.stderr").read_text()
    outcome.broken = len(re.findall("match not taken up", errors))
    return outcome


def campaign(folder: Path, *, matches: int, rounds: int, kills: int, seed: int, say: bool = True) -> list[str]:
    """Both runs; returns what is wrong."""
    begun = time.monotonic()
    calm = play(folder / "calm", matches, rounds, [])
    if say:
        print(
            f"undisturbed: {matches} matches, {calm.words} words of bots, {time.monotonic() - begun:.0f} s", flush=True
        )
    rng = random.Random(seed)
    # Bots miss what happens while they are gone, so fewer words come than in the first run.
    moments = sorted(rng.randrange(calm.words * 3 // 4 + 1) for _ in range(kills))
    limits = [after - before for before, after in pairwise([0, *moments])]
    begun = time.monotonic()
    rough = play(folder / "rough", matches, rounds, limits)
    wrong = []
    valid = same = 0
    for path in sorted((folder / "calm").glob("*.toep")):
        other = folder / "rough" / path.name
        report = validate_path(other)
        if report.exit:
            wrong.append(f"{path.name}: {report.errors or report.missing}")
        else:
            valid += 1
        if path.read_bytes() == other.read_bytes():
            same += 1
        else:
            wrong.append(f"{path.name}: not the log of the undisturbed run")
    if rough.kills < kills:
        wrong.append(f"all matches were over after {rough.kills} kills")
    if rough.broken:
        wrong.append(f"{rough.broken} times a match was not taken up")
    names = sorted(path.name for path in (folder / "rough").iterdir() if path.suffix != ".toep")
    if left := [name for name in names if name not in (LOCK, RESUME_KEY)]:
        wrong.append(f"left behind: {left}")
    if say:
        print(f"kills: {rough.kills}, matches taken up: {rough.resumed}, {time.monotonic() - begun:.0f} s")
        print(f"events that bots were told: {rough.told}, of them in the logs right after the kill: {rough.told}")
        print(f"logs valid: {valid} of {matches}, the same bytes as undisturbed: {same} of {matches}")
    return wrong


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", help="be one of the bots")
    args = parser.parse_args(words)
    if args.bot:
        be_a_bot(args.bot)
    with tempfile.TemporaryDirectory(prefix="toep-crash-") as folder:
        try:
            wrong = campaign(Path(folder), matches=args.matches, rounds=args.rounds, kills=args.kills, seed=args.seed)
        except Failure as failure:
            wrong = [str(failure)]
    for line in wrong[:20]:
        print(f"WRONG {line}")
    print(f"crash: {'passed' if not wrong else f'{len(wrong)} things are wrong'}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
