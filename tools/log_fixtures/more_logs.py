"""More matches that other fixtures are made from."""

from functools import cache

from referee.cards import INDEX
from referee.game.records import (
    Challenge,
    Confess,
    Discard,
    Exchange,
    Fold,
    Play,
    Stay,
    Toep,
)
from referee.game.state import Phase
from referee.log.records import Rounds, Ruling
from referee.ruleset import PRESETS
from tests.support.forge import lines
from tools.log_fixtures.base import CLUB, KEY, NUMBERS, SHORT
from tools.log_fixtures.logs import _bluff, plain, played
from tools.log_fixtures.play import Table, dealt, rules, view


@cache
def toep() -> bytes:
    """Two seats: a toep of which both play the round."""
    table = Table(name="toep")
    table.deal()
    table.go(Toep)
    table.go(Stay)
    return table.play(0).close()


@cache
def fold(seats: int = 2) -> bytes:
    """A toep that everybody declines."""
    table = Table(SHORT, seats, name=f"fold-{seats}")
    table.deal()
    table.go(Toep)
    for _ in range(seats - 1):
        table.go(Fold)
    return table.close()


@cache
def finale_ms() -> bytes:
    table = Table(CLUB, 2, name="finale-ms", clock="ms")
    table.deal()
    for _ in range(2):
        table.go(Discard)
    return table.cancel()


@cache
def cut_log(*, play: bool = False, declared: bool = False) -> bytes:
    """A match whose first dealer is drawn and whose pack is cut."""
    table = Table(PRESETS["rubber"], 4, name="cut", declared=declared)
    table.deal(cut=5)
    if play:
        table.go(Play)
    return table.cancel()


@cache
def two_rounds() -> bytes:
    """Two rounds, both called a fold by everybody else."""
    table = Table(length=Rounds(rounds=2), name="two-rounds")
    for _ in range(2):
        table.deal()
        table.go(Toep)
        table.go(Fold)
    return table.close()


@cache
def limit_game() -> bytes:
    """A game to one point."""
    return Table(rules("short", limit=1), 2, "game", name="limit").play(0).close()


@cache
def last_standing() -> bytes:
    return Table(rules("short", limit=1, game_end="last_standing"), 2, "game", name="last").play(0).close()


@cache
def exchange() -> bytes:
    """Three seats; seat 0 exchanges a hand that is no good reason to, and is caught."""
    table = dealt(_bluff, PRESETS["cafe"], 3, "exchange")
    table.act(Exchange(seat=0))
    table.act(Challenge(seat=1))
    return table.cancel()


@cache
def genuine() -> bytes:
    table = dealt(lambda table: not any(card[0] in "789T" for card in table.hands[0]), PRESETS["cafe"], 3, "genuine")
    table.act(Exchange(seat=0))
    table.act(Challenge(seat=1))
    return table.cancel()


@cache
def went_back() -> bytes:
    """Seven seats leave a stock of four cards: those that a caught bluffer gave back are drawn again."""
    table = dealt(_bluff, rules("cafe", exchange_caught="old_hand"), 7, "back")
    for act in (Exchange(seat=0), Challenge(seat=1), Exchange(seat=2)):
        table.act(act)
    return table.cancel()


@cache
def must_follow() -> bytes:
    """Two seats; the second has cards of the suit led, and others."""

    def mixed(table: Table) -> bool:
        led = table.hands[table.on_turn][0][1]
        return len({card[1] == led for card in table.hands[1 - table.on_turn]}) == 2

    return dealt(mixed, name="follow").cards(2).play(0).close()


def _off_suit(data: bytes) -> str:
    """A card of the second player that does not follow suit."""
    plays = [one for one in lines(data) if one["_"] == "play"]
    hand = next(one for one in lines(data) if one["_"] == "cards" and one["seat"] == plays[1]["seat"])["cards"]
    return next(str(card) for card in hand if card[1] != plays[0]["card"][1])


@cache
def folded() -> bytes:
    """Three seats; one folds, two play on."""
    table = Table(SHORT, 3, name="folded")
    table.deal()
    table.go(Toep)
    table.go(Fold)
    table.go(Stay)
    return table.play(0).close()


@cache
def once() -> bytes:
    """Two seats exchange where each may do so once."""
    table = Table(rules("cafe", exchange="once"), 3, name="once")
    table.deal()
    table.act(Exchange(seat=0))
    table.act(Exchange(seat=1))
    return table.cancel()


@cache
def eight() -> bytes:
    """Eight seats leave no stock."""
    table = Table(PRESETS["cafe"], 8, name="eight")
    table.deal()
    return table.cancel()


def _revokes(table: Table) -> bool:
    """Whether the second player can revoke at once, and has two cards of the suit led and two others."""
    led = table.hands[table.on_turn][0][1]
    return sum(card[1] == led for card in table.hands[(table.on_turn + 1) % 3]) == 2


