/** `verify [--key VKEY_OR_FILE] [--level LEVEL] [--json] [--quiet] FILE...`: checks logs. */

import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { LEVELS, type Level } from "../log/codes.js";
import { parseVerifierKey } from "../log/note.js";
import type { Report } from "../validate/report.js";
import type { ValidatorOptions } from "../validate/validator.js";
import { checkFile } from "./files.js";
import { jsonReport, textReport } from "./output.js";

const USAGE_EXIT = 2;
/** The worst of many verdicts decides, in this order. */
const WORST_FIRST = [1, 3, 4, 2, 0];

/** A mistake of whoever calls. */
class UsageError extends Error {}

/** The vkey that is given as text or as the file that has it. */
function keyOf(given: string): string {
  const text = existsSync(given) ? readFileSync(given, "utf8").trim() : given;
  if (parseVerifierKey(text) === null) throw new UsageError(`no such key, and no file with one: ${given}`);
  return text;
}

function isLevel(text: string): text is Level {
  return LEVELS.some((level) => level === text);
}

interface Command extends ValidatorOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly files: readonly string[];
}

function parse(args: string[]): Command {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      key: { type: "string" },
      level: { type: "string" },
      json: { type: "boolean", default: false },
      quiet: { type: "boolean", default: false },
    },
  });
  const { key, level, json = false, quiet = false } = values;
  if (positionals.length === 0) throw new UsageError("no file is given");
  if (level !== undefined && !isLevel(level)) throw new UsageError(`no such level: ${level}`);
  if (key !== undefined && level !== undefined && level !== "L5") throw new UsageError("--key needs level L5");
  return { key: key === undefined ? undefined : keyOf(key), level, json, quiet, files: positionals };
}

async function main(): Promise<number> {
  const command = parse(process.argv.slice(2));
  const exits = new Set<number>();
  for (const file of command.files) {
    const report: Report = await checkFile(file, command);
    exits.add(report.exit);
    process.stdout.write(command.json ? `${jsonReport(file, report)}\n` : textReport(file, report, command.quiet));
  }
  return WORST_FIRST.find((exit) => exits.has(exit)) ?? 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`verify: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = USAGE_EXIT;
}
