/** Checking a log that comes in chunks: one pass over its lines, and the first finding counts ("Checking a log"). */

import { fromBase64 } from "../log/base64.js";
import { LEVELS, type Level } from "../log/codes.js";
import { LONGEST_LINE } from "../log/json.js";
import { LineSplitter, textOf } from "../log/lines.js";
import { leafOf } from "../log/merkle.js";
import type { Head, LogRecord } from "../log/records.js";
import { scan, ScanError } from "../log/scan.js";
import { recordOf, schemaFault } from "../log/schema.js";
import { found, FindingError, type Finding } from "./finding.js";
import { openLine } from "./opening.js";
import { Order } from "./order.js";
import { Replay } from "./replay.js";
import type { Report } from "./report.js";
import { SealCheck } from "./seals.js";
import { Summary } from "./summary.js";

/** How much is asked of a check. */
export interface ValidatorOptions {
  /** The vkey that must have signed every seal. */
  readonly key?: string | undefined;
  /** Nothing beyond this level is looked at; without it L0 to L4, and the seals as far as they can be checked. */
  readonly level?: Level | undefined;
}

interface Line {
  readonly record: LogRecord;
  readonly line: number;
}

/** One check of one log. */
export class Validator {
  readonly #asked: number;
  readonly #splitter = new LineSplitter();
  readonly #order = new Order();
  readonly #seals: SealCheck;
  readonly #summary: Summary;
  #head: Head | null = null;
  #replay: Replay | null = null;
  #line = 0;
  #error: Finding | null = null;
  /** The lines from the first hidden one on, which have to be read a second time. */
  #parked: Line[] = [];
  /** The seed of a view, revealed behind its first hidden line. */
  #seed: Uint8Array | null = null;

  constructor(readonly options: ValidatorOptions = {}) {
    this.#asked = LEVELS.indexOf(options.level ?? "L5");
    this.#seals = new SealCheck(options.key ?? null);
    this.#summary = new Summary(options.level, options.key);
  }

  /** Whether something is wrong, so that nothing that comes is looked at any more. */
  get stopped(): boolean {
    return this.#error !== null;
  }

  /** Takes the next bytes of the file. */
  push(chunk: Uint8Array): void {
    if (this.stopped) return;
    this.#catching(() => {
      for (const line of this.#splitter.push(chunk)) this.#take(line);
    });
  }

  /** Says that the file is at its end, and gives the report. */
  finish(): Report {
    const { rest } = this.#splitter;
    this.#catching(() => {
      if (rest.length > LONGEST_LINE) found("E005", this.#line + 1);
      if (rest.length > 0) this.#summary.torn(this.#line + 1);
      this.#openView();
    });
    return this.#summary.report(this.#error, this.#line, this.#seals);
  }

  #catching(work: () => void): void {
    if (this.stopped) return;
    try {
      work();
    } catch (error) {
      if (!(error instanceof FindingError)) throw error;
      this.#error = error.finding;
    }
  }

  #asks(level: Level): boolean {
    return LEVELS.indexOf(level) <= this.#asked;
  }

  #take(bytes: Uint8Array): void {
    const line = this.#line + 1;
    const text = textOf(bytes);
    if ("fault" in text) return found(text.fault.code, line, { pointer: `byte ${text.fault.at}` });
    const object = scanned(text.text, line);
    this.#line = line;
    if (!this.#asks("L1")) return this.#summary.kind(object["_"], line);
    const wrong = schemaFault(object);
    if (wrong !== null) found(wrong.code, line, { pointer: wrong.pointer });
    const record = recordOf(object);
    this.#summary.record(record, line);
    this.#check(record, line);
    if (this.#asks("L5")) this.#checkSeal(record, line, bytes);
  }

  #check(record: LogRecord, line: number): void {
    if (record._ === "~" || this.#parked.length > 0) {
      if (record._ === "reveal") this.#seed ??= this.#replay?.shuffle?.confirm(record.seed, line) ?? null;
      this.#parked.push({ record, line });
      return;
    }
    this.#play(record, line);
  }

  #play(record: LogRecord, line: number): void {
    if (!this.#asks("L2")) return;
    const code = this.#order.step(record._);
    if (code !== null) found(code, line, { actual: record._ });
    if (!this.#asks("L3")) return;
    if (record._ === "head") this.#replay = new Replay(record, line, this.#asks("L4"));
    else this.#replay?.step(record, line);
  }

  #checkSeal(record: LogRecord, line: number, bytes: Uint8Array): void {
    if (record._ === "head" && this.#head === null) {
      this.#head = record;
      this.#seals.head(record, line);
    }
    if (record._ === "seal") this.#seals.seal(record, line);
    this.#seals.add(record._ === "~" ? (fromBase64(record.hash) ?? leafOf(bytes)) : leafOf(bytes));
  }

  /**
   * The second reading of a view whose seed is known: what was read before is checked by the seed, and what comes as it
   * comes.
   */
  #openView(): void {
    const replay = this.#replay;
    if (this.#seed !== null) replay?.shuffle?.know(this.#seed);
    const known = replay?.shuffle?.known === true;
    for (const { record, line } of this.#parked) {
      if (record._ !== "~") {
        this.#play(record, line);
        continue;
      }
      const open = replay !== null && known ? openLine(replay, this.#order.place, line, record.hash) : null;
      if (open === null) return this.#summary.hidden(line);
      this.#summary.opened();
      this.#play(open, line);
    }
  }
}

function scanned(text: string, line: number): ReturnType<typeof scan> {
  try {
    return scan(text);
  } catch (error) {
    if (error instanceof ScanError) return found(error.code, line, { pointer: `character ${error.at}` });
    throw error;
  }
}

