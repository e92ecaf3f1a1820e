import assert from "node:assert/strict";
import { test } from "node:test";

import { runCase, type Result } from "../conformance/cases.js";
import { parseCase } from "../conformance/parse.js";
import type { Act } from "../engine/records.js";
import { jsonFiles, readJson } from "./fixtures.js";

interface CaseFile {
  readonly id: string;
  readonly title: string;
  readonly expect: Readonly<Record<string, unknown>>;
}

function inOrder(values: readonly unknown[]): string[] {
  return values.map((value) => JSON.stringify(value, Object.keys(Object(value)).sort())).sort();
}

/** A field in a form in which order does not matter where it should not. */
function plain(field: string, value: unknown): unknown {
  if (field === "hands") return (value as string[][]).map((hand) => [...hand].sort());
  if (field !== "legal") return value ?? null;
  const legal = Object.entries(value as Record<string, Act[]>);
  return Object.fromEntries(legal.map(([seat, acts]) => [seat, inOrder(acts)]));
}

function compare(result: Result, expected: CaseFile["expect"]): void {
  const answer: Record<string, unknown> = { ...result };
  const all: Readonly<Record<string, unknown>> = { refused: null, ...expected };
  for (const [field, value] of Object.entries(all)) {
    let given = answer[field];
    if (field === "legal") {
      const named = Object.keys(Object(value));
      given = Object.fromEntries(Object.entries(result.legal).filter(([seat]) => named.includes(seat)));
    }
    assert.deepEqual(plain(field, given), plain(field, value), field);
  }
}

for (const folder of [["cases"], ["cases", "generated"]]) {
  test(`fixtures/${folder.join("/")}`, async (group) => {
    for (const name of jsonFiles("fixtures", ...folder)) {
      const file = readJson<CaseFile>("fixtures", ...folder, name);
      await group.test(`${file.id}: ${file.title}`, () => compare(runCase(parseCase(file)), file.expect));
    }
  });
}
