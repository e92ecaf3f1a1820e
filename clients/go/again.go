package toep

import (
	"context"
	"math/rand/v2"
	"strconv"
	"time"
)

const (
	// hintKey is the trailing metadata in which a referee says before when another try is not worth while.
	hintKey = "retry-after-ms"

	// mostHinted is what is waited for a referee at most before another try, whatever it says.
	mostHinted = 30 * time.Second

	// mostTurnedAway is how long a bot which is turned away so waits in all before it gives up.
	mostTurnedAway = time.Minute

	// firstPause and mostPause are between two tries to get back to a referee: they double from one to the other.
	firstPause = 100 * time.Millisecond
	mostPause  = 2 * time.Second
)

// again is how often a bot dials in, and what goes with it from one stream to the next.
type again struct {
	reconnect time.Duration
	sleep     func(context.Context, time.Duration) error
	spread    func() float64 // from 0 to 1, so that many bots do not all come at once

	resume  []byte // proves that it is the same bot
	waited  time.Duration
	tries   int
	wasLost bool // it was let in before, and tries to get back

	finished int
	running  map[string]bool // the matches that were being played when the stream was lost, by id
}

func newAgain(reconnect time.Duration) *again {
	return &again{reconnect: reconnect, sleep: pause, spread: rand.Float64}
}

// pause waits; the error is that of the context.
func pause(ctx context.Context, long time.Duration) error {
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// welcomed notes that the bot was let in, and sits in these matches. Others that it played are over.
func (a *again) welcomed(resume []byte, matches map[string]bool) {
	a.resume, a.waited, a.tries, a.wasLost = resume, 0, 0, false
	for match := range a.running {
		if !matches[match] {
			a.finished++
		}
	}
	a.running = nil
}

// wrongToken tells whether a bot that was not let in because of who it is may do without its resume token.
func (a *again) wrongToken() bool {
	had := len(a.resume) > 0
	a.resume = nil
	return had
}

// turnedAway returns how long to wait with this hint before another try, and whether one is worth it.
func (a *again) turnedAway(hint string) (time.Duration, bool) {
	hinted, err := strconv.ParseUint(hint, 10, 30)
	if err != nil {
		return 0, false
	}
	return a.spend(max(min(time.Duration(hinted)*time.Millisecond, mostHinted), a.pause()), mostTurnedAway)
}

// lost returns how long a bot whose stream has broken off waits before another try, and whether it tries.
func (a *again) lost() (time.Duration, bool) {
	a.wasLost = true
	return a.spend(a.pause(), a.reconnect)
}

// unreachable returns the same when nobody answers. A bot that has never been let in does not try again.
func (a *again) unreachable() (time.Duration, bool) {
	if !a.wasLost {
		return 0, false
	}
	return a.lost()
}

func (a *again) pause() time.Duration { return min(mostPause, firstPause<<a.tries) }

func (a *again) spend(long, most time.Duration) (time.Duration, bool) {
	long += time.Duration(a.spread() / 4 * float64(long))
	if a.waited+long > most {
		return 0, false
	}
	a.tries = min(a.tries+1, 10)
	a.waited += long
	return long, true
}

// An againError ends a stream that is worth another one after a while.
type againError struct {
	why   error
	after time.Duration
}

// Error says why the referee was lost.
func (e *againError) Error() string { return e.why.Error() }
