"""``make memoriser``: what a bot gains that remembers duplicate deals, and that in a sandbox it is nothing.

    python -m tests.campaigns.memoriser --blocks 8 --rounds 60

`clients/hostile/remembers_the_deals.py` plays against itself without a memory (its twin) and two sample bots, in
Williams squares: each block has the same deals four times. The event is played several times from one secret seed:
without isolation, as ``trust = "own"`` allows it; in sandboxes, as ``trust = "isolated"`` wants it; and without
isolation once more with the memory off, which is what no gain looks like. Everything else is the same in all of them,
so they can be compared round by round. ``--uid`` adds users of their own, which do not keep bots from a folder that is
open to all.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from referee.service.isolation import Mode, why_not
from referee.tournament.event import open_event
from referee.tournament.results import MatchResult
from referee.tournament.spec_types import Trust
from referee.tournament.statistics.blocks import Block, summarise
from referee.tournament.statistics.intervals import Interval, interval
from referee.tournament.statistics.pairwise import difference
from referee.tournament.verify import verify_event
from tests.support.isolated import open_folder, python_for

ROOT: Final = Path(__file__).parents[2]
BOT: Final = "remembers-the-deals"
MEMO: Final = "memo"
TWIN: Final = "twin"
CONFIDENCE: Final = 0.95

HEAD: Final = """
name = "memoriser"
length = {{ rounds = {rounds} }}
seats = {seats}
format = {{ kind = "pair", candidates = ["memo", "twin"] }}
duplicates = "williams"
blocks = {blocks}
rules = "short"
clock = "none"
seed_file = "seed"
trust = "{trust}"
isolation = "{mode}"

