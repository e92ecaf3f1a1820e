/** Lines that must follow from an act: what is missing, and which field differs (log-format, L3, situation 1). */

import { cardOf, suitOf } from "../engine/cards.js";
import type { Game } from "../engine/game.js";
import type { GameRecord, RuleId } from "../engine/records.js";
import type { Ruleset } from "../engine/ruleset.js";
import type { Seat } from "../engine/seats.js";
import type { Code } from "../log/codes.js";
import type { LogRecord } from "../log/records.js";
import { found } from "./finding.js";

/** A record that follows from others. */
export type Follower = Extract<
  GameRecord,
  { _: "trick" | "score" | "penalty" | "auto" | "out" | "cards" | "open" | "show" | "void" | "discard" }
>;

/** What a finding about a line that must follow needs to know besides that line. */
export interface Scene {
  readonly rules: Ruleset;
  /** The game before the act from which the lines follow. */
  readonly before: Game | null;
  /** Whose act that was. */
  readonly actor: Seat;
}

const MISSING: Readonly<Record<Follower["_"], Code>> = {
  trick: "E350",
  score: "E351",
  penalty: "E352",
  auto: "E353",
  out: "E354",
  cards: "E324",
  open: "E355",
  show: "E356",
  void: "E357",
  discard: "E358",
};

/** Codes of the fields, in the order in which they are compared. */
const FIELDS: Readonly<Record<Follower["_"], readonly (readonly [field: string, code: Code])[]>> = {
  trick: [
    ["win", "E340"],
    ["lead", "E341"],
  ],
  score: [
    ["points", "E342"],
    ["total", "E343"],
  ],
  penalty: [
    ["seat", "E344"],
    ["why", "E347"],
    ["points", "E348"],
  ],
  auto: [["seats", "E345"]],
  out: [
    ["seat", "E346"],
    ["why", "E349"],
  ],
  cards: [],
  open: [
    ["seats", "E393"],
    ["stake", "E331"],
  ],
  show: [
    ["seat", "E394"],
    ["cards", "E395"],
  ],
  void: [["why", "E396"]],
  discard: [
    ["seat", "E328"],
    ["cards", "E328"],
    ["by", "E328"],
  ],
};

/** Whether a record of the engine is one that follows from others. */
export function isFollower(record: GameRecord): record is Follower {
  return Object.hasOwn(MISSING, record._);
}

/** The rule by which a game ends, and seats leave it at the limit. */
export function endRule(rules: Ruleset): RuleId {
  return rules.game_end === "first_out" ? "R-END-01" : "R-END-02";
}

/** The rule that a consequence follows from, where that is not the one of the code's page. */
function ruleOf(expected: Follower, rules: Ruleset): RuleId | undefined {
  if (expected._ === "penalty") return expected.why;
  if (expected._ === "cards") return expected.why === "chance" ? "R-KANS-03" : "R-WAS-04";
  if (expected._ === "open") return "R-ARM-03";
  if (expected._ !== "out") return undefined;
  return expected.why === "crosses" ? "R-KRUIS-01" : endRule(rules);
}

/** The rule that decides who wins a trick: about folded cards, about tricks that nobody follows, or the plain one. */
function trickRule(winner: Seat, claimed: unknown, { before, actor }: Scene): RuleId {
  const view = before?.view(null);
  const plays = view?.trick ?? [];
  const led = plays[0]?.card;
  const card = plays.find((play) => play.seat === winner)?.card;
  if (led !== undefined && card !== undefined && suitOf(cardOf(led)) !== suitOf(cardOf(card))) return "R-TIE-02";
  const inRound = new Set([...(view?.inRound ?? []), actor]);
  const foldedPart = [winner, claimed].some((seat) => typeof seat === "number" && !inRound.has(seat));
  return foldedPart && plays.some((play) => !inRound.has(play.seat)) ? "R-FOLD-02" : "R-TRICK-01";
}

function fieldRule(code: Code, expected: Follower, actual: unknown, scene: Scene): RuleId | undefined {
  if (code === "E340" && expected._ === "trick") return trickRule(expected.win, actual, scene);
  if (code === "E342" && expected._ === "score" && scene.rules.jack_bonus) {
    const bonus = expected.points.findIndex((points) => points < 0);
    if (bonus >= 0 && (actual as readonly number[])[bonus] !== expected.points[bonus]) return "R-BOER-01";
  }
  if (code === "E393" || code === "E342" || code === "E340") return undefined;
  return ruleOf(expected, scene.rules);
}

/** Stops with the code "missing" of a line that must stand here. */
export function missing(expected: Follower, line: number, rules: Ruleset): never {
  return found(MISSING[expected._], line, { rule: ruleOf(expected, rules), expected });
}

/** Compares a line with the one that must stand here. */
export function compare(record: LogRecord, expected: Follower, line: number, scene: Scene): void {
  if (record._ !== expected._) missing(expected, line, scene.rules);
  const actual = record as unknown as Readonly<Record<string, unknown>>;
  const wanted = expected as unknown as Readonly<Record<string, unknown>>;
  for (const [field, code] of FIELDS[expected._]) {
    if (String(actual[field]) === String(wanted[field])) continue;
    const details = { pointer: `/${field}`, expected: wanted[field], actual: actual[field] };
    found(code, line, { ...details, rule: fieldRule(code, expected, actual[field], scene) });
  }
}
