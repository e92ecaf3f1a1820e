/** The referee's conduct: what it did for silent seats, whom it had to take out, and what it refused ("Conduct"). */

import type { Game } from "../engine/game.js";
import type { Act, ActKind, RuleId } from "../engine/records.js";
import type { Seat } from "../engine/seats.js";
import type { Conduct, Late, LoggedAct, Refused } from "../log/records.js";
import { Faults, isExcused, type Verdict } from "./faults.js";
import { found } from "./finding.js";
import { Budgets, isTimed } from "./time.js";

/** An act of the running round, for the comparison with refusals. */
interface NotedAct {
  readonly kind: ActKind;
  readonly line: number;
  readonly seat: Seat;
  /** What `at` of a refusal at the same question is. */
  readonly at: number;
  readonly byReferee: boolean;
  readonly late: boolean;
}

/** Whether a seat may have been asked in a position: something is required of it, or it could do something. */
function mayBeAsked(game: Game, seat: Seat): boolean {
  const asks = game.asks();
  if (asks.kind === "cut") return asks.seats.includes(seat);
  if (game.stage !== "round") return false;
  return ("seats" in asks && asks.seats.includes(seat)) || game.legal(seat).length > 0;
}

/** What the last of some positions becomes with P2, and then P5, shut as well, where nothing follows from that. */
function withWindowsShut(positions: readonly Game[]): Game[] {
  const all = [...positions];
  for (const upTo of ["hands", "trick"] as const) {
    const later = all.at(-1)?.clone();
    if (later === undefined || later.shut(upTo).length > 0) break;
    all.push(later);
  }
  return all;
}

/** Counts effective acts, and keeps the positions of the running round in which seats were asked. */
export class ConductCheck {
  /** Effective acts of the match so far. */
  #count = 0;
  /** How many there were before the running sealed step; null when there is none. */
  #stepAt: number | null = null;
  readonly #positions = new Map<number, Game[]>();
  #acts: NotedAct[] = [];
  #refusals = new Map<string, number>();
  #last: Refused | null = null;
  readonly #faults: Faults;
  readonly #budgets: Budgets;
  /** Who was late, and by whose fault, with no act, forfeit or void since. */
  readonly #late = new Map<Seat, Verdict>();
  /** Whether the round has to be void, because the referee was slow himself. */
  #voidDue = false;

  constructor(
    readonly conduct: Conduct,
    readonly seats: number,
  ) {
    this.#faults = new Faults(conduct, seats);
    this.#budgets = new Budgets(conduct, seats);
  }

  /** Forgets the last round. */
  beginRound(): void {
    this.#positions.clear();
    this.#acts = [];
    this.#refusals.clear();
    this.#last = null;
    this.#stepAt = null;
    this.#late.clear();
  }

