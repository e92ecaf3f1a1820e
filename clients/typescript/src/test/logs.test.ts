import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { checkFile } from "../cli/files.js";
import type { Level } from "../log/codes.js";
import { readJson, rootFolder } from "./fixtures.js";

interface Expected {
  readonly about: string;
  readonly exit: number;
  readonly file: string;
  readonly findings: readonly { code: string; level: string; line: number; rule?: string }[];
  readonly options?: { readonly key?: string; readonly level?: Level };
  readonly verdict: string;
  readonly warnings: readonly string[];
}

/** Entries that are not met, with the reason. */
const KNOWN_FAILURES: ReadonlyMap<string, string> = new Map();

const { verify } = readJson<{ readonly verify: readonly Expected[] }>("fixtures", "log", "expectations.json");

test("fixtures/log", async (group) => {
  for (const expected of verify) {
    const { file, options = {} } = expected;
    const name = [file, ...Object.keys(options)].join(" ");
    const todo = KNOWN_FAILURES.get(name);
    const path = join(rootFolder(), "fixtures", "log", file);
    await group.test(name, { ...(todo === undefined ? {} : { todo }) }, async (each) => {
      const report = await checkFile(path, options);
      const { error } = report;
      const first = error === null ? [] : [{ code: error.code, level: error.level, line: error.line }];
      const wanted = expected.findings.map(({ code, level, line }) => ({ code, level, line }));
      assert.deepEqual([report.verdict, report.exit, ...first], [expected.verdict, expected.exit, ...wanted]);
      await each.test("rule", () => assert.equal(error?.rule, expected.findings[0]?.rule));
      await each.test("warnings", () => {
        assert.deepEqual(report.warnings.map(({ code }) => code).sort(), expected.warnings);
      });
    });
  }
});

test("chunks of any size make no difference", async () => {
  const { Validator } = await import("../validate/validator.js");
  const bytes = readFileSync(join(rootFolder(), "fixtures", "log", "valid", "names.toep"));
  for (const size of [1, 7, 1000]) {
    const run = new Validator();
    for (let at = 0; at < bytes.length; at += size) run.push(bytes.subarray(at, at + size));
    assert.equal(run.finish().verdict, "VALID");
  }
});
