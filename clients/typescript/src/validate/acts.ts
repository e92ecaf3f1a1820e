/** Acts in a log: what they shut, what the referee plays, and what the game fills in (log-format, L3, situation 4). */

import { cardOf, rankOf, suitOf, type CardName } from "../engine/cards.js";
import type { Game } from "../engine/game.js";
import type { Shutting } from "../engine/phases.js";
import type { Act, ActKind, GameRecord, RuleId } from "../engine/records.js";
import type { Code } from "../log/codes.js";
import { isAct } from "../log/kinds.js";
import type { LoggedAct, LogRecord } from "../log/records.js";
import { found } from "./finding.js";
import { laidAwayRule } from "./follow.js";

/** Which windows are shut before an act (log-format, L3, situation 4); other acts shut none. */
export const SHUTS: Readonly<Partial<Record<ActKind, Shutting>>> = {
  chance: "hands",
  exchange: "hands",
  signal: "hands",
  discard: "hands",
  stay: "trick",
  fold: "trick",
  play: "trick",
  toep: "trick",
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
  ["cards", "E328"],
];

/** What a confession has filled in: whether its card comes back is looked at first. */
const DERIVED_CONFESS: typeof DERIVED = [
  ["card", "E335"],
  ["pay", "E336"],
];

function derivedRule(kind: ActKind, code: Code, wanted: Fields, game: Game): RuleId | undefined {
  if (code === "E331" && kind === "blind") return "R-BLIND-02";
  if (code === "E336") return wanted["pay"] === game.stake + 1 ? "R-VERZ-03" : "R-VERZ-04";
  return code === "E328" ? laidAwayRule(game.rules) : undefined;
}

/** Compares what the game fills in with what the log says (E331 to E336, E328); `game` has the stake of the act. */
export function checkDerived(act: LoggedAct, expected: GameRecord, game: Game, line: number): void {
  if (act._ === "play") return;
  const [actual, wanted] = [act as unknown as Fields, expected as unknown as Fields];
  for (const [field, code] of act._ === "confess" ? DERIVED_CONFESS : DERIVED) {
    if (String(actual[field]) === String(wanted[field])) continue;
    const details = { pointer: `/${field}`, expected: wanted[field], actual: actual[field] };
    found(code, line, { ...details, rule: derivedRule(act._, code, wanted, game) });
  }
}
