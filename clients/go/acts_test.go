package toep

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	refereev1 "example.org/toep/gen/referee/v1"
)

var everyAct = []Act{
	PassUntil(EndOfRound), Cut(7), Blind(), Peek(), Chance(), Exchange(), Challenge(), Signal(Sing), Toep(), Stay(),
	Fold(), Play(MustCard("Th")), Discard(MustCard("Jc"), MustCard("Qc"), MustCard("Kc")), Confess(), Resign(),
}

// field returns the name of the field that an act arrives in.
func field(t *testing.T, act Act) string {
	t.Helper()
	answer := overTheWire(t, act).ProtoReflect()
	return string(answer.WhichOneof(answer.Descriptor().Oneofs().ByName("act")).Name())
}

func overTheWire(t *testing.T, act Act) *refereev1.Answer {
	t.Helper()
	answer, err := act.answer(7, 40)
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := proto.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	arrived := &refereev1.Answer{}
	if err := proto.Unmarshal(bytes, arrived); err != nil {
		t.Fatal(err)
	}
	if arrived.GetTable() != 7 || arrived.GetAsk() != 40 {
		t.Errorf("%v answers ask %d of table %d", act, arrived.GetAsk(), arrived.GetTable())
	}
	return arrived
}

func TestEveryActOfTheWireHasAConstructorAndArrivesAsItself(t *testing.T) {
	var fields, made []string
	all := (&refereev1.Answer{}).ProtoReflect().Descriptor().Oneofs().ByName("act").Fields()
	for i := range all.Len() {
		fields = append(fields, string(all.Get(i).Name()))
	}
	for _, act := range everyAct {
		name := field(t, act)
		made = append(made, name)
		if want := strings.Replace(act.Kind().String(), "pass", "decline", 1); name != want {
			t.Errorf("%v arrives as %s", act, name)
		}
	}
	slices.Sort(fields)
	slices.Sort(made)
	if !slices.Equal(fields, made) {
		t.Errorf("the wire has %v, this client %v", fields, made)
	}
}

func TestKindsHaveTheNumbersOfTheWire(t *testing.T) {
	numbers(t, refereev1.ActKind(0).Descriptor(), "ACT_KIND_", func(n int) string { return ActKind(n).String() })
	numbers(t, refereev1.AskKind(0).Descriptor(), "ASK_KIND_", func(n int) string { return AskKind(n).String() })
	numbers(t, refereev1.Sign(0).Descriptor(), "SIGN_", func(n int) string { return Sign(n).String() })
	if got := refereev1.PassUntil(EndOfTrick); got != refereev1.PassUntil_PASS_UNTIL_TRICK {
		t.Error(got)
	}
	if got := refereev1.PassUntil(EndOfRound); got != refereev1.PassUntil_PASS_UNTIL_ROUND {
		t.Error(got)
	}
}

func numbers(t *testing.T, enum protoreflect.EnumDescriptor, prefix string, name func(int) string) {
	t.Helper()
	for i := range enum.Values().Len() {
		value := enum.Values().Get(i)
		want := strings.ToLower(strings.TrimPrefix(string(value.Name()), prefix))
		if got := name(int(value.Number())); got != want && value.Number() != 0 {
			t.Errorf("%d is %s here and %s on the wire", value.Number(), got, want)
		}
	}
	if got := name(enum.Values().Len()); got != "unknown" {
		t.Errorf("this client has one more: %s", got)
	}
}

func TestDetailsArrive(t *testing.T) {
	if got := overTheWire(t, PassUntil(EndOfTrick)).GetDecline().GetUntil(); got != refereev1.PassUntil_PASS_UNTIL_TRICK {
		t.Error(got)
	}
	if got := overTheWire(t, Pass()).GetDecline().GetUntil(); got != 0 {
		t.Error(got)
	}
	if got := overTheWire(t, Cut(31)).GetCut().GetAt(); got != 31 {
		t.Error(got)
	}
	if got := overTheWire(t, Signal(Stand)).GetSignal().GetSign(); got != refereev1.Sign_SIGN_STAND {
		t.Error(got)
	}
	if got := overTheWire(t, Play(MustCard("Jc"))).GetPlay().GetCard(); got != refereev1.Card_CARD_JC {
		t.Error(got)
	}
	discard := Discard(MustCard("Jc"), MustCard("Qd"), MustCard("Th"))
	if got := overTheWire(t, discard).GetDiscard().GetCards(); !slices.Equal(got, []refereev1.Card{1, 10, 32}) {
		t.Error(got)
	}
}

func TestActsAreValues(t *testing.T) {
	ten := MustCard("Th")
	if Play(ten) != Play(ten) || Play(ten) == Play(MustCard("9h")) || Pass() == PassUntil(EndOfTrick) {
		t.Error("equal acts differ, or others do not")
	}
	if Play(MustCard("Th")).Card() != MustCard("Th") || Discard(3, 1, 2).Cards() != [3]Card{1, 2, 3} {
		t.Error("an act has other cards than it was made with")
	}
}

func TestActsAreDescribedForPeople(t *testing.T) {
	for want, act := range map[string]Act{
		"pass": Pass(), "pass until the end of the trick": PassUntil(EndOfTrick),
		"pass until the end of the round": PassUntil(EndOfRound), "cut at 7": Cut(7), "signal sing": Signal(Sing),
		"play Th": Play(MustCard("Th")), "discard Jc Qc Kc": Discard(0, 1, 2), "toep": Toep(), "none": {},
	} {
		if act.String() != want {
			t.Errorf("%q should be %q", act, want)
		}
	}
}

func TestWhatIsNoActIsAnError(t *testing.T) {
	if _, err := (Act{}).answer(1, 2); err == nil {
		t.Error("the zero Act was answered")
	}
	for _, at := range []int{-1, 0, 32, 257} {
		if guard("", func() { Cut(at) }) == nil {
			t.Errorf("a pack was cut at %d", at)
		}
	}
}
