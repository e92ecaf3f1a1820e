"""Engines and validators that are wrong on purpose: the proof that the conformance kit finds such faults.

    python -m tests.conformance.wrong          test all of them with the whole kit, and print what catches each
    python -m tests.conformance.wrong NAME     be one of them: answer the engine protocol

Each is this project's own engine with one line changed as somebody could have misread a rule.
"""

import importlib.abc
import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]


class Wrong(NamedTuple):
    """One fault."""

    about: str
    module: str
    right: str
    """What stands in the source, once."""

    wrong: str
    caught_by: tuple[str, ...]
    """Items of the kit that must fail."""

    validator: bool = False
    """It is found by logs, not by cases."""


EXECUTORS: Final[dict[str, Wrong]] = {
    "tie-break": Wrong(
        "When nobody left has followed, suit goes before rank",
        "referee.game.tricks",
        'if state.rules.no_follower == "rank_then_suit"',
        'if state.rules.no_follower != "rank_then_suit"',
        ("cases/tie-four-rank", "cases/tie-rank-before-suit"),
    ),
    "cap": Wrong(
        "A toep may take the stake to more than one has left",
        "referee.game.toep",
        "if state.raw[seat] + state.stake >= rules.limit:",
        "if state.raw[seat] + state.stake > rules.limit:",
        ("cases/lives-cap", "cases/toep-limit-one"),
    ),
    "folded-card-wins": Wrong(
        "The card of a player who has folded can win, though it must not",
        "referee.game.tricks",
        'if state.rules.folded_cards == "excluded":',
        "if False:",
        ("cases/G10-short", "cases/tie-folded-high"),
    ),
    "folded-card-never-wins": Wrong(
        "The card of a player who has folded never wins, though it can",
        "referee.game.tricks",
        'if state.rules.folded_cards == "excluded":',
        "if True:",
        ("cases/G10-cafe",),
    ),
    "dealer": Wrong(
        "Not the winner deals next, but the player on his left",
        "referee.game.ending",
        "        state.dealer = winner\n    hand_on_deal(state)",
        "        state.dealer = state.next_seat(winner, state.in_game or 1)\n    hand_on_deal(state)",
        ("cases/short-winner-deals",),
    ),
    "trick-ends-early": Wrong(
        "A trick is over as soon as it has as many cards as there are players left",
        "referee.game.flow",
        "    if to_play:\n        state.turn",
        "    if to_play and len(state.trick) < state.in_round.bit_count():\n        state.turn",
        ("cases/G10-cafe", "cases/G15-short"),
    ),
    "seat-order": Wrong(
        "Toeps are answered in seat order, not clockwise from the toeper",
        "referee.game.answers",
        "others = state.clockwise(seat, state.in_round & ~(1 << seat))",
        "others = sorted(state.clockwise(seat, state.in_round & ~(1 << seat)))",
        ("cases/G09-order",),
    ),
    "toep-again": Wrong(
        "Who toeped last may toep again",
        "referee.game.toep",
        "    if state.toeper == seat:\n        return",
        "    if False:\n        return",
        ("cases/short-own-toep",),
    ),
    "fold-price": Wrong(
        "Who folds pays the new stake, not the last one that he accepted",
        "referee.game.answers",
        "pay = state.accepted[seat]",
        "pay = state.stake",
        ("cases/G10-cafe", "cases/G11-cafe"),
    ),
    "stock": Wrong(
        "An exchange needs five cards in the stock",
        "referee.game.exchange",
        "if len(state.stock) < HAND:",
        "if len(state.stock) <= HAND:",
        ("cases/wash-four-left",),
    ),
    "wash": Wrong(
        "Three pictures are enough for an exchange",
        "referee.game.exchange",
        "return pictures == HAND or",
        "return pictures >= 3 or",
        ("cases/G35-cafe",),
    ),
    "follow-suit": Wrong(
        "Nobody has to follow suit",
        "referee.game.tricks",
        "return hand & SUIT_MASK[state.trick[0][1] >> 3] or hand",
        "return hand",
        ("cases/G53-short", "cases/fold-led-suit-stays"),
    ),
    "rejection": Wrong(
        "The shuffle takes bytes that it has to throw away",
        "referee.deal",
        "        if byte < limit:\n",
        "        if True:\n",
        ("cases/cut-at-7",),
    ),
    "hands-in-turn": Wrong(
        "Cards are dealt from seat 0 on, not from the dealer's left",
        "referee.game.dealing",
        "order = [seat % seats for seat in range(dealer + 1, dealer + 1 + seats) if in_game >> seat % seats & 1]",
        "order = [seat for seat in range(seats) if in_game >> seat & 1]",
        ("cases/seed-four",),
    ),
    "sole-dood": Wrong(
        "A dood player goes along by himself, also when he is the only opponent",
        "referee.game.answers",
        ".bit_count() == 1:\n            state.answer_queue = automatic",
        ".bit_count() == 0:\n            state.answer_queue = automatic",
        ("cases/dood-sole-asked", "counts/dood-auto-6"),
    ),
    "lead-after-fold": Wrong(
        "When the winner of a trick has folded, the next lead goes to the dealer's left",
        "referee.game.flow",
        "winner if stays else state.next_seat(winner, state.in_round)",
        "winner if stays else state.next_seat(state.dealer, state.in_round)",
        ("cases/fold-winner-early-seat-two",),
    ),
    "duplicate-keys": Wrong(
        "A key may stand in an object twice",
        "referee.log.canonical",
        "            if key in fields:\n",
        "            if False:\n",
        ("log/invalid/E010-same.toep",),
        validator=True,
    ),
    "roots": Wrong(
        "The root in a seal is not compared",
        "referee.validate.seals",
        "if record.root != root:",
        "if False:",
        ("log/invalid/E502-last.toep",),
        validator=True,
    ),
    "salts": Wrong(
        "Salts are not compared where the seed is declared",
        "referee.validate.shuffle",
        "        if record.salt != salt:\n",
        "        if False:\n",
        ("log/invalid/E412-declared.toep",),
        validator=True,
    ),
    "strict-signatures": Wrong(
        "Signatures are not compared with the text that they are over",
        "referee.log.note",
        'if not verifies(self._key, data[KEY_ID_SIZE:], text.encode("utf-8")):',
        "if False:",
        ("log/invalid/E508-changed.toep",),
        validator=True,
    ),
    "tries": Wrong(
        "A player may be refused more often than the conduct says",
        "referee.validate.refusals",
        "if count > self._tries:",
        "if False:",
        ("log/invalid/E380-tries.toep",),
        validator=True,
    ),
}


