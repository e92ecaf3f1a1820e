/** The options of a rule set, the presets, and combinations that make no sense (Part 3 of the rule book). */

/** A value for every option. */
export interface Ruleset {
  readonly answers: "clockwise" | "simultaneous";
  readonly armoede: boolean;
  readonly armoede_leads: boolean;
  readonly blind: boolean;
  readonly blind_stake: number;
  readonly blind_who: "anyone" | "most_points";
  readonly chance: boolean;
  readonly count: "lives" | "up";
  readonly crosses: number;
  readonly cut: boolean;
  readonly deal_pattern: "four" | "one_by_one" | "two_two";
  readonly dood: "auto" | "free";
  readonly exchange: "off" | "once" | "until_empty";
  readonly exchange_caught: "new_hand" | "old_hand";
  readonly exchange_seven: boolean;
  readonly finale: "both_poor" | "off" | "two_left";
  readonly first_dealer: "low_card" | "seat";
  readonly folded_cards: "excluded" | "win";
  readonly folds_in_row: number;
  readonly four_alike: "off" | "stand" | "win";
  readonly game_end: "first_out" | "last_standing";
  readonly grey_grave: boolean;
  readonly jack_bonus: boolean;
  readonly jacks_signal: "may" | "must";
  readonly limit: number;
  readonly min_players: number;
  readonly next_dealer: "left" | "winner";
  readonly no_follower: "rank_then_suit" | "suit_then_rank";
  readonly overshoot: "clamp" | "record";
  readonly overtoep_as_answer: boolean;
  readonly revoke: "penalise" | "reject";
  readonly signals: "announce" | "off" | "penalty";
  readonly toep_who: "anyone" | "on_turn";
}

/** What an option may be: the lowest and the highest value of a number, or all the values there are. */
export type OptionValues =
  | { readonly kind: "number"; readonly low: number; readonly high: number }
  | { readonly kind: "flag" }
  | { readonly kind: "word"; readonly words: readonly string[] };

function range(low: number, high: number): OptionValues {
  return { kind: "number", low, high };
}

function words(...values: readonly string[]): OptionValues {
  return { kind: "word", words: values };
}

const FLAG: OptionValues = { kind: "flag" };

/** Every option with its values. */
export const OPTIONS: Readonly<Record<keyof Ruleset, OptionValues>> = {
  answers: words("clockwise", "simultaneous"),
  armoede: FLAG,
  armoede_leads: FLAG,
  blind: FLAG,
  blind_stake: range(2, 9),
  blind_who: words("anyone", "most_points"),
  chance: FLAG,
  count: words("lives", "up"),
  crosses: range(0, 9),
  cut: FLAG,
  deal_pattern: words("four", "one_by_one", "two_two"),
  dood: words("auto", "free"),
  exchange: words("off", "once", "until_empty"),
  exchange_caught: words("new_hand", "old_hand"),
  exchange_seven: FLAG,
  finale: words("both_poor", "off", "two_left"),
  first_dealer: words("low_card", "seat"),
  folded_cards: words("excluded", "win"),
  folds_in_row: range(0, 9),
  four_alike: words("off", "stand", "win"),
  game_end: words("first_out", "last_standing"),
  grey_grave: FLAG,
  jack_bonus: FLAG,
  jacks_signal: words("may", "must"),
  limit: range(1, 99),
  min_players: range(2, 3),
  next_dealer: words("left", "winner"),
  no_follower: words("rank_then_suit", "suit_then_rank"),
  overshoot: words("clamp", "record"),
  overtoep_as_answer: FLAG,
  revoke: words("penalise", "reject"),
  signals: words("announce", "off", "penalty"),
  toep_who: words("anyone", "on_turn"),
};

const CAFE: Ruleset = {
  answers: "clockwise",
  armoede: false,
  armoede_leads: false,
  blind: false,
  blind_stake: 3,
  blind_who: "most_points",
  chance: false,
  count: "up",
  crosses: 0,
  cut: false,
  deal_pattern: "four",
  dood: "free",
  exchange: "until_empty",
  exchange_caught: "new_hand",
  exchange_seven: false,
  finale: "off",
  first_dealer: "seat",
  folded_cards: "win",
  folds_in_row: 0,
  four_alike: "off",
  game_end: "first_out",
  grey_grave: false,
  jack_bonus: false,
  jacks_signal: "must",
  limit: 10,
  min_players: 3,
  next_dealer: "winner",
  no_follower: "rank_then_suit",
  overshoot: "clamp",
  overtoep_as_answer: false,
  revoke: "reject",
  signals: "off",
  toep_who: "anyone",
};

