package toep

import (
	"crypto/sha256"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"time"

	refereev1 "example.org/toep/gen/referee/v1"
)

// NoSeat stands where a seat's number would, for nobody.
const NoSeat = -1

// An AskKind is what an ask is about.
type AskKind uint8

// The kinds of ask. AskCard, AskAnswer and AskDiscard require an act, the others can be passed. AskUnknown is one of a
// referee that is newer than this client; the legal acts are right all the same.
const (
	AskUnknown AskKind = iota
	AskCard
	AskAnswer
	AskWindow
	AskExchange
	AskCheck
	AskCut
	AskBlind
	AskChance
	AskDiscard
)

var askNames = [...]string{
	"unknown", "card", "answer", "window", "exchange", "check", "cut", "blind", "chance", "discard",
}

// String returns the kind's name: "card".
func (k AskKind) String() string { return nameAt(askNames[:], int(k)) }

// Rules are the options of a match by name; the values are strings, ints and bools. An option that a match does not
// have reads as the zero value.
type Rules map[string]any

// Choice returns the value of an option that names one, such as "folded_cards".
func (r Rules) Choice(name string) string { value, _ := r[name].(string); return value }

// Number returns the value of an option that is a number, such as "limit".
func (r Rules) Number(name string) int { value, _ := r[name].(int); return value }

// Flag returns the value of an option that is on or off, such as "armoede".
func (r Rules) Flag(name string) bool { value, _ := r[name].(bool); return value }

// A Match is a seat of the bot in a match, and what is fixed for that match.
type Match struct {
	// Table is the number of the match on this referee.
	Table int
	// MatchID is the match's id.
	MatchID string
	// Seat is the bot's own seat. Seats count from 0, clockwise.
	Seat int
	// Names are the bots' names by seat.
	Names []string
	// Rules has every option.
	Rules Rules
	// Rounds is the number of rounds; 0 means a game to the end.
	Rounds int
}

// A Played is a card on the table.
type Played struct {
	// Trick is the number of the trick, from 1.
	Trick int
	// Seat is who played it.
	Seat int
	// Card is the card.
	Card Card
}

// A View is everything that a seat may know when it is asked: it follows from the ask, the latest state of the table,
// and the seating. Sets of seats are in ascending order. Views share memory: a bot must not change them.
type View struct {
	*Match

	// Ask is the ask's id on this table.
	Ask int
	// Kind is what the ask is about.
	Kind AskKind
	// Budget is the time to answer, from when the ask was sent.
	Budget time.Duration
	// Hand has the bot's cards by suit; none while they may not be seen.
	Hand []Card
	// Playable has the cards that may be played now. Where a revoke is punished instead of refused, that is the whole
	// hand: see [View.Following].
	Playable []Card

	// Round is the running round, from 1; 0 before the first deal.
	Round int
	// TrickNumber is the running trick, from 1.
	TrickNumber int
	// Dealer is the dealer's seat.
	Dealer int
	// Lead is the seat that leads, or led, the running trick.
	Lead int
	// Turn is the seat whose card is awaited, or NoSeat.
	Turn int
	// Stake is what a loser of the round pays now.
	Stake int
	// Toeper is who raised the stake last in this round, or NoSeat.
	Toeper int
	// InRound has the seats that are in the round.
	InRound []int
	// InGame has the seats that are in the game.
	InGame []int
	// Answering has the seats whose answer to a toep is awaited.
	Answering []int
	// Points has the penalty points by seat.
	Points []int
	// Accepted has the last stake that each seat accepted: what it pays if it folds now.
	Accepted []int
	// Plays has the cards that were played in this round, in order.
	Plays []Played
	// Stock is the number of cards left in the stock.
	Stock int
	// Claimer is the seat whose exchange may be challenged now, or NoSeat.
	Claimer int
	// Exchanged has the seats that have changed their hand in this round.
	Exchanged []int
	// Signalled has the seats that have given a sign in this round.
	Signalled []int

	may uint32
}

// NewMatch returns what a message of the referee says about a seat. Options with a kind of value that this client does
// not know are left out.
func NewMatch(seated *refereev1.Seated) *Match {
	rules := make(Rules, len(seated.GetRules()))
	for _, option := range seated.GetRules() {
		switch value := option.GetValue().(type) {
		case *refereev1.RuleOption_Choice:
			rules[option.GetName()] = value.Choice
		case *refereev1.RuleOption_Number:
			rules[option.GetName()] = int(value.Number)
		case *refereev1.RuleOption_Flag:
			rules[option.GetName()] = value.Flag
		}
	}
	return &Match{
		Table:   int(seated.GetTable()),
		MatchID: seated.GetMatchId(),
		Seat:    int(seated.GetSeat()),
		Names:   seated.GetBots(),
		Rules:   rules,
		Rounds:  int(seated.GetRounds()),
	}
}

