import assert from "node:assert/strict";
import { test } from "node:test";

import type { Act } from "../engine/records.js";
import type { Conduct, Late, LogRecord } from "../log/records.js";
import { scan } from "../log/scan.js";
import { schemaFault } from "../log/schema.js";
import { Faults } from "../validate/faults.js";
import type { Report } from "../validate/report.js";
import { Table } from "./table.js";

const FIVE: Conduct = { act_ms: 1000, faults: 0, max_deals: 100, tries: 3, window_ms: 100 };
const BANK: Partial<Conduct> = { bank_ms: 500, increment_ms: 100 };

function first({ error }: Report): readonly unknown[] {
  return error === null ? [] : [error.code, error.line];
}

/** A match of two seats with times, dealt; the lines so far are five. */
function timed(conduct: Partial<Conduct>, clock: "ms" | "none" = "ms"): Table {
  return new Table({ rules: "short", seats: 2, conduct, clock }).deal();
}

/** Lets a player act in so many milliseconds. */
function take(table: Table, act: Act, ms: number): Table {
  const [own, ...rest] = table.game.apply(act);
  return table.add({ ...own, ms } as LogRecord, ...rest);
}

/** Lets the seat whose turn it is act in so many milliseconds. */
function go(table: Table, ms: number): Table {
  return take(table, legal(table), ms);
}

function onTurn({ game }: Table): number {
  const asks = game.asks();
  return "seats" in asks ? (asks.seats[0] ?? assert.fail()) : assert.fail();
}

function legal(table: Table): Act {
  return table.game.legal(onTurn(table)).find(({ _ }) => _ === "play" || _ === "stay") ?? assert.fail();
}

function late(budget: number, seat: number, more: Partial<Late> = {}): LogRecord {
  return { _: "late", budget, elapsed: budget, seat, verdict: "bot", ...more };
}

/** The referee's fold for the seat that has to answer. */
function folded(table: Table): Table {
  const [own, ...rest] = table.game.apply({ _: "fold", seat: onTurn(table) });
  return table.add({ ...own, by: "ref" } as LogRecord, ...rest);
}

test("conduct: optional fields, and a bank needs a clock", () => {
  const start = `{"_":"head","clock":"ms","commit":"${"0".repeat(64)}"`;
  const conduct = (fields: string): string => `${start},"conduct":{${fields}}}`;
  const fault = (fields: string): string | undefined => {
    const found = schemaFault(scan(conduct(fields)));
    return found === null ? undefined : `${found.code} ${found.pointer}`;
  };
  assert.equal(fault('"act_ms":1,"bank_ms":0'), "E108 /conduct/bank_ms");
  assert.equal(fault('"act_ms":1,"faults":0,"late_faults":0'), "E108 /conduct/late_faults");
  assert.equal(fault('"act_ms":1,"left":"forfeit"'), "E108 /conduct/left");
  assert.equal(fault('"act_ms":1,"stall":"count"'), "E108 /conduct/stall");
  assert.equal(fault('"act_ms":1,"ready_ms":86400001'), "E108 /conduct/ready_ms");
  assert.equal(fault('"act_ms":1,"left":"wait"'), "E106 /conduct/faults");
  assert.deepEqual(first(timed({ increment_ms: 1 }, "none").check()), ["E309", 1]);
  assert.deepEqual(first(timed({ ready_ms: 9000 }, "none").check()), []);
});

test("a bank pays for what is more than the basic time, and grows by each act", () => {
  const table = timed(BANK);
  const leader = onTurn(table);
  go(go(table, 1300), 0);
  const seat = onTurn(table);
  const budget = seat === leader ? 1300 : 1600;
  assert.deepEqual(first(table.add(late(budget, seat)).check()), []);
  assert.deepEqual(first(table.add(late(budget + 1, seat)).check()).at(0), "E384");
});

test("the time of an act is less than the budget", () => {
  assert.deepEqual(first(go(timed(BANK), 1499).check()), []);
  assert.deepEqual(first(go(timed(BANK), 1500).check()), ["E384", 6]);
  assert.deepEqual(first(go(timed({ ready_ms: 3000 }), 2999).check()), []);
  assert.deepEqual(first(go(timed({ ready_ms: 3000 }), 3000).check()), ["E384", 6]);
  assert.deepEqual(first(go(timed({ ready_ms: 1000 }), 5000).check()), []);
  const free = go(go(timed({}), 5000), 5000);
  assert.deepEqual(first(free.add(late(1000, onTurn(free))).check()), []);
});

