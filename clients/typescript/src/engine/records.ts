/** Acts and records, spelled as in cases and logs. */

import type { CardName } from "./cards.js";
import type { Seat } from "./seats.js";

/** The id of a rule: `R-TOEP-08`, `H-02`. */
export type RuleId = `R-${string}-${string}` | `H-${string}`;

export const SIGNS = ["whistle", "sing", "stand"] as const;

/** What a signal may be (R-FLUIT-01, R-FLUIT-03). */
export type Sign = (typeof SIGNS)[number];

/** The kinds of act that say nothing but who does it. */
export const PLAIN_ACTS = [
  "blind",
  "peek",
  "chance",
  "exchange",
  "challenge",
  "toep",
  "stay",
  "fold",
  "confess",
  "resign",
] as const;

export interface PlainAct {
  readonly _: (typeof PLAIN_ACTS)[number];
  readonly seat: Seat;
}

export interface CutAct {
  readonly _: "cut";
  readonly at: number;
  readonly seat: Seat;
}

export interface SignalAct {
  readonly _: "signal";
  readonly seat: Seat;
  readonly sign: Sign;
}

export interface PlayAct {
  readonly _: "play";
  readonly card: CardName;
  readonly seat: Seat;
}

export interface DiscardAct {
  readonly _: "discard";
  readonly cards: readonly CardName[];
  readonly seat: Seat;
}

/** What a player does. */
export type Act = PlainAct | CutAct | SignalAct | PlayAct | DiscardAct;

export type ActKind = Act["_"];

/** Why a seat received cards. */
export type CardsWhy = "deal" | "exchange" | "chance" | "finale";

/** Why a seat left the game, or lost it. */
export type OutWhy = "limit" | "crosses" | "penalty" | "resign" | "forfeit";

/** Why a round is void. */
export type VoidWhy = "revoke" | "crash" | "cancelled";

/** Why the referee takes a seat out. */
export type ForfeitWhy = "faults" | "left";

/**
 * What happened, as a log has it: acts with the fields that follow from the rules, and consequences. Private records
 * are without their salts, acts without times; both belong to whoever writes the log.
 */
export type GameRecord =
  | { readonly _: "draw"; readonly cards: readonly (readonly [Seat, CardName])[] }
  | { readonly _: "round"; readonly dealer: Seat; readonly round: number; readonly try: number }
  | CutAct
  | { readonly _: "cards"; readonly cards: readonly CardName[]; readonly seat: Seat; readonly why: CardsWhy }
  | { readonly _: "blind" | "toep"; readonly seat: Seat; readonly stake: number }
  | { readonly _: "peek" | "chance" | "exchange" | "stay" | "resign"; readonly seat: Seat }
  | { readonly _: "challenge"; readonly genuine: boolean; readonly seat: Seat; readonly shown: readonly CardName[] }
  | SignalAct
  | { readonly _: "fold"; readonly pay: number; readonly seat: Seat }
  | PlayAct
  | DiscardAct
  | { readonly _: "confess"; readonly card?: CardName; readonly pay?: number; readonly seat: Seat }
  | { readonly _: "auto"; readonly seats: readonly Seat[] }
  | { readonly _: "open"; readonly seats: readonly Seat[]; readonly stake: number }
  | { readonly _: "show"; readonly cards: readonly CardName[]; readonly seat: Seat }
  | { readonly _: "penalty"; readonly points: number; readonly seat: Seat; readonly why: RuleId }
  | { readonly _: "trick"; readonly lead?: Seat; readonly win: Seat }
  | { readonly _: "score"; readonly points: readonly number[]; readonly total: readonly number[] }
  | { readonly _: "out"; readonly seat: Seat; readonly why: OutWhy }
  | { readonly _: "forfeit"; readonly seat: Seat; readonly why: ForfeitWhy }
  | { readonly _: "void"; readonly why: VoidWhy };

/** The records that follow from an act, in the order in which they happen. */
export type Log = GameRecord[];
