package toep

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"

	refereev1 "example.org/toep/gen/referee/v1"
)

// limit is how long a test may wait for what never comes; no test takes nearly so long.
const limit = 30 * time.Second

// line is the referee's end of one stream.
type line struct {
	refereev1.RefereeService_PlayServer
	t *testing.T
}

// hear returns the bot's next message; nil when it has closed its side.
func (l line) hear() *refereev1.PlayRequest {
	request, err := l.Recv()
	if err != nil {
		return nil
	}
	return request
}

// answers returns that many answers, however the bot batches them.
func (l line) answers(number int) []*refereev1.Answer {
	var answers []*refereev1.Answer
	for len(answers) < number {
		request := l.hear()
		if request == nil || len(request.GetAnswers()) == 0 {
			l.t.Errorf("%d answers instead of %d, then %v", len(answers), number, request)
			return answers
		}
		answers = append(answers, request.GetAnswers()...)
	}
	slices.SortFunc(answers, func(a, b *refereev1.Answer) int { return int(a.GetAsk()) - int(b.GetAsk()) })
	return answers
}

func (l line) say(response *refereev1.PlayResponse) {
	if err := l.Send(response); err != nil {
		l.t.Error(err)
	}
}

// goodbye reads until the bot has closed its side, and expects that it has left.
func (l line) goodbye() {
	left := false
	for request := l.hear(); request != nil; request = l.hear() {
		left = left || request.GetLeave() != nil
	}
	if !left {
		l.t.Error("the bot has not left")
	}
}

// script is what a referee does with a stream.
type script func(line) error

// fake is a referee that plays a script on every stream.
type fake struct {
	refereev1.UnimplementedRefereeServiceServer
	t      *testing.T
	script script
	wait   sync.WaitGroup
}

func (f *fake) Play(stream refereev1.RefereeService_PlayServer) error {
	f.wait.Add(1)
	defer f.wait.Done()
	return f.script(line{stream, f.t})
}

// host lets a fake referee listen until the test is over.
func host(t *testing.T, listener net.Listener, script script) {
	server, referee := grpc.NewServer(), &fake{t: t, script: script}
	refereev1.RegisterRefereeServiceServer(server, referee)
	go server.Serve(listener)
	t.Cleanup(func() {
		server.Stop()
		referee.wait.Wait()
	})
}

// visit lets a bot play with a script, and returns what it logged.
func visit(t *testing.T, bot Bot, settings Settings, options Options, script script) (string, error) {
	t.Helper()
	listener := bufconn.Listen(1 << 20)
	host(t, listener, script)
	dial := func(context.Context, string) (net.Conn, error) { return listener.Dial() }
	conn, err := grpc.NewClient("passthrough:///fake", append(dialing(), grpc.WithContextDialer(dial))...)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var log bytes.Buffer
	options.Log = &log
	settings.Address, settings.Bot = "fake", "bob"
	err = play(ctx, refereev1.NewRefereeServiceClient(conn), bot, settings, options, newAgain(settings.Reconnect))
	return log.String(), err
}

var first = BotFunc(func(_ context.Context, view *View) Act { return view.Legal()[0] })

func welcome() *refereev1.Welcome { return &refereev1.Welcome{Protocol: 1, Referee: "fake"} }

func seats(seats ...*refereev1.Seated) []*refereev1.Seated { return seats }

func stayAt(table uint32, asks ...uint32) []*refereev1.Ask {
	var all []*refereev1.Ask
	for _, ask := range asks {
		all = append(all, &refereev1.Ask{
			Table: table, Ask: ask, Seat: 1, Kind: refereev1.AskKind_ASK_KIND_ANSWER, May: flags(ActStay, ActFold),
		})
	}
	return all
}

func over(tables ...uint32) []*refereev1.MatchOver {
	var all []*refereev1.MatchOver
	for _, table := range tables {
		all = append(all, &refereev1.MatchOver{
			Table: table, MatchId: "m", Status: refereev1.MatchStatus_MATCH_STATUS_COMPLETE,
			Rank: []uint32{2, 1}, Total: []int32{9, -1},
		})
	}
	return all
}