/** A toep, and an answer that did not come: the round is over. Then the next one is dealt, and the same seat leads. */
function unanswered(conduct: Partial<Conduct>, more: Partial<Late> = {}): Table {
  const table = timed(conduct);
  take(table, { _: "toep", seat: onTurn(table) }, 0);
  return folded(table.add(late(1500, onTurn(table), more))).deal();
}

test("who was late has no bank any more, unless that is excused", () => {
  for (const verdict of ["bot", "link", "host", "referee"] as const) {
    for (const stall of [undefined, "excuse"] as const) {
      const table = unanswered({ ...BANK, ...(stall === undefined ? {} : { stall }) }, { verdict });
      const isExcused = stall !== undefined && (verdict === "host" || verdict === "referee");
      table.add(late(isExcused ? 1500 : 1000, onTurn(table)));
      assert.deepEqual(first(table.check()), [], `${verdict} ${stall ?? ""}`);
    }
  }
});

test("a void empties the banks of those who were late, an act of their own does not", () => {
  const voided = timed({ ...BANK, ready_ms: 2000 });
  const seat = onTurn(voided);
  voided.add(late(2500, seat), ...voided.game.voidRound("crash")).deal();
  assert.deepEqual(first(voided.add(late(1000, seat)).check()), []);
  const acted = timed({ bank_ms: 500 });
  const leader = onTurn(acted);
  go(acted.add(late(1500, leader)), 0);
  go(acted, 0);
  assert.deepEqual(first(acted.add(late(1500, onTurn(acted))).check()), []);
});

test("a round that has to be void is void, and nothing comes before that", () => {
  const stalled = (): Table => {
    const table = timed({ stall: "void", left: "wait" });
    return table.add(late(1000, onTurn(table), { verdict: "host" }));
  };
  const right = stalled();
  assert.deepEqual(first(right.add({ _: "ruling", why: "" }, ...right.game.voidRound("crash")).check()), []);
  const others: readonly ((table: Table) => readonly LogRecord[])[] = [
    (table) => [late(1000, onTurn(table))],
    (table) => [legal(table) as LogRecord],
    (table) => [{ _: "forfeit", seat: onTurn(table), why: "left" }],
    () => [{ _: "void", why: "cancelled" }],
  ];
  for (const other of others) {
    const table = stalled();
    assert.deepEqual(first(table.add(...other(table)).check()), ["E398", 7]);
  }
  assert.deepEqual(first(stalled().add({ _: "void", why: "revoke" }).check()), ["E392", 7]);
  assert.deepEqual(first(stalled().add({ _: "forfeit", seat: 5, why: "left" }).check()), ["E330", 7]);
  const waited = timed({ left: "wait" });
  assert.deepEqual(first(waited.add({ _: "forfeit", seat: 0, why: "left" }).check()), ["E387", 6]);
});

test("what is found first about a deadline", () => {
  const seat = onTurn(timed({}));
  const code = (clock: "ms" | "none", record: LogRecord): readonly unknown[] => {
    return first(timed({}, clock).add(record).check());
  };
  assert.deepEqual(code("none", late(1, seat)), ["E390", 6]);
  assert.deepEqual(code("ms", late(1, 1 - seat)), ["E391", 6]);
  assert.deepEqual(code("ms", late(1, seat)), ["E384", 6]);
  assert.deepEqual(code("ms", late(1000, seat, { elapsed: 999 })), ["E384", 6]);
  assert.deepEqual(code("ms", late(1000, seat)), []);
});

test("faults: each kind has its limit, and a seat comes once", () => {
  const faults = new Faults({ ...FIVE, faults: 4, late_faults: 2, refused_faults: 2, stall: "excuse" }, 3);
  faults.add(0, "bot");
  faults.add(0, "host");
  faults.add(0, "link");
  faults.add(0, undefined);
  assert.equal(faults.due([]), undefined);
  faults.add(1, undefined);
  faults.add(1, undefined);
  faults.add(0, "bot");
  faults.add(1, "link");
  faults.add(1, "link");
  assert.equal(faults.due([]), 1);
  assert.equal(faults.due([1]), 0);
  assert.equal(faults.due([0, 1]), undefined);
  const counted = new Faults({ ...FIVE, late_faults: 2, link_faults: 1 }, 2);
  counted.add(0, "host");
  counted.add(0, "referee");
  counted.add(1, "link");
  assert.equal(counted.due([]), 0);
  assert.equal(counted.due([0]), 1);
});
