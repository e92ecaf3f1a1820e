package toep

import "context"

// A Bot answers asks. It needs no memory: a view holds all that its seat may know.
type Bot interface {
	// Act answers one ask. The context ends when the time for the answer is over, when the ask's match is, and when the
	// connection is. With Parallel above 1, Act is called from that many goroutines at once.
	Act(ctx context.Context, view *View) Act
}

// A BotFunc is a bot that is nothing but its Act method.
type BotFunc func(ctx context.Context, view *View) Act

// Act calls the function.
func (f BotFunc) Act(ctx context.Context, view *View) Act { return f(ctx, view) }
