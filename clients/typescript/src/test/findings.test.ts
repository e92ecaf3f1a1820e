import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import type { CardName } from "../engine/cards.js";
import type { Act, GameRecord } from "../engine/records.js";
import { toBase64 } from "../log/base64.js";
import { leafOf, MerkleTree } from "../log/merkle.js";
import { ViewMaker } from "../log/redact.js";
import type { LogRecord, Refused } from "../log/records.js";
import { scan } from "../log/scan.js";
import { recordOf } from "../log/schema.js";
import type { Report } from "../validate/report.js";
import { rootFolder } from "./fixtures.js";
import { checkLines, Table } from "./table.js";

const SEALED = { preset: "short", answers: "simultaneous", game_end: "last_standing" } as const;

function plain(kind: "toep" | "stay" | "fold" | "resign" | "exchange" | "challenge", seat: number): Act {
  return { _: kind, seat };
}

function first({ error }: Report): readonly unknown[] {
  return [error?.code, error?.line, error?.rule];
}

/** The lines of a fixture, some of them changed. */
function changed(name: string, change: (line: string, number: number) => string): Uint8Array[] {
  const text = readFileSync(join(rootFolder(), "fixtures", "log", name), "utf8");
  return text.split("\n").slice(0, -1).map((line, i) => Buffer.from(change(line, i + 1)));
}

test("forfeits come in the order in which seats have earned them", () => {
  const table = (): Table => {
    const made = new Table({ rules: SEALED, seats: 4, conduct: { faults: 1 } }).deal().act(plain("toep", 1));
    made.late(plain("stay", 0)).late(plain("stay", 2));
    made.game.apply(plain("stay", 3));
    return made.add({ _: "stay", seat: 3 });
  };
  const right = table();
  right.add(...right.game.forfeit(0, "faults")).add(...right.game.forfeit(2, "faults"));
  assert.equal(right.check().error, null);
  const wrong = table();
  wrong.add(...wrong.game.forfeit(2, "faults"));
  assert.deepEqual(first(wrong.check()), ["E387", 14, undefined]);
  const none = table();
  none.act(none.game.legal(1)[0] ?? assert.fail());
  assert.deepEqual(first(none.check()).slice(0, 2), ["E386", 14]);
});

test("whoever gives up in a sealed step needs not wait for a forfeit", () => {
  const table = new Table({ rules: SEALED, seats: 4, conduct: { faults: 1 } }).deal().act(plain("toep", 1));
  table.late(plain("stay", 0)).act(plain("resign", 2));
  table.game.apply(plain("stay", 3));
  table.add({ _: "stay", seat: 3 }).add(...table.game.forfeit(0, "faults"));
  assert.equal(table.check().error, null);
});

/** A round that is over after three acts, with a refusal before its score. */
function withRefusal(rules: unknown, refusal: Omit<Refused, "_" | "salt">): Report {
  const table = new Table({ rules, seats: 3 }).deal();
  if (table.game.stage === "cut") table.add(...table.game.deal());
  table.act(plain("toep", 1), plain("fold", 2));
  const [fold, ...rest] = table.game.apply(plain("fold", 0));
  assert.ok(fold !== undefined);
  return table.add(fold, { _: "refused", ...refusal } as LogRecord, ...rest).check();
}

test("a refusal is judged in every position in which the seat may have been asked", () => {
  const cut: Act = { _: "cut", at: 3, seat: 2 };
  const rules = { preset: "short", cut: true };
  assert.equal(withRefusal(rules, { at: 0, code: "R-CUT-01", got: cut, seat: 2 }).error, null);
  const other = withRefusal(rules, { at: 0, code: "R-TURN-01", got: cut, seat: 2 });
  assert.deepEqual(first(other), ["E379", 10, "R-CUT-01"]);
  const legal = withRefusal("short", { at: 0, code: "R-TOEP-04", got: plain("toep", 2), seat: 2 });
  assert.deepEqual(first(legal), ["E378", 10, "R-TOEP-04"]);
  const shut = withRefusal("cafe", { at: 0, code: "R-WAS-10", got: plain("exchange", 2), seat: 2 });
  assert.equal(shut.error, null);
  const open = withRefusal("cafe", { at: 0, code: "R-WAS-12", got: plain("exchange", 2), seat: 2 });
  assert.deepEqual(first(open), ["E379", 10, "R-WAS-10"]);
});

test("a confession: first whether its card comes back, then its price", () => {
  const name = "valid/club-3-revokes.toep";
  const inTime = changed(name, (line, n) => (n === 55 ? line.replace(',"seat"', ',"pay":1,"seat"') : line));
  assert.deepEqual(first(checkLines(inTime)).slice(0, 2), ["E336", 55]);
  const late = changed(name, (line, n) => (n === 31 ? line.replace(',"pay"', ',"card":"8d","pay"') : line));
  assert.deepEqual(first(checkLines(late)), ["E335", 31, "R-VERZ-02"]);
  const noPrice = changed(name, (line, n) => (n === 31 ? line.replace(',"pay":2', "") : line));
  assert.deepEqual(first(checkLines(noPrice)), ["E336", 31, "R-VERZ-03"]);
});

