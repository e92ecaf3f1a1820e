"""A log as a page for people: every line in plain words, in columns that line up."""

from typing import Final, NamedTuple

from msgspec import UNSET, Struct

from referee.cards import NAMES, CardName, bits
from referee.cli.paint import Paint, columns, count, flow, listed, pad
from referee.game import records as game
from referee.game.game import Game
from referee.log import records as log
from referee.log.records import AnyRecord
from referee.ruleset import PRESETS, Ruleset, Value, differences

GUTTER: Final = 8
"""Columns left of the names: a line number and two spaces."""

SLOW_MS: Final = 1000
"""An act that took as long as this is shown with its time."""

WISHES: Final[dict[type[game.Act], str]] = {
    game.Blind: "toep blind",
    game.Peek: "look at its cards",
    game.Chance: "take a chance",
    game.Exchange: "change its hand",
    game.Challenge: "check the exchange",
    game.Toep: "toep",
    game.Stay: "go along",
    game.Fold: "fold",
    game.Confess: "own up to a revoke",
    game.Resign: "give up",
}
SIGNS: Final = {"whistle": "whistles", "sing": "sings", "stand": "stands up"}
STATUS: Final = {"complete": "complete", "forfeited": "ended by a forfeit", "abandoned": "abandoned"}
OUT: Final = {
    "limit": "is out: the limit is reached",
    "crosses": "is out: one player won too many rounds in a row",
    "penalty": "is out: a penalty reached the limit",
    "resign": "is out: gave up",
    "forfeit": "is out: forfeited",
}
PENALTY: Final = {
    "R-BLIND-04": "looked after declining",
    "R-DEAL-04": "looked too early",
    "R-FLUIT-04": "forgot the sign that its hand asks for",
    "R-WAS-07": "the exchange was genuine",
    "R-WAS-08": "the exchange was a bluff",
}
"""What penalties are for, by rule."""

FORFEIT: Final = {"faults": "the referee had to act too often", "left": "the bot left"}
VOID: Final = {"revoke": "a revoke", "crash": "the referee was restarted", "cancelled": "cancelled"}
LATE: Final = {"bot": "the bot", "host": "the host", "referee": "the referee", "link": "the connection"}
PROTOCOL: Final = {
    "malformed": "not an act",
    "not_asked": "not what was asked",
    "too_large": "a message that is too large",
    "unknown": "an unknown act",
}

_HANDS: Final = 0
_SCORE: Final = -1


class Line(Struct, frozen=True):
    """A line of a log, and where the match stands before it."""

    number: int
    """1-based."""

    data: bytes
    record: AnyRecord
    game: Game | None
    """The running round; None between rounds and when the log cannot be followed."""

    wanted: bool
    """Whether the line is to be shown."""

    first: bool
    """Whether it is the first one that is shown, but not the first of the log."""


class Ending(NamedTuple):
    """What a log says at its end, for the top of the page."""

    end: log.End | None
    rounds: int
    revealed: bool


