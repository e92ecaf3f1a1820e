package toep

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	refereev1 "example.org/toep/gen/referee/v1"
)

func seatedAt(table, seat uint32) *refereev1.Seated {
	return &refereev1.Seated{
		Table:   table,
		MatchId: fmt.Sprintf("m%d", table),
		Seat:    seat,
		Bots:    []string{"ann", "bob", "cor"},
		Rules: []*refereev1.RuleOption{
			{Name: "limit", Value: &refereev1.RuleOption_Number{Number: 10}},
			{Name: "folded_cards", Value: &refereev1.RuleOption_Choice{Choice: "win"}},
			{Name: "armoede", Value: &refereev1.RuleOption_Flag{Flag: true}},
			{Name: "from_the_future"},
		},
		Rounds: 5,
	}
}

func mask(names string) uint32 { return MaskOf(hand(names)...) }

func flags(kinds ...ActKind) uint32 {
	var may uint32
	for _, kind := range kinds {
		may |= 1 << kind
	}
	return may
}

func viewOf(ask *refereev1.Ask, state *refereev1.TableState) *View {
	return NewView(NewMatch(seatedAt(3, 1)), ask, state)
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func play3(trick, seat uint32, name string) uint32 {
	return trick<<8 | seat<<5 | uint32(MustCard(name))
}

func TestAViewHasWhatTheAskTheStateAndTheSeatingSay(t *testing.T) {
	view := viewOf(
		&refereev1.Ask{
			Table: 3, Ask: 9, Seat: 1, Kind: refereev1.AskKind_ASK_KIND_CARD, Hand: mask("Th Jc 8h"), Legal: mask("Th 8h"),
			BudgetMs: 250,
		},
		&refereev1.TableState{
			Round: 2, Trick: 3, Dealer: 0, Lead: 2, Turn: proto.Uint32(1), Stake: 2, Toeper: proto.Uint32(0),
			InRound: 0b110, InGame: 0b111, Points: []int32{4, 0, 9}, Answering: 0b010, Stock: 20, Accepted: []uint32{1, 2, 2},
			Exchanged: 0b100, Signalled: 0b001,
			Plays: []uint32{play3(1, 0, "7s"), play3(2, 1, "Ad"), play3(2, 2, "Kd"), play3(3, 2, "9h")},
		},
	)
	want := &View{
		Match: &Match{
			Table: 3, MatchID: "m3", Seat: 1, Names: []string{"ann", "bob", "cor"}, Rounds: 5,
			Rules: Rules{"limit": 10, "folded_cards": "win", "armoede": true},
		},
		Ask: 9, Kind: AskCard, Budget: 250 * time.Millisecond, Hand: hand("Jc 8h Th"), Playable: hand("8h Th"),
		Round: 2, TrickNumber: 3, Dealer: 0, Lead: 2, Turn: 1, Stake: 2, Toeper: 0,
		InRound: []int{1, 2}, InGame: []int{0, 1, 2}, Answering: []int{1}, Points: []int{4, 0, 9}, Accepted: []int{1, 2, 2},
		Plays: []Played{{1, 0, MustCard("7s")}, {2, 1, MustCard("Ad")}, {2, 2, MustCard("Kd")}, {3, 2, MustCard("9h")}},
		Stock: 20, Claimer: NoSeat, Exchanged: []int{2}, Signalled: []int{0},
	}
	same(t, "view", view, want)
	same(t, "trick", view.Trick(), []Played{{3, 2, MustCard("9h")}})
	same(t, "earlier", view.Earlier(), [][]Played{view.Plays[:1], view.Plays[1:3]})
	same(t, "limit", view.Rules.Number("limit"), 10)
	same(t, "folded cards", view.Rules.Choice("folded_cards"), "win")
	same(t, "armoede", view.Rules.Flag("armoede"), true)
	none := []any{view.Rules.Number("x"), view.Rules.Choice("x"), view.Rules.Flag("limit")}
	same(t, "no such rule", none, []any{0, "", false})
}

func TestAStateMayBeMissing(t *testing.T) {
	view := viewOf(&refereev1.Ask{}, nil)
	same(t, "seats", []int{view.Turn, view.Toeper, view.Claimer}, []int{NoSeat, NoSeat, NoSeat})
	same(t, "cards", len(view.Trick())+len(view.Earlier())+len(view.Following())+len(view.InRound), 0)
}

func TestSuitIsFollowedEvenWhereARevokeIsNotRefused(t *testing.T) {
	follow := func(playable string, plays ...uint32) []Card {
		return viewOf(&refereev1.Ask{Legal: mask(playable)}, &refereev1.TableState{Trick: 2, Plays: plays}).Following()
	}
	same(t, "with the suit", follow("Jc 8h Th", play3(1, 0, "7c"), play3(2, 0, "9h")), hand("8h Th"))
	same(t, "without it", follow("Jc 8h Th", play3(2, 0, "9s")), hand("Jc 8h Th"))
	same(t, "leading", follow("Jc 8h Th", play3(1, 0, "9h")), hand("Jc 8h Th"))
}

func TestLegalActs(t *testing.T) {
	for _, one := range []struct {
		ask  *refereev1.Ask
		want []Act
	}{
		{&refereev1.Ask{Legal: mask("Jc Th"), May: flags(ActToep)}, []Act{Play(0), Play(31), Toep()}},
		{&refereev1.Ask{May: flags(ActToep, ActFold, ActStay)}, []Act{Stay(), Fold(), Toep()}},
		{&refereev1.Ask{May: flags(ActPass, ActExchange)}, []Act{Pass(), Exchange()}},
		{&refereev1.Ask{May: flags(ActPass, ActChallenge)}, []Act{Pass(), Challenge()}},
		{&refereev1.Ask{May: flags(ActPass, ActBlind, ActPeek)}, []Act{Pass(), Blind(), Peek()}},
		{&refereev1.Ask{May: flags(ActPass, ActChance)}, []Act{Pass(), Chance()}},
		{
			&refereev1.Ask{May: flags(ActPass, ActSignal, ActConfess)},
			[]Act{Pass(), Confess(), Signal(Whistle), Signal(Sing), Signal(Stand)},
		},
		{&refereev1.Ask{Hand: mask("Jc Qc Kc"), May: flags(ActDiscard)}, []Act{Discard(0, 1, 2)}},
		{&refereev1.Ask{May: 1 << 30}, nil},
		{&refereev1.Ask{}, nil},
	} {
		same(t, "legal acts", viewOf(one.ask, nil).Legal(), one.want)
	}
}

func TestACutMayBeAt1To31(t *testing.T) {
	legal := viewOf(&refereev1.Ask{May: flags(ActCut)}, nil).Legal()
	if len(legal) != 31 || legal[0] != Cut(1) || legal[30] != Cut(31) {
		t.Error(legal)
	}
}

func TestAnyThreeCardsMayBeLaidAway(t *testing.T) {
	legal := viewOf(&refereev1.Ask{Hand: 0b111_1111_1111, May: flags(ActDiscard)}, nil).Legal()
	masks := map[uint32]bool{}
	for _, act := range legal {
		cards := act.Cards()
		if cards[0] >= cards[1] || cards[1] >= cards[2] {
			t.Errorf("%v is out of order", act)
		}
		masks[MaskOf(cards[:]...)] = true
	}
	if len(legal) != 165 || len(masks) != 165 {
		t.Errorf("%d acts, %d different ones", len(legal), len(masks))
	}
}

func TestMayTellsKindsOfActApart(t *testing.T) {
	for _, act := range everyAct {
		view := viewOf(&refereev1.Ask{Hand: mask("Jc Qc Kc"), May: flags(act.Kind())}, nil)
		for _, other := range everyAct {
			switch other.Kind() {
			case ActPlay, ActResign:
			default:
				same(t, fmt.Sprint(act, " and ", other), view.May(other.Kind()), act.Kind() == other.Kind())
			}
		}
		listed := slices.ContainsFunc(view.Legal(), func(legal Act) bool { return legal.Kind() == act.Kind() })
		same(t, fmt.Sprint(act), listed, act.Kind() != ActPlay && act.Kind() != ActResign)
	}
	view := viewOf(&refereev1.Ask{Legal: mask("Jc")}, nil)
	if !view.May(ActPlay) || !view.May(ActResign) || viewOf(&refereev1.Ask{}, nil).May(ActPlay) {
		t.Error("playing depends on cards, resigning on nothing")
	}
}

func TestAKindOfANewerRefereeIsUnknown(t *testing.T) {
	same(t, "kind", viewOf(&refereev1.Ask{Kind: 99}, nil).Kind, AskUnknown)
	same(t, "kind", viewOf(&refereev1.Ask{Kind: -1}, nil).Kind, AskUnknown)
}

func TestRandomNumbersDependOnMatchSeatAndAskAlone(t *testing.T) {
	draw := func(seated *refereev1.Seated, ask *refereev1.Ask, state *refereev1.TableState) uint64 {
		return NewView(NewMatch(seated), ask, state).Rand().Uint64()
	}
	first := draw(seatedAt(3, 1), &refereev1.Ask{Ask: 9}, nil)
	again := draw(seatedAt(3, 1), &refereev1.Ask{Ask: 9, Hand: 7, BudgetMs: 5}, &refereev1.TableState{Stake: 3})
	same(t, "the same ask", again, first)
	others := map[uint64]bool{
		first: true,
		draw(seatedAt(3, 1), &refereev1.Ask{Ask: 10}, nil): true,
		draw(seatedAt(3, 2), &refereev1.Ask{Ask: 9}, nil):  true,
		draw(seatedAt(4, 1), &refereev1.Ask{Ask: 9}, nil):  true,
	}
	same(t, "different numbers", len(others), 4)
	view := viewOf(&refereev1.Ask{Ask: 9}, nil)
	same(t, "each call starts again", view.Rand().Uint64(), view.Rand().Uint64())
	same(t, "the first number, which must stay", first, uint64(1674841878843961407))
}
