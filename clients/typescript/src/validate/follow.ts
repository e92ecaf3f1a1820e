/** Lines that must follow from an act: what is missing, and which field differs (log-format, L3, situation 1). */

import { rankOf, suitOf } from "../engine/cards.js";
import type { Game } from "../engine/game.js";
import type { GameRecord, RuleId } from "../engine/records.js";
import type { Ruleset } from "../engine/ruleset.js";
import type { Code } from "../log/codes.js";
import type { LogRecord } from "../log/records.js";
import { found } from "./finding.js";

/** A record that follows from others. */
export type Follower = Extract<
  GameRecord,
  { _: "trick" | "score" | "penalty" | "auto" | "out" | "cards" | "open" | "show" | "void" | "discard" }
>;

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

/** The rule that decides who wins a trick: the plain one, that about folded cards, or that without a follower. */
function trickRule({ lastTrick, rules }: Game): RuleId {
  const { plays, inRound } = lastTrick;
  const [first] = plays;
  const followers = plays.filter(({ card }) => first !== undefined && suitOf(card) === suitOf(first.card));
  const highest = Math.max(...followers.map(({ card }) => rankOf(card)));
  if (followers.some(({ card, seat }) => rankOf(card) === highest && inRound.includes(seat))) return "R-TRICK-01";
  const hasFollowed = followers.some(({ seat }) => inRound.includes(seat));
  return hasFollowed || rules.folded_cards === "win" ? "R-FOLD-02" : "R-TIE-02";
}

/** Whether points differ where one of the two numbers is below zero, as only a bonus can make them. */
function isAboutBonus(expected: readonly number[], actual: unknown): boolean {
  const given = Array.isArray(actual) ? (actual as readonly number[]) : [];
  return expected.some((points, seat) => {
    const other = given[seat] ?? points;
    return other !== points && Math.min(other, points) < 0;
  });
}

/** The rule of a finding about a line that must follow; undefined where it is that of the code's page. */
function ruleOf(code: Code, expected: Follower, actual: unknown, game: Game): RuleId | undefined {
  switch (expected._) {
    case "trick":
      if (code !== "E341") return trickRule(game);
      return game.lastTrick.inRound.includes(expected.win) ? "R-TRICK-02" : "R-TRICK-03";
    case "score":
      return code === "E342" && isAboutBonus(expected.points, actual) ? "R-BOER-01" : undefined;
    case "penalty":
      return expected.why;
    case "cards":
      return expected.why === "chance" ? "R-KANS-03" : "R-WAS-04";
    case "open":
      return code === "E331" ? "R-ARM-03" : undefined;
    case "out":
      return expected.why === "crosses" && code !== "E349" ? "R-KRUIS-01" : endRule(game.rules);
    case "discard":
      return laidAwayRule(game.rules);
    default:
      return undefined;
  }
}

/** The rule of E328 and E358: without chance draws only finales have cards that are laid away. */
export function laidAwayRule(rules: Ruleset): RuleId {
  return rules.chance ? "R-KANS-04" : "R-GRAF-01";
}

/** Stops with the code "missing" of a line that must stand here. */
export function missing(expected: Follower, line: number, game: Game): never {
  const code = MISSING[expected._];
  return found(code, line, { rule: ruleOf(code, expected, undefined, game), expected });
}

/** Compares a line with the one that must stand here. */
export function compare(record: LogRecord, expected: Follower, line: number, game: Game): void {
  if (record._ !== expected._) missing(expected, line, game);
  const actual = record as unknown as Readonly<Record<string, unknown>>;
  const wanted = expected as unknown as Readonly<Record<string, unknown>>;
  for (const [field, code] of FIELDS[expected._]) {
    if (String(actual[field]) === String(wanted[field])) continue;
    const details = { pointer: `/${field}`, expected: wanted[field], actual: actual[field] };
    found(code, line, { ...details, rule: ruleOf(code, expected, actual[field], game) });
  }
}