func TestAWholeVisit(t *testing.T) {
	var told []any
	var seen []*View
	bot := BotFunc(func(ctx context.Context, view *View) Act {
		if deadline, limited := ctx.Deadline(); !limited || time.Until(deadline) > time.Hour {
			t.Error("the bot is not told its time")
		}
		seen = append(seen, view)
		return view.Legal()[0]
	})
	options := Options{
		Version: "1.2",
		Seated:  func(match *Match) { told = append(told, match.MatchID) },
		Event:   func(table int, event *refereev1.Event) { told = append(told, event.GetPlay().GetCard()) },
		Refused: func(refusal Refusal) { told = append(told, refusal) },
		Over:    func(over Over) { told = append(told, over) },
	}
	log, err := visit(t, bot, Settings{Token: "s3cret"}, options, func(l line) error {
		header, _ := metadata.FromIncomingContext(l.Context())
		same(t, "token", header.Get("authorization"), []string{"Bearer s3cret"})
		want := &refereev1.PlayRequest{Hello: &refereev1.Hello{Protocol: 1, Bot: "bob", Version: "1.2", Parallel: 1}}
		if hello := l.hear(); !proto.Equal(hello, want) {
			t.Error(hello)
		}
		l.say(&refereev1.PlayResponse{Welcome: welcome()})
		ask := &refereev1.Ask{
			Table: 7, Ask: 40, Seat: 1, Kind: refereev1.AskKind_ASK_KIND_CARD, Hand: mask("9h Jc"), Legal: mask("9h"),
			BudgetMs: 3_000_000,
		}
		played := &refereev1.Event_Play{Play: &refereev1.PlayEvent{Card: refereev1.Card_CARD_TH}}
		l.say(&refereev1.PlayResponse{
			Seated: seats(seatedAt(7, 1)),
			Updates: []*refereev1.TableUpdate{
				{Table: 7, State: &refereev1.TableState{Stake: 1}},
				{
					Table:  7,
					Events: []*refereev1.Event{{Event: played}},
					State:  &refereev1.TableState{Stake: 2},
				},
				{Table: 7},
			},
			Asks: []*refereev1.Ask{ask},
		})
		want = &refereev1.PlayRequest{Answers: []*refereev1.Answer{
			{Table: 7, Ask: 40, Act: &refereev1.Answer_Play{Play: &refereev1.Play{Card: refereev1.Card_CARD_9H}}},
		}}
		if answers := l.hear(); !proto.Equal(answers, want) {
			t.Error(answers)
		}
		again := proto.Clone(ask).(*refereev1.Ask)
		again.Ask, again.Legal = 41, mask("Jc")
		l.say(&refereev1.PlayResponse{
			Refusals: []*refereev1.Refusal{{
				Table: 7, Ask: 40, Code: refereev1.RefusalCode_REFUSAL_CODE_ILLEGAL, Rule: "R-SUIT-01",
				Message: "Follow\nsuit.", TriesLeft: 2,
			}},
			Asks: []*refereev1.Ask{again},
		})
		same(t, "second answer", l.answers(1)[0].GetPlay().GetCard(), refereev1.Card_CARD_JC)
		l.say(&refereev1.PlayResponse{Superseded: []*refereev1.Superseded{{Table: 7, Ask: 41}}})
		// A superseded answer is forgotten: nothing was wrong with it.
		stale := &refereev1.Refusal{Table: 7, Ask: 41, Code: refereev1.RefusalCode_REFUSAL_CODE_STALE}
		l.say(&refereev1.PlayResponse{Refusals: []*refereev1.Refusal{stale}})
		l.say(&refereev1.PlayResponse{Over: over(7), Draining: &refereev1.Draining{Reason: "maintenance"}})
		same(t, "goodbye", l.hear().GetLeave().GetReason(), "the referee is closing down")
		return nil
	})
	same(t, "error", err, error(nil))
	same(t, "log", log, "refused: match m7, seat 1, table 7, ask 40 (card): answered play 9h: "+
		"illegal, R-SUIT-01: Follow suit. [tries left: 2]\n"+
		"refused: table 7, ask 41: stale:  [tries left: 0]\n")
	same(t, "stakes", []int{seen[0].Stake, seen[1].Stake, len(seen)}, []int{2, 2, 2})
	same(t, "told", told, []any{
		"m7",
		refereev1.Card_CARD_TH,
		Refusal{
			Table: 7, Ask: 40, Code: "illegal", Rule: "R-SUIT-01", Message: "Follow\nsuit.", TriesLeft: 2,
			View: seen[0], Act: Play(MustCard("9h")),
		},
		Refusal{Table: 7, Ask: 41, Code: "stale"},
		Over{Table: 7, MatchID: "m", Seats: []int{1}, Status: "complete", Rank: []int{2, 1}, Total: []int{9, -1}},
	})
}

