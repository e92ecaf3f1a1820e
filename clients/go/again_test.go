package toep

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	refereev1 "example.org/toep/gen/referee/v1"
)

const second = time.Second

// dialling lets a bot dial in to a referee that takes one step a stream; it returns how long the bot has waited
// between them, and the resume tokens that it has shown.
func dialling(t *testing.T, reconnect time.Duration, steps ...string) ([]time.Duration, []string, error) {
	t.Helper()
	var waits []time.Duration
	var tokens []string
	listener := bufconn.Listen(1 << 20)
	host(t, listener, func(l line) error {
		tokens = append(tokens, string(l.hear().GetHello().GetResumeToken()))
		step := steps[min(len(tokens), len(steps))-1]
		welcome := &refereev1.Welcome{Protocol: 1, ResumeToken: []byte("token " + string(rune('0'+len(tokens))))}
		if hint, full := strings.CutPrefix(step, "full"); full {
			if hint != "" {
				l.SetTrailer(metadata.Pairs(hintKey, strings.TrimSpace(hint)))
			}
			return status.Error(codes.ResourceExhausted, "all places are taken")
		}
		switch step {
		case "wrong token":
			return status.Error(codes.Unauthenticated, "the resume token is not one of 'bob'")
		case "gone":
			return status.Error(codes.Unavailable, "gone")
		case "free":
			l.say(&refereev1.PlayResponse{Welcome: welcome})
			l.goodbye()
			return nil
		}
		l.say(&refereev1.PlayResponse{Welcome: welcome, Seated: seats(seatedAt(1, 1))})
		switch step {
		case "lost":
			return status.Error(codes.Unavailable, "closed")
		case "ended":
			return status.Error(codes.FailedPrecondition, "this bot does not read its stream")
		}
		l.say(&refereev1.PlayResponse{Over: over(1)})
		l.goodbye()
		return nil
	})
	conn, err := grpc.NewClient("passthrough:///fake",
		grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) { return listener.Dial() }),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	again := newAgain(reconnect)
	again.spread = func() float64 { return 0 }
	again.sleep = func(_ context.Context, long time.Duration) error {
		waits = append(waits, long)
		return nil
	}
	var log strings.Builder
	settings := Settings{Address: "fake", Bot: "bob", Matches: 1}
	err = play(ctx, refereev1.NewRefereeServiceClient(conn), first, settings, Options{Log: &log}, again)
	if said := strings.Count(log.String(), "trying again in"); said != len(waits) {
		t.Errorf("%d lines for %d waits: %s", said, len(waits), log.String())
	}
	return waits, tokens, err
}

func TestABotDialsInAgain(t *testing.T) {
	const ms = time.Millisecond
	for name, one := range map[string]struct {
		reconnect time.Duration
		steps     []string
		waits     []time.Duration
		tokens    []string
	}{
		"as late as the referee says": {0, []string{"full 2000", "full 3500", "full 1", "played"},
			[]time.Duration{2 * second, 3500 * ms, 400 * ms}, []string{"", "", "", ""}},
		"with its token when it was lost": {30 * second, []string{"lost", "gone", "full 2000", "played"},
			[]time.Duration{100 * ms, 200 * ms, 2 * second}, []string{"", "token 1", "token 1", "token 1"}},
		"without a token that is not good any more": {30 * second, []string{"lost", "wrong token", "played"},
			[]time.Duration{100 * ms, 0}, []string{"", "token 1", ""}},
		"and a match that was over meanwhile counts": {30 * second, []string{"lost", "free"},
			[]time.Duration{100 * ms}, []string{"", "token 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			waits, tokens, err := dialling(t, one.reconnect, one.steps...)
			same(t, "error", err, error(nil))
			same(t, "waits", waits, one.waits)
			same(t, "tokens", tokens, one.tokens)
		})
	}
}

func TestABotGivesUp(t *testing.T) {
	for name, one := range map[string]struct {
		reconnect     time.Duration
		steps         []string
		streams, code int
	}{
		"when there is no hint":            {0, []string{"full", "played"}, 1, ExitSetup},
		"when the hint is no number":       {0, []string{"full soon", "played"}, 1, ExitSetup},
		"after a minute":                   {0, []string{"full 30000"}, 3, ExitSetup},
		"at once if it was told nothing":   {0, []string{"lost", "played"}, 1, ExitLost},
		"when the referee throws it out":   {30 * second, []string{"ended", "played"}, 1, ExitLost},
		"when the referee does not return": {2 * second, []string{"lost", "gone"}, 5, ExitLost},
	} {
		t.Run(name, func(t *testing.T) {
			_, tokens, err := dialling(t, one.reconnect, one.steps...)
			same(t, "streams and code", []int{len(tokens), ExitCode(err)}, []int{one.streams, one.code})
		})
	}
}

func TestHowLongIsWaited(t *testing.T) {
	again := newAgain(0)
	again.spread = func() float64 { return 1 }
	for hint, want := range map[string]time.Duration{"2000": 2500 * time.Millisecond, "999999999": mostHinted * 5 / 4} {
		again.waited, again.tries = 0, 0
		long, ok := again.turnedAway(hint)
		same(t, hint, []any{long, ok}, []any{want, true})
	}
	for _, hint := range []string{"", "-1", "1.5", "x", "99999999999"} {
		if _, ok := again.turnedAway(hint); ok {
			t.Errorf("%q was taken for a number", hint)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := pause(ctx, time.Hour); err != context.Canceled {
		t.Error(err)
	}
}
