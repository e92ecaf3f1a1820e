/** The cards of a round as a log tells them: hands, and cards that are drawn (log-format, L3, situations 2 and 3). */

import { hasCard, NO_CARDS, onlyCard, PACK_SIZE, UNKNOWN, type Card, type Cards as CardSet } from "../engine/cards.js";
import type { Game } from "../engine/game.js";
import type { RuleId } from "../engine/records.js";
import type { Seat } from "../engine/seats.js";
import type { Cards, LogRecord } from "../log/records.js";
import { found } from "./finding.js";
import { numbersOf } from "./shuffle.js";

/** Which cards must come: an exchange brings four, a chance draw one. */
export interface Draw {
  readonly seat: Seat;
  readonly why: "exchange" | "chance";
}

const DRAWN: Readonly<Record<Draw["why"], number>> = { exchange: 4, chance: 1 };

/** The cards of the running round. */
export class DealtCards {
  #due: Seat[] = [];
  #hands: Card[][] = [];
  #order: readonly Seat[] | null = null;
  /** Cards that have turned up in this round. */
  #seen: CardSet = NO_CARDS;

  constructor(readonly game: Game) {}

  /** Whose hand must come next. */
  get due(): Seat | undefined {
    return this.#due[0];
  }

  /** The hands by seat, once all have come. */
  get hands(): readonly (readonly Card[])[] {
    return this.#hands;
  }

  /** Why hands are dealt now. */
  get reason(): "deal" | "finale" {
    return this.game.nextHands.finale ? "finale" : "deal";
  }

  /** Begins a round. */
  begin(): void {
    const { dealer, seats, out } = this.game;
    const all = Array.from({ length: seats }, (_, seat) => seat);
    this.#due = all.filter((seat) => !out.includes(seat));
    this.#hands = all.map(() => []);
    this.#order = [...this.#due].sort((a, b) => Number(a <= dealer) - Number(b <= dealer) || a - b);
    this.#seen = NO_CARDS;
  }

  /** The seats in the order in which they are dealt to; null when this was asked before in this round. */
  orderOnce(): readonly Seat[] | null {
    const order = this.#order;
    this.#order = null;
    return order;
  }

  /** Takes the hand that must come next (E322, E323, E321, E320). */
  hand(record: LogRecord, line: number): Cards {
    const seat = this.due;
    const { count } = this.game.nextHands;
    const why = this.reason;
    if (record._ !== "cards" || seat === undefined) return found("E322", line, { expected: seat });
    if (record.why !== why) found("E323", line, { expected: why, actual: record.why });
    if (record.seat !== seat) found("E322", line, { expected: seat, actual: record.seat });
    if (record.cards.length !== count) found("E321", line, { expected: count, actual: record.cards.length });
    const cards = numbersOf(record.cards);
    for (const card of cards) this.#turnUp(card, line);
    this.#hands[seat] = cards;
    this.#due.shift();
    return record;
  }

  /** Takes the cards of an exchange or a chance draw (E324, E321, E320, E325). */
  drawn(record: LogRecord, { seat, why }: Draw, line: number): Cards {
    const rule: RuleId = why === "chance" ? "R-KANS-03" : "R-WAS-04";
    const count = DRAWN[why];
    if (record._ !== "cards" || record.why !== why || record.seat !== seat) return found("E324", line, { rule });
    if (record.cards.length !== count) found("E321", line, { rule, expected: count, actual: record.cards.length });
    const cards = numbersOf(record.cards);
    const stock = this.game.topOfStock(PACK_SIZE);
    // First the part of the stock that nobody has seen, then the cards that went back under it.
    cards.filter((_, i) => stock[i] === UNKNOWN).forEach((card) => this.#turnUp(card, line));
    const isWrong = cards.some((card, i) => stock[i] !== UNKNOWN && stock[i] !== card);
    if (isWrong) found("E325", line, { actual: record.cards });
    return record;
  }

  #turnUp(card: Card, line: number): void {
    if (hasCard(this.#seen, card)) found("E320", line);
    this.#seen |= onlyCard(card);
  }
}