test("drawn cards: those that nobody has seen come before those that went back", () => {
  const known = changed("invalid/E325-order.toep", (line) => line.replace('["9d","Js","Jd","Ad"]', '["Ad","Jd","Js","Tc"]'));
  assert.deepEqual(first(checkLines(known)), ["E325", 16, "R-WAS-08"]);
  const rules = { preset: "short", exchange: "until_empty", exchange_caught: "old_hand" };
  const table = new Table({ rules, seats: 2 }).deal();
  const [, drawn] = table.game.apply(plain("exchange", 1));
  assert.ok(drawn?._ === "cards");
  table.add({ _: "exchange", seat: 1 }, drawn).act(plain("challenge", 0));
  const [exchange, again] = table.game.apply(plain("exchange", 0));
  assert.ok(exchange !== undefined && again?._ === "cards");
  const cards: CardName[] = [drawn.cards[0] ?? "Th", ...again.cards.slice(1)];
  table.add(exchange, { ...again, cards });
  assert.deepEqual(first(table.check()), ["E320", table.lines.length, "R-DECK-01"]);
});

/** A trick that the card of a seat takes which has folded since, and its line as it is changed. */
function foldedTrick(change: (trick: { win: number; lead?: number }) => object): Report {
  for (let choice = 0; choice < 4; choice += 1) {
    const table = new Table({ rules: "cafe", seats: 3 }).deal();
    const lead = table.game.legal(1).filter(({ _ }) => _ === "play")[choice];
    table.act(lead ?? assert.fail(), plain("toep", 2), plain("stay", 0), plain("fold", 1));
    table.act(table.game.legal(2).find(({ _ }) => _ === "play") ?? assert.fail());
    const records = table.game.apply(table.game.legal(0).find(({ _ }) => _ === "play") ?? assert.fail());
    const trick = records.find((record) => record._ === "trick" && record.win === 1);
    if (trick?._ !== "trick") continue;
    const lines = records.map((record) => (record === trick ? { ...trick, ...change(trick) } : record));
    return table.add(...(lines as GameRecord[])).check();
  }
  return assert.fail("the leader has no card that wins");
}

test("the rule of a finding about a trick is the one that decides it", () => {
  assert.deepEqual(first(foldedTrick(() => ({ win: 2 }))).filter((_, i) => i !== 1), ["E340", "R-FOLD-02"]);
  assert.deepEqual(first(foldedTrick(() => ({ lead: 0 }))).filter((_, i) => i !== 1), ["E341", "R-TRICK-03"]);
});

/** Makes the roots of unsigned seals right again. */
function sealed(lines: readonly Uint8Array[]): Uint8Array[] {
  const tree = new MerkleTree();
  return lines.map((line, n) => {
    const root = tree.root();
    const isSeal = root !== undefined && Buffer.from(line).toString().startsWith('{"_":"seal"');
    const right = isSeal ? Buffer.from(`{"_":"seal","n":${n},"root":"${toBase64(root)}","sig":[]}`) : line;
    tree.add(leafOf(right));
    return right;
  });
}

test("a view is read as it stands before it is opened", () => {
  const wrong = (line: string, n: number): string => (n === 4 ? line.replace(/"salt":"../, '"salt":"zz') : line);
  const lines = sealed(changed("valid/cafe-3-round.toep", (line, n) => wrong(line, n).replace("zz", "00")));
  const maker = new ViewMaker(0);
  const view = lines.flatMap((bytes) => maker.push({ bytes, record: recordOf(scan(Buffer.from(bytes).toString())) }));
  assert.deepEqual(first(checkLines(lines)), ["E412", 4, undefined]);
  assert.deepEqual(first(checkLines(view)), ["E412", 4, undefined]);
  const last = Buffer.from(view.at(-1) ?? []).toString();
  const broken = Buffer.from(last.replace(/"root":"./, (text) => text.slice(0, -1) + (text.endsWith("A") ? "B" : "A")));
  assert.deepEqual(first(checkLines([...view.slice(0, -1), broken])), ["E502", view.length, undefined]);
  assert.deepEqual(first(checkLines([...lines.slice(0, -1), broken])), ["E412", 4, undefined]);
});

test("what a log cannot show", () => {
  const codes = (report: Report): string[] => report.warnings.map(({ code }) => code);
  const setting = { rules: "short", seats: 2 };
  assert.deepEqual(codes(new Table(setting).end("abandoned").check()), ["W010", "W013"]);
  assert.deepEqual(codes(new Table(setting).end("abandoned").check("L4")), ["W010"]);
  const entropy = new Table(setting).add({ _: "entropy", e: [null, null] }).end("abandoned").check();
  assert.deepEqual([entropy.verdict, ...codes(entropy)], ["VALID", "W013"]);
});
