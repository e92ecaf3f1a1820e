/** Cards, and sets of cards as bit masks (R-DECK-01, R-DECK-02). */

import { bitsOf, countBits } from "./bits.js";

/** A card: `8 * suit + rank`, suits clubs, diamonds, spades, hearts, ranks from the jack up to the ten. */
export type Card = number;

/** A card of the stock that nobody has seen. It is in no set and has no name. */
export const UNKNOWN: Card = -1;

/** A set of cards: bit `i` is card `i`. Signed, as all bit masks in this language are. */
export type Cards = number;

/** The ranks from low to high (R-DECK-02). */
export const RANKS = ["J", "Q", "K", "A", "7", "8", "9", "T"] as const;

/** The suits from low to high where they are compared at all (R-TIE-02). */
export const SUITS = ["c", "d", "s", "h"] as const;

/** How a card is spelled: `"Th"` is the ten of hearts. */
export type CardName = `${(typeof RANKS)[number]}${(typeof SUITS)[number]}`;

/** The number of cards in the pack (R-DECK-01). */
export const PACK_SIZE = 32;

export const NO_CARDS: Cards = 0;

const JACK = 0;
const SEVEN = 4;
const TEN = 7;
/** All jacks; shifted by a rank, all cards of that rank. */
const ALL_JACKS = 0x01010101;
const PICTURES = 0x0f0f0f0f;
const SUIT = 0xff;

const NAMES: readonly CardName[] = SUITS.flatMap((suit) => RANKS.map((rank): CardName => `${rank}${suit}`));
const INDICES: ReadonlyMap<string, Card> = new Map(NAMES.map((name, card) => [name, card]));

/** The rank of a card, 0 for a jack up to 7 for a ten (R-DECK-02). */
export function rankOf(card: Card): number {
  return card & 7;
}

/** The suit of a card, 0 to 3. */
export function suitOf(card: Card): number {
  return card >> 3;
}

/** The name of a card. */
export function nameOf(card: Card): CardName {
  const name = NAMES[card];
  if (name === undefined) throw new RangeError(`no such card: ${card}`);
  return name;
}

/** The card of that name, if there is one (R-DECK-01). */
export function parseCard(name: string): Card | undefined {
  return INDICES.get(name);
}

/** The card of a name that is known to be good. */
export function cardOf(name: CardName): Card {
  const card = INDICES.get(name);
  if (card === undefined) throw new RangeError(`no such card: ${name}`);
  return card;
}

/** The set that has only this card. */
export function onlyCard(card: Card): Cards {
  return 1 << card;
}

/** The set of these cards. */
export function cardSet(cards: Iterable<Card>): Cards {
  let set = NO_CARDS;
  for (const card of cards) set |= 1 << card;
  return set;
}

/** Whether the set has the card. */
export function hasCard(set: Cards, card: Card): boolean {
  return (set & (1 << card)) !== 0;
}

/** How many cards the set has. */
export function countCards(set: Cards): number {
  return countBits(set);
}

/** The cards of the set by index. */
export function cardsOf(set: Cards): Card[] {
  return bitsOf(set);
}

/** The names of the cards of the set, by index. */
export function namesOf(set: Cards): CardName[] {
  return cardsOf(set).map(nameOf);
}

/** The cards of the set that are of the suit (R-SUIT-01). */
export function ofSuit(set: Cards, suit: number): Cards {
  return set & (SUIT << (8 * suit));
}

/** The cards of the set that are of the rank. */
export function ofRank(set: Cards, rank: number): Cards {
  return set & (ALL_JACKS << rank);
}

/** The highest rank of which the set has exactly `count` cards, or -1. */
export function rankWith(set: Cards, count: number): number {
  for (let rank = TEN; rank >= JACK; rank -= 1) {
    if (countCards(ofRank(set, rank)) === count) return rank;
  }
  return -1;
}

/** Whether a card, or a rank, is a jack. */
export function isJack(card: Card): boolean {
  return rankOf(card) === JACK;
}

/** How many jacks the set has. */
export function countJacks(set: Cards): number {
  return countCards(ofRank(set, JACK));
}

/** How many tens the set has. */
export function countTens(set: Cards): number {
  return countCards(ofRank(set, TEN));
}

/** How many sevens the set has. */
export function countSevens(set: Cards): number {
  return countCards(ofRank(set, SEVEN));
}

/** How many jacks, queens, kings and aces the set has (R-DECK-02). */
export function countPictures(set: Cards): number {
  return countCards(set & PICTURES);
}
