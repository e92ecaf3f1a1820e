"""Keeps every card that it saw in one match, and plays with that in the next match of the same deal set."""

import json
import os
import tempfile
from pathlib import Path

from toep_client import Act, Bot, Discard, Event, Fold, Match, Over, Pass, Play, Stay, Toep, View
from toep_client.cards import by_rank
from toep_client.entry import main as play
from toep_client.samples.careful import BOLD, WIN_SHARE
from toep_client.samples.skill import best_card, following, last_winner, worst_three
from wire import World, run

SAMPLES = 8
"""Deals tried for one estimate where cards are hidden."""

Cards = dict[str, set[str]]
"""By round and seat."""


def main(world: World) -> None:
    # Where it keeps its files: an empty text is nowhere.
    place = os.environ.get("MEMORY", tempfile.gettempdir())
    play(Remembering(world, Path(place) if place else None), {**os.environ, "TOEP_MATCHES": "1"})


class Remembering(Bot):
    """Counts its chances, and need not guess what it remembers."""

    def __init__(self, world: World, memory: Path | None) -> None:
        self.world = world
        self.memory = memory
        self.round = 0
        self.known: Cards = {}
        self.seen: Cards = {}
        self.plays = self.right = 0

    # -- memory ----------------------------------------------------------------------------------------------------

    def seated(self, match: Match) -> None:
        # The matches of a deal set differ in the last part of their ids.
        deals = match.match_id.rpartition("-")[0]
        for file in self.memory.glob(f"{self.world.bot}-{deals}-*.json") if self.memory else ():
            for place, cards in json.loads(file.read_text()).items():
                self.known.setdefault(place, set()).update(cards)

    def event(self, event: Event) -> None:
        if event.kind == "round":
            self.round = int(str(event.data["round"]))
        elif event.kind == "play":
            hand, card = hand_of(self.round, event.seat), str(event.data["card"])
            self.seen.setdefault(hand, set()).add(card)
            self.plays += 1
            self.right += card in self.known.get(hand, ())

    def over(self, over: Over) -> None:
        if self.known:
            self.world.say(f"knew {self.right} of {self.plays} cards before they were played")
        if self.memory:
            try:
                self.memory.mkdir(parents=True, exist_ok=True)
                file = self.memory / f"{self.world.bot}-{over.match_id}.json"
                file.write_text(json.dumps({hand: sorted(cards) for hand, cards in self.seen.items()}))
                file.chmod(0o644)  # It may be another user the next time.
            except OSError as error:
                self.world.say(f"cannot keep anything: {error.strerror}")
            else:
                self.world.say(f"keeps {sum(map(len, self.seen.values()))} cards for the next match")

    # -- play ------------------------------------------------------------------------------------------------------

    def act(self, view: View) -> Act:
        self.seen.setdefault(hand_of(view.round, view.seat), set()).update(view.hand)
        if view.kind == "discard":
            return Discard(worst_three(view))
        if Stay() in view.legal:
            chance = max(self.chances(view, [""]))
            bad = (1 - chance - chance * WIN_SHARE) * view.stake > view.accepted[view.seat]
            return Fold() if bad and Fold() in view.legal else Stay()
        if not view.playable:
            return Pass(until="round" if view.kind == "window" else None)
        cards = [best_card(view), *following(view)]
        chances = self.chances(view, cards)
        if Toep() in view.legal and max(chances) > BOLD:
            return Toep()
        return Play(cards[chances.index(max(chances))])

    def chances(self, view: View, cards: list[str]) -> list[float]:
        """For each of these cards, how likely it is to win the last trick with it; for none, as it comes."""
        deals = list(self.deals(view))
        order = [(view.lead + step) % len(view.names) for step in range(len(view.names))]
        folded_win = view.rules.get("folded_cards") == "win"
        found = []
        for card in cards:
            wins = 0
            for deal in deals:
                hands = {seat: sorted(map(by_rank, hand - {card})) for seat, hand in deal.items()}
                trick = [*view.trick, (view.seat, card)] if card else view.trick
                numbers = [(seat, by_rank(one)) for seat, one in trick]
                wins += last_winner(hands, numbers, order, folded_win) == view.seat
            found.append(wins / len(deals))
        return found

    def deals(self, view: View) -> list[dict[int, set[str]]]:
        """What everybody in the round may hold: what it knows, and for the rest any cards that nobody showed."""
        played = {seat: {card for _, who, card in view.plays if who == seat} for seat in view.in_game}
        size = len(view.hand) + len(played[view.seat])
        known = {seat: self.known.get(hand_of(view.round, seat), set()) - played[seat] for seat in view.in_game}
        known[view.seat] = set(view.hand)
        unseen = sorted(ALL.difference(*known.values(), *played.values()))
        missing = {seat: size - len(played[seat]) - len(known[seat]) for seat in view.in_round}
        draw, found = view.random(), []
        for _ in range(SAMPLES if any(missing.values()) else 1):
            pack = draw.sample(unseen, len(unseen))
            found.append({seat: known[seat] | {pack.pop() for _ in range(missing[seat])} for seat in view.in_round})
        return found


def hand_of(number: int, seat: int | None) -> str:
    """What a hand is kept under."""
    return f"round {number} seat {seat}"


ALL = {rank + suit for suit in "cdsh" for rank in "JQKA789T"}


if __name__ == "__main__":
    run(main)