class Page:
    """Puts the lines of one log into words."""

    def __init__(self, paint: Paint, *, hands: bool, ending: Ending | None) -> None:
        """``hands``: the position before every act; ``ending``: what the top of the page says about the end."""
        self._paint: Final = paint
        self._hands: Final = hands
        self._ending: Final = ending
        self._names: list[str] = []
        self._width = 0
        """Columns of the longest name."""

        self._lives = 0
        """The limit, where points are counted as lives; else 0."""

        self._title = ""
        self._number = 0
        """Of the round."""

        self._stanza = _HANDS
        self._trick = 1
        self._played: dict[int, CardName] = {}
        """The running trick: cards by seat."""

        self._taken: dict[int, CardName] = {}
        """The trick before it, which a revoke that is owned up to can open again."""

        self._chance = False
        """The next cards laid away are those of a chance draw, and no act."""

        self._claimer: int | None = None
        """Whose exchange may be checked."""

        self._acts = 0
        """Effective acts so far."""

        self._act_lines: dict[int, int] = {}
        """By their number the lines of this round's acts: refused acts are placed by it."""

    def tell(self, line: Line) -> list[str]:
        """What to print for a line: nothing if it is not wanted, but the page must see every line."""
        before = self._before(line) if line.wanted else []
        told = self._told(line.number, line.record)
        stanza = self._stanza_of(line.record)
        self._remember(line.number, line.record)
        if not line.wanted or not (lines := before + told):
            return []
        # Stanzas: the hands, each trick, the score.
        gap = lines[0] == "" or stanza != self._stanza
        self._stanza = stanza
        lines = lines[lines[0] == "" :]
        return ["", *lines] if gap and not line.first else lines

    def remark(self, text: str) -> None:
        """Say something that does not stand in the log."""
        print("\n" + "\n".join(self._paint.trouble(part) for part in text.splitlines()))

    # -- the top of the page -------------------------------------------------------------------------------------------

    def _top(self, head: log.Head) -> list[str]:
        paint = self._paint
        rows = [
            ("rules", rules_words(head.rules)),
            ("seats", [f"{seat} {name}" for seat, name in enumerate(self._names)]),
            ("length", ["a game to the end" if head.length == "game" else count(head.length.rounds, "round")]),
            ("seed", [_seed(head, self._ending)]),
        ]
        if self._ending is not None:
            rows.append(("ended", [self._ended(self._ending)]))
        event = f" ({head.event})" if head.event is not UNSET else ""
        lines = [f"Match {paint.bold(head.match)}{event}"]
        for label, parts in rows:
            first, *rest = flow(parts, "   " if label == "seats" else " ", 10)
            lines += [f"  {paint.dim(label.ljust(8))}{first[10:]}", *rest]
        return lines

    def _ended(self, ending: Ending) -> str:
        if ending.end is None:
            return f"not in this log, which breaks off in round {ending.rounds}" if ending.rounds else "not in this log"
        best = listed(self._name(seat) for seat, rank in enumerate(ending.end.rank) if rank == 1)
        return f"{STATUS[ending.end.status]} after {count(ending.rounds, 'round')}; first: {best}"

    # -- positions -----------------------------------------------------------------------------------------------------

    def _before(self, line: Line) -> list[str]:
        lines: list[str] = []
        if line.first and self._title and not isinstance(line.record, game.Round | log.End | log.Reveal):
            lines.append(f"{self._title}, from line {line.number}")
        if line.game is None or not (line.first or (self._hands and isinstance(line.record, game.Act))):
            return lines
        if not line.first:
            lines.append("")
        return lines + self._position(line.game, line.record)

    def _position(self, state: Game, record: AnyRecord) -> list[str]:
        paint = self._paint
        hands = []
        width = 3 * max(state.hand_size, *(hand.bit_count() for hand in state.hands)) - 1
        for seat in range(state.seats):
            if state.in_round >> seat & 1:
                cards = paint.cards(sorted_hand(state.hands[seat])) or "no cards"
            else:
                cards = paint.dim("folded" if state.in_game >> seat & 1 else "out")
            hands.append(f"{paint.dim(self._name(seat))} {pad(cards, width)}")
        seat, due = actor(state, record), state.asks()[0]
        facts = [f"stake {state.stake}"]
        if state.trick:
            facts.append("on the table " + " ".join(paint.card(NAMES[card]) for _, card in state.trick))
        if due and due != [seat]:
            verb = "answer" if state.answer_queue else "lay cards away" if state.discards_due else "play"
            facts.append(f"{listed(map(self._name, due))} {'is' if len(due) == 1 else 'are'} to {verb}")
        facts.append(f"{self._name(seat)} may {self._choices(state.legal(seat))}")
        lines = [line.rstrip() for line in flow(hands, "   ", GUTTER)]
        return [*lines, *flow([paint.dot.join(facts)], "", GUTTER)]

    def _choices(self, legal: list[game.AnyAct]) -> str:
        plays = [act.card for act in legal if isinstance(act, game.Play)]
        words = [f"play {self._paint.cards(plays)}"] if plays else []
        if any(isinstance(act, game.Discard) for act in legal):
            words.append("lay three cards away")
        words += [self._wish(act) for act in legal if not isinstance(act, game.Play | game.Discard)]
        return listed(words, "or") or "do nothing"

    # -- the lines -----------------------------------------------------------------------------------------------------

    def _told(self, number: int, record: AnyRecord) -> list[str]:
        match record:
            case log.Head():
                self._names = labels([self._paint.name(seat.bot) for seat in record.seats])
                self._width = max(map(columns, self._names))
                self._lives = record.rules.limit if record.rules.count == "lives" else 0
                return self._top(record)
            case log.Seal():
                return []
            case game.Round():
                retry = f", try {record.try_}" if record.try_ > 1 else ""
                dealer = self._name(record.dealer)
                self._title = (
                    f"{self._paint.bold(f'Round {record.round}')} - dealer {dealer} (seat {record.dealer}){retry}"
                )
                return ["", self._title]
            case game.Score():
                return self._table(number, record)
            case log.End():
                return self._end(number, record)
            case log.Reveal():
                return [self._line(number, f"the seed was {record.seed}")]
            case game.Draw():
                return self._drawn(number, record)
            case game.Act() | game.Cards() | game.Show() | game.Penalty() | game.Trick() | game.Out():
                return [self._act(number, _subject(record), self._does(record))]
            case log.Refused() | log.Late() | game.Forfeit():
                return [self._act(number, record.seat, self._paint.trouble(self._fault(record)))]
        return [self._line(number, self._happens(record))]

    def _stanza_of(self, record: AnyRecord) -> int:
        match record:
            case log.Head() | game.Draw() | game.Round() | game.Cut() | game.Cards(why="deal" | "finale"):
                return _HANDS
            case log.Redacted():
                return self._stanza
            case game.Confess(card=str()) if not self._played:
                return self._trick - 1
            case game.Score() | game.Out() | log.End() | log.Reveal():
                return _SCORE
        return self._trick

    def _remember(self, number: int, record: AnyRecord) -> None:
        match record:
            case game.Round():
                self._number = record.round
                self._trick = 1
                self._played.clear()
                self._act_lines = {self._acts: number}
            case game.Cards(why="deal" | "finale"):
                self._act_lines[self._acts] = number
            case game.Cards(why="chance"):
                self._chance = True
            case game.Play():
                self._played[record.seat] = record.card
            case game.Trick():
                self._trick += 1
                self._taken, self._played = self._played, {}
            case game.Confess(card=str()):
                if not self._played:
                    self._trick -= 1
                    self._played = self._taken
                self._played.pop(record.seat, None)
            case game.Exchange():
                self._claimer = record.seat
        if self._is_effective(record):
            self._acts += 1
            self._act_lines[self._acts] = number

    def _is_effective(self, record: AnyRecord) -> bool:
        """Whether a record is an act, and no consequence of one."""
        match record:
            case game.Void(why="revoke"):
                return False
            case game.Discard() if self._chance:
                self._chance = False
                return False
        return isinstance(record, game.EFFECTIVE)

    def _drawn(self, number: int, record: game.Draw) -> list[str]:
        lines = []
        before: set[int] = set()
        for seat, card in record.cards:
            verb = "draws again:" if seat in before else "draws"
            lines.append(self._act(number, seat, f"{verb} {self._paint.card(card)}"))
            before.add(seat)
        return lines

    def _act(self, number: int, seat: int, text: str) -> str:
        return self._line(number, f"{pad(self._name(seat), self._width)}  {text}")

    def _line(self, number: int, text: str) -> str:
        return self._paint.dim(f"{number:>{GUTTER - 2}}") + f"  {text}"

    def _name(self, seat: int) -> str:
        return self._names[seat] if seat < len(self._names) else f"seat {seat}"

    # -- words ---------------------------------------------------------------------------------------------------------

    def _does(self, record: AnyRecord) -> str:
        """What a seat does, or what comes to it, as a verb and the rest of the sentence."""
        paint = self._paint
        match record:
            case game.Play(card=card):
                text = f"plays {paint.card(card)}"
            case game.Toep(stake=stake):
                text = paint.raised(f"toeps: the stake is {stake}")
            case game.Blind(stake=stake):
                text = paint.raised(f"toeps blind: the stake is {stake}")
            case game.Stay():
                text = "goes along"
            case game.Fold(pay=pay):
                text = f"folds and pays {pay}"
            case game.Exchange():
                text = "lays its hand down for a new one"
            case game.Challenge():
                text = self._check(record)
            case game.Cards(why="deal" | "finale"):
                text = paint.cards(record.cards)
            case game.Cards():
                text = f"draws {paint.cards(record.cards)}"
            case game.Trick():
                text = paint.won("takes") + self._trick_taken(record)
            case game.Penalty():
                what = f": {PENALTY[record.why]}" if record.why in PENALTY else ""
                text = f"gets {count(record.points, 'penalty point')}{what} ({record.why})"
            case game.Out():
                text = paint.bold(OUT[record.why])
            case game.Show():
                text = paint.won("shows four alike:") + " " + paint.cards(record.cards)
            case game.Cut():
                text = f"cuts the pack after {count(record.at, 'card')}"
            case game.Peek():
                text = "looks at its cards"
            case game.Chance():
                text = "takes a chance on three alike"
            case game.Signal():
                text = SIGNS[record.sign]
            case game.Discard():
                text = f"lays away {paint.cards(record.cards)}"
            case game.Confess():
                back = f" and takes back {paint.card(record.card)}" if record.card is not UNSET else ""
                text = f"owns up to a revoke{back}" + (f" and pays {record.pay}" if record.pay is not UNSET else "")
            case game.Resign():
                text = "gives up"
            case _:
                raise AssertionError(record)
        return text + self._aside(record)

    def _aside(self, record: AnyRecord) -> str:
        """Who really acted, and how long it took if that was long."""
        if not isinstance(record, game.Act):
            return ""
        if record.by is not UNSET:
            return self._paint.dim(" (the referee acted)")
        slow = record.ms is not UNSET and record.ms >= SLOW_MS
        return self._paint.dim(f" ({_seconds(record.ms)})") if slow else ""  # type: ignore[arg-type]

    def _check(self, record: game.Challenge) -> str:
        whose = f"{self._name(self._claimer)}'s" if self._claimer is not None else "the"
        shown = self._paint.cards(record.shown) if record.shown is not UNSET else "?"
        return f"checks {whose} old hand: {shown}, {'genuine' if record.genuine is True else 'a bluff'}"

    def _trick_taken(self, record: game.Trick) -> str:
        card = self._played.get(record.win)
        which = f" trick {self._trick}" if record.lead is not UNSET else " the last trick"
        text = which + (f" with {self._paint.card(card)}" if card else "")
        if record.lead is UNSET or record.lead == record.win:
            return text
        return f"{text}; {self._name(record.lead)} leads"

    def _wish(self, act: game.AnyAct) -> str:
        """An act as something one may do or wanted to do."""
        match act:
            case game.Play(card=card):
                return f"play {self._paint.card(card)}"
            case game.Discard():
                return f"lay away {self._paint.cards(act.cards)}"
            case game.Signal():
                return act.sign
            case game.Cut():
                return f"cut the pack after {count(act.at, 'card')}"
        return WISHES[type(act)]

    def _fault(self, record: log.Refused | log.Late | game.Forfeit) -> str:
        match record:
            case game.Forfeit():
                return f"forfeits the match: {FORFEIT[record.why]}"
            case log.Late():
                took = f"{_seconds(record.elapsed)} of " if record.elapsed is not UNSET else ""
                return f"is late ({took}{_seconds(record.budget)}): {LATE[record.verdict]}"
        what = f"{self._wish(record.got)} ({record.code})" if record.got is not UNSET else PROTOCOL[record.code]
        line = self._act_lines.get(record.at)
        return f"was refused: {what}, " + (f"after line {line}" if line else f"after {count(record.at, 'act')}")

    def _happens(self, record: AnyRecord) -> str:
        """A line that is nobody's act."""
        paint = self._paint
        match record:
            case game.Auto():
                verb = "goes along by itself" if len(record.seats) == 1 else "go along by themselves"
                return f"{listed(map(self._name, record.seats))} {verb}"
            case game.Open():
                verb = "opens" if len(record.seats) == 1 else "open"
                return paint.raised(f"{listed(map(self._name, record.seats))} {verb} the stake at {record.stake}")
            case game.Void():
                return paint.trouble(f"the round is void: {VOID[record.why]}")
            case log.Ruling():
                about = f" about {self._name(record.seat)}" if record.seat is not UNSET else ""
                return paint.trouble(f"ruling{about}: {record.why}")
            case log.Entropy():
                return f"{sum(part is not None for part in record.e)} of {len(record.e)} players added to the shuffle"
            case log.Redacted():
                return paint.dim("hidden in this view")
        raise AssertionError(record)

    # -- tables --------------------------------------------------------------------------------------------------------

    def _table(self, number: int, score: game.Score) -> list[str]:
        lives = "  lives" if self._lives else ""
        lines = [self._line(number, f"{pad('score', self._width)}  points  total{lives}")]
        for seat, (points, total) in enumerate(zip(score.points, score.total, strict=False)):
            added = f"{points:+}" if points else "0"
            left = f"{self._lives - total:>7}" if lives else ""
            lines.append(f"{' ' * GUTTER}{pad(self._name(seat), self._width)}  {added:>6}  {total:>5}{left}")
        return lines

    def _end(self, number: int, end: log.End) -> list[str]:
        after = f"{STATUS[end.status]} after {count(self._number, 'round')}"
        lines = ["", self._line(number, f"{self._paint.bold('End')} - {after}")]
        for rank, seat in sorted(zip(end.rank, range(len(end.rank)), strict=True)):
            total = f"{end.total[seat]:>5}" if seat < len(end.total) else ""
            name = pad(f"{rank}. {self._name(seat)}", self._width + 3)
            lines.append(f"{' ' * GUTTER}{self._paint.bold(name) if rank == 1 else name}{total}")
        return lines


