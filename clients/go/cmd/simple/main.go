// Simple is a small bot that plays sensibly: it saves its best card for the last trick, since nothing else counts.
package main

import (
	"context"
	"slices"

	"example.org/toep"
)

func act(_ context.Context, view *toep.View) toep.Act {
	hand := slices.SortedFunc(slices.Values(view.Hand), toep.ByRank)
	switch {
	case view.Kind == toep.AskDiscard:
		return toep.Discard(hand[0], hand[1], hand[2])
	case view.Kind == toep.AskAnswer && view.May(toep.ActFold) && !good(view, toep.Nine):
		return toep.Fold()
	case view.Kind == toep.AskAnswer:
		return toep.Stay()
	case view.May(toep.ActExchange) && !good(view, toep.Seven):
		return toep.Exchange()
	case view.May(toep.ActToep) && good(view, toep.Ten) && view.Rand().Float64() < 0.2:
		return toep.Toep()
	case len(view.Playable) > 0:
		return toep.Play(slices.MinFunc(view.Following(), toep.ByRank))
	default:
		return toep.Pass()
	}
}

// good tells whether the hand has a card of that rank or a higher one.
func good(view *toep.View, least toep.Rank) bool {
	return slices.ContainsFunc(view.Hand, func(card toep.Card) bool { return card.Rank() >= least })
}

func main() {
	toep.Main(toep.BotFunc(act), toep.Options{Version: "simple 1"})
}
