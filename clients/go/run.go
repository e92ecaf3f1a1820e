package toep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"

	refereev1 "example.org/toep/gen/referee/v1"
)

// Options are what a bot may say about itself, and what else it wants to be told. The zero value will do.
//
// The functions are called one at a time, in the order in which things happened, but while Act may be at work; what
// they take long for delays the bot.
type Options struct {
	// Version is the bot's own version, for people.
	Version string
	// Parallel is how many asks the bot works on at once, 1 if not set. TOEP_PARALLEL comes before it.
	Parallel int
	// Log takes lines for the bot's author, such as refusals; standard error if nil.
	Log io.Writer

	// Seated is called when a match starts in which the bot has a seat.
	Seated func(*Match)
	// Event is called when something happened at a table. What a newer referee tells may have no body.
	Event func(table int, event *refereev1.Event)
	// Refused is called when an answer was not accepted.
	Refused func(Refusal)
	// Over is called when a match is over.
	Over func(Over)
}

// Main plays as the environment says, see [SettingsFrom], and then ends the process with one of the exit codes.
func Main(bot Bot, options Options) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	err := Run(ctx, bot, options)
	complain(os.Stderr, err)
	os.Exit(ExitCode(err))
}

// Run plays as the environment says, see [SettingsFrom] and [Connect].
func Run(ctx context.Context, bot Bot, options Options) error {
	settings, err := SettingsFrom(os.Getenv)
	if err != nil {
		return err
	}
	return Connect(ctx, bot, settings, options)
}

// Connect plays until the bot has done its matches, or the referee closes, or the context ends. It never leaves in the
// middle of a match of its own accord. The error is a [*SetupError], a [*LostError], a [*BotError], or that of the
// context. A call of the bot that is still running then has its context ended, and is not waited for.
//
// A bot that a referee turns away with a hint when to come again waits that long and tries again, for a minute in all.
// One that loses its referee dials in again for as long as [Settings.Reconnect] says.
func Connect(ctx context.Context, bot Bot, settings Settings, options Options) error {
	target := settings.Address
	if !strings.HasPrefix(target, "unix:") {
		target = "passthrough:///" + target
	}
	secure, err := transport(settings)
	if err != nil {
		return err
	}
	conn, err := grpc.NewClient(target, append(dialing(), grpc.WithTransportCredentials(secure))...)
	if err != nil {
		return setupf("the address %q cannot be used: %v", settings.Address, err)
	}
	defer conn.Close()
	return play(ctx, refereev1.NewRefereeServiceClient(conn), bot, settings, options, newAgain(settings.Reconnect))
}

func dialing() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithNoProxy(),
		grpc.WithDisableRetry(),
		grpc.WithDisableServiceConfig(),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: firstPause, Multiplier: 2, MaxDelay: mostPause},
			MinConnectTimeout: 20 * time.Second,
		}),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 20 * time.Second, Timeout: 10 * time.Second}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(64 << 20)),
	}
}

// complain tells a user why a bot ended, if there is something to tell.
func complain(out io.Writer, err error) {
	var bot *BotError
	switch {
	case err == nil || ExitCode(err) == ExitInterrupted:
	case errors.As(err, &bot):
		fmt.Fprintf(out, "%v\n\n%s", bot, bot.Stack)
	default:
		fmt.Fprintln(out, err)
	}
}