  /** Notes a position in which seats may be asked; in the middle of a sealed step nobody is asked anew. */
  position(game: Game): void {
    if (game.stage !== "round" && game.stage !== "cut") return;
    if (this.#stepAt !== null && this.#stepAt !== this.#count) return;
    const known = this.#positions.get(this.#count) ?? [];
    this.#positions.set(this.#count, [...known, game.clone()]);
  }

  /** Notes that windows were shut, with which discards may have become due. */
  shut(game: Game): void {
    if (game.sealed.length > 0) this.#stepAt ??= this.#count;
  }

  /** Checks the times of a passed deadline (E384), and notes it. */
  late({ budget, elapsed, seat, verdict }: Late, line: number, game: Game): void {
    const expected = this.#budgets.budget(seat, game);
    if (budget !== expected) found("E384", line, { pointer: "/budget", expected, actual: budget });
    if (elapsed !== undefined && elapsed < budget) found("E384", line, { pointer: "/elapsed", actual: elapsed });
    this.#budgets.late(seat);
    this.#late.set(seat, verdict);
    this.#voidDue = this.conduct.stall === "void" && isExcused(verdict, this.conduct);
  }

  /** Stops where the round had to be void (E398). */
  checkVoid(line: number): void {
    if (this.#voidDue) found("E398", line);
  }

  /** Stops where a player took longer than he had (E384). */
  checkTime(act: LoggedAct, line: number, game: Game): void {
    if (act.ms === undefined || !this.#budgets.limitsActs || !isTimed(act, game)) return;
    const budget = this.#budgets.budget(act.seat, game);
    if (act.ms >= budget) found("E384", line, { pointer: "/ms", expected: `less than ${budget}`, actual: act.ms });
  }

  /** Notes an act of a player, or of the referee in his place, before it takes effect. */
  act(act: LoggedAct, line: number, game: Game): void {
    const { seat } = act;
    const byReferee = act.by !== undefined;
    const at = game.sealed.includes(seat) ? (this.#stepAt ?? this.#count) : this.#count;
    const verdict = this.#late.get(seat);
    this.#acts.push({ kind: act._, line, seat, at, byReferee, late: verdict !== undefined });
    this.#late.clear();
    if (isTimed(act, game)) this.#budgets.acted(seat, act.ms);
    if (!byReferee) return;
    if (verdict !== undefined) this.#pay(seat, verdict);
    this.#faults.add(seat, verdict);
  }

  /** Notes a forfeit, or a void that is a decision: whoever was late before it has paid for that. */
  decided(): void {
    for (const [seat, verdict] of this.#late) this.#pay(seat, verdict);
    this.#late.clear();
    this.#voidDue = false;
  }

  /** Lets a seat lose its bank, if it was late by a fault that counts. */
  #pay(seat: Seat, verdict: Verdict): void {
    if (!isExcused(verdict, this.conduct)) this.#budgets.empty(seat);
  }

  /** Counts something that has taken effect. `wasSealed`: an act that all give at once. */
  effective(game: Game, wasSealed = false): void {
    this.#count += 1;
    if (game.sealed.length === 0) this.#stepAt = null;
    else if (this.#stepAt === null || (wasSealed && !game.sealedBegun)) this.#stepAt = this.#count;
    this.position(game);
  }

  /** Counts a cut; its cards are still to come. */
  cutMade(): void {
    this.#count += 1;
  }

  /** The seat whose forfeit for faults must come first, if there is one. */
  dueForfeit(game: Game): Seat | undefined {
    return this.#faults.due(game.out);
  }

  /** Judges a refusal (log-format, L3, situation 8). */
  refused(record: Refused, line: number): void {
    const { at, seat } = record;
    if (seat >= this.seats) found("E304", line, { actual: seat });
    const positions = this.#positions.get(at);
    if (positions === undefined) return found("E377", line, { actual: at });
    const last = this.#last;
    if (last !== null && (at < last.at || (at === last.at && seat < last.seat))) found("E376", line);
    this.#last = record;
    const tries = this.#triesOf(at, seat) + 1;
    this.#refusals.set(`${at}:${seat}`, tries);
    if (tries > this.conduct.tries) found("E380", line, { expected: this.conduct.tries, actual: tries });
    const asked = withWindowsShut(positions).filter((game) => mayBeAsked(game, seat));
    if (asked.length === 0) found("E381", line);
    if (record.got !== undefined) judge(asked, record.got, record.code, line);
  }

  /** Compares acts with refusals, once all of a round are known (log-format, L3, situation 9). */
  closeRound(): void {
    for (const { kind, line, seat, at, byReferee, late } of this.#acts) {
      const used = this.#triesOf(at, seat) >= this.conduct.tries;
      if (byReferee && !late && !used) found("E383", line);
      if (!byReferee && kind !== "resign" && used) found("E385", line);
    }
  }

  /** Every refusal by which a seat may have been turned down, for the opening of views. */
  *possible(acts: (game: Game, seat: Seat) => Iterable<Act>): Generator<Omit<Refused, "_" | "salt">> {
    for (const [at, positions] of this.#positions) {
      const all = withWindowsShut(positions);
      for (let seat = 0; seat < this.seats; seat += 1) {
        const asked = all.filter((game) => mayBeAsked(game, seat));
        const [first] = asked;
        if (first === undefined) continue;
        for (const code of ["malformed", "not_asked", "too_large", "unknown"] as const) yield { at, code, seat };
        for (const got of acts(first, seat)) {
          for (const code of new Set(asked.map((game) => game.check(got)))) {
            if (code !== null) yield { at, code, got, seat };
          }
        }
      }
    }
  }

  #triesOf(at: number, seat: Seat): number {
    return this.#refusals.get(`${at}:${seat}`) ?? 0;
  }
}

/** Judges a refused act again: E379 where another rule refuses it, E378 where it was legal in every position. */
function judge(asked: readonly Game[], got: Act, code: Refused["code"], line: number): void {
  const reasons = asked.map((game) => game.check(got));
  if (reasons.some((reason) => reason === code)) return;
  const other = reasons.find((reason): reason is RuleId => reason !== null);
  if (other === undefined) found("E378", line, { rule: code as RuleId });
  found("E379", line, { rule: other, expected: other, actual: code });
}
