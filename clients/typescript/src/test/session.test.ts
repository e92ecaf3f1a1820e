import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { status } from "@grpc/grpc-js";
import { fold, pass, play, stay } from "../acts.js";
import type { Bot } from "../bot.js";
import { card, maskOf } from "../cards.js";
import { ActKind } from "../gen/referee/v1/acts_pb.js";
import { EventSchema } from "../gen/referee/v1/events_pb.js";
import { AskKind, RefusalCode } from "../gen/referee/v1/play_pb.js";
import { BotError, ConnectError, ConnectionLostError, connect } from "../session.js";
import type { Settings } from "../session.js";
import type { View } from "../view.js";
import { fakeReferee } from "./fake-referee.js";
import type { Line } from "./fake-referee.js";

const limit = { timeout: 20_000 };

/** Plays the bot against the script and gives the lines it reported. */
async function session(bot: Bot, script: (line: Line) => Promise<void>, settings: Partial<Settings> = {}) {
  const referee = await fakeReferee(script);
  const reports: string[] = [];
  try {
    await connect(bot, {
      address: referee.address,
      bot: "anna",
      report: (text) => reports.push(text),
      ...settings,
    });
    await referee.played;
  } finally {
    referee.stop();
  }
  return reports;
}

const first: Bot = { act: (view) => view.legal[0] ?? pass() };

function seatedAt(table: number, matchId: string) {
  return { table, matchId, seat: 0, bots: ["anna", "bert"] };
}

test("a whole session", limit, async () => {
  const seen: View[] = [];
  const bot: Bot = {
    version: "7",
    async act(view) {
      seen.push(view);
      await Promise.resolve();
      return view.kind === "card" ? play(card("Th")) : stay();
    },
  };
  const reports = await session(
    bot,
    async (line) => {
      const { hello } = await line.next();
      assert.deepEqual(
        { ...hello, $typeName: undefined },
        {
          protocol: 1,
          bot: "anna",
          version: "7",
          parallel: 4,
          resumeToken: new Uint8Array(),
          $typeName: undefined,
        },
      );
      assert.deepEqual(line.metadata.get("authorization"), ["Bearer a-secret"]);

      line.send({ welcome: { protocol: 1, maxAnswers: 100, parallel: 4 } });
      line.send({
        seated: [seatedAt(1, "m1"), seatedAt(2, "m2")],
        updates: [
          { table: 1, state: { stake: 1, points: [0, 0] } },
          { table: 1, state: { stake: 2, points: [3, 0] } },
          { table: 2, state: { stake: 5, points: [0, 4] } },
        ],
        asks: [
          { table: 1, ask: 17, kind: AskKind.CARD, hand: maskOf([card("Th")]), legal: maskOf([card("Th")]) },
          { table: 2, ask: 18, kind: AskKind.ANSWER, may: (1 << ActKind.STAY) | (1 << ActKind.FOLD) },
        ],
      });
      const { answers } = await line.next();
      assert.deepEqual(
        answers.map(({ table, ask, act }) => [table, ask, act.case]),
        [
          [1, 17, "play"],
          [2, 18, "stay"],
        ],
      );

      line.send({
        refusals: [
          { table: 1, ask: 17, code: RefusalCode.ILLEGAL, rule: "R-SUIT-01", message: "Follow suit.", triesLeft: 2 },
          { table: 2, ask: 18, code: RefusalCode.STALE, message: "Too late.", triesLeft: 1 },
        ],
        superseded: [{ table: 2, ask: 18 }],
        over: [{ table: 2, matchId: "m2" }],
        draining: { reason: "update" },
      });
      line.send({ asks: [{ table: 1, ask: 33, kind: AskKind.ANSWER, may: 1 << ActKind.STAY }] });
      assert.equal((await line.next()).answers[0]?.ask, 33);

      line.send({ over: [{ table: 1, matchId: "m1" }] });
      assert.ok((await line.next()).leave);
      line.end();
    },
    { token: "a-secret", parallel: 4 },
  );
  assert.deepEqual(
    seen.map((view) => [view.matchId, view.stake, view.points]),
    [
      ["m1", 2, [3, 0]],
      ["m2", 5, [0, 4]],
      ["m1", 2, [3, 0]],
    ],
  );
  assert.deepEqual(reports, [
    "refused: ask 17 of match m1, play Th: R-SUIT-01: Follow suit. (2 tries left)",
    "refused: ask 18 of match m2, stay: STALE: Too late. (1 try left)",
  ]);
});

test("a bot that draws at random answers the same in the same match", limit, async () => {
  const gambler: Bot = { act: (view) => (view.random() < 0.5 ? stay() : fold()) };
  const asks = Array.from({ length: 50 }, (_, ask) => ({
    table: 1,
    ask,
    may: (1 << ActKind.STAY) | (1 << ActKind.FOLD),
  }));
  const runs: string[] = [];
  const script = async (line: Line) => {
    await line.next();
    line.send({ welcome: { protocol: 1 }, seated: [seatedAt(1, "m1")], asks });
    runs.push((await line.next()).answers.map(({ act }) => act.case).join(" "));
    line.send({ over: [{ table: 1 }], draining: {} });
    line.end();
  };
  await session(gambler, script);
  await session(gambler, script);
  assert.equal(runs[0], runs[1]);
  assert.match(runs[0] ?? "", /stay.*fold|fold.*stay/);
});