def actor(state: Game, record: AnyRecord) -> int:
    """The seat that acts in a record; for any other record the first one that must act, or may."""
    if isinstance(record, game.Act) and record.seat < state.seats:
        return record.seat
    must, may = state.asks()
    return (must or may)[0]


def sorted_hand(hand: int) -> list[CardName]:
    """The cards in a mask by suit, hearts first, high cards first."""
    return [NAMES[card] for card in sorted(bits(hand), reverse=True)]


def labels(names: list[str]) -> list[str]:
    """Names that tell the seats apart: equal ones get their seat's number."""
    return [f"{name}#{seat}" if names.count(name) > 1 else name for seat, name in enumerate(names)]


def _subject(record: AnyRecord) -> int:
    seat: int = record.win if isinstance(record, game.Trick) else record.seat  # type: ignore[union-attr, assignment]
    return seat


def rules_words(rules: Ruleset) -> list[str]:
    """The preset it equals, or the nearest one and what is different, in parts that may be wrapped."""
    preset = min(PRESETS, key=lambda name: len(differences(PRESETS[name], rules)))
    others = [f"{option} = {_shown(value)}" for option, _, value in differences(PRESETS[preset], rules)]
    if not others:
        return [preset]
    return [f"{preset}, but", *(f"{text}," for text in others[:-1]), others[-1]]


def _shown(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _seed(head: log.Head, ending: Ending | None) -> str:
    if head.open_seed is not UNSET:
        return "declared: public from the start"
    if ending is None:
        return "secret, committed to"
    return "secret, revealed at the end" if ending.revealed else "secret, not revealed"


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.3f}".rstrip("0").rstrip(".") + " s"
