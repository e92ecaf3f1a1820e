/** A bot that dials in again: because it was told to wait, or because it lost its referee. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import { pass } from "../acts.js";
import { Again, hintKey, mostHintedMs } from "../again.js";
import { ConnectError, ConnectionLostError, connect } from "../session.js";
import { fakeReferee } from "./fake-referee.js";
import type { Line } from "./fake-referee.js";

const limit = { timeout: 20_000 };

interface Visits {
  /** For how long the bot waited between its streams. */
  readonly waits: number[];
  /** The resume tokens that it showed. */
  readonly tokens: string[];
  readonly error: unknown;
}

/** A bot dials in to a referee that takes one step a stream; the last step is for all further ones. */
async function dialling(reconnectMs: number, ...steps: string[]): Promise<Visits> {
  const waits: number[] = [];
  const tokens: string[] = [];
  const script = async (line: Line) => {
    const { hello } = await line.next();
    tokens.push(Buffer.from(hello?.resumeToken ?? []).toString());
    const step = steps[Math.min(tokens.length, steps.length) - 1] ?? "";
    const welcome = { protocol: 1, resumeToken: Buffer.from(`token ${tokens.length}`) };
    const [, hint] = /^full ?(.*)$/.exec(step) ?? [];
    if (hint !== undefined) {
      line.fail(status.RESOURCE_EXHAUSTED, "all places are taken", hint === "" ? {} : { [hintKey]: hint });
      return;
    }
    if (step === "wrong token") {
      line.fail(status.UNAUTHENTICATED, "the resume token is not one of 'anna'");
      return;
    }
    if (step === "gone") {
      line.fail(status.UNAVAILABLE, "gone");
      return;
    }
    if (step === "free") {
      line.send({ welcome });
    } else {
      line.send({ welcome, seated: [{ table: 1, matchId: "m1", seat: 0, bots: ["anna", "bert"] }] });
      if (step === "lost") {
        line.fail(status.UNAVAILABLE, "closed");
        return;
      }
      if (step === "ended") {
        line.fail(status.FAILED_PRECONDITION, "this bot does not read its stream");
        return;
      }
      line.send({ over: [{ table: 1, matchId: "m1" }] });
    }
    assert.ok((await line.next()).leave);
    line.end();
  };
  const referee = await fakeReferee(script);
  const again = new Again(
    reconnectMs,
    async (ms) => void waits.push(ms),
    () => 0,
  );
  const reports: string[] = [];
  const settings = { address: referee.address, bot: "anna", matches: 1, report: (line: string) => reports.push(line) };
  let error: unknown;
  try {
    await connect({ act: () => pass() }, settings, again);
  } catch (thrown) {
    error = thrown;
  } finally {
    referee.stop();
  }
  assert.equal(reports.filter((line) => line.includes("trying again in")).length, waits.length);
  return { waits, tokens, error };
}

test("a bot waits as long as the referee says", limit, async () => {
  const { waits, tokens, error } = await dialling(0, "full 2000", "full 3500", "full 1", "played");
  assert.deepEqual(waits, [2000, 3500, 400]);
  assert.deepEqual([tokens, error], [["", "", "", ""], undefined]);
});

test("a bot that was lost comes back with its token", limit, async () => {
  const { waits, tokens, error } = await dialling(30_000, "lost", "gone", "full 2000", "played");
  assert.deepEqual(waits, [100, 200, 2000]);
  assert.deepEqual([tokens, error], [["", "token 1", "token 1", "token 1"], undefined]);
});

test("a token that is not good any more is dropped", limit, async () => {
  const { waits, tokens, error } = await dialling(30_000, "lost", "wrong token", "played");
  assert.deepEqual([waits, tokens, error], [[100, 0], ["", "token 1", ""], undefined]);
});

test("a match that was over meanwhile counts", limit, async () => {
  const { tokens, error } = await dialling(30_000, "lost", "free");
  assert.deepEqual([tokens, error], [["", "token 1"], undefined]);
});

for (const [why, reconnectMs, steps, streams, kind] of [
  ["there is no hint", 0, ["full", "played"], 1, ConnectError],
  ["the hint is no number", 0, ["full soon", "played"], 1, ConnectError],
  ["a minute is over", 0, ["full 30000"], 3, ConnectError],
  ["it was told to do so", 0, ["lost", "played"], 1, ConnectionLostError],
  ["the referee throws it out", 30_000, ["ended", "played"], 1, ConnectionLostError],
  ["the referee does not return", 2_000, ["lost", "gone"], 5, ConnectionLostError],
] as const) {
  test(`a bot gives up when ${why}`, limit, async () => {
    const { tokens, error } = await dialling(reconnectMs, ...steps);
    assert.equal(tokens.length, streams);
    assert.ok(error instanceof kind, String(error));
  });
}

test("how long is waited", () => {
  assert.equal(new Again(0, undefined, () => 1).turnedAway("2000"), 2500);
  assert.equal(new Again(0, undefined, () => 0).turnedAway("999999999"), mostHintedMs);
  for (const hint of ["", "-1", "1.5", "x", "9999999999"]) {
    assert.equal(new Again().turnedAway(hint), undefined);
  }
  assert.equal(new Again().lost(), undefined);
  assert.equal(new Again(5_000).unreachable(), undefined);
});
