import assert from "node:assert/strict";
import { test } from "node:test";

import { countCase } from "../conformance/cases.js";
import { parseCase } from "../conformance/parse.js";
import { jsonFiles, readJson } from "./fixtures.js";

type Sub = readonly (readonly [object, number])[];

interface CountFile {
  readonly id: string;
  readonly title: string;
  readonly case: unknown;
  readonly depth: number;
  readonly expect: { readonly count: number; readonly sub: Sub };
}

function inOrder(sub: Sub): string[] {
  return sub.map(([act, count]) => `${JSON.stringify(act, Object.keys(act).sort())} ${count}`).sort();
}

for (const name of jsonFiles("fixtures", "counts")) {
  const file = readJson<CountFile>("fixtures", "counts", name);
  test(`${file.id}: ${file.title}`, () => {
    const { count, sub } = countCase(parseCase(file.case), file.depth);
    assert.deepEqual(inOrder(sub), inOrder(file.expect.sub));
    assert.equal(count, file.expect.count);
  });
}
