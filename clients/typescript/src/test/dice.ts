/** Random rules, the same in every run. */

import { OPTIONS, parseRuleset, RulesetError, type Ruleset } from "../engine/ruleset.js";

/** Numbers that are the same in every run. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0, below a bound. */
  below(bound: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * bound);
  }

  /** One of some values. */
  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error("nothing to pick from");
    return value;
  }
}

/** A rule set that makes sense. */
export function randomRules(dice: Dice): Ruleset {
  for (;;) {
    const options = Object.entries(OPTIONS).map(([name, values]) => {
      if (values.kind === "flag") return [name, dice.below(2) === 1];
      if (values.kind === "word") return [name, dice.pick(values.words)];
      const range = values.high - values.low + 1;
      return [name, name === "limit" ? dice.pick([1, 2, 5, 10]) : values.low + dice.below(range)];
    });
    try {
      return parseRuleset(Object.fromEntries(options));
    } catch (error) {
      if (!(error instanceof RulesetError)) throw error;
    }
  }
}
