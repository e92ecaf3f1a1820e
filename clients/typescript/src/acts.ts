/** What a player does. */

import type { Card } from "./cards.js";

/** How far ahead a pass reaches: this window only, or every window until the trick or the round ends. */
export type Reach = "window" | "trick" | "round";

/** The signs a player can give. */
export type Sign = "whistle" | "sing" | "stand";

/** An act without further detail. */
export type PlainKind =
  | "blind"
  | "peek"
  | "chance"
  | "exchange"
  | "challenge"
  | "toep"
  | "stay"
  | "fold"
  | "confess"
  | "resign";

/** One act. Make it with the function of the same name: `play(card)`, `toep()`, `pass("round")`. */
export type Act =
  | { readonly kind: PlainKind }
  | { readonly kind: "pass"; readonly until: Reach }
  | { readonly kind: "cut"; readonly at: number }
  | { readonly kind: "signal"; readonly sign: Sign }
  | { readonly kind: "play"; readonly card: Card }
  | { readonly kind: "discard"; readonly cards: readonly Card[] };

/** The kinds of act. */
export type ActKind = Act["kind"];

/** Declines a window, or every window until the trick or the round ends. */
export const pass = (until: Reach = "window"): Act => ({ kind: "pass", until });

/**
 * Cuts the pack: that many cards go from the top to the bottom.
 *
 * @throws RangeError unless it is 1 to 31
 */
export function cut(at: number): Act {
  if (!Number.isInteger(at) || at < 1 || at > 31) {
    throw new RangeError(`a cut is at 1 to 31, not at ${at}`);
  }
  return { kind: "cut", at };
}

/** Toeps before anybody has seen a card. */
export const blind = (): Act => ({ kind: "blind" });

/** Looks at one's cards too early. */
export const peek = (): Act => ({ kind: "peek" });

/** Draws one card to three alike: kans op toep. */
export const chance = (): Act => ({ kind: "chance" });

/** Lays down the whole hand for four new cards: vuile was. */
export const exchange = (): Act => ({ kind: "exchange" });

/** Turns up the hand that was laid down in the latest exchange. */
export const challenge = (): Act => ({ kind: "challenge" });

/** Gives a sign. */
export const signal = (sign: Sign): Act => ({ kind: "signal", sign });

/** Knocks: raises the stake by one. */
export const toep = (): Act => ({ kind: "toep" });

/** Goes along with a toep. */
export const stay = (): Act => ({ kind: "stay" });

/** Declines a toep and leaves the round. */
export const fold = (): Act => ({ kind: "fold" });

/** Plays a card. */
export const play = (card: Card): Act => ({ kind: "play", card });

/** Lays away three cards in a finale. */
export const discard = (cards: readonly Card[]): Act => ({ kind: "discard", cards });

/** Owns up to a revoke. */
export const confess = (): Act => ({ kind: "confess" });

/** Gives up the game. */
export const resign = (): Act => ({ kind: "resign" });

/** One line for people, such as `play Th`. */
export function describe(act: Act): string {
  switch (act.kind) {
    case "pass":
      return act.until === "window" ? "pass" : `pass until the end of the ${act.until}`;
    case "cut":
      return `cut at ${act.at}`;
    case "signal":
      return `signal ${act.sign}`;
    case "play":
      return `play ${act.card.name}`;
    case "discard":
      return `discard ${act.cards.map((card) => card.name).join(" ")}`;
    default:
      return act.kind;
  }
}
