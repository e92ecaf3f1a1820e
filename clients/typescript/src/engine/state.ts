/** Everything that is true at one moment of a match. The chapters of the rule book read and change it. */

import { suitOf, type Card, type Cards } from "./cards.js";
import type { Ruleset } from "./ruleset.js";
import { firstSeats, NOBODY, type Seat, type Seats } from "./seats.js";

/**
 * Where a match stands. `draw`: the first dealer is to be drawn for; `shuffle`: a pack is needed; `cut`: the pack lies
 * there and may be cut (P1); `round`: cards are dealt (P2 to P7); `done`: a single round has been played; `over`.
 */
export type Stage = "draw" | "shuffle" | "cut" | "round" | "done" | "over";

/** Which kind of round is played: `discards` is R-GRAF-01 and R-GRAF-02, `grey` R-GRAF-03. */
export type Finale = "none" | "discards" | "grey";

/** What is being answered, and what has been said (R-ANS-01, R-ANS-02). */
export interface Asking {
  kind: "toep" | "blind" | "armoede";
  /** Whose toep or opening it is. */
  by: Seat;
  /** Who has not answered yet. */
  pending: Seats;
  /** Who goes along when the others have answered (H-19). */
  autos: Seats;
  /** Sealed answers that have not been shown. */
  stays: Seats;
  folds: Seats;
}

/** The latest exchange of the round (H-22). */
export interface LaidDown {
  readonly seat: Seat;
  readonly hand: Cards;
  readonly drawn: readonly Card[];
  readonly checked: boolean;
}

/** A revoke that has not come back: the place of its card among the plays of the round, and the suit denied. */
export interface Revoke {
  readonly at: number;
  readonly suit: number;
}

/** A card on the table, and whose it is. */
export interface Played {
  readonly seat: Seat;
  readonly card: Card;
}

/** What the last finished round changed; a seat or nobody has won it. */
export interface Outcome {
  readonly points: readonly number[];
  readonly winner: Seat;
}

/** How and when a seat left the game: `order` rises, `before` is what it had before that round (R-END-03). */
export interface Leaving {
  readonly order: number;
  readonly before: number;
}

function zeros(count: number): number[] {
  return new Array<number>(count).fill(0);
}

/** The state of a match and of its running round. */
export class State {
  // The match.
  stage: Stage = "shuffle";
  /** Whether the match is one round from given hands (chapter 21). */
  single = false;
  inGame: Seats;
  /** Points without a clamp; in a rounds match those of the running round (chapter 14). */
  points: number[];
  /** Totals of the finished rounds of a rounds match. */
  sums: number[];
  /** By seat: how often in a row it has folded (H-36), and how many rounds in a row it has won (H-35). */
  foldsInRow: number[];
  winsInRow: number[];
  dealer: Seat = 0;
  round = 1;
  attempt = 1;
  /** Who leads the first trick of the first round, where a start says so. */
  givenLead: Seat = NOBODY;
  outcome: Outcome | null = null;
  leavings: (Leaving | null)[];
  leaveOrder = 0;

  // The round: who, and what it has cost so far.
  inRound: Seats = 0;
  before: number[];
  foldsBefore: number[];
  foldPaid: number[];
  finale: Finale = "none";

  // The round: cards.
  pack: readonly Card[] = [];
  hands: number[];
  stock: readonly Card[] = [];
  plays: readonly Played[] = [];
  /** Where among the plays the running trick begins, and where the one before it began. */
  trickAt = 0;
  trickAtBefore = 0;
  lead: Seat = NOBODY;
  leadBefore: Seat = NOBODY;
  /** Who was in the round when the latest trick was closed. */
  inAtTrick: Seats = 0;
  /** Who has played to the running trick. */
  played: Seats = 0;
  tricksLeft = 0;
  /** Who has played a first card in this round, and whether any has fallen. */
  begun: Seats = 0;
  cardFell = false;

  // The round: stake and answers.
  stake = 1;
  accepted: number[];
  lastToeper: Seat = NOBODY;
  asking: Asking | null = null;

  // The round: windows.
  blindOpen = false;
  chanceOpen = false;
  exchangeOpen = false;
  /** Whether P6 has opened, or can no longer open. */
  armoedeShut = false;
  blindToeper: Seat = NOBODY;
  declined: Seats = 0;
  peeked: Seats = 0;
  peekedLate: Seats = 0;
  drew: Seats = 0;
  exchanged: Seats = 0;
  laidDown: LaidDown | null = null;
  discarded: Seats = 0;
  opened: Seats = 0;
  whistled: Seats = 0;
  stood: Seats = 0;
  /** Whether the round began in its later tricks (chapter 21). */
  midway = false;

  // The round: revokes (chapter 19).
  revokes: readonly Revoke[] = [];
  /** By seat and suit: how many cards denied that the seat had the suit. */
  denials: number[];
  /** Who has to play a card in place of one that came back. */
  mustFollow: Seats = 0;

  constructor(
    readonly rules: Ruleset,
    readonly seats: number,
    /** The number of rounds of a rounds match; 0 is a game to the end. */
    readonly rounds: number,
  ) {
    this.inGame = firstSeats(seats);
    this.points = zeros(seats);
    this.sums = zeros(seats);
    this.foldsInRow = zeros(seats);
    this.winsInRow = zeros(seats);
    this.leavings = new Array<Leaving | null>(seats).fill(null);
    this.before = zeros(seats);
    this.foldsBefore = zeros(seats);
    this.foldPaid = zeros(seats);
    this.hands = zeros(seats);
    this.accepted = new Array<number>(seats).fill(1);
    this.denials = zeros(4 * seats);
  }

  /** A copy that shares nothing which changes. */
  clone(): State {
    const copy = new State(this.rules, this.seats, this.rounds);
    Object.assign(copy, this);
    copy.points = this.points.slice();
    copy.sums = this.sums.slice();
    copy.foldsInRow = this.foldsInRow.slice();
    copy.winsInRow = this.winsInRow.slice();
    copy.leavings = this.leavings.slice();
    copy.before = this.before.slice();
    copy.foldsBefore = this.foldsBefore.slice();
    copy.foldPaid = this.foldPaid.slice();
    copy.hands = this.hands.slice();
    copy.accepted = this.accepted.slice();
    copy.denials = this.denials.slice();
    copy.asking = this.asking === null ? null : { ...this.asking };
    return copy;
  }

  /** The limit M (R-SCORE-07). */
  get limit(): number {
    return this.rules.limit;
  }

  /** Whether seats leave at the limit: in a rounds match they never do (chapter 20). */
  get limitCounts(): boolean {
    return this.rounds === 0;
  }

  /** The points of a seat, without a clamp. */
  pointsOf(seat: Seat): number {
    return this.points[seat] ?? 0;
  }

  /** Charges a seat; a negative amount takes points off. */
  charge(seat: Seat, amount: number): void {
    this.points[seat] = this.pointsOf(seat) + amount;
  }

  /** The last stake that a seat has agreed to. */
  acceptedBy(seat: Seat): number {
    return this.accepted[seat] ?? 1;
  }

  /** The hand of a seat. */
  handOf(seat: Seat): Cards {
    return this.hands[seat] ?? 0;
  }

  /** The suit led to the running trick (R-SUIT-03), or -1 before its first card. */
  get suitLed(): number {
    const first = this.plays[this.trickAt];
    return first === undefined ? -1 : suitOf(first.card);
  }
}
