/** Reports as text and as JSON (`schema/report.schema.json`). */

import { codeEntry } from "../log/codes.js";
import type { LevelResult, Report, Warning } from "../validate/report.js";

function levelLine({ level, what, status, reason }: LevelResult): string {
  return `${level.padEnd(8)}${what}: ${status}${reason === undefined ? "" : ` (${reason})`}\n`;
}

function place(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}:${line}`;
}

function titleOf({ code }: Warning): string {
  return codeEntry(code)?.title ?? "";
}

/** A report for people; quiet ones have errors and the verdict only. */
export function textReport(file: string, report: Report, quiet: boolean): string {
  const { error, warnings, end } = report;
  const lines: string[] = [];
  if (error !== null) {
    const rule = error.rule === undefined ? "" : ` [${error.rule}]`;
    lines.push(`${place(file, error.line)}: error ${error.code}${rule} ${error.message}\n`);
  }
  if (!quiet && report.levels.length > 0) {
    for (const warning of warnings) {
      lines.push(`${place(file, warning.line)}: warning ${warning.code} ${titleOf(warning)}\n`);
    }
    lines.push(`match   ${report.match ?? "unknown"}\n`);
    lines.push(`counts  ${report.lines} lines, ${report.rounds} deals, ${report.acts} acts\n`);
    if (report.hidden > 0) lines.push(`view    ${report.hidden} hidden lines, ${report.opened} opened\n`);
    lines.push(...report.levels.map(levelLine));
    if (end !== null) lines.push(`result  ${end.status}: places ${end.rank.join()}, points ${end.total.join()}\n`);
    if (report.missing.length > 0) lines.push(`missing ${report.missing.join(", ")}\n`);
  }
  return `${lines.join("")}${report.verdict}\n`;
}

/** A report for programs, on one line. */
export function jsonReport(file: string, report: Report): string {
  const { verdict, exit, match, lines, rounds, acts, hidden, opened, levels, missing, error, warnings } = report;
  const errors = error === null ? [] : [{ ...error, rule: error.rule ?? "", severity: "error", file }];
  const findings = [
    ...errors,
    ...warnings.map((warning) => ({
      code: warning.code,
      severity: "warning",
      file,
      line: warning.line ?? null,
      message: titleOf(warning),
    })),
  ];
  const counts = { lines, rounds, acts, hidden, opened };
  const results = levels.map((result) => ({ reason: "", ...result }));
  return JSON.stringify({ file, verdict, exit, match, ...counts, levels: results, missing, findings });
}