func TestManyTablesAndTwoSeatsAtOne(t *testing.T) {
	var lock sync.Mutex
	asked := map[[3]int]bool{}
	bot := BotFunc(func(_ context.Context, view *View) Act {
		lock.Lock()
		defer lock.Unlock()
		asked[[3]int{view.Table, view.Seat, view.Ask}] = true
		return Stay()
	})
	var own []int
	options := Options{Over: func(over Over) { own = append(own, over.Seats...) }}
	_, err := visit(t, bot, Settings{Parallel: 8, Matches: 2}, options, func(l line) error {
		same(t, "parallel", l.hear().GetHello().GetParallel(), uint32(8))
		asks := append(stayAt(1, 40), stayAt(2, 41, 42)...)
		asks[2].Seat = 0
		all := seats(seatedAt(1, 1), seatedAt(2, 1), seatedAt(2, 0))
		l.say(&refereev1.PlayResponse{Welcome: welcome(), Seated: all, Asks: asks})
		l.answers(3)
		l.say(&refereev1.PlayResponse{Over: over(1, 2)})
		l.goodbye()
		return nil
	})
	same(t, "error", err, error(nil))
	same(t, "asked", asked, map[[3]int]bool{{1, 1, 40}: true, {2, 1, 41}: true, {2, 0, 42}: true})
	same(t, "own seats", own, []int{1, 0, 1})
}

func TestTheLimitOfTheRefereeIsKept(t *testing.T) {
	for _, limits := range []*refereev1.Welcome{{Protocol: 1, MaxAnswers: 2}, {Protocol: 1, MaxRequestBytes: 128}} {
		_, err := visit(t, first, Settings{Parallel: 99, Matches: 1}, Options{}, func(l line) error {
			l.hear()
			l.say(&refereev1.PlayResponse{Welcome: limits, Seated: seats(seatedAt(1, 1)), Asks: stayAt(1, 1, 2, 3, 4, 5, 6, 7)})
			for heard := 0; heard < 7; {
				request := l.hear()
				if number := len(request.GetAnswers()); number < 1 || number > 2 {
					t.Errorf("%d answers at once", number)
					return nil
				}
				heard += len(request.GetAnswers())
			}
			l.say(&refereev1.PlayResponse{Over: over(1)})
			l.goodbye()
			return nil
		})
		same(t, "error", err, error(nil))
	}
}

func TestTheBotWorksOnNoMoreThanItSaid(t *testing.T) {
	var lock sync.Mutex
	busy, most := 0, 0
	both := make(chan struct{})
	bot := BotFunc(func(ctx context.Context, view *View) Act {
		lock.Lock()
		busy++
		if most = max(most, busy); busy == 2 && most == 2 {
			select {
			case <-both:
			default:
				close(both)
			}
		}
		lock.Unlock()
		<-both // so that two are at work at once
		lock.Lock()
		busy--
		lock.Unlock()
		return Stay()
	})
	_, err := visit(t, bot, Settings{Matches: 1}, Options{Parallel: 2}, func(l line) error {
		same(t, "parallel", l.hear().GetHello().GetParallel(), uint32(2))
		l.say(&refereev1.PlayResponse{Welcome: welcome(), Seated: seats(seatedAt(1, 1)), Asks: stayAt(1, 1, 2, 3, 4, 5, 6)})
		l.answers(6)
		l.say(&refereev1.PlayResponse{Over: over(1)})
		l.goodbye()
		return nil
	})
	same(t, "error", err, error(nil))
	same(t, "at once", most, 2)
}

func TestAnAskWhoseTimeRanOutIsLeftAlone(t *testing.T) {
	var log bytes.Buffer
	s := &session{ctx: t.Context(), slots: make(chan struct{}, 1), options: Options{Log: &log}}
	s.bot = BotFunc(func(context.Context, *View) Act {
		t.Error("the bot was asked")
		return Pass()
	})
	view := viewOf(&refereev1.Ask{Ask: 9, May: flags(ActPass), BudgetMs: 1000}, nil)
	s.work(&table{ctx: t.Context()}, view, time.Now().Add(-time.Minute))
	same(t, "log", log.String(), "ask 9 of match m3 is left alone: its time ran out while the bot was busy\n")
	same(t, "hands", len(s.slots), 0)
}

