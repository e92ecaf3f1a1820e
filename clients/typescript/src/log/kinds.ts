/** The kinds of record and their fields (log-format, "Records"). */

import { OPTIONS, type OptionValues } from "../engine/ruleset.js";
import { PLAIN_ACTS } from "../engine/records.js";
import * as is from "./checks.js";
import { fault, shape, type Check, type Shape } from "./checks.js";
import { isJsonObject } from "./json.js";

const DAY_MS = 86_400_000;

function checkOf(values: OptionValues): Check {
  switch (values.kind) {
    case "flag":
      return is.flag;
    case "number":
      return is.integer(values.low, values.high);
    case "word":
      return is.oneOf(...values.words);
  }
}

const RULES = shape(Object.fromEntries(Object.entries(OPTIONS).map(([name, values]) => [name, checkOf(values)])));
const MOST_FAULTS = 1_000_000;
const CONDUCT = shape({
  act_ms: is.integer(1, DAY_MS),
  "bank_ms?": is.integer(1, DAY_MS),
  faults: is.integer(0, MOST_FAULTS),
  "increment_ms?": is.integer(1, DAY_MS),
  "late_faults?": is.integer(1, MOST_FAULTS),
  "left?": is.oneOf("wait"),
  "link_faults?": is.integer(1, MOST_FAULTS),
  max_deals: is.integer(1, 100_000),
  "ready_ms?": is.integer(1, DAY_MS),
  "refused_faults?": is.integer(1, MOST_FAULTS),
  "stall?": is.oneOf("excuse", "void"),
  tries: is.integer(1, 15),
  window_ms: is.integer(1, DAY_MS),
});
const SEAT = shape({ bot: is.display, "key?": is.vkey });
const ROUNDS = is.nested(shape({ rounds: is.integer(1, 1_000_000) }));
const length: Check = (value, pointer) => (value === "game" ? null : ROUNDS(value, pointer));

const kind: Check = is.anyString;
const RULE_ID = "[RH]-[A-Z0-9-]{2,12}";

/** Fields that the game or the referee fills in; a player does not send them (log-format, "Acts of players"). */
const FILLED: Readonly<Record<string, Check>> = {
  by: is.oneOf("ref"),
  genuine: is.flag,
  ms: is.count,
  pay: is.small,
  salt: is.salt,
  shown: is.cards,
  stake: is.small,
};

/** What an act has besides `_` and `seat`: what a player sends, and what is filled in. */
interface ActFields {
  readonly sent?: Readonly<Record<string, Check>>;
  readonly filled?: readonly string[];
  /** Filled in, and not always there. */
  readonly sometimes?: Readonly<Record<string, Check>>;
}

const ACTS: ReadonlyMap<string, ActFields> = new Map<string, ActFields>([
  ...PLAIN_ACTS.map((plain): [string, ActFields] => [plain, {}]),
  ["blind", { filled: ["stake"] }],
  ["toep", { filled: ["stake"] }],
  ["fold", { filled: ["pay"] }],
  ["challenge", { filled: ["genuine", "shown"] }],
  ["confess", { sometimes: { card: is.card, pay: is.small } }],
  ["cut", { sent: { at: is.integer(1, 31) } }],
  ["signal", { sent: { sign: is.oneOf("sing", "stand", "whistle") } }],
  ["play", { sent: { card: is.card } }],
  ["discard", { sent: { cards: is.cards }, filled: ["salt"] }],
]);

function optional(fields: Readonly<Record<string, Check>>): Record<string, Check> {
  return Object.fromEntries(Object.entries(fields).map(([key, test]) => [`${key}?`, test]));
}

function actShape({ sent = {}, filled = [], sometimes = {} }: ActFields): Shape {
  const own = Object.fromEntries(filled.map((key): [string, Check] => [key, FILLED[key] ?? is.anyString]));
  const always = optional({ by: is.oneOf("ref"), ms: is.count });
  return shape({ _: kind, seat: is.seat, ...sent, ...optional({ ...own, ...sometimes }), ...always });
}

/** An act as it was sent: derived fields of this act, and of none else, are known there only to be refused (E113). */
function sentShape({ sent = {}, filled = [], sometimes = {} }: ActFields): Shape {
  const known = ["by", "ms", "salt", ...filled];
  const extra = Object.fromEntries(known.map((key): [string, Check] => [key, FILLED[key] ?? is.anyString]));
  return shape({ _: kind, seat: is.seat, ...sent, ...optional({ ...extra, ...sometimes }) });
}