test("what a newer referee says is survived", limit, async () => {
  const unknown = create(EventSchema);
  unknown.$unknown = [{ no: 99, wireType: 2, data: new Uint8Array([0]) }];
  const kinds: string[] = [];
  const bot: Bot = {
    act(view) {
      kinds.push(view.kind);
      return pass();
    },
  };
  const reports = await session(bot, async (line) => {
    await line.next();
    line.send({
      welcome: { protocol: 1 },
      seated: [{ ...seatedAt(1, "m1"), rules: [{ name: "new" }] }],
      updates: [{ table: 1, events: [unknown], state: {} }, { table: 9 }],
      asks: [
        { table: 1, ask: 1, kind: 99 as AskKind, may: 1 << ActKind.PASS },
        { table: 1, ask: 2, kind: 99 as AskKind, may: 1 << 30 },
        { table: 9, ask: 3, kind: AskKind.WINDOW, may: 1 << ActKind.PASS },
      ],
      refusals: [{ table: 9, ask: 1, code: 99 as RefusalCode, message: "What?" }],
    });
    assert.deepEqual(
      (await line.next()).answers.map(({ ask }) => ask),
      [1],
    );
    line.send({ over: [{ table: 1 }] });
    line.end();
  });
  assert.deepEqual(kinds, ["unknown"]);
  assert.deepEqual(reports.sort(), [
    "ask 2 of match m1 is left alone: this client knows none of the acts it allows",
    "ask 3 of table 9 is left alone: this bot has no seat there",
    "refused: ask 1 of table 9, no act: code 99: What? (0 tries left)",
  ]);
});

test("answers are split where the referee takes fewer at once", limit, async () => {
  await session(first, async (line) => {
    await line.next();
    line.send({
      welcome: { protocol: 1, maxAnswers: 2 },
      seated: [seatedAt(1, "m1")],
      asks: [1, 2, 3].map((ask) => ({ table: 1, ask, may: 1 << ActKind.STAY })),
    });
    assert.deepEqual(
      (await line.next()).answers.map(({ ask }) => ask),
      [1, 2],
    );
    assert.deepEqual(
      (await line.next()).answers.map(({ ask }) => ask),
      [3],
    );
    line.send({ over: [{ table: 1 }] });
    line.end();
  });
});

test("the bot leaves after enough matches, when what it began is answered", limit, async () => {
  let decide: (() => void) | undefined;
  const slow: Bot = {
    act: () => new Promise((resolve) => (decide = () => resolve(stay()))),
  };
  await session(
    slow,
    async (line) => {
      await line.next();
      line.send({
        welcome: { protocol: 1 },
        seated: [seatedAt(1, "m1"), seatedAt(2, "m2")],
        asks: [{ table: 1, ask: 1, may: 1 << ActKind.STAY }],
        over: [{ table: 2, matchId: "m2" }],
        refusals: [{ table: 2, ask: 0 }],
      });
      assert.equal((await line.next()).answers.length, 1);
      assert.ok((await line.next()).leave);
      line.end();
    },
    { matches: 1, report: () => setImmediate(() => decide?.()) },
  );
});

test("the referee may say why it lets nobody in", limit, async () => {
  for (const [code, pattern] of [
    [status.UNAUTHENTICATED, /does not accept the token: correct TOEP_TOKEN \(why\)/],
    [status.ALREADY_EXISTS, /did not let the bot in: why/],
  ] as const) {
    const refused = session(first, async (line) => {
      await line.next();
      line.fail(code, "why");
    });
    await assert.rejects(refused, (error) => error instanceof ConnectError && pattern.test(error.message));
  }
});

test("another version of the protocol is refused", limit, async () => {
  const refused = session(first, async (line) => {
    await line.next();
    line.send({ welcome: { protocol: 2 } });
  });
  await assert.rejects(refused, (error) => error instanceof ConnectError && /version 2/.test(error.message));
});

test("an end in the middle of a match is a lost connection", limit, async () => {
  const lost = session(first, async (line) => {
    await line.next();
    line.send({ welcome: { protocol: 1 }, seated: [seatedAt(1, "m1")] });
    line.end();
  });
  await assert.rejects(lost, ConnectionLostError);
});

test("what is no act is the bot's mistake", limit, async () => {
  const wrong = { act: () => undefined } as unknown as Bot;
  const failed = session(wrong, async (line) => {
    await line.next();
    line.send({
      welcome: { protocol: 1 },
      seated: [seatedAt(1, "m1")],
      asks: [{ table: 1, ask: 1, may: 1 << ActKind.STAY }],
    });
  });
  await assert.rejects(failed, (error) => error instanceof BotError && error.cause instanceof TypeError);
});
