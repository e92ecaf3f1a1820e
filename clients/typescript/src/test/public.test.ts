import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Game, NOBODY, parseRuleset } from "../engine/index.js";
import { LineError, readLog } from "../log/index.js";
import { EXIT, FindingError, Replay, Validator } from "../validate/index.js";
import { rootFolder } from "./fixtures.js";

function bytesOf(name: string): Uint8Array {
  return readFileSync(join(rootFolder(), "fixtures", "log", name));
}

/** Replays a log, and gives the points after its last line. */
function replayed(bytes: Uint8Array): readonly number[] {
  let replay: Replay | null = null;
  for (const { record, line } of readLog(bytes)) {
    if (record._ === "head") replay = new Replay(record, line, false);
    else replay?.step(record, line);
  }
  return replay?.game.total ?? [];
}

test("a log is replayed by what is public", () => {
  const bytes = bytesOf("valid/cafe-3-round.toep");
  const check = new Validator();
  check.push(bytes);
  const report = check.finish();
  assert.equal(report.exit, EXIT.VALID);
  assert.deepEqual(replayed(bytes), report.end?.total);
});

test("a log that is wrong stops its reader, or its replay", () => {
  assert.throws(() => replayed(bytesOf("invalid/E341-last.toep")), FindingError);
  const broken = Buffer.from('{"_":"dance"}\n');
  assert.throws(() => [...readLog(broken)], new LineError("E101", 1));
  assert.deepEqual([...readLog(Buffer.from('{"_":"toep"'))], []);
});

test("a game is played by what is public", () => {
  const game = Game.start(parseRuleset("short"), 2, { hands: [[0], [1]], lead: 0 });
  assert.deepEqual(game.asks(), { kind: "card", seats: [0] });
  assert.equal(game.check({ _: "fold", seat: 0 }), "R-FOLD-06");
  assert.notEqual(game.lead, NOBODY);
});
