import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ENGINE = fileURLToPath(new URL("../cli/engine.js", import.meta.url));
const CASE = { rules: "short", seats: 2, start: { hands: [["Jh"], ["Th"]], lead: 0 }, acts: [] };

/** What the engine answers to these lines, one object a line. */
function talk(...lines: readonly unknown[]): Readonly<Record<string, unknown>>[] {
  const input = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  const { stdout, status } = spawnSync(process.execPath, [ENGINE], { input, encoding: "utf8" });
  assert.equal(status, 0);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("hello, run, count, replay and bye", () => {
  const [hello, run, count, replay, ...more] = talk(
    { op: "hello" },
    { op: "run", seq: 1, case: CASE },
    { op: "count", seq: "two", case: CASE, depth: 2 },
    { op: "replay", seq: 3, path: "match.toep" },
    { op: "bye" },
    { op: "hello" },
  );
  assert.equal((hello?.["result"] as { protocol: number }).protocol, 1);
  assert.equal(run?.["seq"], 1);
  assert.deepEqual((run?.["result"] as { total: number[] }).total, [0, 0]);
  assert.equal(count?.["seq"], "two");
  assert.deepEqual(count?.["result"], {
    count: 7,
    sub: [
      [{ _: "toep", seat: 0 }, 2],
      [{ _: "play", card: "Jh", seat: 0 }, 3],
      [{ _: "toep", seat: 1 }, 2],
    ],
  });
  assert.deepEqual(replay?.["result"], { verdict: "UNREADABLE" });
  assert.deepEqual(more, []);
});

test("requests that make no sense", () => {
  const start = CASE.start;
  const wrong: readonly (readonly [unknown, string])[] = [
    ["{", "malformed"],
    [[], "malformed"],
    [{ op: "shuffle" }, "malformed"],
    [{ op: "run" }, "malformed"],
    [{ op: "run", seq: 1.5, case: CASE }, "malformed"],
    [{ op: "count", case: CASE }, "malformed"],
    [{ op: "count", case: CASE, depth: -1 }, "malformed"],
    [{ op: "run", case: { ...CASE, moves: [] } }, "malformed"],
    [{ op: "run", case: { ...CASE, start: { ...start, trump: "h" } } }, "malformed"],
    [{ op: "run", case: { ...CASE, acts: [{ _: "play", seat: 0 }] } }, "malformed"],
    [{ op: "run", case: { ...CASE, acts: [{ _: "pass", seat: 0 }] } }, "malformed"],
    [{ op: "run", case: { ...CASE, acts: [{ _: "toep", seat: 8 }] } }, "malformed"],
    [{ op: "run", case: { ...CASE, rules: { preset: "short", crosses: 1 } } }, "rules"],
    [{ op: "run", case: { ...CASE, rules: "pub" } }, "rules"],
    [{ op: "run", case: { ...CASE, seats: 3 } }, "start"],
    [{ op: "run", case: { ...CASE, start: {} } }, "start"],
    [{ op: "run", case: { ...CASE, start: { ...start, seed: "00".repeat(32) } } }, "start"],
    [{ op: "run", case: { ...CASE, start: { ...start, stock: ["Jh"] } } }, "start"],
    [{ op: "run", case: { ...CASE, start: { ...start, lead: 2 } } }, "start"],
  ];
  const answers = talk(...wrong.map(([request]) => request));
  assert.deepEqual(
    answers.map((answer) => [typeof answer["errored"], answer["code"]]),
    wrong.map(([, code]) => ["string", code]),
  );
});
