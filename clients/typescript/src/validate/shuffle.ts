/** The shuffle and the salts: what follows from the seed (log-format, "Shuffle" and L4). */

import { hexToBytes } from "@noble/hashes/utils.js";

import { cardOf, nameOf, type Card, type CardName } from "../engine/cards.js";
import { commitment, dealKey, lineSalt, packFromKey } from "../engine/deal.js";
import { distribute } from "../engine/dealing.js";
import type { Seat } from "../engine/seats.js";
import type { Code } from "../log/codes.js";
import type { Cards, Draw, Head, Round } from "../log/records.js";
import { found } from "./finding.js";

/** What happens in a deal, as far as it concerns the shuffle. */
export type DealEvent =
  | { readonly kind: "cut"; readonly at: number }
  | { readonly kind: "hands"; readonly order: readonly Seat[]; readonly size: number }
  | { readonly kind: "cards"; readonly line: number; readonly record: Cards }
  | { readonly kind: "salt"; readonly line: number; readonly salt: string }
  | { readonly kind: "back"; readonly cards: readonly Card[] };

const CODES: Readonly<Record<Cards["why"], Code>> = { deal: "E410", finale: "E410", exchange: "E411", chance: "E414" };

/** One deal as the seed gives it. */
export class SeededDeal {
  readonly #key: Uint8Array;
  #pack: readonly Card[];
  #hands: ReadonlyMap<Seat, readonly Card[]> = new Map();
  #stock: readonly Card[] = [];

  constructor(
    readonly head: Head,
    seed: Uint8Array,
    entropy: readonly Uint8Array[],
    round: Pick<Round, "round" | "try">,
  ) {
    this.#key = dealKey({ seed, deals: head.deals, round: round.round, attempt: round.try, entropy });
    this.#pack = packFromKey(this.#key);
  }

  /** The salt of a private line. */
  salt(line: number): string {
    return lineSalt(this.#key, this.head.match, line - 1);
  }

  /** The cards on top of the pack. */
  top(count: number): readonly CardName[] {
    return this.#pack.slice(0, count).map(nameOf);
  }

  /** The cards that a seat receives next. */
  next(seat: Seat, why: Cards["why"]): readonly CardName[] {
    if (why === "chance") return this.#stock.slice(0, 1).map(nameOf);
    if (why === "exchange") return this.#stock.slice(0, 4).map(nameOf);
    return (this.#hands.get(seat) ?? []).map(nameOf);
  }

  /** Takes what happens, and checks cards and salts. */
  take(event: DealEvent): void {
    switch (event.kind) {
      case "cut":
        this.#pack = [...this.#pack.slice(event.at), ...this.#pack.slice(0, event.at)];
        return;
      case "hands":
        ({ hands: this.#hands, stock: this.#stock } = distribute(
          this.#pack,
          event.order,
          event.size,
          this.head.rules.deal_pattern,
        ));
        return;
      case "back":
        this.#stock = [...this.#stock, ...event.cards];
        return;
      case "salt":
        return this.#checkSalt(event.salt, event.line);
      case "cards":
        return this.#checkCards(event.record, event.line);
    }
  }

  #checkSalt(actual: string, line: number): void {
    const expected = this.salt(line);
    if (actual !== expected) found("E412", line, { expected, actual });
  }

  #checkCards({ cards, salt, seat, why }: Cards, line: number): void {
    const expected = this.next(seat, why);
    if (cards.join() !== expected.join()) found(CODES[why], line, { expected, actual: cards });
    if (why === "chance" || why === "exchange") this.#stock = this.#stock.slice(cards.length);
    this.#checkSalt(salt, line);
  }
}

interface NotedRound {
  readonly round: Pick<Round, "round" | "try">;
  readonly events: DealEvent[];
}

/** Checks cards and salts as they come where the seed is known, and else keeps them until it is. */
export class Shuffle {
  #seed: Uint8Array | null = null;
  #entropy: readonly Uint8Array[] = [];
  #draw: { readonly record: Draw; readonly line: number } | null = null;
  #rounds: NotedRound[] = [];
  #deal: SeededDeal | null = null;

  constructor(
    readonly head: Head,
    line: number,
  ) {
    const { commit, open_seed } = head;
    if (open_seed === undefined) return;
    const seed = hexToBytes(open_seed);
    if (commitment(seed) !== commit) found("E403", line, { expected: commit, actual: commitment(seed) });
    this.#seed = seed;
  }

  /** The running deal as the seed gives it; null while the seed is not known. */
  get deal(): SeededDeal | null {
    return this.#deal;
  }

  get known(): boolean {
    return this.#seed !== null;
  }

  entropy(values: readonly (string | null)[]): void {
    this.#entropy = values.map((value) => (value === null ? new Uint8Array(0) : hexToBytes(value)));
  }

  drawn(record: Draw, line: number): void {
    this.#draw = { record, line };
    if (this.#seed !== null) this.#checkDraw(this.#seed);
  }

  begin(record: Round): void {
    const round = { round: record.round, try: record.try };
    if (this.#seed === null) this.#rounds.push({ round, events: [] });
    else this.#deal = new SeededDeal(this.head, this.#seed, this.#entropy, round);
  }

  take(event: DealEvent): void {
    if (this.#deal === null) this.#rounds.at(-1)?.events.push(event);
    else this.#deal.take(event);
  }

  /** Whether a revealed seed is the right one (E402, E401); gives it. */
  confirm(seed: string, line: number): Uint8Array {
    const { commit, open_seed } = this.head;
    if (open_seed !== undefined && seed !== open_seed) found("E402", line, { expected: open_seed, actual: seed });
    const bytes = hexToBytes(seed);
    if (commitment(bytes) !== commit) found("E401", line, { actual: seed });
    return bytes;
  }

  /** Whether a revealed seed is the right one, and then everything that was kept. */
  reveal(seed: string, line: number): void {
    this.know(this.confirm(seed, line));
  }

  /** Checks everything that was kept by a seed that is right, and goes on with it. */
  know(seed: Uint8Array): void {
    if (this.#seed !== null) return;
    this.#seed = seed;
    this.#checkDraw(seed);
    for (const { round, events } of this.#rounds) {
      this.#deal = new SeededDeal(this.head, seed, this.#entropy, round);
      for (const event of events) this.#deal.take(event);
    }
    this.#rounds = [];
  }

  #checkDraw(seed: Uint8Array): void {
    if (this.#draw === null) return;
    const { record, line } = this.#draw;
    const actual = record.cards.map(([, card]) => card);
    const expected = new SeededDeal(this.head, seed, this.#entropy, { round: 0, try: 1 }).top(actual.length);
    if (actual.join() !== expected.join()) found("E413", line, { expected, actual });
  }
}

/** The cards of a record as numbers. */
export function numbersOf(cards: readonly CardName[]): Card[] {
  return cards.map(cardOf);
}
