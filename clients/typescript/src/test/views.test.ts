import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { recordOf } from "../log/schema.js";
import { scan } from "../log/scan.js";
import { ViewMaker } from "../log/redact.js";
import type { Report } from "../validate/report.js";
import { Validator } from "../validate/validator.js";
import { rootFolder } from "./fixtures.js";

const VALID = join(rootFolder(), "fixtures", "log", "valid");
const LF = new Uint8Array([10]);

function linesOf(name: string): string[] {
  return readFileSync(join(VALID, name), "utf8").split("\n").slice(0, -1);
}

function makeView(lines: readonly string[], seat: number | null): string[] {
  const maker = new ViewMaker(seat);
  const shown = lines.flatMap((line) => maker.push({ bytes: Buffer.from(line), record: recordOf(scan(line)) }));
  return [...shown, ...maker.finish()].map((bytes) => Buffer.from(bytes).toString());
}

function check(lines: readonly string[]): Report {
  const run = new Validator();
  for (const line of lines) {
    run.push(Buffer.from(line));
    run.push(LF);
  }
  return run.finish();
}

test("views are those of the fixtures", () => {
  const lines = linesOf("cafe-3-round.toep");
  assert.deepEqual(makeView(lines, 1), linesOf("view-seat1.toep"));
  assert.deepEqual(makeView(lines, null), linesOf("view-spectator.toep"));
});

test("a view whose seed is known can be opened, and is as valid as its log", async (group) => {
  const logs = readdirSync(VALID).filter((name) => name.endsWith(".toep") && !name.startsWith("view-"));
  for (const name of logs) {
    await group.test(name, () => {
      const lines = linesOf(name);
      for (const seat of [null, 0, 1]) {
        const report = check(makeView(lines, seat));
        assert.equal(report.error, null);
        assert.equal(report.verdict, "VALID");
        assert.equal(report.opened, report.hidden);
      }
    });
  }
});

test("a hand that nobody has looked at is hidden from its own seat too", () => {
  const lines = linesOf("house-blind.toep");
  const own = lines.findIndex((line) => line.includes('"_":"cards"') && line.includes('"seat":0'));
  const view = makeView(lines, 0);
  assert.equal(view.length, lines.length);
  assert.ok(view[own]?.startsWith('{"_":"~"') || view[own] === lines[own]);
});
