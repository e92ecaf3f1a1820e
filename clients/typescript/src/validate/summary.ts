/** What a log has and lacks: counts, warnings, and the report at the end ("Checking a log", "Missing"). */

import { LEVELS, type Code, type Level } from "../log/codes.js";
import type { Json } from "../log/json.js";
import { isAct } from "../log/kinds.js";
import type { End, Head, LogRecord } from "../log/records.js";
import type { Finding } from "./finding.js";
import { EXIT, verdictOf, type LevelResult, type Report, type Warning } from "./report.js";
import type { SealCheck } from "./seals.js";

const WHAT: Readonly<Record<Level, string>> = {
  L0: "bytes",
  L1: "schema",
  L2: "order of records",
  L3: "rules, replayed",
  L4: "shuffle",
  L5: "roots of seals",
};

const NEED_ALL_LINES: ReadonlySet<Level> = new Set<Level>(["L2", "L3", "L4"]);

/** Collects what the report says besides the first error. */
export class Summary {
  #head: Head | null = null;
  #end: End | null = null;
  #hasHead = false;
  #endAt: number | null = null;
  #revealed = false;
  #sealedLines = 0;
  #hasEntropy = false;
  #isSigned = false;
  #rounds = 0;
  #acts = 0;
  #hiddenLines = 0;
  #openedLines = 0;
  #tornAt: number | null = null;
  #hiddenAt: number | null = null;

  constructor(
    readonly level: Level | undefined,
    readonly key: string | undefined,
  ) {}

  /** Notes the kind of a line that is not looked at further. */
  kind(kind: Json | undefined, line: number): void {
    if (kind === "head") this.#hasHead = true;
    if (kind === "end") this.#endAt ??= line;
    if (kind === "reveal") this.#revealed = true;
    if (kind === "round") this.#rounds += 1;
    if (kind === "seal") this.#sealedLines = line;
    if (typeof kind === "string" && isAct(kind)) this.#acts += 1;
    if (kind !== "~") return;
    this.#hiddenLines += 1;
    this.#hiddenAt ??= line;
  }

  /** Notes a line. */
  record(record: LogRecord, line: number): void {
    this.kind(record._, line);
    if (record._ === "head") this.#head ??= record;
    if (record._ === "end") this.#end = record;
    if (record._ === "entropy") this.#hasEntropy = true;
    if (record._ === "seal" && record.sig.length > 0) this.#isSigned = true;
  }

  torn(line: number): void {
    this.#tornAt = line;
  }

  /** Says where a view stays closed. */
  hidden(line: number): void {
    this.#hiddenAt = line;
  }

  /** Counts a hidden line that was written anew. */
  opened(): void {
    this.#openedLines += 1;
    if (this.#openedLines === this.#hiddenLines) this.#hiddenAt = null;
  }

  report(error: Finding | null, lines: number, seals: SealCheck): Report {
    const warnings = error === null ? this.#warnings(lines) : [];
    const missing = error === null ? this.#missing(lines, seals) : [];
    const verdict = verdictOf(error, missing);
    return {
      verdict,
      exit: EXIT[verdict],
      error,
      warnings,
      missing,
      levels: this.#levels(error, seals),
      match: this.#head?.match ?? null,
      lines,
      rounds: this.#rounds,
      acts: this.#acts,
      hidden: this.#hiddenLines,
      opened: this.#openedLines,
      end: this.#end,
    };
  }

  #missing(lines: number, seals: SealCheck): string[] {
    const signatures = this.level === "L5" && (this.key === undefined || !seals.signed);
    const lacks: readonly (readonly [boolean, string])[] = [
      [this.#tornAt !== null, "the rest of the last line"],
      [this.#hiddenAt !== null, "hidden lines"],
      [!this.#hasHead, "head"],
      [this.#endAt === null, "end"],
      [!this.#revealed, "reveal"],
      [this.#sealedLines !== lines || lines === 0, "a seal over the last line"],
      [signatures, "signatures by a key that is known"],
    ];
    return lacks.filter(([lacking]) => lacking).map(([, what]) => what);
  }

  #warnings(lines: number): Warning[] {
    const head = this.#head;
    const asksSeals = head !== null && LEVELS.indexOf(this.level ?? "L5") >= LEVELS.indexOf("L5");
    const lacks: readonly (readonly [boolean, Code, number?])[] = [
      [this.#tornAt !== null, "W001", this.#tornAt ?? 0],
      [this.#sealedLines !== lines, "W002"],
      [this.#endAt === null, "W003"],
      [this.#endAt !== null && this.#endAt < this.#sealedLines && !this.#revealed, "W004"],
      [this.#hiddenAt !== null, "W005", this.#hiddenAt ?? 0],
      [head !== null && head.open_seed === undefined && !this.#hasEntropy, "W010"],
      [head?.open_seed !== undefined, "W011"],
      [head?.isolation === "none", "W012"],
      [asksSeals && !this.#isSigned, "W013"],
      [asksSeals && this.#isSigned && this.key === undefined, "W014"],
    ];
    return lacks
      .filter(([lacking]) => lacking)
      .map(([, code, line]): Warning => ({ code, ...(line === undefined ? {} : { line }) }));
  }

  #levels(error: Finding | null, seals: SealCheck): LevelResult[] {
    const asked = LEVELS.indexOf(this.level ?? "L5");
    const results = LEVELS.map((level, index): LevelResult => {
      const what = WHAT[level];
      const unchecked = (reason: string): LevelResult => ({ level, what, status: "not checked", reason });
      if (error?.level === level) return { level, what, status: "fail" };
      if (index > asked) return unchecked("not asked");
      if (error !== null && index > LEVELS.indexOf(error.level)) return unchecked("an error");
      if (this.#hiddenAt !== null && NEED_ALL_LINES.has(level)) return unchecked("hidden lines");
      if (level === "L4" && !this.#revealed && this.#head?.open_seed === undefined) return unchecked("no seed");
      return { level, what, status: "pass", ...(level === "L5" ? { reason: `${seals.seals} seals` } : {}) };
    });
    return [...results, this.#signatures(error, seals, asked)];
  }

  #signatures(error: Finding | null, seals: SealCheck, asked: number): LevelResult {
    const base = { level: "L5", what: "signatures" } as const;
    if (asked < LEVELS.indexOf("L5")) return { ...base, status: "not checked", reason: "not asked" };
    if (error !== null) return { ...base, status: "not checked", reason: "an error" };
    if (!seals.signed) return { ...base, status: "not checked", reason: "no seal is signed" };
    const by = this.key === undefined ? "by the key that only the log names" : "by the key that was given";
    return { ...base, status: "pass", reason: `${seals.seals} ${by}` };
  }
}
