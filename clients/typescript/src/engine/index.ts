/**
 * The rules of Toepen as a state machine, for other programs. Nothing here reads files, clocks or chance, so it runs in
 * a browser as in Node.
 *
 * A `Game` is started with a rule set and told packs (`offer`) and acts (`apply`); both give the records that follow,
 * as a log has them. `asks` says what it waits for, `legal` and `check` which acts are allowed and by which rule others
 * are refused, `view` what one seat may see. `clone` makes a copy that goes its own way.
 */

export { Game, RefusedError, type Ask, type View } from "./game.js";
export { StartError, type Length, type Start, type StartFault } from "./start.js";
export type { Finale, Outcome, Played, Stage } from "./state.js";
export { NOBODY, type Seat } from "./seats.js";

/** Rule sets: presets, options and their values, and combinations that make no sense. */
export {
  contradiction,
  DEFAULT_PRESET,
  OPTIONS,
  parseRuleset,
  preset,
  PRESETS,
  RulesetError,
  type OptionValues,
  type Ruleset,
  type RulesetFault,
} from "./ruleset.js";

/** Acts, and the records that follow from them. */
export { PLAIN_ACTS, SIGNS } from "./records.js";
export type {
  Act,
  ActKind,
  CardsWhy,
  ForfeitWhy,
  GameRecord,
  OutWhy,
  RuleId,
  Sign,
  VoidWhy,
} from "./records.js";

/** Cards, as indexes and by name. */
export {
  cardOf,
  nameOf,
  PACK_SIZE,
  parseCard,
  rankOf,
  RANKS,
  suitOf,
  SUITS,
  UNKNOWN,
  type Card,
  type CardName,
} from "./cards.js";

/** The shuffle `hkdf-fy8/1`: packs, commitments and salts from a seed. */
export { commitment, dealKey, lineSalt, packFromKey, packOf, type DealSource } from "./deal.js";