const ACT_SHAPES = new Map([...ACTS].map(([act, fields]): [string, Shape] => [act, actShape(fields)]));
const SENT_SHAPES = new Map([...ACTS].map(([act, fields]): [string, Shape] => [act, sentShape(fields)]));

const got: Check = (value, pointer) => {
  if (!isJsonObject(value)) return fault("E108", pointer);
  const act = value["_"];
  if (act === undefined) return fault("E106", `${pointer}/_`);
  if (typeof act !== "string") return fault("E108", `${pointer}/_`);
  if (!KINDS.has(act)) return fault("E101", `${pointer}/_`);
  const sent = SENT_SHAPES.get(act);
  return sent === undefined ? fault("E108", `${pointer}/_`) : is.checkFields(value, sent, pointer);
};

/** Every kind of record with its fields. */
export const KINDS: ReadonlyMap<string, Shape> = new Map([
  ...ACT_SHAPES,
  ...Object.entries({
    head: shape({
      _: kind,
      clock: is.oneOf("ms", "none"),
      commit: is.hash,
      conduct: is.nested(CONDUCT),
      deals: is.name,
      edition: is.number,
      "engine?": is.matching(/^[ -~]{1,64}$/),
      "event?": is.name,
      fmt: is.name,
      isolation: is.oneOf("none", "sandbox", "uid"),
      "key?": is.vkey,
      length,
      match: is.name,
      "open_seed?": is.hash,
      rules: is.nested(RULES),
      seats: is.objects(SEAT, 2, 8),
      shuffle: is.name,
    }),
    entropy: shape({ _: kind, e: is.entropy }),
    draw: shape({ _: kind, cards: is.drawn }),
    round: shape({ _: kind, dealer: is.seat, round: is.number, try: is.number }),
    cards: shape({
      _: kind,
      cards: is.cards,
      salt: is.salt,
      seat: is.seat,
      why: is.oneOf("chance", "deal", "exchange", "finale"),
    }),
    auto: shape({ _: kind, seats: is.seats }),
    open: shape({ _: kind, seats: is.seats, stake: is.small }),
    show: shape({ _: kind, cards: is.cards, seat: is.seat }),
    penalty: shape({ _: kind, points: is.small, seat: is.seat, why: is.matching(new RegExp(`^${RULE_ID}$`)) }),
    trick: shape({ _: kind, "lead?": is.seat, win: is.seat }),
    score: shape({ _: kind, points: is.points, total: is.points }),
    out: shape({ _: kind, seat: is.seat, why: is.oneOf("crosses", "forfeit", "limit", "penalty", "resign") }),
    late: shape({
      _: kind,
      budget: is.count,
      "elapsed?": is.count,
      seat: is.seat,
      verdict: is.oneOf("bot", "host", "link", "referee"),
    }),
    refused: shape({
      _: kind,
      at: is.count,
      code: is.matching(new RegExp(`^(?:malformed|not_asked|too_large|unknown|${RULE_ID})$`)),
      "got?": got,
      salt: is.salt,
      seat: is.seat,
    }),
    forfeit: shape({ _: kind, seat: is.seat, why: is.oneOf("faults", "left") }),
    void: shape({ _: kind, why: is.oneOf("cancelled", "crash", "revoke") }),
    ruling: shape({ _: kind, "seat?": is.seat, why: is.matching(/^[ -~]{0,200}$/) }),
    end: shape({
      _: kind,
      n: is.number,
      rank: is.ranks,
      status: is.oneOf("abandoned", "complete", "forfeited"),
      total: is.points,
    }),
    reveal: shape({ _: kind, seed: is.hash }),
    seal: shape({ _: kind, n: is.number, root: is.root, sig: is.signatures }),
    "~": shape({ _: kind, hash: is.root }),
  }),
]);

/** The fields that the game fills in, and that an act in a log must have, by the kind of act. */
export const FILLED_IN: ReadonlyMap<string, readonly string[]> = new Map(
  [...ACTS].map(([act, { filled = [] }]): [string, readonly string[]] => [act, filled]),
);

/** Whether records of a kind are acts of players. */
export function isAct(kindOfRecord: string): boolean {
  return ACTS.has(kindOfRecord);
}

/** The kinds that are private, and so have a salt and no extensions (log-format, "What is private"). */
export const PRIVATE: ReadonlySet<string> = new Set(["cards", "discard", "refused"]);
