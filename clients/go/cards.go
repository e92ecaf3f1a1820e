package toep

import (
	"fmt"
	"math/bits"
	"strings"
)

// A Suit is one of the four suits, in the order of the pack.
type Suit uint8

// The suits.
const (
	Clubs Suit = iota
	Diamonds
	Spades
	Hearts
)

// A Rank is how high a card is within its suit: a higher one wins.
type Rank uint8

// The ranks from low to high.
const (
	Jack Rank = iota
	Queen
	King
	Ace
	Seven
	Eight
	Nine
	Ten
)

const (
	suitLetters = "cdsh"
	rankLetters = "JQKA789T"
	packSize    = 32
)

// String returns the suit's letter, one of cdsh.
func (s Suit) String() string { return letter(suitLetters, int(s)) }

// String returns the rank's letter, one of JQKA789T.
func (r Rank) String() string { return letter(rankLetters, int(r)) }

// A Card is one of the 32 cards, as its index: the number of its bit in a mask of cards. Cards of one suit may be
// compared with <.
type Card uint8

// NewCard returns the card of that rank and suit.
func NewCard(rank Rank, suit Suit) Card { return Card(uint8(suit)*8 + uint8(rank)) }

// ParseCard returns the card of that name: rank and suit, such as "Th" for the ten of hearts.
func ParseCard(name string) (Card, error) {
	if len(name) == 2 {
		rank, suit := strings.IndexByte(rankLetters, name[0]), strings.IndexByte(suitLetters, name[1])
		if rank >= 0 && suit >= 0 {
			return NewCard(Rank(rank), Suit(suit)), nil
		}
	}
	return 0, fmt.Errorf("no card is called %q", name)
}

// MustCard is like [ParseCard], but panics when there is no such card.
func MustCard(name string) Card {
	card, err := ParseCard(name)
	if err != nil {
		panic(err)
	}
	return card
}

// Suit returns the card's suit.
func (c Card) Suit() Suit { return Suit(c / 8) }

// Rank returns the card's rank.
func (c Card) Rank() Rank { return Rank(c % 8) }

// String returns the card's name, such as "Th".
func (c Card) String() string {
	if c >= packSize {
		return fmt.Sprintf("Card(%d)", uint8(c))
	}
	return c.Rank().String() + c.Suit().String()
}

// ByRank compares two cards by rank and then by suit, for [slices.SortFunc] and [slices.MinFunc].
func ByRank(a, b Card) int {
	if a.Rank() != b.Rank() {
		return int(a.Rank()) - int(b.Rank())
	}
	return int(a.Suit()) - int(b.Suit())
}

// MaskOf returns the set of these cards as the wire has it: bit i is the card with index i.
func MaskOf(cards ...Card) uint32 {
	var mask uint32
	for _, card := range cards {
		mask |= 1 << card
	}
	return mask
}

// CardsIn returns the cards in a mask: clubs, diamonds, spades, hearts, each from low to high.
func CardsIn(mask uint32) []Card {
	cards := make([]Card, 0, bits.OnesCount32(mask))
	for ; mask != 0; mask &= mask - 1 {
		cards = append(cards, Card(bits.TrailingZeros32(mask)))
	}
	return cards
}

func letter(letters string, index int) string {
	if index >= len(letters) {
		return "?"
	}
	return letters[index : index+1]
}