const SHORT: Ruleset = { ...CAFE, min_players: 2, folded_cards: "excluded", exchange: "off" };

const CLASSIC: Ruleset = {
  ...SHORT,
  game_end: "last_standing",
  deal_pattern: "two_two",
  dood: "auto",
  armoede: true,
};

const CLASSIC_ALL: Ruleset = {
  ...CLASSIC,
  exchange: "until_empty",
  exchange_seven: true,
  exchange_caught: "old_hand",
  signals: "announce",
  four_alike: "win",
  jack_bonus: true,
  chance: true,
  blind: true,
  finale: "both_poor",
  grey_grave: true,
  folds_in_row: 2,
  crosses: 5,
};

const CLUB: Ruleset = {
  ...SHORT,
  limit: 15,
  overshoot: "record",
  game_end: "last_standing",
  armoede: true,
  armoede_leads: true,
  finale: "two_left",
  revoke: "penalise",
};

const RUBBER: Ruleset = {
  ...CAFE,
  limit: 9,
  count: "lives",
  game_end: "last_standing",
  min_players: 2,
  first_dealer: "low_card",
  cut: true,
  deal_pattern: "one_by_one",
  exchange: "once",
  signals: "announce",
  jacks_signal: "may",
  four_alike: "stand",
};

/** The six presets. */
export const PRESETS: ReadonlyMap<string, Ruleset> = new Map([
  ["classic", CLASSIC],
  ["classic-all", CLASSIC_ALL],
  ["short", SHORT],
  ["club", CLUB],
  ["rubber", RUBBER],
  ["cafe", CAFE],
]);

/** The preset that is used where nothing else is said. */
export const DEFAULT_PRESET = "cafe";

/** What is wrong with a rule set. */
export type RulesetFault = "unknown_preset" | "unknown_option" | "bad_value" | "senseless";

/** A rule set that cannot be played: an unknown name or value, or a contradiction. */
export class RulesetError extends Error {
  override readonly name = "RulesetError";

  constructor(
    message: string,
    readonly code: RulesetFault,
  ) {
    super(message);
  }
}

function isOption(name: string): name is keyof Ruleset {
  return Object.hasOwn(OPTIONS, name);
}

function fits(value: unknown, values: OptionValues): boolean {
  switch (values.kind) {
    case "flag":
      return typeof value === "boolean";
    case "number":
      return Number.isInteger(value) && Number(value) >= values.low && Number(value) <= values.high;
    case "word":
      return typeof value === "string" && values.words.includes(value);
  }
}

/** What is wrong with a combination of values, or null. */
export function contradiction(rules: Ruleset): string | null {
  const lasting = rules.game_end === "last_standing";
  if (rules.no_follower === "suit_then_rank" && rules.folded_cards !== "excluded") {
    return "no_follower suit_then_rank needs folded_cards excluded";
  }
  if (rules.overtoep_as_answer && rules.answers !== "clockwise") return "overtoep_as_answer needs answers clockwise";
  if (rules.armoede_leads && !rules.armoede) return "armoede_leads needs armoede";
  if (rules.chance && rules.four_alike !== "win") return "chance needs four_alike win";
  if (rules.finale !== "off" && !lasting) return `finale ${rules.finale} needs game_end last_standing`;
  if (rules.grey_grave && !lasting) return "grey_grave needs game_end last_standing";
  if (rules.crosses > 0 && !lasting) return "crosses need game_end last_standing";
  return null;
}

/** The preset of that name. */
export function preset(name: string): Ruleset {
  const rules = PRESETS.get(name);
  if (rules === undefined) throw new RulesetError(`no such preset: ${name}`, "unknown_preset");
  return rules;
}

/** The rule set that a preset's name or an object of options stands for; without a preset the rest is `cafe`. */
export function parseRuleset(value: unknown): Ruleset {
  if (typeof value === "string") return preset(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new RulesetError("rules are a preset's name or an object of options", "bad_value");
  }
  const { preset: name = DEFAULT_PRESET, ...options } = value as Record<string, unknown>;
  if (typeof name !== "string") throw new RulesetError("a preset is a name", "unknown_preset");
  for (const [option, chosen] of Object.entries(options)) {
    if (!isOption(option)) throw new RulesetError(`no such option: ${option}`, "unknown_option");
    if (!fits(chosen, OPTIONS[option])) {
      throw new RulesetError(`no such value of ${option}: ${JSON.stringify(chosen)}`, "bad_value");
    }
  }
  const rules: Ruleset = { ...preset(name), ...options };
  const wrong = contradiction(rules);
  if (wrong !== null) throw new RulesetError(wrong, "senseless");
  return rules;
}
