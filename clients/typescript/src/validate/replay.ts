/** The match played again from its log, with the conduct of the referee (log-format, L3), and L4 along with it. */

import { PACK_SIZE, UNKNOWN, type Card } from "../engine/cards.js";
import { Game } from "../engine/game.js";
import type { Act, ForfeitWhy, GameRecord, VoidWhy } from "../engine/records.js";
import type { Seat } from "../engine/seats.js";
import { sentAct, type Cards, type Head, type Late, type LoggedAct } from "../log/records.js";
import type { LogRecord, Round } from "../log/records.js";
import { checkClock, checkDerived, isLoggedAct, refereeAct, sameAct, SHUTS } from "./acts.js";
import { ConductCheck } from "./conduct.js";
import { DealtCards, type Draw } from "./dealt.js";
import { found } from "./finding.js";
import { compare, isFollower, missing, type Follower } from "./follow.js";
import { checkDraw, checkEnd, checkHead, checkRound, drawnPack, type Progress } from "./frame.js";
import { numbersOf, Shuffle } from "./shuffle.js";
import { mustAct } from "./time.js";

/** What the next private line must or may be, for the opening of views. */
export type Awaited =
  | { readonly kind: "cards"; readonly seat: Seat; readonly why: Cards["why"] }
  | { readonly kind: "follower"; readonly record: Follower }
  | { readonly kind: "discard"; readonly seat: Seat }
  | { readonly kind: "nothing" };

/** An exchange or a chance draw whose cards have not come yet. */
interface Drawing {
  readonly act: Act;
  readonly why: Draw["why"];
}

/** Codes of a line that nothing leads to (situation 10). */
const NOTHING_LEADS_TO = {
  trick: "E360",
  score: "E361",
  penalty: "E362",
  auto: "E363",
  out: "E364",
  cards: "E326",
} as const;

/** The replay of one match. */
export class Replay {
  readonly game: Game;
  readonly conduct: ConductCheck;
  readonly shuffle: Shuffle | null;
  #progress: Progress = { deals: 0, cancelled: false, forfeited: false };
  #pending: Follower[] = [];
  #drawing: Drawing | null = null;
  readonly #dealt: DealtCards;

  constructor(
    readonly head: Head,
    line: number,
    withShuffle: boolean,
  ) {
    checkHead(head, line);
    this.game = Game.start(head.rules, head.seats.length, {}, head.length);
    this.#dealt = new DealtCards(this.game);
    this.conduct = new ConductCheck(head.conduct, head.seats.length);
    this.shuffle = withShuffle ? new Shuffle(head, line) : null;
  }

