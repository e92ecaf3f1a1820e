/** The engine protocol: one JSON object a line on standard input, one answer a line on standard output. */

import { existsSync } from "node:fs";
import { createInterface } from "node:readline";

import { countCase, runCase } from "../conformance/cases.js";
import { CaseError, isObject, parseCase } from "../conformance/parse.js";
import { OPTIONS, type OptionValues } from "../engine/ruleset.js";
import { LEVELS } from "../log/codes.js";
import { parseVerifierKey } from "../log/note.js";
import { checkFile } from "./files.js";

const PROTOCOL = 1;
const ENGINE = "toep-ts";
const VERSION = "0.1.0";

type Seq = number | string;

function valuesOf(option: OptionValues): readonly (string | boolean | number)[] {
  switch (option.kind) {
    case "flag":
      return [false, true];
    case "number":
      return [option.low, option.high];
    case "word":
      return option.words;
  }
}

function hello(): object {
  const options = Object.fromEntries(Object.entries(OPTIONS).map(([name, option]) => [name, valuesOf(option)]));
  return { result: { protocol: PROTOCOL, engine: ENGINE, version: VERSION, options } };
}

function depthOf(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new CaseError("a depth is an integer from 0", "format");
}

/** A text of a request; `undefined` where it may be left out. */
function textOf(request: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = request[field];
  if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
  throw new CaseError(`${field} is a string`, "format");
}

/** The verdict on a log, and its first finding. */
async function replay(request: Readonly<Record<string, unknown>>): Promise<object> {
  const path = textOf(request, "path");
  const key = textOf(request, "key");
  const asked = textOf(request, "level");
  const level = LEVELS.find((name) => name === asked);
  if (path === undefined) throw new CaseError("a replay needs a path", "format");
  if (asked !== level) throw new CaseError(`no such level: ${asked}`, "format");
  if (key !== undefined && parseVerifierKey(key) === null) throw new CaseError("no such key", "option");
  if (key !== undefined && level !== undefined && level !== "L5") throw new CaseError("a key needs L5", "option");
  if (!existsSync(path)) throw new CaseError(`no such file: ${path}`, "no_file");
  const { verdict, error } = await checkFile(path, { key, level });
  return { verdict, ...(error === null ? {} : { line: error.line, code: error.code }) };
}

async function answer(request: Readonly<Record<string, unknown>>): Promise<object> {
  switch (request["op"]) {
    case "hello":
      return hello();
    case "run":
      return { result: runCase(parseCase(request["case"])) };
    case "count":
      return { result: countCase(parseCase(request["case"]), depthOf(request["depth"])) };
    case "replay":
      return { result: await replay(request) };
    default:
      throw new CaseError(`no such operation: ${JSON.stringify(request["op"])}`, "unknown_op");
  }
}

function seqOf(request: Readonly<Record<string, unknown>>): Seq | undefined {
  const { seq } = request;
  if (seq === undefined || typeof seq === "string" || Number.isSafeInteger(seq)) return seq as Seq | undefined;
  throw new CaseError("seq is an integer or a string", "format");
}

function parseLine(line: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new CaseError("a request is one JSON object on one line", "format");
  }
  if (!isObject(value)) throw new CaseError("a request is a JSON object", "format");
  return value;
}

/** The answer to one line, or null for `bye`. */
async function respond(line: string): Promise<object | null> {
  let seq: Seq | undefined;
  try {
    const request = parseLine(line);
    seq = seqOf(request);
    if (request["op"] === "bye") return null;
    return { ...(seq === undefined ? {} : { seq }), ...(await answer(request)) };
  } catch (error) {
    const head = seq === undefined ? {} : { seq };
    if (error instanceof CaseError) return { ...head, errored: error.message, code: error.code };
    return { ...head, errored: error instanceof Error ? error.message : String(error), code: "internal" };
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (line.trim() === "") continue;
  const reply = await respond(line);
  if (reply === null) break;
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
process.stdin.destroy();
