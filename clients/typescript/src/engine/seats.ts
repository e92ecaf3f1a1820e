/** Seats, and sets of seats as bit masks. Seats are 0 to 7, clockwise (R-PLAY-01, R-PLAY-02). */

import { bitsOf, countBits } from "./bits.js";

export type Seat = number;

/** A set of seats: bit `i` is seat `i`. */
export type Seats = number;

/** The seat of nobody. It is in no set. */
export const NOBODY: Seat = -1;

/** The most seats that a table has (R-PLAY-01). */
export const MOST_SEATS = 8;

/** The set that has only this seat; empty for nobody. */
export function only(seat: Seat): Seats {
  return seat < 0 ? 0 : 1 << seat;
}

/** The seats 0 to `count` - 1. */
export function firstSeats(count: number): Seats {
  return (1 << count) - 1;
}

/** Whether the seat is in the set. */
export function has(set: Seats, seat: Seat): boolean {
  return (set & only(seat)) !== 0;
}

/** How many seats the set has. */
export function size(set: Seats): number {
  return countBits(set);
}

/** The seats of the set in ascending order. */
export function seatsOf(set: Seats): Seat[] {
  return bitsOf(set);
}

/** The seats among `set` for which `test` holds. */
export function filterSeats(set: Seats, test: (seat: Seat) => boolean): Seats {
  let found = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) {
    const lowest = rest & -rest;
    if (test(31 - Math.clz32(lowest))) found |= lowest;
  }
  return found;
}

/** The first seat of the set clockwise from `seat`, `seat` itself first; nobody when the set is empty (R-PLAY-02). */
export function firstFrom(set: Seats, seat: Seat): Seat {
  const ahead = set & (-1 << seat);
  const pick = ahead === 0 ? set : ahead;
  return pick === 0 ? NOBODY : 31 - Math.clz32(pick & -pick);
}

/** The first seat of the set clockwise from the left of `seat`, `seat` itself last (R-PLAY-02). */
export function firstAfter(set: Seats, seat: Seat): Seat {
  return firstFrom(set, (seat + 1) % MOST_SEATS);
}

/** The first seat of the set counter-clockwise from the right of `seat`, `seat` itself last (R-CUT-01). */
export function firstBefore(set: Seats, seat: Seat): Seat {
  const behind = set & (only(seat) - 1);
  const pick = behind === 0 ? set : behind;
  return pick === 0 ? NOBODY : 31 - Math.clz32(pick);
}

/** The seats of the set clockwise from the left of `seat`, `seat` itself last (R-PLAY-02). */
export function clockwiseAfter(set: Seats, seat: Seat): Seat[] {
  const seats = seatsOf(set);
  const split = seats.findIndex((other) => other > seat);
  return split < 0 ? seats : [...seats.slice(split), ...seats.slice(0, split)];
}