[conduct]
act_ms = 600000
window_ms = 600000
"""


class Failure(Exception):
    """An event that could not be played."""


@dataclass(frozen=True)
class Setting:
    """How an event is played."""

    name: str
    trust: Trust
    mode: Mode
    memory: bool


OFF: Final = Setting("memory off", "own", "none", False)
NONE: Final = Setting("none", "own", "none", True)
UID: Final = Setting("uid", "own", "uid", True)
SANDBOX: Final = Setting("sandbox", "isolated", "sandbox", True)


@dataclass(frozen=True)
class Played:
    """What came of it."""

    setting: Setting
    blocks: list[Block]
    told: list[str]
    """What the bot wrote to standard error."""
    files: int
    """Files that it left in its folder."""
    seconds: float

    @property
    def points(self) -> list[list[tuple[tuple[int, ...], ...]]]:
        """By block, match, round and seat."""
        return [[match.rounds_points for match in block.matches] for block in self.blocks]

    @property
    def knew(self) -> int:
        """Matches in which it knew cards from another."""
        return sum(": knew " in line for line in self.told)

    def over_twin(self) -> Interval | None:
        """Points per round that the twin got more."""
        return difference([summarise(block) for block in self.blocks], TWIN, MEMO, CONFIDENCE)

    def over(self, other: "Played") -> Interval:
        """Points per round that the bot got less than in another playing of the event."""
        gains = [points(two) - points(one) for one, two in zip(self.blocks, other.blocks, strict=True)]
        mean = sum(gains) / len(gains)
        return interval(mean, [0] * len(gains), [gain - mean for gain in gains], CONFIDENCE)


def points(block: Block) -> float:
    """Points per round of the bot with the memory."""
    return sum(total(match) for match in block.matches) / sum(match.rounds for match in block.matches)


def total(match: MatchResult) -> int:
    """Its points in a match."""
    return match.total[match.bots.index(MEMO)]


def write_spec(
    folder: Path, setting: Setting, memory: Path, *, blocks: int, rounds: int, seed: int = 1, sample_bots: int = 2
) -> Path:
    """The spec of an event, beside the file with its secret seed."""
    python, needed = python_for(setting.mode)
    text = HEAD.format(rounds=rounds, blocks=blocks, trust=setting.trust, mode=setting.mode, seats=2 + sample_bots)
    hostile = [python, str(ROOT / "clients" / "hostile"), BOT]
    commands = {MEMO: hostile, TWIN: hostile}
    commands |= {name: [python, "-m", "toep_client", name] for name in ("caller", "careful")[:sample_bots]}
    for name, command in commands.items():
        variables = needed | ({"MEMORY": str(memory) if name == MEMO and setting.memory else ""})
        inline = ", ".join(f"{key} = {json.dumps(value)}" for key, value in variables.items())
        text += (
            f"\n[[bots]]\nname = {json.dumps(name)}\ncommand = {json.dumps(command)}\nenvironment = {{ {inline} }}\n"
        )
    path = folder / f"{setting.name.replace(' ', '-')}.toml"
    path.write_text(text)
    (folder / "seed").write_text(sha256(f"memoriser {seed}".encode()).hexdigest())
    (folder / "seed").chmod(0o600)
    return path


def play(folder: Path, setting: Setting, *, blocks: int, rounds: int, seed: int = 1, sample_bots: int = 2) -> Played:
    """Play the event, with a folder for its memory that is open to all. Raises `Failure`."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="toep-memory-") as memory:
        Path(memory).chmod(0o1777)
        spec = write_spec(
            folder, setting, Path(memory), blocks=blocks, rounds=rounds, seed=seed, sample_bots=sample_bots
        )
        event = spec.with_suffix(".event")
        done = subprocess.run(
            [sys.executable, "-m", "referee", "tournament", "run", str(spec), "-o", str(event), "--quiet"],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            raise Failure(f"{setting.name}: the event ended with {done.returncode}: {done.stderr[-500:]}")
        report = verify_event(event)
        found = open_event(event)
        counted = list(found.ledger.counted())
        if report.exit or len(counted) < blocks:
            raise Failure(f"{setting.name}: {report.verdict}, {len(counted)} of {blocks} blocks count")
        told = (found.folder.bots / f"{MEMO}.stderr").read_text().splitlines()
        return Played(setting, counted, told, len(list(Path(memory).iterdir())), time.monotonic() - begun)


def wrong_with(played: Played, off: Played) -> list[str]:
    """What is not as it must be."""
    name, wrong = played.setting.name, []
    gains = {"its twin": played.over_twin(), "itself without memory": played.over(off)}
    if played.setting.mode == "sandbox":
        if played.knew or played.files:
            wrong.append(f"{name}: it knew cards in {played.knew} matches, and left {played.files} files")
        if played.points != off.points:
            wrong.append(f"{name}: the rounds did not end as they do without a memory")
        gain = gains["its twin"]
        if gain is None or gain.low is None or gain.high is None or not gain.low <= 0 <= gain.high:
            wrong.append(f"{name}: the interval of the gain over its twin does not hold 0: {text_of(gain)}")
        return wrong
    if not played.knew:
        wrong.append(f"{name}: it never found what it had kept")
    for whom, gain in gains.items():
        if gain is None or gain.low is None or gain.low <= 0:
            wrong.append(f"{name}: the interval of the gain over {whom} is not above 0: {text_of(gain)}")
    return wrong


def text_of(gain: Interval | None) -> str:
    """An estimate with its interval."""
    if gain is None or gain.low is None or gain.high is None:
        return "none" if gain is None else f"{gain.estimate:+.3f} in every block"
    return f"{gain.estimate:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})"


def say(played: Played, off: Played | None) -> None:
    """What came of an event."""
    matches = [match for block in played.blocks for match in block.matches]
    rounds = sum(match.rounds for match in matches)
    mine = sum(map(total, matches)) / rounds
    others = sum(match.total[match.bots.index(TWIN)] for match in matches) / rounds
    print(f"{played.setting.name}: {len(played.blocks)} blocks, {rounds:,} rounds, {played.seconds:.0f} s")
    print(f"  points per round: {mine:.3f}, {others:.3f} its twin")
    print(f"  gain over its twin: {text_of(played.over_twin())}")
    if off is not None:
        print(f"  gain over itself with the memory off: {text_of(played.over(off))}")
        print(f"  it knew cards in {played.knew} of {len(matches)} matches; files that it left: {played.files}")
    sys.stdout.flush()


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--blocks", type=int, default=8, help="8 blocks of 240 rounds show a gain of 0.3 clearly")
    parser.add_argument("--rounds", type=int, default=60, help="of each of the four matches of a block")
    parser.add_argument(
        "--seed", type=int, default=1, help="of the cards; one seed in 20 fails, as intervals of 95 %% do"
    )
    parser.add_argument("--uid", action="store_true", help="with users of their own as well")
    args = parser.parse_args(words)
    settings = [NONE, *([UID] if args.uid else []), SANDBOX]
    wrong = []
    with open_folder() as folder:
        try:
            for setting in settings:
                if reason := why_not(setting.mode):
                    raise Failure(f"isolation {setting.mode} is not to be had here: {reason}")
            off = play(folder, OFF, blocks=args.blocks, rounds=args.rounds, seed=args.seed)
            say(off, None)
            for setting in settings:
                played = play(folder, setting, blocks=args.blocks, rounds=args.rounds, seed=args.seed)
                say(played, off)
                wrong += wrong_with(played, off)
        except Failure as failure:
            wrong.append(str(failure))
    for line in wrong:
        print(f"WRONG {line}")
    print(f"memoriser: {'passed' if not wrong else f'{len(wrong)} things are wrong'}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
