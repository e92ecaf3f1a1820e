package toep

import (
	"errors"
	"fmt"
	"slices"

	refereev1 "example.org/toep/gen/referee/v1"
)

// An ActKind is a kind of act.
type ActKind uint8

// The kinds of act.
const (
	ActNone ActKind = iota
	ActPass
	ActCut
	ActBlind
	ActPeek
	ActChance
	ActExchange
	ActChallenge
	ActSignal
	ActToep
	ActStay
	ActFold
	ActPlay
	ActDiscard
	ActConfess
	ActResign
)

var actNames = [...]string{
	"none", "pass", "cut", "blind", "peek", "chance", "exchange", "challenge", "signal", "toep", "stay", "fold",
	"play", "discard", "confess", "resign",
}

// String returns the kind's name, as in a log: "toep".
func (k ActKind) String() string { return nameAt(actNames[:], int(k)) }

// A Reach is how far ahead a pass declines.
type Reach uint8

// How far ahead a pass declines.
const (
	ThisWindow Reach = iota
	EndOfTrick
	EndOfRound
)

// A Sign is a sign that a player can give.
type Sign uint8

// The signs.
const (
	Whistle Sign = iota + 1
	Sing
	Stand
)

var signNames = [...]string{"no sign", "whistle", "sing", "stand"}

// String returns the sign's name: "whistle".
func (s Sign) String() string { return nameAt(signNames[:], int(s)) }

// An Act is what a player does. The functions with the names of acts make them; two acts are the same if they are
// equal. The zero value is no act, and must not be answered.
type Act struct {
	kind  ActKind
	reach Reach
	at    uint8
	sign  Sign
	cards [3]Card
}

// Pass declines a window.
func Pass() Act { return Act{kind: ActPass} }

// PassUntil declines every window up to the end of the trick or of the round. It is legal where [Pass] is.
func PassUntil(reach Reach) Act { return Act{kind: ActPass, reach: reach} }

// Cut cuts the pack: that many cards, 1 to 31, go from the top to the bottom.
func Cut(at int) Act {
	if at < 1 || at >= packSize {
		panic(fmt.Errorf("a pack is cut at 1 to 31, not at %d", at))
	}
	return Act{kind: ActCut, at: uint8(at)}
}

// Blind toeps before anybody has seen a card.
func Blind() Act { return Act{kind: ActBlind} }

// Peek looks at one's cards too early.
func Peek() Act { return Act{kind: ActPeek} }

// Chance draws one card to three alike: kans op toep.
func Chance() Act { return Act{kind: ActChance} }

// Exchange lays down the whole hand for four new cards: vuile was.
func Exchange() Act { return Act{kind: ActExchange} }

// Challenge turns up the hand that was laid down in the latest exchange.
func Challenge() Act { return Act{kind: ActChallenge} }

// Signal gives a sign.
func Signal(sign Sign) Act { return Act{kind: ActSignal, sign: sign} }

// Toep knocks: it raises the stake by one.
func Toep() Act { return Act{kind: ActToep} }

// Stay goes along with a toep.
func Stay() Act { return Act{kind: ActStay} }

// Fold declines a toep and leaves the round.
func Fold() Act { return Act{kind: ActFold} }

// Play plays a card.
func Play(card Card) Act { return Act{kind: ActPlay, cards: [3]Card{card}} }

// Discard lays away three different cards in a finale. Their order does not matter.
func Discard(a, b, c Card) Act {
	cards := [3]Card{a, b, c}
	slices.Sort(cards[:])
	return Act{kind: ActDiscard, cards: cards}
}

// Confess owns up to a revoke.
func Confess() Act { return Act{kind: ActConfess} }

// Resign gives up the game. It is allowed as an answer to any ask, and never listed.
func Resign() Act { return Act{kind: ActResign} }

// Kind returns what kind of act it is.
func (a Act) Kind() ActKind { return a.kind }

// Card returns the card that [Play] plays.
func (a Act) Card() Card { return a.cards[0] }

// Cards returns the cards that [Discard] lays away.
func (a Act) Cards() [3]Card { return a.cards }

// String returns the act for people, such as "play Th".
func (a Act) String() string {
	switch a.kind {
	case ActPass:
		return nameAt([]string{"pass", "pass until the end of the trick", "pass until the end of the round"}, int(a.reach))
	case ActCut:
		return fmt.Sprintf("cut at %d", a.at)
	case ActSignal:
		return fmt.Sprintf("signal %v", a.sign)
	case ActPlay:
		return fmt.Sprintf("play %v", a.cards[0])
	case ActDiscard:
		return fmt.Sprintf("discard %v %v %v", a.cards[0], a.cards[1], a.cards[2])
	default:
		return a.kind.String()
	}
}

// answer returns the act as an answer to an ask.
func (a Act) answer(table, ask uint32) (*refereev1.Answer, error) {
	answer := &refereev1.Answer{Table: table, Ask: ask}
	switch a.kind {
	case ActPass:
		answer.Act = &refereev1.Answer_Decline{Decline: &refereev1.Pass{Until: refereev1.PassUntil(a.reach)}}
	case ActCut:
		answer.Act = &refereev1.Answer_Cut{Cut: &refereev1.Cut{At: uint32(a.at)}}
	case ActBlind:
		answer.Act = &refereev1.Answer_Blind{Blind: &refereev1.Blind{}}
	case ActPeek:
		answer.Act = &refereev1.Answer_Peek{Peek: &refereev1.Peek{}}
	case ActChance:
		answer.Act = &refereev1.Answer_Chance{Chance: &refereev1.Chance{}}
	case ActExchange:
		answer.Act = &refereev1.Answer_Exchange{Exchange: &refereev1.Exchange{}}
	case ActChallenge:
		answer.Act = &refereev1.Answer_Challenge{Challenge: &refereev1.Challenge{}}
	case ActSignal:
		answer.Act = &refereev1.Answer_Signal{Signal: &refereev1.Signal{Sign: refereev1.Sign(a.sign)}}
	case ActToep:
		answer.Act = &refereev1.Answer_Toep{Toep: &refereev1.Toep{}}
	case ActStay:
		answer.Act = &refereev1.Answer_Stay{Stay: &refereev1.Stay{}}
	case ActFold:
		answer.Act = &refereev1.Answer_Fold{Fold: &refereev1.Fold{}}
	case ActPlay:
		answer.Act = &refereev1.Answer_Play{Play: &refereev1.Play{Card: wireCard(a.cards[0])}}
	case ActDiscard:
		cards := []refereev1.Card{wireCard(a.cards[0]), wireCard(a.cards[1]), wireCard(a.cards[2])}
		answer.Act = &refereev1.Answer_Discard{Discard: &refereev1.Discard{Cards: cards}}
	case ActConfess:
		answer.Act = &refereev1.Answer_Confess{Confess: &refereev1.Confess{}}
	case ActResign:
		answer.Act = &refereev1.Answer_Resign{Resign: &refereev1.Resign{}}
	default:
		return nil, errors.New("the zero Act is no act")
	}
	return answer, nil
}

// wireCard returns the card as the wire has it: its index plus one.
func wireCard(card Card) refereev1.Card { return refereev1.Card(card) + 1 }

func nameAt(names []string, index int) string {
	if index >= len(names) {
		return "unknown"
	}
	return names[index]
}
