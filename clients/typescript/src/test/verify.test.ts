import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { rootFolder } from "./fixtures.js";

const VERIFY = fileURLToPath(new URL("../cli/verify.js", import.meta.url));
const ENGINE = fileURLToPath(new URL("../cli/engine.js", import.meta.url));

function log(name: string): string {
  return join(rootFolder(), "fixtures", "log", name);
}

function verify(...args: string[]): { readonly exit: number | null; readonly out: string } {
  const { status, stdout } = spawnSync(process.execPath, [VERIFY, ...args], { encoding: "utf8" });
  return { exit: status, out: stdout };
}

test("verdicts and exit codes", () => {
  const valid = verify(log("valid/cafe-3-round.toep.zst"));
  assert.equal(valid.exit, 0);
  assert.match(valid.out, /L4 {6}shuffle: pass\n/);
  assert.match(valid.out, /\nVALID\n$/);
  const invalid = verify("--quiet", log("invalid/E343-total.toep"));
  assert.equal(invalid.exit, 1);
  assert.match(invalid.out, /E343-total\.toep:18: error E343 \[R-SCORE-06\] wrong total .*\nINVALID\n$/);
  assert.equal(verify(log("no such file")).exit, 2);
  assert.equal(verify(log("unsupported/E102-format.toep")).exit, 3);
  assert.equal(verify(log("incomplete/torn.toep")).exit, 4);
});

test("of many files the worst one decides", () => {
  assert.equal(verify(log("valid/names.toep"), log("no such file")).exit, 2);
  assert.equal(verify(log("incomplete/torn.toep"), log("no such file")).exit, 4);
  assert.equal(verify(log("incomplete/torn.toep"), log("unsupported/E102-format.toep")).exit, 3);
});

test("a key is given as a file or as text", () => {
  const file = log("test-key.pub");
  assert.equal(verify("--level", "L5", "--key", file, log("valid/short-3-game-signed.toep")).exit, 0);
  const json = verify("--json", "--key", file, log("invalid/E506-none.toep"));
  const report = JSON.parse(json.out) as { findings: { code: string; line: number }[] };
  assert.deepEqual([report.findings[0]?.code, report.findings[0]?.line], ["E506", 1]);
});

test("mistakes of the user are no verdict", () => {
  for (const args of [[], ["--level", "L9", "x"], ["--key", "none", "x"], ["--what", "x"]]) {
    const { exit, out } = verify(...args);
    assert.deepEqual([exit, out], [2, ""]);
  }
  assert.equal(verify("--level", "L2", "--key", log("test-key.pub"), log("valid/names.toep")).exit, 2);
});

test("the engine protocol replays logs", () => {
  const requests = [
    { op: "replay", seq: 1, path: log("valid/names.toep") },
    { op: "replay", seq: 2, path: log("invalid/E341-last.toep") },
    { op: "replay", seq: 3, path: log("invalid/E341-last.toep"), level: "L2" },
    { op: "bye" },
  ];
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join("");
  const { stdout } = spawnSync(process.execPath, [ENGINE], { input, encoding: "utf8" });
  const answers = stdout.trim().split("\n").map((line) => JSON.parse(line) as unknown);
  assert.deepEqual(answers, [
    { seq: 1, result: { verdict: "VALID" } },
    { seq: 2, result: { verdict: "INVALID", line: 17, code: "E341" } },
    { seq: 3, result: { verdict: "VALID" } },
  ]);
});
