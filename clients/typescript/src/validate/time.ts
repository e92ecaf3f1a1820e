/** How long seats have for the acts that are required of them (log-format, "Time"). */

import type { Game } from "../engine/game.js";
import type { Seat } from "../engine/seats.js";
import type { Conduct, LoggedAct } from "../log/records.js";

/** The acts whose time counts, where the seat must act. */
const TIMED: ReadonlySet<LoggedAct["_"]> = new Set(["play", "toep", "stay", "fold"]);

/** Whether an act is required of a seat. */
export function mustAct(game: Game, seat: Seat): boolean {
  const asks = game.asks();
  return "seats" in asks && asks.seats.includes(seat);
}

/** Whether the time of an act counts, in the position before it. */
export function isTimed(act: LoggedAct, game: Game): boolean {
  return TIMED.has(act._) && mustAct(game, act.seat);
}

/** The banks of all seats, and who has still the time of a first act. */
export class Budgets {
  readonly #banks: number[];
  /** Who has given an act that counts, or has been late. */
  readonly #begun = new Set<Seat>();

  constructor(
    readonly conduct: Conduct,
    seats: number,
  ) {
    this.#banks = new Array<number>(seats).fill(conduct.bank_ms ?? 0);
  }

  /** Whether the times of acts are held against the budget. */
  get limitsActs(): boolean {
    const { act_ms, bank_ms, increment_ms, ready_ms } = this.conduct;
    return bank_ms !== undefined || increment_ms !== undefined || (ready_ms !== undefined && ready_ms > act_ms);
  }

  /** What a seat has for what is required of it now; for a discard there is no bank. */
  budget(seat: Seat, game: Game): number {
    const bank = game.asks().kind === "discard" ? 0 : (this.#banks[seat] ?? 0);
    return this.#basic(seat) + bank;
  }

  /** Books an act that counts; one of the referee has no `ms`. */
  acted(seat: Seat, ms: number | undefined): void {
    if (ms !== undefined) {
      const { increment_ms = 0 } = this.conduct;
      // A time that is not held against the budget may be more than there was.
      const left = Math.max(0, (this.#banks[seat] ?? 0) - Math.max(0, ms - this.#basic(seat)));
      this.#banks[seat] = left + increment_ms;
    }
    this.#begun.add(seat);
  }

  /** Notes a passed deadline. */
  late(seat: Seat): void {
    this.#begun.add(seat);
  }

  /** Takes all that is in the bank of a seat. */
  empty(seat: Seat): void {
    this.#banks[seat] = 0;
  }

  #basic(seat: Seat): number {
    const { act_ms, ready_ms = 0 } = this.conduct;
    return this.#begun.has(seat) ? act_ms : Math.max(act_ms, ready_ms);
  }
}
