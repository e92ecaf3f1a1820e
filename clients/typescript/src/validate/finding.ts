/** What a check finds: the first fault of a log, or a warning (log-format, "The first finding"). */

import type { RuleId } from "../engine/records.js";
import { codeEntry, levelOf, type Code, type Level } from "../log/codes.js";

/** A fault: its code, the line that it is about, counted from 1, and the rule of the game that is broken. */
export interface Finding {
  readonly code: Code;
  readonly level: Level;
  readonly line: number;
  readonly rule?: RuleId;
  readonly message: string;
}

/** More about a fault than its code and line say. */
export interface Details {
  /** Another rule than that of the code's page; null for none. */
  readonly rule?: RuleId | null | undefined;
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly pointer?: string | undefined;
}

/** The first fault of a log, thrown from wherever it is found. */
export class FindingError extends Error {
  override readonly name = "FindingError";

  constructor(readonly finding: Finding) {
    super(finding.message);
  }
}

function spelled(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}

/** Makes a finding. */
export function finding(code: Code, line: number, details: Details = {}): Finding {
  const entry = codeEntry(code);
  const rule = details.rule === undefined ? entry?.rule : details.rule;
  const parts = [
    ...(details.pointer === undefined ? [] : [`at ${details.pointer}`]),
    ...("expected" in details ? [`expected ${spelled(details.expected)}`] : []),
    ...("actual" in details ? [`actual ${spelled(details.actual)}`] : []),
  ];
  const message = `${entry?.title ?? code}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
  return { code, level: levelOf(code), line, ...(rule === undefined || rule === null ? {} : { rule }), message };
}

/** Stops the check with a finding. */
export function found(code: Code, line: number, details: Details = {}): never {
  throw new FindingError(finding(code, line, details));
}
