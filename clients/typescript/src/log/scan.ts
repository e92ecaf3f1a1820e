/** The strict scanner of one line: from left to right, once, and the first fault counts (log-format, L0). */

import type { Code } from "./codes.js";
import type { Json, JsonObject } from "./json.js";

/** What the scanner stops at. `at` counts UTF-16 units, which are bytes before the first character beyond ASCII. */
export class ScanError extends Error {
  override readonly name = "ScanError";

  constructor(
    readonly code: Code,
    readonly at: number,
  ) {
    super(`${code} at ${at}`);
  }
}

const DEEPEST = 8;
const KEY = /^(?:_|[a-z][a-z0-9_]*)$/;
const NUMBER_RUN = /[-+]?[0-9][-+.0-9eE]*|-/y;
const INTEGER = /^(?:0|-?[1-9][0-9]*)$/;
const SIGN_AND_DIGITS = /^[-+]?[0-9]+$/;
const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;
const NEEDLESS_ESCAPE = /^(?:[^\\]|\\["\\])*\\[^"\\]/;
const NOT_PRINTABLE = /[^ -~]/;
// Cc, Cf, Cs, Co, Cn, Zl and Zp; C is all of the first five.
const NOT_IN_NAMES = /[\p{C}\p{Zl}\p{Zp}]/u;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What a value is part of, as far as that matters: names may have more characters, entropy may have nulls. */
type Place = "record" | "seats" | "seat" | "name" | "e" | "entropy" | "plain";

function placeOfField(place: Place, key: string): Place {
  if (place === "record") return key === "seats" ? "seats" : key === "e" ? "e" : "plain";
  return place === "seat" && key === "bot" ? "name" : "plain";
}

function placeOfElement(place: Place): Place {
  if (place === "seats") return "seat";
  return place === "e" ? "entropy" : "plain";
}

class Scanner {
  #at = 0;
  #depth = 0;

  constructor(readonly line: string) {}

  fail(code: Code, at = this.#at): never {
    throw new ScanError(code, at);
  }

  /** Nothing that could stand here begins here. */
  unexpected(): never {
    const char = this.line[this.#at];
    return this.fail(char === " " || char === "\t" ? "E008" : "E006");
  }

  record(): Json {
    const value = this.value("record");
    if (this.#at < this.line.length) this.unexpected();
    return value;
  }

  value(place: Place): Json {
    switch (this.line[this.#at]) {
      case "{":
        return this.nested(() => this.object(place));
      case "[":
        return this.nested(() => this.list(place));
      case '"':
        return this.string(place === "name");
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        if (!this.line.startsWith("null", this.#at)) return this.fail("E006");
        return place === "entropy" ? this.word("null", null) : this.fail("E018");
      default:
        return this.number();
    }
  }

  nested<T>(read: () => T): T {
    if (this.#depth === DEEPEST) this.fail("E016");
    this.#depth += 1;
    this.#at += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  word<T>(word: string, value: T): T {
    if (!this.line.startsWith(word, this.#at)) this.fail("E006");
    this.#at += word.length;
    return value;
  }

  /** Takes this character if it is the next one. */
  takes(char: string): boolean {
    if (this.line[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  object(place: Place): JsonObject {
    const object: Record<string, Json> = {};
    if (this.takes("}")) return object;
    let last = "";
    do {
      const key = this.key(object, last);
      if (!this.takes(":")) this.unexpected();
      // Keys cannot be "__proto__": they begin with a letter, or are "_".
      object[key] = this.value(placeOfField(place, key));
      last = key;
    } while (this.takes(","));
    if (!this.takes("}")) this.unexpected();
    return object;
  }

  list(place: Place): Json[] {
    const list: Json[] = [];
    if (this.takes("]")) return list;
    const inner = placeOfElement(place);
    do list.push(this.value(inner));
    while (this.takes(","));
    if (!this.takes("]")) this.unexpected();
    return list;
  }

  key(object: Readonly<Record<string, Json>>, last: string): string {
    if (this.line[this.#at] !== '"') this.unexpected();
    const start = this.#at;
    const key = this.spelled();
    if (!KEY.test(key)) this.fail("E011", start);
    if (Object.hasOwn(object, key)) this.fail("E010", start);
    if (key < last) this.fail("E009", start);
    return key;
  }

  /** What stands between two quotation marks, with its escapes. */
  spelled(): string {
    const start = this.#at + 1;
    for (let i = start; i < this.line.length; i += 1) {
      const char = this.line.charCodeAt(i);
      if (char === BACKSLASH) i += 1;
      else if (char === QUOTE) {
        this.#at = i + 1;
        return this.line.slice(start, i);
      }
    }
    return this.fail("E006", start - 1);
  }

  string(isName: boolean): string {
    const start = this.#at + 1;
    const spelled = this.spelled();
    const escaped = spelled.includes("\\");
    if (escaped) {
      const bad = NEEDLESS_ESCAPE.exec(spelled);
      if (bad !== null) this.fail("E012", start + bad[0].length - 2);
    }
    const text = escaped ? spelled.replace(/\\(.)/g, "$1") : spelled;
    if (NOT_PRINTABLE.test(text)) {
      if (!isName) this.fail("E017", start + spelled.search(NOT_PRINTABLE));
      if (NOT_IN_NAMES.test(text) || text.normalize("NFC") !== text) this.fail("E019", start);
    }
    return text;
  }

  number(): number {
    NUMBER_RUN.lastIndex = this.#at;
    const run = NUMBER_RUN.exec(this.line)?.[0];
    if (run === undefined) return this.unexpected();
    if (!INTEGER.test(run)) {
      if (SIGN_AND_DIGITS.test(run)) this.fail("E013");
      this.fail(JSON_NUMBER.test(run) ? "E014" : "E006");
    }
    const value = Number(run);
    if (!Number.isSafeInteger(value)) this.fail("E015");
    this.#at += run.length;
    return value;
  }
}

/** Reads one line strictly; throws `ScanError` with the first of E006 to E019 (log-format, L0). */
export function scan(line: string): JsonObject {
  const value = new Scanner(line).record();
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new ScanError("E007", 0);
}
