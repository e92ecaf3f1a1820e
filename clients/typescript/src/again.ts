/** When to dial in again: after how long, and whether at all; and what goes along from one stream to the next. */

/** The trailing metadata in which a referee says before when another try is not worth while, in milliseconds. */
export const hintKey = "retry-after-ms";

/** What is waited for a referee at most before another try, whatever it says. */
export const mostHintedMs = 30_000;

/** How long a bot which is turned away so waits in all before it gives up. */
export const mostTurnedAwayMs = 60_000;

/** Between two tries to get back to a referee: they double from the first to the last. */
const firstPauseMs = 100;
const mostPauseMs = 2_000;

/** How often a bot dials in. Times are in milliseconds; where one is missing, another try is not worth while. */
export class Again {
  /** Proves that it is the same bot; empty: nothing does. */
  resumeToken: Uint8Array = new Uint8Array();
  /** It was let in before, and tries to get back. */
  wasLost = false;
  /** Matches that are over. */
  over = 0;
  /** The ids of the matches that were being played when the stream was lost. */
  running: readonly string[] = [];
  #waited = 0;
  #tries = 0;

  /**
   * @param reconnectMs for how long a bot that has lost its referee tries to get back to it
   * @param sleep waits
   * @param spread gives numbers from 0 to 1, so that many bots do not all come at once
   */
  constructor(
    readonly reconnectMs = 0,
    readonly sleep: (ms: number) => Promise<unknown> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    readonly spread: () => number = Math.random,
  ) {}

  /** The bot was let in, and sits in these matches. Others that it played are over. */
  welcomed(resumeToken: Uint8Array, matches: ReadonlySet<string>): void {
    this.resumeToken = resumeToken;
    this.#waited = 0;
    this.#tries = 0;
    this.wasLost = false;
    this.over += this.running.filter((match) => !matches.has(match)).length;
    this.running = [];
  }

  /** The bot was not let in because of who it is; whether it may do without its resume token. */
  wrongToken(): boolean {
    const had = this.resumeToken.length > 0;
    this.resumeToken = new Uint8Array();
    return had;
  }

  /** How long a bot that the referee turned away with this hint waits. */
  turnedAway(hint: string): number | undefined {
    if (!/^\d{1,9}$/.test(hint)) {
      return undefined;
    }
    return this.#spend(Math.max(Math.min(Number(hint), mostHintedMs), this.#pause()), mostTurnedAwayMs);
  }

  /** How long a bot whose stream has broken off waits. */
  lost(): number | undefined {
    this.wasLost = true;
    return this.#spend(this.#pause(), this.reconnectMs);
  }

  /** The same when nobody answers; a bot that has never been let in does not try again. */
  unreachable(): number | undefined {
    return this.wasLost ? this.lost() : undefined;
  }

  #pause(): number {
    return Math.min(mostPauseMs, firstPauseMs * 2 ** this.#tries);
  }

  #spend(pause: number, most: number): number | undefined {
    const ms = pause * (1 + this.spread() / 4);
    if (this.#waited + ms > most) {
      return undefined;
    }
    this.#tries = Math.min(this.#tries + 1, 10);
    this.#waited += ms;
    return ms;
  }
}

/** A stream is over, and another one is worth a try after so many milliseconds. */
export class AgainError extends Error {
  override readonly name = "AgainError";

  constructor(
    message: string,
    readonly ms: number,
  ) {
    super(message);
  }
}
