/** Acts in a log: what they shut, what the referee plays, and what the game fills in (log-format, L3, situation 4). */

import { cardOf, rankOf, suitOf, type CardName } from "../engine/cards.js";
import type { Game } from "../engine/game.js";
import type { Shutting } from "../engine/phases.js";
import type { Act, ActKind, GameRecord, RuleId } from "../engine/records.js";
import type { Code } from "../log/codes.js";
import { isAct } from "../log/kinds.js";
import type { LoggedAct, LogRecord } from "../log/records.js";
import { found } from "./finding.js";

/** Which windows are before an act; acts of P1 and P2, and resigning, shut none (chapter 3 of the rule book). */
export const SHUTS: Readonly<Partial<Record<ActKind, Shutting>>> = {
  chance: "hands",
  exchange: "hands",
  challenge: "hands",
  signal: "hands",
  discard: "hands",
  stay: "answer",
  fold: "answer",
  play: "trick",
  toep: "trick",
  confess: "trick",
};

const DISCARDS = 3;

/** Whether a record is an act of a player. */
export function isLoggedAct(record: LogRecord): record is LoggedAct {
  return isAct(record._);
}

/** Cards from the lowest to the highest: by rank, then by suit in the order c d s h. */
function fromLowest(cards: readonly CardName[]): CardName[] {
  const key = (card: CardName): number => 4 * rankOf(cardOf(card)) + suitOf(cardOf(card));
  return [...cards].sort((one, two) => key(one) - key(two));
}

/** What the referee plays in the place of a seat; null where nothing is required of it ("Conduct"). */
export function refereeAct(game: Game, seat: number): Act | null {
  const asks = game.asks();
  if (!("seats" in asks) || !asks.seats.includes(seat)) return null;
  switch (asks.kind) {
    case "cut":
      return null;
    case "answer": {
      const folds = game.rules.answers === "clockwise" && game.check({ _: "fold", seat }) === null;
      return { _: folds ? "fold" : "stay", seat };
    }
    case "discard":
      return { _: "discard", cards: fromLowest(game.hand(seat)).slice(0, DISCARDS), seat };
    case "card": {
      const [card] = fromLowest(game.following(seat));
      return card === undefined ? null : { _: "play", card, seat };
    }
  }
}

/** Whether two acts are the same; the order of cards that are laid away does not matter here. */
export function sameAct(one: Act, two: Act): boolean {
  if (one._ !== two._ || one.seat !== two.seat) return false;
  if (one._ === "play" && two._ === "play") return one.card === two.card;
  if (one._ !== "discard" || two._ !== "discard") return true;
  return [...one.cards].sort().join() === [...two.cards].sort().join();
}

/** Stops where a time is missing, or stands where there is no clock (E389, E388). */
export function checkClock(act: LoggedAct, clock: "ms" | "none", line: number): void {
  if (act.ms !== undefined) {
    if (clock === "none") found("E388", line, { pointer: "/ms" });
  } else if (clock === "ms" && act.by === undefined && act._ !== "discard") {
    found("E389", line);
  }
}

type Fields = Readonly<Record<string, unknown>>;

const DERIVED: readonly (readonly [field: string, code: Code])[] = [
  ["stake", "E331"],
  ["pay", "E332"],
  ["genuine", "E333"],
  ["shown", "E334"],
  ["card", "E335"],
  ["cards", "E328"],
];

function confessCode(expected: Fields): readonly [Code, RuleId | undefined] {
  if (expected["card"] !== undefined) return ["E335", undefined];
  return ["E336", expected["pay"] === LATE_PRICE ? "R-VERZ-04" : undefined];
}

const LATE_PRICE = 3;

function derivedRule(kind: ActKind, code: Code): RuleId | undefined {
  if (code === "E331" && kind === "blind") return "R-BLIND-02";
  return code === "E328" ? "R-GRAF-01" : undefined;
}

/** Compares what the game fills in with what the log says (E331 to E336, E328). */
export function checkDerived(act: LoggedAct, expected: GameRecord, line: number): void {
  if (act._ === "play") return;
  const [actual, wanted] = [act as unknown as Fields, expected as unknown as Fields];
  for (const [field, code] of DERIVED) {
    if (String(actual[field]) === String(wanted[field])) continue;
    const details = { pointer: `/${field}`, expected: wanted[field], actual: actual[field] };
    const [own, rule] = act._ === "confess" ? confessCode(wanted) : [code, derivedRule(act._, code)];
    found(own, line, { ...details, rule });
  }
}