  /** What a hidden line at this place can be. */
  get awaited(): Awaited {
    const [next] = this.#pending;
    if (next !== undefined) return { kind: "follower", record: next };
    if (this.#drawing !== null) return { kind: "cards", seat: this.#drawing.act.seat, why: this.#drawing.why };
    const seat = this.#dealt.due;
    if (seat !== undefined) return { kind: "cards", seat, why: this.#dealt.reason };
    const asks = this.game.asks();
    const [first] = asks.kind === "discard" ? asks.seats : [];
    return first === undefined ? { kind: "nothing" } : { kind: "discard", seat: first };
  }

  /** Takes the next line; throws `FindingError` at the first fault. */
  step(record: LogRecord, line: number): void {
    if (record._ === "ruling") {
      if (record.seat !== undefined) this.#checkSeat(record.seat, line);
      return;
    }
    const [next] = this.#pending;
    if (next !== undefined) return this.#follow(record, next, line);
    if (this.#drawing !== null) return this.#drawn(record, this.#drawing, line);
    if (this.#dealt.due !== undefined && record._ !== "cut") return this.#hand(record, line);
    this.#stepFreely(record, line);
  }

  #stepFreely(record: LogRecord, line: number): void {
    switch (record._) {
      case "head":
      case "seal":
      case "~":
        return;
      case "entropy":
        if (record.e.length !== this.game.seats) found("E308", line, { actual: record.e.length });
        return this.shuffle?.entropy(record.e);
      case "draw":
        checkDraw(record, this.head, line);
        this.game.draw(drawnPack(record));
        return this.shuffle?.drawn(record, line);
      case "round":
        return this.#round(record, line);
      case "end":
        return checkEnd(record, this.head, this.game, this.#progress, line);
      case "reveal":
        return this.shuffle?.reveal(record.seed, line);
      case "forfeit":
        return this.#forfeit(record.seat, record.why, line);
      case "void":
        return this.#void(record.why, line);
      case "late":
        return this.#late(record, line);
      case "show":
      case "open":
        this.#queue(this.game.shut(record._ === "show" ? "hands" : "trick"));
        this.conduct.shut(this.game);
        this.conduct.position(this.game);
        if (this.#pending[0] === undefined) found(record._ === "show" ? "E366" : "E365", line);
        return this.#follow(record, this.#pending[0], line);
      case "refused":
        return found("E375", line);
      case "trick":
      case "score":
      case "penalty":
      case "auto":
      case "out":
      case "cards":
        return found(NOTHING_LEADS_TO[record._], line);
      default:
        if (isLoggedAct(record)) this.#act(record, line);
    }
  }

  #checkSeat(seat: Seat, line: number): void {
    if (seat >= this.game.seats) found("E304", line, { actual: seat });
  }

  #follow(record: LogRecord, next: Follower, line: number): void {
    if (next._ === "score" && record._ === "refused") {
      this.conduct.refused(record, line);
      return this.shuffle?.take({ kind: "salt", line, salt: record.salt });
    }
    compare(record, next, line, this.game);
    this.#pending.shift();
    if (record._ === "score") this.conduct.closeRound();
    if (record._ === "discard") this.shuffle?.take({ kind: "salt", line, salt: record.salt ?? "" });
  }

  #queue(records: readonly GameRecord[]): void {
    this.#pending.push(...records.filter(isFollower));
  }

  #round(record: Round, line: number): void {
    checkRound(record, this.head, this.game, this.#progress, line);
    this.#progress = { ...this.#progress, deals: this.#progress.deals + 1, cancelled: false };
    this.conduct.beginRound();
    this.shuffle?.begin(record);
    this.#dealt.begin();
    if (!this.head.rules.cut) return;
    this.game.offer(new Array<Card>(PACK_SIZE).fill(UNKNOWN));
    this.conduct.position(this.game);
  }

  /** Tells the shuffle that the pack, cut or not, is dealt now. */
  announceHands(): void {
    const order = this.#dealt.orderOnce();
    if (order !== null) this.shuffle?.take({ kind: "hands", order, size: this.game.nextHands.count });
  }

  #hand(record: LogRecord, line: number): void {
    const hand = this.#dealt.hand(record, line);
    this.announceHands();
    this.shuffle?.take({ kind: "cards", line, record: hand });
    if (this.#dealt.due !== undefined) return;
    this.#queue(this.game.layHands(this.#dealt.hands));
    this.conduct.shut(this.game);
    this.conduct.position(this.game);
  }

  #drawn(record: LogRecord, { act, why }: Drawing, line: number): void {
    const drawn = this.#dealt.drawn(record, { seat: act.seat, why }, line);
    this.shuffle?.take({ kind: "cards", line, record: drawn });
    this.#drawing = null;
    this.game.knowTopOfStock(numbersOf(drawn.cards));
    this.#takeEffect(this.game.apply(act).slice(2));
  }

  #act(record: LoggedAct, line: number): void {
    const { game } = this;
    const act = sentAct(record);
    const shuts = SHUTS[record._];
    if (shuts !== undefined) {
      const [first] = game.shut(shuts).filter(isFollower);
      if (first !== undefined) missing(first, line, game);
      this.conduct.shut(game);
    }
    const rule = game.check(act);
    if (rule !== null) found("E330", line, { rule });
    const sealed = game.sealed;
    const isSealed = sealed.includes(act.seat) && record._ !== "resign";
    if (isSealed && sealed[0] !== act.seat) found("E337", line, { expected: sealed[0], actual: act.seat });
    if (record._ !== "cut" && !game.midStep) this.#checkDue(line);
    this.conduct.checkVoid(line);
    checkClock(record, this.head.clock, line);
    this.conduct.checkTime(record, line, game);
    this.#checkReferee(record, act, line);
    this.conduct.act(record, line, game);
    this.#perform(record, act, isSealed, line);
  }

