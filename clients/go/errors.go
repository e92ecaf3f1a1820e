package toep

import (
	"context"
	"errors"
	"fmt"
)

// What the exit code of a bot's program says.
const (
	// ExitDone: the work is done.
	ExitDone = 0
	// ExitLost: the connection was lost.
	ExitLost = 1
	// ExitSetup: a setting is missing or wrong, or the referee cannot be reached.
	ExitSetup = 2
	// ExitBot: the bot's own code panicked.
	ExitBot = 70
	// ExitInterrupted: interrupted from the keyboard.
	ExitInterrupted = 130
)

// A SetupError is why a bot never started playing: something that its user can mend.
type SetupError struct {
	// Message is one line that says what to do.
	Message string
}

// Error returns the message.
func (e *SetupError) Error() string { return e.Message }

// A LostError is why a bot stopped in the middle: the connection is gone.
type LostError struct {
	// Message is one line that says how it was lost.
	Message string
}

// Error returns the message.
func (e *LostError) Error() string { return e.Message }

// A BotError says that the bot's own code failed.
type BotError struct {
	// Where says what the bot was doing.
	Where string
	// Value is what the code panicked with.
	Value any
	// Stack is where it did.
	Stack []byte
}

// Error returns one line; the stack is not in it.
func (e *BotError) Error() string { return fmt.Sprintf("the bot failed %s: %v", e.Where, e.Value) }

// Unwrap returns the value that the code panicked with, if that is an error.
func (e *BotError) Unwrap() error { err, _ := e.Value.(error); return err }

// ExitCode returns the exit code for what [Run] or [Connect] returned.
func ExitCode(err error) int {
	var setup *SetupError
	var bot *BotError
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &bot):
		return ExitBot
	case errors.As(err, &setup):
		return ExitSetup
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	default:
		return ExitLost
	}
}

func setupf(format string, arguments ...any) error {
	return &SetupError{Message: fmt.Sprintf(format, arguments...)}
}

func lostf(format string, arguments ...any) error {
	return &LostError{Message: fmt.Sprintf(format, arguments...)}
}
