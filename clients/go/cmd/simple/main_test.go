package main

import (
	"context"
	"slices"
	"testing"

	"example.org/toep"
	refereev1 "example.org/toep/gen/referee/v1"
)

func TestEveryKindOfAskIsAnsweredWithSomethingLegal(t *testing.T) {
	seated := &refereev1.Seated{MatchId: "m", Bots: []string{"simple", "other"}}
	state := &refereev1.TableState{Trick: 1, Plays: []uint32{1<<8 | 1<<5 | uint32(toep.MustCard("9s"))}}
	kinds := []struct {
		kind  refereev1.AskKind
		may   []toep.ActKind
		cards bool
	}{
		{refereev1.AskKind_ASK_KIND_CARD, []toep.ActKind{toep.ActToep, toep.ActSignal}, true},
		{refereev1.AskKind_ASK_KIND_ANSWER, []toep.ActKind{toep.ActStay, toep.ActFold, toep.ActToep}, false},
		{refereev1.AskKind_ASK_KIND_ANSWER, []toep.ActKind{toep.ActStay}, false},
		{refereev1.AskKind_ASK_KIND_WINDOW, []toep.ActKind{toep.ActPass, toep.ActToep, toep.ActConfess}, false},
		{refereev1.AskKind_ASK_KIND_EXCHANGE, []toep.ActKind{toep.ActPass, toep.ActExchange}, false},
		{refereev1.AskKind_ASK_KIND_CHECK, []toep.ActKind{toep.ActPass, toep.ActChallenge}, false},
		{refereev1.AskKind_ASK_KIND_CUT, []toep.ActKind{toep.ActPass, toep.ActCut}, false},
		{refereev1.AskKind_ASK_KIND_BLIND, []toep.ActKind{toep.ActPass, toep.ActBlind}, false},
		{refereev1.AskKind_ASK_KIND_CHANCE, []toep.ActKind{toep.ActPass, toep.ActChance}, false},
		{refereev1.AskKind_ASK_KIND_DISCARD, []toep.ActKind{toep.ActDiscard}, false},
	}
	for _, hand := range [][]string{{"Jc", "Qd", "Ah", "Ks"}, {"Tc", "Qd", "9h", "8s"}, {"7h", "8c", "8d", "Jh"}} {
		var mask uint32
		for _, name := range hand {
			mask |= toep.MaskOf(toep.MustCard(name))
		}
		for _, each := range kinds {
			for number := range uint32(30) {
				ask := &refereev1.Ask{Ask: number, Kind: each.kind, Hand: mask}
				for _, kind := range each.may {
					ask.May |= 1 << kind
				}
				if each.cards {
					ask.Legal = mask
				}
				view := toep.NewView(toep.NewMatch(seated), ask, state)
				if got := act(context.Background(), view); !slices.Contains(view.Legal(), got) {
					t.Errorf("%v, %v: %v", each.kind, hand, got)
				}
			}
		}
	}
}

func TestItKeepsItsBestCardAndFollowsSuit(t *testing.T) {
	ask := &refereev1.Ask{Kind: refereev1.AskKind_ASK_KIND_CARD, Hand: 0b1001 | 1<<31, Legal: 0b1001 | 1<<31}
	match := toep.NewMatch(&refereev1.Seated{})
	if got := act(context.Background(), toep.NewView(match, ask, nil)); got != toep.Play(toep.MustCard("Jc")) {
		t.Error(got)
	}
	led := &refereev1.TableState{Trick: 1, Plays: []uint32{1<<8 | 1<<5 | uint32(toep.MustCard("9h"))}}
	if got := act(context.Background(), toep.NewView(match, ask, led)); got != toep.Play(toep.MustCard("Th")) {
		t.Error(got)
	}
}
