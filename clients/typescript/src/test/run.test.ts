import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { status } from "@grpc/grpc-js";
import { card, maskOf } from "../cards.js";
import { ActKind } from "../gen/referee/v1/acts_pb.js";
import { AskKind } from "../gen/referee/v1/play_pb.js";
import { UsageError, exitCodes, settingsFrom } from "../run.js";
import { fakeReferee } from "./fake-referee.js";
import type { Line } from "./fake-referee.js";

const simple = new URL("../samples/simple.js", import.meta.url);
const crashing = new URL("crashing-bot.js", import.meta.url);

interface Finished {
  readonly code: number | null;
  readonly stderr: string;
}

async function start(program: URL, env: Record<string, string>): Promise<Finished> {
  const child = spawn(process.execPath, [fileURLToPath(program)], {
    env: { ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stderr })));
}

async function against(script: (line: Line) => Promise<void>, program = simple, env = {}): Promise<Finished> {
  const referee = await fakeReferee(script);
  try {
    const finished = await start(program, { TOEP_ADDRESS: referee.address, TOEP_BOT: "anna", ...env });
    await referee.played;
    return finished;
  } finally {
    referee.stop();
  }
}

async function oneAsk(line: Line): Promise<number | undefined> {
  await line.next();
  line.send({
    welcome: { protocol: 1 },
    seated: [{ table: 0, matchId: "m", seat: 0, bots: ["anna", "bert"] }],
    updates: [{ table: 0, state: { trick: 1, stake: 1, inRound: 3, inGame: 3, points: [0, 0], accepted: [1, 1] } }],
    asks: [
      {
        table: 0,
        ask: 1,
        kind: AskKind.CARD,
        hand: maskOf([card("Th"), card("8h"), card("Jc"), card("Qd")]),
        legal: maskOf([card("Th"), card("8h"), card("Jc"), card("Qd")]),
      },
    ],
  });
  const [answer] = (await line.next()).answers;
  return answer?.act.case === "play" ? answer.act.value.card : undefined;
}

test("the settings come from the environment", () => {
  const needed = { TOEP_ADDRESS: "127.0.0.1:5", TOEP_BOT: "anna" };
  assert.deepEqual(settingsFrom(needed), { address: "127.0.0.1:5", bot: "anna" });
  assert.equal(settingsFrom({ ...needed, TOEP_ADDRESS: "unix:/tmp/toep.sock" }).address, "unix:/tmp/toep.sock");
  assert.deepEqual(settingsFrom({ ...needed, TOEP_TOKEN: "t", TOEP_PARALLEL: "8", TOEP_MATCHES: "2", TOEP_RECONNECT_SECONDS: "9" }), {
    address: "127.0.0.1:5",
    bot: "anna",
    token: "t",
    parallel: 8,
    matches: 2,
    reconnect: 9,
  });
});

test("how to encrypt comes from the environment", () => {
  const needed = { TOEP_ADDRESS: "127.0.0.1:5", TOEP_BOT: "anna" };
  const tls = (env: Record<string, string>) => settingsFrom({ ...needed, ...env }).tls;
  assert.equal(tls({ TOEP_TLS: "0" }), undefined);
  assert.deepEqual(tls({ TOEP_TLS: "1" }), {});
  assert.deepEqual(tls({ TOEP_TLS_CA: "a" }), { ca: "a" });
  assert.deepEqual(tls({ TOEP_TLS: "1", TOEP_TLS_CERT: "b", TOEP_TLS_KEY: "c" }), { cert: "b", key: "c" });
  assert.throws(() => tls({ TOEP_TLS: "0", TOEP_TLS_CA: "a" }), UsageError);
  assert.throws(() => tls({ TOEP_TLS_KEY: "a" }), UsageError);
});

test("a file of certificates that cannot be used is named", { timeout: 20_000 }, async () => {
  const env = { TOEP_ADDRESS: "127.0.0.1:5", TOEP_BOT: "anna" };
  const missing = await start(simple, { ...env, TOEP_TLS_CA: "/no/such/file" });
  assert.equal(missing.code, exitCodes.usage);
  assert.equal(missing.stderr, 'TOEP_TLS_CA is "/no/such/file", which cannot be read (ENOENT)\n');
  const wrong = await start(simple, { ...env, TOEP_TLS_CA: fileURLToPath(simple) });
  assert.equal(wrong.code, exitCodes.usage);
  assert.match(wrong.stderr, /^TOEP_TLS_CA is ".*": there is no certificate in PEM\n$/);
});