func TestABotDoesNotLeaveInTheMiddleOfAMatch(t *testing.T) {
	_, err := visit(t, first, Settings{Matches: 1}, Options{}, func(l line) error {
		l.hear()
		both := seats(seatedAt(1, 1), seatedAt(2, 1))
		l.say(&refereev1.PlayResponse{Welcome: welcome(), Seated: both, Draining: &refereev1.Draining{}})
		l.say(&refereev1.PlayResponse{Over: over(1)})
		l.say(&refereev1.PlayResponse{Asks: stayAt(2, 5)})
		l.answers(1)
		l.say(&refereev1.PlayResponse{Over: over(2)})
		l.goodbye()
		return nil
	})
	same(t, "error", err, error(nil))
}

func TestThinkingEndsWithTheMatchAndWithTheStream(t *testing.T) {
	thinking, stopped := make(chan struct{}, 2), make(chan struct{}, 2)
	thinker := BotFunc(func(ctx context.Context, _ *View) Act {
		thinking <- struct{}{}
		<-ctx.Done()
		stopped <- struct{}{}
		panic("nobody listens any more")
	})
	begun := func(l line) {
		l.hear()
		l.say(&refereev1.PlayResponse{Welcome: welcome(), Seated: seats(seatedAt(1, 1)), Asks: stayAt(1, 1)})
		<-thinking
	}
	_, err := visit(t, thinker, Settings{Matches: 1}, Options{}, func(l line) error {
		begun(l)
		l.say(&refereev1.PlayResponse{Over: over(1)})
		l.goodbye()
		return nil
	})
	same(t, "error", err, error(nil))
	_, err = visit(t, thinker, Settings{}, Options{}, func(l line) error {
		begun(l)
		return nil
	})
	same(t, "exit code", ExitCode(err), ExitLost)
	<-stopped
	<-stopped
}

func TestWhatANewerRefereeSaysIsSurvived(t *testing.T) {
	event := &refereev1.Event{}
	event.ProtoReflect().SetUnknown([]byte{0xfa, 0x07, 0x00})
	var kinds []AskKind
	var codes []string
	bot := BotFunc(func(_ context.Context, view *View) Act {
		kinds = append(kinds, view.Kind)
		return Pass()
	})
	options := Options{
		Event:   func(_ int, event *refereev1.Event) { codes = append(codes, event.String()) },
		Refused: func(refusal Refusal) { codes = append(codes, refusal.Code) },
		Over:    func(over Over) { codes = append(codes, over.Status) },
	}
	log, err := visit(t, bot, Settings{}, options, func(l line) error {
		l.hear()
		l.say(&refereev1.PlayResponse{
			Welcome: welcome(),
			Seated:  seats(seatedAt(1, 1)),
			Updates: []*refereev1.TableUpdate{{Table: 1, Events: []*refereev1.Event{event}}, {Table: 9}},
			Asks: []*refereev1.Ask{
				{Table: 1, Ask: 1, Seat: 1, Kind: 99, May: flags(ActPass) | 1<<30},
				{Table: 1, Ask: 2, Seat: 1, Kind: 99, May: 1 << 30},
				{Table: 1, Ask: 3, Seat: 0, May: flags(ActPass)},
				{Table: 9, Ask: 4, Seat: 1, May: flags(ActPass)},
			},
			Refusals: []*refereev1.Refusal{{Table: 9, Ask: 1, Code: 99, Message: "What?"}},
		})
		same(t, "answered", l.answers(1)[0].GetAsk(), uint32(1))
		last := over(1, 9)
		last[0].Status = 44
		l.say(&refereev1.PlayResponse{Over: last})
		return nil
	})
	same(t, "error", err, error(nil))
	same(t, "kinds", kinds, []AskKind{AskUnknown})
	same(t, "codes", codes[1:], []string{"unknown", "unknown"})
	same(t, "log", log, "refused: table 9, ask 1: unknown: What? [tries left: 0]\n"+
		"ask 2 of match m1 is left alone: this client knows none of the acts it allows\n"+
		"ask 3 is left alone: this bot does not sit at seat 0 of table 1\n"+
		"ask 4 is left alone: this bot does not sit at seat 1 of table 9\n")
}

