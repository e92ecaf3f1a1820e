import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import type { Level } from "../log/codes.js";
import { toBase64 } from "../log/base64.js";
import { leafOf, MerkleTree } from "../log/merkle.js";
import { Order } from "../validate/order.js";
import type { Report } from "../validate/report.js";
import { Validator } from "../validate/validator.js";
import { rootFolder } from "./fixtures.js";

function linesOf(name: string): string[] {
  return readFileSync(join(rootFolder(), "fixtures", "log", name), "utf8").split("\n").slice(0, -1);
}

function spliced(lines: readonly string[], at: number, removed: number, ...added: readonly string[]): string[] {
  return [...lines.slice(0, at), ...added, ...lines.slice(at + removed)];
}

/** Makes counts and roots right again after a change. */
function sealed(lines: readonly string[]): string[] {
  const tree = new MerkleTree();
  return lines.map((line, n) => {
    const root = tree.root();
    const seal = root === undefined ? line : `{"_":"seal","n":${n},"root":"${toBase64(root)}","sig":[]}`;
    const right = line.startsWith('{"_":"seal"') ? seal : line;
    tree.add(leafOf(Buffer.from(right)));
    return right;
  });
}

function check(lines: readonly string[], level?: Level): Report {
  const run = new Validator({ level });
  run.push(Buffer.from(`${lines.join("\n")}\n`));
  return run.finish();
}

/** The code and the line of the first error. */
function first(report: Report): readonly [string | undefined, number | undefined] {
  return [report.error?.code, report.error?.line];
}

test("a level looks no further than it says", () => {
  const lines = linesOf("invalid/E330-R-SUIT-01.toep");
  for (const level of ["L0", "L1", "L2"] as const) assert.equal(check(lines, level).verdict, "VALID", level);
  assert.deepEqual(first(check(lines, "L3")), ["E330", 7]);
  const other = linesOf("invalid/E412-cards.toep");
  assert.equal(check(other, "L3").verdict, "VALID");
  assert.deepEqual(first(check(other, "L4")), ["E412", 4]);
  assert.equal(check(linesOf("invalid/E502-last.toep"), "L4").verdict, "VALID");
});

test("what is incomplete is so at every level", () => {
  for (const level of ["L0", "L1", "L2", "L3", "L4"] as const) {
    assert.equal(check(linesOf("incomplete/unsealed-reveal.toep"), level).verdict, "INCOMPLETE");
    assert.equal(check(linesOf("incomplete/view-seat1.toep"), level).verdict, "INCOMPLETE");
  }
});

test("a log that stops after any of its lines is incomplete, and nothing is wrong with it", () => {
  const lines = linesOf("valid/sealed-answers.toep");
  for (let count = 0; count < lines.length; count += 1) {
    const report = check(lines.slice(0, count));
    if (count === 0) continue;
    assert.deepEqual([report.verdict, report.error], ["INCOMPLETE", null], `${count} lines`);
  }
});

test("a line that is taken out or stands twice is noticed", () => {
  const lines = linesOf("valid/cafe-3-round.toep");
  for (const [i, line] of lines.entries()) {
    assert.equal(check(sealed(spliced(lines, i, 1))).verdict === "VALID", false, `without ${line}`);
    assert.equal(check(sealed(spliced(lines, i, 0, line))).verdict, "INVALID", `twice ${line}`);
  }
});

test("the first finding is the one that is made first", () => {
  const lines = linesOf("valid/short-2-plain.toep");
  const at = lines.findIndex((line) => line.startsWith('{"_":"play"'));
  const changed = (line: string): string[] => sealed(spliced(lines, at, 0, line));
  const late = (fields: string): string => `{"_":"late","budget":1,${fields},"verdict":"bot"}`;
  assert.deepEqual(first(check(changed(late('"elapsed":2,"seat":0')))), ["E390", at + 1]);
  assert.deepEqual(first(check(changed(late('"seat":0')))), ["E391", at + 1]);
  assert.deepEqual(first(check(changed('{"_":"void","why":"revoke"}'))), ["E392", at + 1]);
  assert.deepEqual(first(check(changed('{"_":"toep","by":"ref","seat":1,"stake":2}'))), ["E382", at + 1]);
  assert.deepEqual(first(check(changed('{"_":"toep","ms":1,"seat":1,"stake":9}'))), ["E388", at + 1]);
  assert.deepEqual(first(check(changed('{"_":"forfeit","seat":2,"why":"faults"}'))), ["E330", at + 1]);
  assert.deepEqual(first(check(changed('{"_":"forfeit","seat":1,"why":"faults"}'))), ["E387", at + 1]);
});

test("order: exceptions come before the code of the state", () => {
  assert.equal(new Order().step("cut"), "E215");
  assert.equal(new Order().step("draw"), "E201");
  assert.equal(new Order().step("seal"), "E210");
  const order = new Order();
  const opening = ["head", "seal", "ruling", "entropy", "ruling", "draw"] as const;
  for (const kind of opening) assert.equal(order.step(kind), null);
  assert.equal(order.step("entropy"), "E204");
  assert.equal(order.step("play"), "E205");
});
