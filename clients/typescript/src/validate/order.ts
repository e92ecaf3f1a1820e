/** The order of records: a machine over their kinds (log-format, L2). */

import type { Code } from "../log/codes.js";
import { isAct } from "../log/kinds.js";
import type { Kind } from "../log/records.js";

/** Where a log stands, as far as the order of its records goes. */
export type Place =
  | "start"
  | "head"
  | "opening"
  | "entropy"
  | "between"
  | "round"
  | "cut"
  | "dealt"
  | "refused"
  | "score"
  | "end"
  | "final"
  | "reveal"
  | "complete";

const ELSE: Readonly<Record<Place, Code>> = {
  start: "E201",
  head: "E203",
  opening: "E204",
  entropy: "E204",
  between: "E205",
  round: "E206",
  cut: "E206",
  dealt: "E207",
  refused: "E208",
  score: "E209",
  end: "E211",
  final: "E212",
  reveal: "E213",
  complete: "E214",
};

const NO_SEAL: ReadonlySet<Place> = new Set([
  "start",
  "opening",
  "entropy",
  "between",
  "round",
  "cut",
  "dealt",
  "refused",
]);

const IN_ROUND: ReadonlySet<Kind> = new Set<Kind>([
  "cards",
  "auto",
  "open",
  "show",
  "penalty",
  "trick",
  "out",
  "late",
  "forfeit",
  "void",
  "ruling",
]);

/** What may follow in each place, and where that leads; acts in a round are added below. */
const NEXT: Readonly<Record<Place, Partial<Record<Kind, Place>>>> = {
  start: { head: "head" },
  head: { seal: "opening" },
  opening: { entropy: "entropy", draw: "between", ruling: "opening", round: "round", end: "end" },
  entropy: { draw: "between", ruling: "entropy", round: "round", end: "end" },
  between: { ruling: "between", round: "round", end: "end" },
  round: { cut: "cut", ruling: "round", cards: "dealt" },
  cut: { ruling: "cut", cards: "dealt" },
  dealt: { refused: "refused", score: "score" },
  refused: { refused: "refused", score: "score" },
  score: { out: "score", seal: "between" },
  end: { seal: "final" },
  final: { reveal: "reveal" },
  reveal: { seal: "complete" },
  complete: {},
};

/** The machine. */
export class Order {
  #place: Place = "start";

  get place(): Place {
    return this.#place;
  }

  /** Takes the next record; the code of its fault, or null. */
  step(kind: Kind): Code | null {
    const place = this.#place;
    const next = NEXT[place][kind] ?? (place === "dealt" && this.#inRound(kind) ? "dealt" : undefined);
    if (next !== undefined) {
      this.#place = next;
      return null;
    }
    if (kind === "head" && place !== "start") return "E202";
    if (kind === "seal" && NO_SEAL.has(place)) return "E210";
    if (kind === "cut") return "E215";
    if ((kind === "draw" || kind === "entropy") && place !== "start") return "E204";
    return ELSE[place];
  }

  #inRound(kind: Kind): boolean {
    return IN_ROUND.has(kind) || (isAct(kind) && kind !== "cut");
  }
}
