/** Faults of seats, by kind, and whom the referee has to take out for them (log-format, "Conduct"). */

import type { Seat } from "../engine/seats.js";
import type { Conduct, Late } from "../log/records.js";

/** Why the referee acted: answers were refused, the seat had no connection, or it was late otherwise. */
type FaultKind = "refused" | "link" | "late";

/** Who was slow, as a `late` says. */
export type Verdict = Late["verdict"];

/** Whether lateness is the referee's own, and the conduct says what becomes of it. */
export function isExcused(verdict: Verdict, { stall }: Conduct): boolean {
  return stall !== undefined && (verdict === "host" || verdict === "referee");
}

function kindOf(verdict: Verdict | undefined): FaultKind {
  if (verdict === undefined) return "refused";
  return verdict === "link" ? "link" : "late";
}

/** Counts faults of all seats. */
export class Faults {
  readonly #counts: Record<FaultKind, number>[];
  /** Whose forfeit is due, in the order in which they reached a limit. */
  #due: Seat[] = [];

  constructor(
    readonly conduct: Conduct,
    seats: number,
  ) {
    this.#counts = Array.from({ length: seats }, () => ({ refused: 0, link: 0, late: 0 }));
  }

  /** Counts an act of the referee for a seat, behind a `late` with a verdict or none. */
  add(seat: Seat, verdict: Verdict | undefined): void {
    const counts = this.#counts[seat];
    if (counts === undefined || (verdict !== undefined && isExcused(verdict, this.conduct))) return;
    const kind = kindOf(verdict);
    counts[kind] += 1;
    const all = counts.refused + counts.link + counts.late;
    const reaches = all === this.conduct.faults || counts[kind] === this.conduct[`${kind}_faults`];
    if (reaches && !this.#due.includes(seat)) this.#due.push(seat);
  }

  /** The seat that must be taken out first; seats that are out already are passed over. */
  due(out: readonly Seat[]): Seat | undefined {
    this.#due = this.#due.filter((seat) => !out.includes(seat));
    return this.#due[0];
  }
}
