package toep

import (
	"math/bits"
	"slices"
	"strings"
	"testing"

	refereev1 "example.org/toep/gen/referee/v1"
)

func TestThePackIsThatOfTheWire(t *testing.T) {
	if got := len(refereev1.Card_name); got != packSize+1 {
		t.Fatalf("the wire has %d cards", got-1)
	}
	for card := Card(0); card < packSize; card++ {
		wire := strings.TrimPrefix(refereev1.Card_name[int32(wireCard(card))], "CARD_")
		if strings.ToUpper(card.String()) != wire {
			t.Errorf("card %d is %v here and %s on the wire", uint8(card), card, wire)
		}
	}
}

func TestNamesAndIndexesLeadToTheSameCards(t *testing.T) {
	for card := Card(0); card < packSize; card++ {
		if MustCard(card.String()) != card || NewCard(card.Rank(), card.Suit()) != card {
			t.Errorf("%v is not itself", card)
		}
	}
	if card := MustCard("Th"); card != 31 || card.Rank() != Ten || card.Suit() != Hearts {
		t.Errorf("Th is %d", uint8(card))
	}
	for _, name := range []string{"", "T", "1x", "hT", "10h", "Thh", "th"} {
		if _, err := ParseCard(name); err == nil {
			t.Errorf("%q is a card", name)
		}
	}
	if Card(32).String() != "Card(32)" || Suit(4).String() != "?" || Rank(8).String() != "?" {
		t.Error("what is no card has a name")
	}
}

func TestMustCardPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("1x is a card")
		}
	}()
	MustCard("1x")
}

func TestOrder(t *testing.T) {
	hearts := []Card{}
	for _, rank := range "JQKA789T" {
		hearts = append(hearts, MustCard(string(rank)+"h"))
	}
	if !slices.IsSorted(hearts) || !slices.IsSortedFunc(hearts, ByRank) {
		t.Error("a suit is out of order")
	}
	sorted := slices.SortedFunc(slices.Values(hand("Qd Jh Jc")), ByRank)
	if !slices.Equal(sorted, []Card{MustCard("Jc"), MustCard("Jh"), MustCard("Qd")}) {
		t.Error("ranks come before suits")
	}
}

func TestMasks(t *testing.T) {
	if MaskOf() != 0 || MaskOf(MustCard("Jc")) != 1 || MaskOf(MustCard("Th")) != 1<<31 {
		t.Error("wrong bits")
	}
	for _, mask := range []uint32{0, 1, 1 << 31, 0x80000001, 0xdeadbeef, 0xffffffff} {
		cards := CardsIn(mask)
		if MaskOf(cards...) != mask || len(cards) != bits.OnesCount32(mask) || !slices.IsSorted(cards) {
			t.Errorf("%x becomes %v", mask, cards)
		}
	}
}

// hand returns the cards with these names.
func hand(names string) []Card {
	var cards []Card
	for _, name := range strings.Fields(names) {
		cards = append(cards, MustCard(name))
	}
	return cards
}
