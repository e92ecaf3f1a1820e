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
  assert.equal(replay?.["code"], "no_file");
  assert.deepEqual(more, []);
});

test("requests that make no sense", () => {
  const start = CASE.start;
  const wrong: readonly (readonly [unknown, string])[] = [
    ["{", "format"],
    [[], "format"],
    [{ op: "shuffle" }, "unknown_op"],
    [{ op: "run" }, "format"],
    [{ op: "run", seq: 1.5, case: CASE }, "format"],
    [{ op: "count", case: CASE }, "format"],
    [{ op: "count", case: CASE, depth: -1 }, "format"],
    [{ op: "run", case: { ...CASE, moves: [] } }, "format"],
    [{ op: "run", case: { ...CASE, start: { ...start, trump: "h" } } }, "format"],
    [{ op: "run", case: { ...CASE, acts: [{ _: "play", seat: 0 }] } }, "format"],
    [{ op: "run", case: { ...CASE, acts: [{ _: "pass", seat: 0 }] } }, "format"],
    [{ op: "run", case: { ...CASE, acts: [{ _: "toep", seat: 8 }] } }, "format"],
    [{ op: "run", case: { ...CASE, rules: { preset: "short", crosses: 1 } } }, "senseless"],
    [{ op: "run", case: { ...CASE, rules: "pub" } }, "unknown_preset"],
    [{ op: "run", case: { ...CASE, seats: 3 } }, "bad_hands"],
    [{ op: "run", case: { ...CASE, start: {} } }, "no_cards"],
    [{ op: "run", case: { ...CASE, start: { ...start, seed: "00".repeat(32) } } }, "seed_and_hands"],
    [{ op: "run", case: { ...CASE, start: { ...start, stock: ["Jh"] } } }, "card_twice"],
    [{ op: "run", case: { ...CASE, start: { ...start, lead: 2 } } }, "bad_lead"],
    [{ op: "run", case: { ...CASE, rules: { limit: 0 } } }, "bad_value"],
    [{ op: "run", case: { ...CASE, rules: { trump: "h" } } }, "unknown_option"],
    [{ op: "run", case: { ...CASE, rules: "cafe" } }, "bad_seats"],
    [{ op: "run", case: { ...CASE, start: { seed: "00".repeat(32), stake: 2 } } }, "bad_stake"],
    [{ op: "run", case: { ...CASE, start: { seed: "00".repeat(32), stock: ["Jh"] } } }, "no_cards"],
    [{ op: "run", case: { ...CASE, start: { seed: "00".repeat(32), last: 0 } } }, "bad_last"],
    [{ op: "count", case: { ...CASE, acts: [{ _: "stay", seat: 0 }] }, depth: 1 }, "refused"],
    [{ op: "replay", path: "x.toep", key: "none" }, "option"],
  ];
  const answers = talk(...wrong.map(([request]) => request));
  assert.deepEqual(
    answers.map((answer) => [typeof answer["errored"], answer["code"]]),
    wrong.map(([, code]) => ["string", code]),
  );
});
