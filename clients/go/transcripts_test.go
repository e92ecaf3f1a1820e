package toep

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	refereev1 "example.org/toep/gen/referee/v1"
)

// Each of these files has everything that one seat of a match got to see, message by message. Here a referee sends it
// again: a bot hears of all of it, and every ask makes sense.
func TestWhatSeatsSawInWholeMatches(t *testing.T) {
	paths, err := filepath.Glob("../../fixtures/transcripts/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no transcripts", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			replay(t, messages(t, path))
		})
	}
}

func messages(t *testing.T, path string) []*refereev1.PlayResponse {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []*refereev1.PlayResponse
	for row := range bytes.Lines(text) {
		response := &refereev1.PlayResponse{}
		if err := protojson.Unmarshal(row, response); err != nil {
			t.Fatal(err)
		}
		all = append(all, response)
	}
	return all
}

func replay(t *testing.T, responses []*refereev1.PlayResponse) {
	var asks, events, refusals, heard, refused int
	for _, response := range responses {
		asks += len(response.GetAsks())
		refusals += len(response.GetRefusals())
		for _, update := range response.GetUpdates() {
			events += len(update.GetEvents())
		}
	}
	var seen []*View
	bot := BotFunc(func(_ context.Context, view *View) Act {
		seen = append(seen, view)
		return view.Legal()[0]
	})
	var status string
	options := Options{
		Event: func(_ int, event *refereev1.Event) {
			heard++
			if event.GetEvent() == nil {
				t.Error("an event has no body")
			}
		},
		Refused: func(refusal Refusal) {
			refused++
			if refusal.View == nil || refusal.Code == "unknown" || refusal.Message == "" {
				t.Error(refusal)
			}
		},
		Over: func(over Over) { status = over.Status },
	}
	_, err := visit(t, bot, Settings{Matches: 1}, options, func(l line) error {
		l.hear()
		l.say(&refereev1.PlayResponse{Welcome: welcome()})
		for _, response := range responses {
			l.say(response)
			l.answers(len(response.GetAsks()))
		}
		l.goodbye()
		return nil
	})
	same(t, "error", err, error(nil))
	same(t, "asks, events, refusals", []int{len(seen), heard, refused}, []int{asks, events, refusals})
	if status != "complete" && status != "forfeited" {
		t.Error(status)
	}
	for _, view := range seen {
		makesSense(t, view)
	}
}

func makesSense(t *testing.T, view *View) {
	if view.Kind == AskUnknown || view.Budget == 0 || view.Round == 0 || view.Stake == 0 {
		t.Errorf("ask %d: %+v", view.Ask, view)
	}
	if !slices.Contains(view.InGame, view.Seat) {
		t.Errorf("ask %d: seat %d is out of the game", view.Ask, view.Seat)
	}
	if len(view.Names) != 3 || len(view.Points) != 3 || len(view.Accepted) != 3 {
		t.Errorf("ask %d: not everything is there for every seat", view.Ask)
	}
	for _, card := range view.Playable {
		if !slices.Contains(view.Hand, card) {
			t.Errorf("ask %d: %v may be played and is not in hand", view.Ask, card)
		}
	}
	for _, play := range view.Plays {
		if slices.Contains(view.Hand, play.Card) {
			t.Errorf("ask %d: %v was played and is in hand", view.Ask, play.Card)
		}
	}
	if (view.Kind == AskCard) != (view.May(ActPlay)) || (view.Kind == AskCard && view.Turn != view.Seat) {
		t.Errorf("ask %d: a %v for seat %d", view.Ask, view.Kind, view.Seat)
	}
	if (view.Kind == AskAnswer) != (view.May(ActStay)) {
		t.Errorf("ask %d: a %v", view.Ask, view.Kind)
	}
	played := len(view.Trick())
	for _, trick := range view.Earlier() {
		played += len(trick)
	}
	same(t, "cards in tricks", played, len(view.Plays))
}