class Misreader(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):  # type: ignore[misc] # two stubs of one method
    """Imports one module of this project with one line changed."""

    def __init__(self, fault: Wrong) -> None:
        self._fault = fault

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Only the module that is changed."""
        return importlib.util.spec_from_loader(fullname, self) if fullname == self._fault.module else None

    def get_filename(self, fullname: str) -> str:
        """Where the module is."""
        return str(ROOT / (fullname.replace(".", "/") + ".py"))

    def get_data(self, path: bytes | str) -> bytes:
        """The module's source, changed. Nothing is read from caches."""
        name = os.fsdecode(path)
        if name.endswith(".pyc"):
            raise OSError(name)
        source = Path(name).read_text("utf-8")
        if source.count(self._fault.right) != 1:
            raise SystemExit(f"{name}: this stands there {source.count(self._fault.right)} times: {self._fault.right}")
        return source.replace(self._fault.right, self._fault.wrong).encode()


def serve_wrongly(name: str) -> None:
    """Be one of the wrong executors, on standard input and output."""
    sys.meta_path.insert(0, Misreader(EXECUTORS[name]))
    from referee.conformance.engine import serve

    serve(sys.stdin.buffer, sys.stdout.buffer)


def command(name: str) -> list[str]:
    """What starts a wrong executor."""
    return [sys.executable, "-m", "tests.conformance.wrong", name]


def print_table() -> None:
    """What catches each of them."""
    from referee.conformance.kit import engine_items, find_kit, validator_items
    from referee.conformance.process import EngineProcess
    from referee.conformance.run import Judge

    kit = find_kit()
    for name, fault in EXECUTORS.items():
        items = validator_items(kit) if fault.validator else engine_items(kit)
        with EngineProcess(command(name), seconds=10) as process:
            failed = [one.id for one in Judge(process, kit).outcomes(items) if one.status == "failed"]
        shown = " ".join(failed[:4]) + (" ..." if len(failed) > 4 else "")
        print(f"{name:<24} {len(failed):>4} of {len(items)} fail: {shown}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        serve_wrongly(sys.argv[1])
    else:
        print_table()
