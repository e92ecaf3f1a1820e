package toep_test

import (
	"context"
	"slices"

	"example.org/toep"
)

func act(_ context.Context, view *toep.View) toep.Act {
	good := func(card toep.Card) bool { return card.Rank() >= toep.Nine }
	switch {
	case view.Kind == toep.AskAnswer && view.May(toep.ActFold) && !slices.ContainsFunc(view.Hand, good):
		return toep.Fold()
	case len(view.Playable) > 0:
		return toep.Play(slices.MinFunc(view.Following(), toep.ByRank))
	default:
		return view.Legal()[0]
	}
}

func main() {
	toep.Main(toep.BotFunc(act), toep.Options{})
}

// This bot goes along with a nine or a ten, and keeps its best card for the last trick.
func Example() {
	_ = main // a program would call it
}