// NewView derives the view of an ask. The state may be nil, as it is before the first news of a table.
func NewView(match *Match, ask *refereev1.Ask, state *refereev1.TableState) *View {
	if state == nil {
		state = &refereev1.TableState{}
	}
	return &View{
		Match:       match,
		Ask:         int(ask.GetAsk()),
		Kind:        askKind(ask.GetKind()),
		Budget:      time.Duration(ask.GetBudgetMs()) * time.Millisecond,
		Hand:        CardsIn(ask.GetHand()),
		Playable:    CardsIn(ask.GetLegal()),
		may:         ask.GetMay(),
		Round:       int(state.GetRound()),
		TrickNumber: int(state.GetTrick()),
		Dealer:      int(state.GetDealer()),
		Lead:        int(state.GetLead()),
		Turn:        seatOr(state.Turn),
		Stake:       int(state.GetStake()),
		Toeper:      seatOr(state.Toeper),
		InRound:     seatsIn(state.GetInRound()),
		InGame:      seatsIn(state.GetInGame()),
		Answering:   seatsIn(state.GetAnswering()),
		Points:      ints(state.GetPoints()),
		Accepted:    ints(state.GetAccepted()),
		Plays:       played(state.GetPlays()),
		Stock:       int(state.GetStock()),
		Claimer:     seatOr(state.Claimer),
		Exchanged:   seatsIn(state.GetExchanged()),
		Signalled:   seatsIn(state.GetSignalled()),
	}
}

// May tells whether an act of this kind may be answered.
func (v *View) May(kind ActKind) bool {
	switch kind {
	case ActPlay:
		return len(v.Playable) > 0
	case ActResign:
		return true
	default:
		return v.may>>kind&1 == 1
	}
}

// Legal returns every act that may be answered: first [Pass], then cards, [Stay], [Fold], and the rest. Two things are
// not listed: passes that reach further, legal where [Pass] is, and [Resign], which always is.
func (v *View) Legal() []Act {
	var acts []Act
	if v.May(ActPass) {
		acts = append(acts, Pass())
	}
	for _, card := range v.Playable {
		acts = append(acts, Play(card))
	}
	for _, kind := range []ActKind{
		ActStay, ActFold, ActToep, ActExchange, ActChallenge, ActChance, ActBlind, ActPeek, ActConfess,
	} {
		if v.May(kind) {
			acts = append(acts, Act{kind: kind})
		}
	}
	if v.May(ActDiscard) {
		for i, a := range v.Hand {
			for j, b := range v.Hand[:i] {
				for _, c := range v.Hand[:j] {
					acts = append(acts, Discard(c, b, a))
				}
			}
		}
	}
	if v.May(ActSignal) {
		acts = append(acts, Signal(Whistle), Signal(Sing), Signal(Stand))
	}
	if v.May(ActCut) {
		for at := 1; at < packSize; at++ {
			acts = append(acts, Cut(at))
		}
	}
	return acts
}

// Trick returns the running trick so far; its first card is the one to follow.
func (v *View) Trick() []Played {
	var trick []Played
	for _, play := range v.Plays {
		if play.Trick == v.TrickNumber {
			trick = append(trick, play)
		}
	}
	return trick
}

// Earlier returns the tricks of the round before the running one, in order.
func (v *View) Earlier() [][]Played {
	var tricks [][]Played
	for _, play := range v.Plays {
		if play.Trick == v.TrickNumber {
			continue
		}
		if last := len(tricks) - 1; last >= 0 && tricks[last][0].Trick == play.Trick {
			tricks[last] = append(tricks[last], play)
		} else {
			tricks = append(tricks, []Played{play})
		}
	}
	return tricks
}

// Following returns the playable cards that follow suit; all playable ones when none does, or when the bot leads.
func (v *View) Following() []Card {
	trick := v.Trick()
	if len(trick) == 0 {
		return v.Playable
	}
	var follow []Card
	for _, card := range v.Playable {
		if card.Suit() == trick[0].Card.Suit() {
			follow = append(follow, card)
		}
	}
	if follow == nil {
		return v.Playable
	}
	return follow
}

// Rand returns a generator that depends on the match, the seat and the ask alone. So a bot that draws from it, and
// from nothing else, answers the same ask the same way, whatever it plays at the same time and however often it was
// restarted. Each call starts the same sequence again.
func (v *View) Rand() *rand.Rand {
	seed := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", v.MatchID, v.Seat, v.Ask))
	return rand.New(rand.NewChaCha8(seed))
}

func askKind(kind refereev1.AskKind) AskKind {
	if kind < 0 || int(kind) >= len(askNames) {
		return AskUnknown
	}
	return AskKind(kind)
}

func seatOr(seat *uint32) int {
	if seat == nil {
		return NoSeat
	}
	return int(*seat)
}

func seatsIn(mask uint32) []int {
	seats := make([]int, 0, bits.OnesCount32(mask))
	for ; mask != 0; mask &= mask - 1 {
		seats = append(seats, bits.TrailingZeros32(mask))
	}
	return seats
}

func ints[N int32 | uint32](numbers []N) []int {
	converted := make([]int, len(numbers))
	for i, number := range numbers {
		converted[i] = int(number)
	}
	return converted
}

func played(codes []uint32) []Played {
	plays := make([]Played, len(codes))
	for i, code := range codes {
		plays[i] = Played{Trick: int(code >> 8), Seat: int(code >> 5 & 7), Card: Card(code & 31)}
	}
	return plays
}
