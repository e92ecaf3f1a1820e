/** The referee's conduct: what it did for silent seats, whom it had to take out, and what it refused ("Conduct"). */

import type { Game } from "../engine/game.js";
import type { Act, ActKind, RuleId } from "../engine/records.js";
import type { Seat } from "../engine/seats.js";
import type { Conduct, Refused } from "../log/records.js";
import { found } from "./finding.js";

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
  readonly #faults: number[];
  #due: Seat[] = [];
  #late = new Set<Seat>();

  constructor(
    readonly conduct: Conduct,
    readonly seats: number,
  ) {
    this.#faults = new Array<number>(seats).fill(0);
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

  /** Notes a passed deadline. */
  late(seat: Seat): void {
    this.#late.add(seat);
  }

  /** Notes an act of a player, or of the referee in his place, before it takes effect. */
  act(kind: ActKind, seat: Seat, byReferee: boolean, line: number, game: Game): void {
    const at = game.sealed.includes(seat) ? (this.#stepAt ?? this.#count) : this.#count;
    this.#acts.push({ kind, line, seat, at, byReferee, late: this.#late.has(seat) });
    this.#late.clear();
    if (!byReferee) return;
    const faults = (this.#faults[seat] ?? 0) + 1;
    this.#faults[seat] = faults;
    if (faults === this.conduct.faults) this.#due.push(seat);
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
    const out = game.out;
    this.#due = this.#due.filter((seat) => !out.includes(seat));
    return this.#due[0];
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