func TestOnlyTheLatestAnswersAreRemembered(t *testing.T) {
	var known []bool
	options := Options{Refused: func(refusal Refusal) { known = append(known, refusal.View != nil) }}
	_, err := visit(t, first, Settings{Matches: 1}, options, func(l line) error {
		l.hear()
		l.say(&refereev1.PlayResponse{Welcome: welcome(), Seated: seats(seatedAt(1, 1))})
		for ask := range uint32(remembered + 1) {
			l.say(&refereev1.PlayResponse{Asks: stayAt(1, ask)})
			l.answers(1)
		}
		l.say(&refereev1.PlayResponse{
			Refusals: []*refereev1.Refusal{{Table: 1, Ask: 0}, {Table: 1, Ask: 1}, {Table: 1, Ask: remembered}},
			Over:     over(1),
		})
		l.goodbye()
		return nil
	})
	same(t, "error", err, error(nil))
	same(t, "known", known, []bool{false, true, true})
}

func TestHowAStreamEnds(t *testing.T) {
	seated := func(l line) {
		l.hear()
		l.say(&refereev1.PlayResponse{Welcome: welcome(), Seated: seats(seatedAt(1, 1))})
	}
	for name, one := range map[string]struct {
		script script
		code   int
		want   string
	}{
		"between matches": {func(l line) error {
			seated(l)
			l.say(&refereev1.PlayResponse{Over: over(1)})
			return nil
		}, ExitDone, ""},
		"in a match": {func(l line) error {
			seated(l)
			return nil
		}, ExitLost, "the referee ended the stream in the middle of 1 match(es)"},
		"broken": {func(l line) error {
			seated(l)
			return status.Error(codes.Internal, "internal error, id=5")
		}, ExitLost, "the connection to the referee was lost (Internal: internal error, id=5): is it still running?"},
		"no welcome": {func(l line) error {
			l.hear()
			return nil
		}, ExitSetup, "the referee at fake ended the stream without a welcome: check TOEP_ADDRESS"},
		"wrong token": {func(l line) error {
			l.hear()
			return status.Error(codes.Unauthenticated, "bad token\ns3cret")
		}, ExitSetup, `the referee at fake does not let in "bob" (bad token ***): check TOEP_BOT and TOEP_TOKEN`},
		"a second stream": {func(l line) error {
			l.hear()
			return status.Error(codes.AlreadyExists, "")
		}, ExitSetup, "the referee at fake refused the stream: AlreadyExists: no details"},
		"no referee": {func(l line) error {
			return status.Error(codes.Unimplemented, "what?")
		}, ExitSetup, "what answers at fake is no toep referee: check TOEP_ADDRESS"},
		"another protocol": {func(l line) error {
			l.hear()
			l.say(&refereev1.PlayResponse{Welcome: &refereev1.Welcome{Protocol: 2}})
			return nil
		}, ExitSetup, "the referee at fake speaks protocol 2, this client 1: use the client that belongs to the referee"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := visit(t, first, Settings{Token: "s3cret"}, Options{}, one.script)
			said := ""
			if err != nil {
				said = err.Error()
			}
			same(t, "error", []any{ExitCode(err), said}, []any{one.code, one.want})
		})
	}
}

