/** The verdict on a log (log-format, "Checking a log"). */

import { isUnsupported, type Code, type Level } from "../log/codes.js";
import type { End } from "../log/records.js";
import type { Finding } from "./finding.js";

export type Verdict = "VALID" | "INVALID" | "UNREADABLE" | "UNSUPPORTED" | "INCOMPLETE";

/** The exit code that goes with a verdict. */
export const EXIT: Readonly<Record<Verdict, number>> = {
  VALID: 0,
  INVALID: 1,
  UNREADABLE: 2,
  UNSUPPORTED: 3,
  INCOMPLETE: 4,
};

/** What a log cannot show, or what is missing. */
export interface Warning {
  readonly code: Code;
  readonly line?: number;
}

/** How far a level was checked. */
export interface LevelResult {
  readonly level: Level;
  readonly what: string;
  readonly status: "pass" | "fail" | "not checked";
  readonly reason?: string;
}

/** Everything there is to say about a log. */
export interface Report {
  readonly verdict: Verdict;
  readonly exit: number;
  /** The first error. */
  readonly error: Finding | null;
  readonly warnings: readonly Warning[];
  readonly missing: readonly string[];
  readonly levels: readonly LevelResult[];
  readonly match: string | null;
  readonly lines: number;
  readonly rounds: number;
  readonly acts: number;
  readonly hidden: number;
  readonly opened: number;
  readonly end: End | null;
}

/** The verdict that an error, or what is missing, leads to. */
export function verdictOf(error: Finding | null, missing: readonly string[]): Verdict {
  if (error !== null) return isUnsupported(error.code) ? "UNSUPPORTED" : "INVALID";
  return missing.length > 0 ? "INCOMPLETE" : "VALID";
}