test("a wrong setting is named", () => {
  const needed = { TOEP_ADDRESS: "127.0.0.1:5", TOEP_BOT: "anna" };
  for (const [name, value] of [
    ["TOEP_ADDRESS", ""],
    ["TOEP_ADDRESS", "localhost"],
    ["TOEP_ADDRESS", "unix:"],
    ["TOEP_BOT", ""],
    ["TOEP_TOKEN", "line\nbreak"],
    ["TOEP_PARALLEL", "many"],
    ["TOEP_MATCHES", "0"],
    ["TOEP_TLS", "yes"],
    ["TOEP_TLS_CERT", "a.pem"],
  ] as const) {
    assert.throws(
      () => settingsFrom({ ...needed, [name]: value }),
      (error) => error instanceof UsageError && error.message.startsWith(name) && !error.message.includes("break"),
    );
  }
});

test("without settings the sample says what to do", { timeout: 20_000 }, async () => {
  const { code, stderr } = await start(simple, {});
  assert.equal(code, exitCodes.usage);
  assert.match(stderr, /^TOEP_ADDRESS is not set: .*\n$/);
});

test("without a referee the sample says what to do", { timeout: 20_000 }, async () => {
  const gone = await fakeReferee(async () => undefined);
  gone.stop();
  const { code, stderr } = await start(simple, { TOEP_ADDRESS: gone.address, TOEP_BOT: "anna" });
  assert.equal(code, exitCodes.usage);
  assert.equal(stderr, `no referee answers at ${gone.address}: start it, or correct TOEP_ADDRESS\n`);
});

test("the sample plays and says goodbye", { timeout: 20_000 }, async () => {
  const finished = await against(
    async (line) => {
      assert.equal(await oneAsk(line), card("Jc").index + 1);
      line.send({ over: [{ table: 0, matchId: "m" }] });
      assert.ok((await line.next()).leave);
      line.end();
    },
    simple,
    { TOEP_MATCHES: "1" },
  );
  assert.deepEqual(finished, { code: exitCodes.ok, stderr: "" });
});

test("the sample answers every kind of ask with something legal", { timeout: 20_000 }, async () => {
  const hand = maskOf([card("Ah"), card("Kh"), card("Jc"), card("Qd")]);
  const kinds: [AskKind, ActKind[], number, string[]][] = [
    [AskKind.CARD, [ActKind.TOEP, ActKind.SIGNAL], hand, ["play", "toep"]],
    [AskKind.ANSWER, [ActKind.STAY, ActKind.FOLD], 0, ["stay", "fold"]],
    [AskKind.ANSWER, [ActKind.STAY], 0, ["stay"]],
    [AskKind.WINDOW, [ActKind.PASS, ActKind.TOEP, ActKind.CONFESS], 0, ["decline", "toep"]],
    [AskKind.EXCHANGE, [ActKind.PASS, ActKind.EXCHANGE], 0, ["exchange"]],
    [AskKind.CHECK, [ActKind.PASS, ActKind.CHALLENGE], 0, ["decline", "challenge"]],
    [AskKind.CUT, [ActKind.PASS, ActKind.CUT], 0, ["decline"]],
    [AskKind.BLIND, [ActKind.PASS, ActKind.BLIND], 0, ["decline"]],
    [AskKind.CHANCE, [ActKind.PASS, ActKind.CHANCE], 0, ["chance"]],
    [AskKind.DISCARD, [ActKind.DISCARD], 0, ["discard"]],
  ];
  const { code } = await against(async (line) => {
    await oneAsk(line);
    line.send({
      asks: kinds.map(([kind, may, legal], ask) => ({
        table: 0,
        ask,
        kind,
        hand,
        legal,
        may: may.reduce((bits, bit) => bits | (1 << bit), 0),
      })),
    });
    const { answers } = await line.next();
    assert.equal(answers.length, kinds.length);
    answers.forEach(({ act }, i) => assert.ok(act.case && kinds[i]?.[3].includes(act.case), `${i}: ${act.case}`));
    line.send({ over: [{ table: 0, matchId: "m" }], draining: {} });
    assert.ok((await line.next()).leave);
    line.end();
  });
  assert.equal(code, exitCodes.ok);
});

test("a lost connection is told", { timeout: 20_000 }, async () => {
  const { code, stderr } = await against(async (line) => {
    await oneAsk(line);
    line.fail(status.INTERNAL, "internal error, id=7");
  });
  assert.equal(code, exitCodes.lost);
  assert.equal(stderr, "the connection to the referee was lost: internal error, id=7\n");
});

test("an exception in the bot's own code is shown with its stack", { timeout: 20_000 }, async () => {
  const { code, stderr } = await against(
    async (line) => {
      await assert.rejects(oneAsk(line));
    },
    crashing,
    { TOEP_TOKEN: "a-secret" },
  );
  assert.equal(code, exitCodes.crash);
  assert.match(stderr, /^the bot failed at ask 1 of match m:\nError: I lost count\n {4}at Object\.act .*crashing-bot/);
  assert.ok(!stderr.includes("a-secret"));
});
