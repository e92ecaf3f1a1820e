/** The schema of one line: E101 to E115, and the first fault of them (log-format, L1). */

import { checkFields, fault, type SchemaFault } from "./checks.js";
import type { Code } from "./codes.js";
import { isJsonObject, type Json, type JsonObject } from "./json.js";
import { FILLED_IN, isAct, KINDS, PRIVATE } from "./kinds.js";
import type { LogRecord } from "./records.js";

/** The format that is read. */
export const FORMAT = "toep/0";
/** The edition of the rules that is played. */
export const EDITION = 1;
/** The shuffle that is known. */
export const SHUFFLE = "hkdf-fy8/1";

/** Versions of the head, in the order in which they are looked at. */
const VERSIONS: readonly (readonly [key: string, value: Json, code: Code])[] = [
  ["fmt", FORMAT, "E102"],
  ["edition", EDITION, "E103"],
  ["shuffle", SHUFFLE, "E104"],
];
/** What a quoted act must not have, besides what its kind has filled in. */
const NOT_SENT = ["by", "ms", "salt", "stake", "pay", "genuine", "shown"];
const RULE = /^[RH]-/;

function versionFault(head: JsonObject): SchemaFault | null {
  for (const [key, known, code] of VERSIONS) {
    const value = head[key];
    if (typeof value === typeof known && value !== known) return fault(code, `/${key}`);
  }
  return null;
}

function extensionFault(record: JsonObject, kind: string): SchemaFault | null {
  const closed = PRIVATE.has(kind) || kind === "seal" || kind === "~";
  for (const [key, value] of Object.entries(record)) {
    if (!key.startsWith("x_")) continue;
    if (closed) return fault("E109", `/${key}`);
    if (typeof value !== "number" && typeof value !== "string") return fault("E110", `/${key}`);
  }
  return null;
}

function actFault(act: JsonObject, kind: string): SchemaFault | null {
  if (act["by"] !== undefined && act["ms"] !== undefined) return fault("E111", "/ms");
  if (kind === "discard" && act["ms"] !== undefined) return fault("E114", "/ms");
  const missing = FILLED_IN.get(kind)?.find((key) => act[key] === undefined);
  return missing === undefined ? null : fault("E106", `/${missing}`);
}

function refusedFault(refused: JsonObject): SchemaFault | null {
  const { code, got } = refused;
  if (RULE.test(String(code)) !== (got !== undefined)) return fault("E112", "/got");
  if (!isJsonObject(got)) return null;
  if (got["seat"] !== refused["seat"]) return fault("E108", "/got/seat");
  const filled = got["_"] === "confess" ? ["card", ...NOT_SENT] : NOT_SENT;
  const sent = filled.find((key) => got[key] !== undefined);
  return sent === undefined ? null : fault("E113", `/got/${sent}`);
}

/** The first fault of a record, or null (log-format, L1). */
export function schemaFault(record: JsonObject): SchemaFault | null {
  const kind = record["_"];
  if (typeof kind !== "string") return fault("E105", "/_");
  const shape = KINDS.get(kind);
  if (shape === undefined) return fault("E101", "/_");
  const early = (kind === "head" ? versionFault(record) : null) ?? extensionFault(record, kind);
  if (early !== null) return early;
  const wrong = checkFields(record, shape, "");
  if (wrong !== null) return wrong;
  if (isAct(kind)) return actFault(record, kind);
  if (kind === "refused") return refusedFault(record);
  if (kind === "head" && record["clock"] === "none" && record["engine"] !== undefined) return fault("E115", "/engine");
  return null;
}

/** The record that a line without faults is. */
export function recordOf(checked: JsonObject): LogRecord {
  return checked as unknown as LogRecord;
}