func TestAFailingBotIsItsAuthorsBusiness(t *testing.T) {
	lost := errors.New("I lost count")
	fail := func() { panic(lost) }
	failing := BotFunc(func(context.Context, *View) Act { panic(lost) })
	vague := BotFunc(func(context.Context, *View) Act { return Act{} })
	event := Options{Event: func(int, *refereev1.Event) { fail() }}
	for name, one := range map[string]struct {
		bot     Bot
		options Options
		want    string
	}{
		"act":     {failing, Options{}, "the bot failed at ask 1 of match m1: I lost count"},
		"no act":  {vague, Options{}, "the bot failed at ask 1 of match m1: the zero Act is no act"},
		"seated":  {first, Options{Seated: func(*Match) { fail() }}, "the bot failed when it was seated: I lost count"},
		"event":   {first, event, "the bot failed at an event: I lost count"},
		"refused": {first, Options{Refused: func(Refusal) { fail() }}, "the bot failed at a refusal: I lost count"},
		"over":    {first, Options{Over: func(Over) { fail() }}, "the bot failed at the end of a match: I lost count"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := visit(t, one.bot, Settings{}, one.options, func(l line) error {
				l.hear()
				response := &refereev1.PlayResponse{
					Welcome:  welcome(),
					Seated:   seats(seatedAt(1, 1), seatedAt(2, 1)),
					Updates:  []*refereev1.TableUpdate{{Table: 1, Events: []*refereev1.Event{{}}}},
					Refusals: []*refereev1.Refusal{{Table: 1}},
					Asks:     stayAt(1, 1),
					Over:     over(2),
				}
				l.say(response)
				for l.hear() != nil {
				}
				return nil
			})
			var failed *BotError
			if !errors.As(err, &failed) || err.Error() != one.want || ExitCode(err) != ExitBot {
				t.Error(err)
			}
			same(t, "its own error", errors.Is(err, lost), name != "no act")
		})
	}
}

func TestAnEndedContextEndsTheVisit(t *testing.T) {
	conn, err := grpc.NewClient("passthrough:///fake", dialing()...)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = play(ctx, refereev1.NewRefereeServiceClient(conn), first, Settings{}, Options{}, newAgain(0))
	same(t, "before the welcome", err, context.Canceled)

	ctx, cancel = context.WithCancel(t.Context())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host(t, listener, func(l line) error {
		l.hear()
		l.say(&refereev1.PlayResponse{Welcome: welcome(), Seated: seats(seatedAt(1, 1))})
		for l.hear() != nil {
		}
		return nil
	})
	settings := Settings{Address: listener.Addr().String(), Bot: "bob"}
	err = Connect(ctx, first, settings, Options{Seated: func(*Match) { cancel() }})
	same(t, "in a match", []any{err, ExitCode(err)}, []any{context.Canceled, ExitInterrupted})
}

func TestNobodyThere(t *testing.T) {
	settings := Settings{Address: "unix:" + t.TempDir() + "/none.sock", Bot: "bob"}
	err := Connect(t.Context(), first, settings, Options{})
	same(t, "exit code", ExitCode(err), ExitSetup)
	said := err.Error()
	if !strings.HasPrefix(said, "no referee answers at unix:/") || !strings.HasSuffix(said, "to where it is") {
		t.Error(said)
	}
}

// TestMain is also the program of a bot, for tests of what a whole program does.
func TestMain(m *testing.M) {
	if os.Getenv("TOEP_TEST_BOT") != "" {
		Main(BotFunc(func(context.Context, *View) Act { panic("I lost count") }), Options{})
	}
	os.Exit(m.Run())
}

// program runs the bot above in a process of its own.
func program(t *testing.T, environ ...string) (int, string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append([]string{"TOEP_TEST_BOT=1"}, environ...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), stderr.String()
}

func TestAProgramEndsWithACodeAndSaysWhy(t *testing.T) {
	code, stderr := program(t)
	want := "TOEP_ADDRESS is not set: give it the referee's address, such as 127.0.0.1:7777\n"
	same(t, "no settings", []any{code, stderr}, []any{ExitSetup, want})

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	rounds := 0
	host(t, listener, func(l line) error {
		l.hear()
		l.say(&refereev1.PlayResponse{Welcome: welcome(), Seated: seats(seatedAt(1, 1))})
		if rounds++; rounds == 1 {
			l.say(&refereev1.PlayResponse{Over: over(1)})
			l.goodbye()
			return nil
		}
		l.say(&refereev1.PlayResponse{Asks: stayAt(1, 1)})
		for l.hear() != nil {
		}
		return nil
	})
	environ := []string{"TOEP_ADDRESS=" + listener.Addr().String(), "TOEP_BOT=bob", "TOEP_TOKEN=s3cret", "TOEP_MATCHES=1"}
	code, stderr = program(t, environ...)
	same(t, "done", []any{code, stderr}, []any{ExitDone, ""})
	code, stderr = program(t, environ...)
	if code != ExitBot || !strings.HasPrefix(stderr, "the bot failed at ask 1 of match m1: I lost count\n\n") ||
		!strings.Contains(stderr, "session_test.go:") || strings.Contains(stderr, "s3cret") {
		t.Error(code, stderr)
	}
}