  #checkDue(line: number): void {
    const due = this.conduct.dueForfeit(this.game);
    if (due !== undefined) found("E386", line, { expected: due });
  }

  #checkReferee(record: LoggedAct, act: Act, line: number): void {
    if (record.by === undefined) return;
    const own = refereeAct(this.game, act.seat);
    if (own === null || !sameAct(own, act)) found("E382", line, { expected: own });
  }

  #perform(record: LoggedAct, act: Act, isSealed: boolean, line: number): void {
    const { game } = this;
    if (act._ === "cut") {
      this.shuffle?.take({ kind: "cut", at: act.at });
      return this.conduct.cutMade();
    }
    if (act._ === "exchange" || act._ === "chance") {
      this.#drawing = { act, why: act._ };
      return;
    }
    const price = game.accepted(act.seat);
    const records = game.apply(act);
    const sealedAnswer: GameRecord = act._ === "fold" ? { ...act, _: "fold", pay: price } : (act as GameRecord);
    const own = isSealed && act._ !== "discard" ? sealedAnswer : records[0];
    if (own !== undefined) checkDerived(record, own, game, line);
    if (record._ === "discard") this.shuffle?.take({ kind: "salt", line, salt: record.salt ?? "" });
    if (record._ === "challenge" && record.genuine === false) this.#giveBack();
    if (record._ === "resign" && this.head.length !== "game") this.#progress = { ...this.#progress, forfeited: true };
    this.#takeEffect(records.slice(1), isSealed);
  }

  /** Tells the shuffle that a caught bluffer's cards went under the stock. */
  #giveBack(): void {
    if (this.head.rules.exchange_caught !== "old_hand") return;
    this.shuffle?.take({ kind: "back", cards: this.game.topOfStock(PACK_SIZE).slice(-4) });
  }

  #takeEffect(records: readonly GameRecord[], wasSealed = false): void {
    this.#queue(records);
    // Whoever gives up as the last one that was awaited has the sealed answers shown.
    const isShown = records.some(({ _ }) => _ === "stay" || _ === "fold");
    this.conduct.effective(this.game, wasSealed || isShown);
  }

  #forfeit(seat: Seat, why: ForfeitWhy, line: number): void {
    const { game } = this;
    if (seat >= game.seats || game.out.includes(seat)) found("E330", line, { rule: "R-OUT-01" });
    this.conduct.checkVoid(line);
    if (why === "left" && this.head.conduct.left === "wait") found("E387", line, { actual: why });
    if (why === "faults") {
      const due = this.conduct.dueForfeit(game);
      if (due !== seat) found("E387", line, { expected: due, actual: seat });
    }
    this.conduct.decided();
    this.#progress = { ...this.#progress, forfeited: true };
    this.#takeEffect(game.forfeit(seat, why));
  }

  #void(why: VoidWhy, line: number): void {
    if (why === "revoke") return found("E392", line);
    if (why !== "crash") this.conduct.checkVoid(line);
    this.conduct.decided();
    this.#takeEffect(this.game.voidRound(why).slice(1));
    this.#progress = { ...this.#progress, cancelled: why === "cancelled" };
  }

  #late(record: Late, line: number): void {
    const { game } = this;
    const { seat } = record;
    this.#checkSeat(seat, line);
    const [first] = game.shut("trick").filter(isFollower);
    if (first !== undefined) missing(first, line, game);
    this.conduct.shut(game);
    this.conduct.position(game);
    this.conduct.checkVoid(line);
    if (!game.midStep) this.#checkDue(line);
    if (record.elapsed !== undefined && this.head.clock === "none") found("E390", line, { pointer: "/elapsed" });
    if (!mustAct(game, seat)) found("E391", line, { actual: seat });
    this.conduct.late(record, line, game);
  }
}
