/** JSON values as a log has them, and their one spelling (log-format, "Bytes"). */

/** A value in a line of a log. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object in a line of a log. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** The longest line, in bytes before its LF. */
export const LONGEST_LINE = 16384;

/** Whether a value is an object. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function encodeString(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** The canonical spelling of a value, without checks; fields that are undefined are left out. */
export function encode(value: Json): string {
  switch (typeof value) {
    case "string":
      return encodeString(value);
    case "number":
    case "boolean":
      return String(value);
    default:
      break;
  }
  if (value === null) return "null";
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(encode).join(",")}]`;
  const object = value as JsonObject;
  const fields: string[] = [];
  for (const key of Object.keys(object).sort()) {
    const field = object[key];
    if (field !== undefined) fields.push(`"${key}":${encode(field)}`);
  }
  return `{${fields.join(",")}}`;
}

const UTF8 = new TextEncoder();

/** The bytes of a line for a record, without the LF. */
export function encodeLine(record: JsonObject): Uint8Array {
  return UTF8.encode(encode(record));
}
