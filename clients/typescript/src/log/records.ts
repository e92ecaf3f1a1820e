/** The records of a log, as they are once a line has passed the schema (log-format, "Records"). */

import type { CardName } from "../engine/cards.js";
import type { Act, CardsWhy, ForfeitWhy, OutWhy, RuleId, Sign, VoidWhy } from "../engine/records.js";
import type { Ruleset } from "../engine/ruleset.js";
import type { Seat } from "../engine/seats.js";

/** The referee's policy about silence and faults (log-format, "Conduct"). */
export interface Conduct {
  readonly act_ms: number;
  readonly bank_ms?: number;
  readonly faults: number;
  readonly increment_ms?: number;
  readonly late_faults?: number;
  readonly left?: "wait";
  readonly link_faults?: number;
  readonly max_deals: number;
  readonly ready_ms?: number;
  readonly refused_faults?: number;
  readonly stall?: "excuse" | "void";
  readonly tries: number;
  readonly window_ms: number;
}

export interface Head {
  readonly _: "head";
  readonly clock: "ms" | "none";
  readonly commit: string;
  readonly conduct: Conduct;
  readonly deals: string;
  readonly edition: number;
  readonly engine?: string;
  readonly event?: string;
  readonly fmt: string;
  readonly isolation: "none" | "sandbox" | "uid";
  readonly key?: string;
  readonly length: "game" | { readonly rounds: number };
  readonly match: string;
  readonly open_seed?: string;
  readonly rules: Ruleset;
  readonly seats: readonly { readonly bot: string; readonly key?: string }[];
  readonly shuffle: string;
}

export interface Cards {
  readonly _: "cards";
  readonly cards: readonly CardName[];
  readonly salt: string;
  readonly seat: Seat;
  readonly why: CardsWhy;
}

export interface Draw {
  readonly _: "draw";
  readonly cards: readonly (readonly [Seat, CardName])[];
}

export interface Round {
  readonly _: "round";
  readonly dealer: Seat;
  readonly round: number;
  readonly try: number;
}

/** Why a message was no act that could be judged. */
export type ProtocolCode = "malformed" | "not_asked" | "too_large" | "unknown";

export interface Refused {
  readonly _: "refused";
  readonly at: number;
  readonly code: ProtocolCode | RuleId;
  readonly got?: Act;
  readonly salt: string;
  readonly seat: Seat;
}

export interface Late {
  readonly _: "late";
  readonly budget: number;
  readonly elapsed?: number;
  readonly seat: Seat;
  readonly verdict: "bot" | "host" | "link" | "referee";
}

export interface End {
  readonly _: "end";
  readonly n: number;
  readonly rank: readonly number[];
  readonly status: "abandoned" | "complete" | "forfeited";
  readonly total: readonly number[];
}

export interface Seal {
  readonly _: "seal";
  readonly n: number;
  readonly root: string;
  readonly sig: readonly (readonly [string, string])[];
}

/** What a log says of an act besides what the player sent; which fields are there depends on the kind. */
interface Filled {
  readonly seat: Seat;
  readonly by?: "ref";
  readonly ms?: number;
  readonly stake?: number;
  readonly pay?: number;
  readonly genuine?: boolean;
  readonly shown?: readonly CardName[];
  readonly salt?: string;
}

/** An act of a player as a log has it. */
export type LoggedAct = Filled &
  (
    | { readonly _: "blind" | "peek" | "chance" | "exchange" | "challenge" | "toep" | "stay" | "fold" | "resign" }
    | { readonly _: "cut"; readonly at: number }
    | { readonly _: "signal"; readonly sign: Sign }
    | { readonly _: "play"; readonly card: CardName }
    | { readonly _: "discard"; readonly cards: readonly CardName[] }
    | { readonly _: "confess"; readonly card?: CardName }
  );

/** What follows from acts. */
export type Consequence =
  | { readonly _: "auto"; readonly seats: readonly Seat[] }
  | { readonly _: "open"; readonly seats: readonly Seat[]; readonly stake: number }
  | { readonly _: "show"; readonly cards: readonly CardName[]; readonly seat: Seat }
  | { readonly _: "penalty"; readonly points: number; readonly seat: Seat; readonly why: RuleId }
  | { readonly _: "trick"; readonly lead?: Seat; readonly win: Seat }
  | { readonly _: "score"; readonly points: readonly number[]; readonly total: readonly number[] }
  | { readonly _: "out"; readonly seat: Seat; readonly why: OutWhy };

/** A record of a log. */
export type LogRecord =
  | Head
  | { readonly _: "entropy"; readonly e: readonly (string | null)[] }
  | Draw
  | Round
  | Cards
  | LoggedAct
  | Consequence
  | Refused
  | Late
  | { readonly _: "forfeit"; readonly seat: Seat; readonly why: ForfeitWhy }
  | { readonly _: "void"; readonly why: VoidWhy }
  | { readonly _: "ruling"; readonly seat?: Seat; readonly why: string }
  | End
  | { readonly _: "reveal"; readonly seed: string }
  | Seal
  | { readonly _: "~"; readonly hash: string };

/** The kinds of record. */
export type Kind = LogRecord["_"];

/** What a player sent, out of an act in a log. */
export function sentAct(act: LoggedAct): Act {
  const { seat } = act;
  switch (act._) {
    case "cut":
      return { _: act._, at: act.at, seat };
    case "signal":
      return { _: act._, seat, sign: act.sign };
    case "play":
      return { _: act._, card: act.card, seat };
    case "discard":
      return { _: act._, cards: act.cards, seat };
    default:
      return { _: act._, seat };
  }
}