@cache
def revoke(what: str) -> bytes:
    """Three seats; the second one revokes. ``what``: nothing more, or owns up in time, one card later, two cards later,
    or proves it by a card."""
    table = dealt(_revokes, rules("club", armoede=False, armoede_leads=False), 3, "revoke")
    led = table.hands[table.on_turn][0]
    table.act(Play(card=led, seat=table.on_turn))
    seat = table.on_turn
    table.act(Play(card=next(card for card in table.hands[seat] if card[1] != led[1]), seat=seat))
    for _ in range({"play": 0, "in-time": 0, "one-later": 1, "two-later": 2, "proven": 1}[what]):
        table.go(Play)
    if what == "proven":
        while not table.game.needs_deal and not table.game.over:
            cards = [card for card in table.hands[table.on_turn] if card[1] == led[1]] if table.on_turn == seat else []
            if cards and table.game.check(Play(card=cards[0], seat=seat)) is None:
                table.act(Play(card=cards[0], seat=seat))
            else:
                table.go(Play)
        return _stopped(table)
    if what != "play":
        table.act(Confess(seat=seat))
    return _stopped(table)


def _stopped(table: Table) -> bytes:
    """The log, and if a deal is due again, of a second try that is called off."""
    if not table.game.over and table.game.needs_deal:
        table.deal()
    return table.close() if table.game.over else table.cancel()


@cache
def poor() -> bytes:
    """A game to two points, in whose second round all but one are poor, and the one goes along."""
    table = Table(rules("classic", limit=2), 4, "game", name="poor").play(0, deals=1)
    table.deal()
    table.close_windows(Phase.EXCHANGE)
    table.go(Stay)
    return table.cancel()


@cache
def automatic() -> bytes:
    """A game in which seats go along by themselves, up to there."""
    return played(rules("classic", limit=3), 4, NUMBERS["armoede"], "game")


@cache
def crosses() -> bytes:
    return played(rules("classic-all", limit=4, crosses=1), 4, NUMBERS["crosses"], "game")


@cache
def sign_owed() -> bytes:
    """Somebody with three tens plays a card and has given no sign."""

    def owes(table: Table) -> bool:
        hand = table.hands[table.on_turn]
        return sum(card[0] == "T" for card in hand) == 3

    table = dealt(owes, rules("short", signals="penalty"), 4, "sign")
    table.go(Play)
    return table.cancel()


@cache
def folded_card(number: int = 0) -> bytes:
    """Three seats; the card of the first one would win the first trick, but he folds before it is closed."""

    def wanted(table: Table) -> bool:
        lead = table.on_turn
        hands = table.hands
        first = hands[lead][-1]
        second = [card for card in hands[(lead + 1) % 3] if card[1] == first[1]]
        third = [card for card in hands[(lead + 2) % 3] if card[1] == first[1]]
        ranks = [INDEX[card] % 8 for card in (*second, *third)]
        return bool(second) is (number == 0) and bool(third) is (number == 0) and all(
            rank < INDEX[first] % 8 for rank in ranks)  # fmt: skip

    table = dealt(wanted, SHORT, 3, f"folded-card-{number}")
    lead = table.on_turn
    table.act(Play(card=table.hands[lead][-1], seat=lead))
    table.act(Toep(seat=(lead + 1) % 3))
    table.go(Stay)
    table.go(Fold)
    return table.play(0).close()


@cache
def jack() -> bytes:
    return played(rules("short", jack_bonus=True, deal_pattern="one_by_one"), 3, NUMBERS["jack"])


@cache
def limit_log() -> bytes:
    """A game to one point that a toep takes beyond."""
    table = Table(rules("short", limit=2), 2, "game", name="clamp")
    table.deal()
    table.go(Toep)
    table.go(Stay)
    return table.play(0).close()


@cache
def fold_ties() -> bytes:
    """Three seats, of which two fold."""
    return fold(3)


@cache
def view_of_plain() -> bytes:
    """What everybody may see of the least round, with its seed."""
    return view(plain(), None)


@cache
def refused_later() -> bytes:
    """Two rounds, in the second of which something is refused."""
    table = Table(length=Rounds(rounds=2), name="refused-later")
    table.deal()
    table.go(Toep)
    table.go(Fold)
    table.deal()
    table.refuse(Play(card=table.hands[1 - table.on_turn][0], seat=table.on_turn))
    return table.cancel()


@cache
def answered() -> bytes:
    """A malformed answer to a toep."""
    table = Table(name="answered")
    table.deal()
    table.go(Toep)
    table.refuse(Fold(seat=table.on_turn), code="malformed")
    table.go(Stay)
    return table.cancel()


@cache
def declared_quiet() -> bytes:
    table = Table(name="declared-quiet", declared=True)
    table.deal()
    return table.cancel()


@cache
def signed_quiet() -> bytes:
    table = Table(name="signed-quiet", signer=KEY)
    table.deal()
    return table.cancel()


@cache
def ruled_sealed() -> bytes:
    """A ruling before the first round."""
    table = Table(name="ruled")
    table.log.append(Ruling(why="x"))
    table.deal()
    return table.cancel()
