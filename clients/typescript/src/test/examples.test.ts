import assert from "node:assert/strict";
import { test } from "node:test";

import { runCase } from "../conformance/cases.js";
import { parseCase } from "../conformance/parse.js";
import { readText } from "./fixtures.js";

const PLAIN: Readonly<Record<string, string>> = {
  "!": "toep",
  "+": "stay",
  "-": "fold",
  "~": "exchange",
  "?": "challenge",
  "*": "blind",
  "@": "peek",
  "%": "chance",
  "=": "confess",
  "#": "resign",
};

function seatOf(letter: string): number {
  return letter.charCodeAt(0) - "A".charCodeAt(0);
}

function actOf(word: string): object {
  const seat = seatOf(word);
  const [kind = "", rest = ""] = [word[1], word.slice(2)];
  if (kind === ":") return { _: "play", card: rest, seat };
  if (kind === "^") return { _: "signal", seat, sign: rest };
  if (kind === "/") return { _: "discard", cards: rest.match(/../g) ?? [], seat };
  return { _: PLAIN[kind], seat };
}

/** `A 1, B 0` as a list, with zeros for seats that are not named. */
function numbers(text: string, seats: number): number[] {
  const list = new Array<number>(seats).fill(0);
  for (const part of text.split(", ")) list[seatOf(part)] = Number(part.slice(2));
  return list;
}

function optionsOf(text: string): object {
  const [preset, ...options] = text.split(", ");
  const values = options.map((option) => {
    const [name = "", value = ""] = option.split(" ");
    return [name, /^(\d+|true|false)$/.test(value) ? (JSON.parse(value) as unknown) : value];
  });
  return { preset, ...Object.fromEntries(values) };
}

function runExample(fields: ReadonlyMap<string, string>): void {
  const text = (field: string): string => fields.get(field) ?? "";
  const hands = text("hands").split(" | ").map((hand) => hand.split(" ").slice(1));
  const seats = hands.length;
  const seat = (field: string): object => (fields.has(field) ? { [field]: seatOf(text(field)) } : {});
  const acts = text("acts") === "-" ? [] : text("acts").split(" ").map(actOf);
  const start = {
    hands,
    points: numbers(text("points") || "A 0", seats),
    ...(fields.has("stock") ? { stock: text("stock").split(" ") } : {}),
    ...(fields.has("stake") ? { stake: Number(text("stake")) } : {}),
    ...(fields.has("folds") ? { folds: numbers(text("folds"), seats) } : {}),
    ...(fields.has("run") ? { run: numbers(text("run"), seats) } : {}),
    ...seat("dealer"),
    ...seat("lead"),
  };
  const result = runCase(parseCase({ rules: optionsOf(text("rules")), seats, start, acts }));
  const refused = fields.has("refused") ? [acts.length - 1, text("refused")] : undefined;
  assert.deepEqual(result.refused, refused);
  if (fields.has("gives")) assert.deepEqual(result.points, numbers(text("gives"), seats));
  if (fields.has("total")) assert.deepEqual(result.total, numbers(text("total"), seats));
  if (fields.has("winner")) assert.equal(result.winner, text("winner") === "nobody" ? null : seatOf(text("winner")));
  if (fields.has("out")) assert.deepEqual(result.out, text("out").split(" ").map(seatOf));
  if (fields.has("deals")) assert.equal(result.dealer, seatOf(text("deals")));
  if (fields.has("holds")) {
    const [who = "", ...cards] = text("holds").split(" ");
    assert.deepEqual([...(result.hands[seatOf(who)] ?? [])].sort(), cards.sort());
  }
}

const blocks = [...readText("docs", "rules.md").matchAll(/```text\n(rules [^`]+)```/g)].map((match) => match[1] ?? "");

for (const [number, block] of blocks.entries()) {
  const fields = block.trim().split("\n").map((line): [string, string] => {
    const [field = ""] = line.split(" ");
    return [field, line.slice(field.length).trim()];
  });
  // The first block explains the notation and is no example.
  if (block.includes("a preset, then options that differ")) continue;
  test(`example ${number} of the rule book: ${new Map(fields).get("acts") ?? ""}`, () => runExample(new Map(fields)));
}
