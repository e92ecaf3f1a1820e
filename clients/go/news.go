package toep

import (
	"fmt"
	"strings"

	refereev1 "example.org/toep/gen/referee/v1"
)

// A Refusal is an answer that was not accepted.
type Refusal struct {
	// Table and Ask are what was answered.
	Table, Ask int
	// Code is "malformed", "too_large", "stale", "wrong_seat", "wrong_table", "not_asked", "illegal", or "unknown".
	Code string
	// Rule is the id of the rule that was broken, or empty.
	Rule string
	// Message is one sentence for the bot's author.
	Message string
	// TriesLeft is how often the question may be answered again, as a new ask. At 0 the referee has acted.
	TriesLeft int
	// View is the view that was answered; nil when it is no longer known.
	View *View
	// Act is what was answered, when that is known.
	Act Act
}

// String returns one line that tells a bot's author what was refused and why.
func (r Refusal) String() string {
	where := fmt.Sprintf("table %d, ask %d", r.Table, r.Ask)
	if v := r.View; v != nil {
		where = fmt.Sprintf("match %s, seat %d, table %d, ask %d (%v): answered %v",
			v.MatchID, v.Seat, v.Table, v.Ask, v.Kind, r.Act)
	}
	why := r.Code
	if r.Rule != "" {
		why += ", " + r.Rule
	}
	return oneLine(fmt.Sprintf("refused: %s: %s: %s [tries left: %d]", where, why, r.Message, r.TriesLeft))
}

// An Over is a match that is over.
type Over struct {
	// Table is the number of the match on this referee.
	Table int
	// MatchID is the match's id.
	MatchID string
	// Seats are the bot's own seats.
	Seats []int
	// Status is "complete", "forfeited", "abandoned", or "unknown".
	Status string
	// Rank has the places by seat: 1 is the best, ties share.
	Rank []int
	// Total has the points by seat.
	Total []int
}

func refusalOf(refusal *refereev1.Refusal, given given) Refusal {
	return Refusal{
		Table:     int(refusal.GetTable()),
		Ask:       int(refusal.GetAsk()),
		Code:      enumName(refereev1.RefusalCode_name, int32(refusal.GetCode()), "REFUSAL_CODE_"),
		Rule:      refusal.GetRule(),
		Message:   refusal.GetMessage(),
		TriesLeft: int(refusal.GetTriesLeft()),
		View:      given.view,
		Act:       given.act,
	}
}

func overOf(over *refereev1.MatchOver, seats []int) Over {
	return Over{
		Table:   int(over.GetTable()),
		MatchID: over.GetMatchId(),
		Seats:   seats,
		Status:  enumName(refereev1.MatchStatus_name, int32(over.GetStatus()), "MATCH_STATUS_"),
		Rank:    ints(over.GetRank()),
		Total:   ints(over.GetTotal()),
	}
}

// enumName returns the name of an enum's value in lower case without its prefix.
func enumName(names map[int32]string, number int32, prefix string) string {
	name, known := names[number]
	if !known || number == 0 {
		return "unknown"
	}
	return strings.ToLower(strings.TrimPrefix(name, prefix))
}
