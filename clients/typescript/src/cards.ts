/** The pack: 32 cards, and the 32-bit masks that stand for sets of them on the wire. */

/** The ranks from low to high: jack, queen, king, ace, seven, eight, nine, ten. */
export const ranks = ["J", "Q", "K", "A", "7", "8", "9", "T"] as const;

/** The suits: clubs, diamonds, spades, hearts. */
export const suits = ["c", "d", "s", "h"] as const;

/** A rank, as one character. */
export type Rank = (typeof ranks)[number];

/** A suit, as one character. */
export type Suit = (typeof suits)[number];

/** A card's name: rank and suit, such as `Th` for the ten of hearts. */
export type CardName = `${Rank}${Suit}`;

/** One of the 32 cards. There is one object for each, so cards may be compared with `===`. */
export interface Card {
  /** The card's number, 0 to 31: its bit in a mask. */
  readonly index: number;
  /** Rank and suit, such as `Th`. */
  readonly name: CardName;
  /** The suit. */
  readonly suit: Suit;
  /** The rank. */
  readonly rank: Rank;
  /** The rank as a number, from 0 for a jack to 7 for a ten: the higher one wins within a suit. */
  readonly height: number;
}

/** All cards by index. */
export const pack: readonly Card[] = suits.flatMap((suit, s) =>
  ranks.map((rank, height) =>
    Object.freeze<Card>({ index: s * ranks.length + height, name: `${rank}${suit}`, suit, rank, height }),
  ),
);

const byName = new Map<string, Card>(pack.map((card) => [card.name, card]));

/**
 * The card of that name.
 *
 * @throws RangeError when there is no such card
 */
export function card(name: CardName): Card {
  const found = byName.get(name);
  if (found === undefined) {
    throw new RangeError(`no card is called "${name}"`);
  }
  return found;
}

/**
 * The card of that index.
 *
 * @throws RangeError when the index is not 0 to 31
 */
export function cardAt(index: number): Card {
  const found = pack[index];
  if (found === undefined) {
    throw new RangeError(`no card has the index ${index}`);
  }
  return found;
}

/** The cards in a mask, by index. */
export function cardsIn(mask: number): Card[] {
  return pack.filter((card) => ((mask >>> card.index) & 1) === 1);
}

/** The mask of a set of cards, as an unsigned 32-bit number. */
export function maskOf(cards: Iterable<Card>): number {
  let mask = 0;
  for (const card of cards) {
    mask |= 1 << card.index;
  }
  return mask >>> 0;
}
