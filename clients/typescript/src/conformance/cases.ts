/** Running cases, and counting sequences of legal acts from them. Pure: no input and no output. */

import { hexToBytes } from "@noble/hashes/utils.js";

import type { Card, CardName } from "../engine/cards.js";
import { packOf } from "../engine/deal.js";
import { Game } from "../engine/game.js";
import { UNCOUNTED } from "../engine/legal.js";
import type { Act, RuleId } from "../engine/records.js";
import { NOBODY } from "../engine/seats.js";
import { StartError } from "../engine/start.js";
import { CaseError, type Case } from "./parse.js";

/** What is true after the acts of a case. */
export interface Result {
  readonly points?: readonly number[];
  readonly total: readonly number[];
  readonly dealer: number;
  readonly lead: number | null;
  readonly winner: number | null;
  readonly out: readonly number[];
  readonly ended: boolean;
  readonly refused?: readonly [number, RuleId];
  readonly hands: readonly (readonly CardName[])[];
  readonly legal: Readonly<Record<string, readonly Act[]>>;
}

/** How many sequences of legal acts there are, and how many begin with each act. */
export interface Count {
  readonly count: number;
  readonly sub: readonly (readonly [Act, number])[];
}

/** A position with everything that could be done in it, also in windows that no act has shut yet. */
interface Position {
  /** The position with P1 and P2 closed, because nobody uses them any more. */
  readonly closed: Game;
  readonly legal: readonly (readonly Act[])[];
}

/** A game, and the packs that its deals come from. */
class Table {
  readonly game: Game;
  readonly #seed: Uint8Array | null;

  constructor(given: Case) {
    this.#seed = given.seed === null ? null : hexToBytes(given.seed);
    try {
      this.game = Game.start(given.rules, given.seats, given.start);
    } catch (error) {
      if (error instanceof StartError) throw new CaseError(error.message, error.code);
      throw error;
    }
  }

  /** The pack of a deal: no name of the deals and no entropy. */
  #pack(round: number, attempt: number): Card[] {
    if (this.#seed === null) throw new Error("a case with hands has no deals");
    return packOf({ seed: this.#seed, deals: "", round, attempt });
  }

  /** Puts the next pack on the table where one is needed; deals that nobody may cut follow one another. */
  offer(game: Game): void {
    for (let ask = game.asks(); ask.kind === "pack"; ask = game.asks()) {
      game.offer(this.#pack(ask.round, ask.attempt));
    }
  }

  /** Deals, also again and again while four alike end a round as soon as it is dealt. */
  deal(game: Game): void {
    for (this.offer(game); game.stage === "cut"; this.offer(game)) game.deal();
  }

  /** The position after the acts, with and without P1 and P2; what closing them ends is followed by the next deal. */
  position(): Position {
    const open = this.game.clone();
    for (;;) {
      this.offer(open);
      const cuts = open.stage === "cut" ? legalBySeat(open) : [];
      if (open.stage === "cut") open.deal();
      const closed = open.clone();
      if (closed.unseen) closed.pickUpHands();
      if (closed.stage === "round") {
        return { closed, legal: legalBySeat(open).map((acts, seat) => [...(cuts[seat] ?? []), ...acts]) };
      }
      if (closed.stage !== "shuffle") return { closed, legal: legalBySeat(closed) };
      if (open.unseen) open.pickUpHands();
    }
  }
}

function legalBySeat(game: Game): (readonly Act[])[] {
  return Array.from({ length: game.seats }, (_, seat) => game.legal(seat));
}

function perform(table: Table, acts: readonly Act[]): readonly [number, RuleId] | undefined {
  const { game } = table;
  for (const [index, act] of acts.entries()) {
    if (act._ === "cut") table.offer(game);
    else table.deal(game);
    const rule = game.check(act);
    if (rule !== null) return [index, rule];
    game.apply(act);
  }
  return undefined;
}

/** Applies the acts of a case up to the first that is refused, and says what is true then. */
export function runCase(given: Case): Result {
  const table = new Table(given);
  const refused = perform(table, given.acts);
  const { closed: game, legal } = table.position();
  const { outcome } = game;
  return {
    ...(outcome === null ? {} : { points: outcome.points }),
    total: game.total,
    dealer: game.dealer,
    lead: game.lead,
    winner: outcome === null || outcome.winner === NOBODY ? null : outcome.winner,
    out: game.out,
    ended: game.over,
    ...(refused === undefined ? {} : { refused }),
    hands: Array.from({ length: game.seats }, (_, seat) => game.hand(seat)),
    legal: Object.fromEntries(legal.map((acts, seat): [string, readonly Act[]] => [String(seat), acts])),
  };
}

function counted(game: Game): Act[] {
  return legalBySeat(game).flatMap((acts) => acts.filter((act) => !UNCOUNTED.has(act._)));
}

function countFrom(game: Game, depth: number): number {
  if (depth === 0 || game.stage !== "round") return 1;
  const acts = counted(game);
  if (depth === 1) return acts.length;
  let count = 0;
  for (const act of acts) {
    const next = game.clone();
    next.apply(act);
    count += countFrom(next, depth - 1);
  }
  return count;
}

/**
 * Counts the sequences of `depth` legal acts after the acts of a case; the end of the round ends a sequence. Windows
 * stay open, and with a seed the next deal follows, uncut.
 */
export function countCase(given: Case, depth: number): Count {
  const table = new Table(given);
  const refused = perform(table, given.acts);
  if (refused !== undefined) throw new CaseError(`act ${refused[0]} is refused by ${refused[1]}`, "refused");
  const { game } = table;
  table.deal(game);
  if (depth === 0 || game.stage !== "round") return { count: 1, sub: [] };
  const sub = counted(game).map((act): [Act, number] => {
    const next = game.clone();
    next.apply(act);
    return [act, countFrom(next, depth - 1)];
  });
  return { count: sub.reduce((sum, [, count]) => sum + count, 0), sub };
}
