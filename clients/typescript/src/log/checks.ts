/** What the values of fields may be (log-format, "Values" and L1). */

import { parseCard } from "../engine/cards.js";
import type { Code } from "./codes.js";
import { isJsonObject, type Json, type JsonObject } from "./json.js";

/** A fault of the schema: its code, and where in the record it is. */
export interface SchemaFault {
  readonly code: Code;
  readonly pointer: string;
}

/** Looks at a value; null when it is right. */
export type Check = (value: Json, pointer: string) => SchemaFault | null;

/** The fields of an object, and which of them must be there; both in the order of code points. */
export interface Shape {
  readonly fields: ReadonlyMap<string, Check>;
  readonly required: readonly string[];
}

export function fault(code: Code, pointer: string): SchemaFault {
  return { code, pointer };
}

function check(test: (value: Json) => boolean): Check {
  return (value, pointer) => (test(value) ? null : fault("E108", pointer));
}

/** An integer of a range. Numbers in a line are integers. */
export function integer(low: number, high: number): Check {
  return check((value) => typeof value === "number" && value >= low && value <= high);
}

/** A string of a form. */
export function matching(form: RegExp): Check {
  return check((value) => typeof value === "string" && form.test(value));
}

/** One of some strings. */
export function oneOf(...words: readonly string[]): Check {
  return check((value) => typeof value === "string" && words.includes(value));
}

export const flag: Check = check((value) => typeof value === "boolean");
export const anyString: Check = check((value) => typeof value === "string");

const isSeat = (value: Json): boolean => typeof value === "number" && value >= 0 && value <= 7;
const isCard = (value: Json): boolean => typeof value === "string" && parseCard(value) !== undefined;

/** A list of so many values, each of which passes a test. */
function listOf(test: (value: Json) => boolean, low = 0, high = Infinity): Check {
  return check((value) => {
    if (!Array.isArray(value)) return false;
    const list = value as readonly Json[];
    return list.length >= low && list.length <= high && list.every(test);
  });
}

function pair(first: (value: Json) => boolean, second: (value: Json) => boolean): (value: Json) => boolean {
  return (value) => {
    if (!Array.isArray(value)) return false;
    const [one = null, two = null, ...rest] = value as readonly Json[];
    return value.length === 2 && rest.length === 0 && first(one) && second(two);
  };
}

const MOST = Number.MAX_SAFE_INTEGER;
const isString = (value: Json): boolean => typeof value === "string";
const HEX64 = /^[0-9a-f]{64}$/;

export const seat: Check = check(isSeat);
export const card: Check = check(isCard);
export const cards: Check = listOf(isCard);
export const seats: Check = listOf(isSeat, 1, 8);
export const points: Check = listOf((value) => typeof value === "number", 2, 8);
export const ranks: Check = listOf((value) => typeof value === "number" && value >= 1 && value <= 8, 2, 8);
export const count: Check = integer(0, MOST);
export const number: Check = integer(1, MOST);
export const small: Check = integer(0, 99);
export const hash: Check = matching(HEX64);
export const salt: Check = matching(/^[0-9a-f]{32}$/);
export const root: Check = matching(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/);
export const name: Check = matching(/^[!-~]{1,128}$/);
export const vkey: Check = matching(/^[!-~]{1,256}$/);
export const drawn: Check = listOf(pair(isSeat, isCard));
export const signatures: Check = listOf(pair(isString, isString));
export const entropy: Check = listOf((value) => value === null || (typeof value === "string" && HEX64.test(value)));
export const display: Check = check(
  (value) => typeof value === "string" && value.length > 0 && value.length <= 128 && [...value].length <= 64,
);

/** The shape of an object; names that end in a question mark are of optional fields. */
export function shape(fields: Readonly<Record<string, Check>>): Shape {
  const entries = Object.entries(fields).map(([key, test]): [string, Check] => [key.replace("?", ""), test]);
  const required = Object.keys(fields).filter((key) => !key.endsWith("?"));
  return { fields: new Map(entries), required: required.sort() };
}

/** The first fault of the fields of an object: unknown and wrong ones as they come, then what is missing (L1). */
export function checkFields(object: JsonObject, { fields, required }: Shape, pointer: string): SchemaFault | null {
  for (const [key, value] of Object.entries(object)) {
    if (key.startsWith("x_") && pointer === "") continue;
    const test = fields.get(key);
    if (test === undefined) return fault("E107", `${pointer}/${key}`);
    const found = value === undefined ? null : test(value, `${pointer}/${key}`);
    if (found !== null) return found;
  }
  const missing = required.find((key) => object[key] === undefined);
  return missing === undefined ? null : fault("E106", `${pointer}/${missing}`);
}

/** An object within a record. */
export function nested(inner: Shape): Check {
  return (value, pointer) => (isJsonObject(value) ? checkFields(value, inner, pointer) : fault("E108", pointer));
}

/** The seats of a head: each of them is an object within the record. */
export function objects(inner: Shape, low: number, high: number): Check {
  const each = nested(inner);
  return (value, pointer) => {
    if (!Array.isArray(value)) return fault("E108", pointer);
    const list = value as readonly Json[];
    if (list.length < low || list.length > high) return fault("E108", pointer);
    for (const [index, element] of list.entries()) {
      const found = each(element, `${pointer}/${index}`);
      if (found !== null) return found;
    }
    return null;
  };
}
