/** Reading cases strictly: whatever the reference of the case format does not name is an error. */

import { parseCard, type Card, type CardName } from "../engine/cards.js";
import { PLAIN_ACTS, SIGNS, type Act, type PlainAct, type Sign } from "../engine/records.js";
import { parseRuleset, RulesetError, type Ruleset, type RulesetFault } from "../engine/ruleset.js";
import { MOST_SEATS, type Seat } from "../engine/seats.js";
import type { Start, StartFault } from "../engine/start.js";

/** A case without what it expects. */
export interface Case {
  readonly rules: Ruleset;
  readonly seats: number;
  readonly start: Start;
  /** 64 hex digits from which the deals come; null where hands are given. */
  readonly seed: string | null;
  readonly acts: readonly Act[];
}

/** What is wrong with a request (fixtures/cases/README.md, "An engine that answers"). */
export type ErrorCode =
  | RulesetFault
  | StartFault
  | "format"
  | "unknown_op"
  | "seed_and_hands"
  | "refused"
  | "no_file"
  | "option";

/** A case that makes no sense. */
export class CaseError extends Error {
  override readonly name = "CaseError";

  constructor(
    message: string,
    readonly code: ErrorCode,
  ) {
    super(message);
  }
}

type Json = Readonly<Record<string, unknown>>;

const MOST_SMALL = 99;
const CASE_FIELDS = new Set(["id", "title", "rules", "seats", "start", "acts", "expect", "refs"]);
const START_FIELDS = new Set([
  "points",
  "dealer",
  "lead",
  "hands",
  "stock",
  "stake",
  "last",
  "folds",
  "run",
  "seed",
]);

function fail(message: string, code: ErrorCode = "format"): never {
  throw new CaseError(message, code);
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function object(value: unknown, what: string): Json {
  return isObject(value) ? value : fail(`${what} must be an object`);
}

function list(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : fail(`${what} must be a list`);
}

function integer(value: unknown, low: number, high: number, what: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= low && value <= high) return value;
  return fail(`${what} must be an integer from ${low} to ${high}`);
}

function seatNumber(value: unknown, what: string): Seat {
  return integer(value, 0, MOST_SEATS - 1, what);
}

function onlyFields(value: Json, fields: ReadonlySet<string>, what: string): void {
  for (const field of Object.keys(value)) {
    if (!fields.has(field)) fail(`${what} has no field ${field}`);
  }
}

/** The value that `read` makes of a field, or undefined where the field is absent or null. */
function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value);
}

function card(value: unknown): Card {
  const parsed = typeof value === "string" ? parseCard(value) : undefined;
  return parsed ?? fail(`no such card: ${JSON.stringify(value)}`);
}

function cardName(value: unknown): CardName {
  card(value);
  return value as CardName;
}

function integers(low: number, high: number, what: string): (value: unknown) => number[] {
  return (value) => list(value, what).map((entry) => integer(entry, low, high, what));
}

function seedOf(value: unknown): string {
  if (typeof value === "string" && /^[0-9a-f]{64}$/.test(value)) return value;
  return fail("a seed is 64 lower-case hex digits");
}

function parseStart(value: unknown): { readonly start: Start; readonly seed: string | null } {
  const json = object(value, "start");
  onlyFields(json, START_FIELDS, "start");
  const seed = optional(json["seed"], seedOf) ?? null;
  const counts = (field: string): number[] | undefined => optional(json[field], integers(0, MOST_SMALL, field));
  const hands = optional(json["hands"], (given) =>
    list(given, "hands").map((hand) => list(hand, "a hand").map(card)),
  );
  const points = integers(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, "points");
  const start: Start = {
    points: optional(json["points"], points),
    dealer: json["dealer"] === undefined ? 0 : seatNumber(json["dealer"], "dealer"),
    lead: optional(json["lead"], (seat) => seatNumber(seat, "lead")),
    hands,
    stock: json["stock"] === undefined ? [] : list(json["stock"], "stock").map(card),
    stake: json["stake"] === undefined ? 1 : integer(json["stake"], 1, MOST_SMALL, "stake"),
    last: optional(json["last"], (seat) => seatNumber(seat, "last")),
    folds: counts("folds"),
    run: counts("run"),
  };
  if (hands !== undefined && seed !== null) fail("a start has hands or a seed, not both", "seed_and_hands");
  if (hands === undefined && seed === null) fail("a start has hands or a seed", "no_cards");
  return { start, seed };
}

function isPlain(kind: string): kind is PlainAct["_"] {
  return PLAIN_ACTS.some((plain) => plain === kind);
}

function isSign(value: unknown): value is Sign {
  return SIGNS.some((sign) => sign === value);
}

/** An act from JSON; fields that an act does not have are ignored. */
export function parseAct(value: unknown): Act {
  const json = object(value, "an act");
  const kind = json["_"];
  const seat = seatNumber(json["seat"], "seat");
  if (typeof kind !== "string") return fail("an act has its kind under _");
  if (isPlain(kind)) return { _: kind, seat };
  switch (kind) {
    case "cut":
      return { _: "cut", at: integer(json["at"], 1, 31, "at"), seat };
    case "signal":
      return isSign(json["sign"]) ? { _: "signal", seat, sign: json["sign"] } : fail("no such sign");
    case "play":
      return { _: "play", card: cardName(json["card"]), seat };
    case "discard":
      return { _: "discard", cards: list(json["cards"], "cards").map(cardName), seat };
    default:
      return fail(`no such act: ${kind}`);
  }
}

function parseRules(value: unknown): Ruleset {
  try {
    return parseRuleset(value);
  } catch (error) {
    if (error instanceof RulesetError) return fail(error.message, error.code);
    throw error;
  }
}

/** A case from JSON; throws `CaseError` for one that makes no sense. What it expects is not looked at. */
export function parseCase(value: unknown): Case {
  const json = object(value, "a case");
  onlyFields(json, CASE_FIELDS, "a case");
  for (const field of ["id", "title"]) {
    if (json[field] !== undefined && typeof json[field] !== "string") fail(`${field} must be a string`);
  }
  if (json["refs"] !== undefined && !list(json["refs"], "refs").every((ref) => typeof ref === "string")) {
    fail("refs are strings");
  }
  const rules = parseRules(json["rules"] === undefined ? {} : json["rules"]);
  const seats = integer(json["seats"], 0, Number.MAX_SAFE_INTEGER, "seats");
  const acts = json["acts"] === undefined ? [] : list(json["acts"], "acts").map(parseAct);
  return { rules, seats, ...parseStart(json["start"]), acts };
}
