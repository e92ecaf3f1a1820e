// Package toep lets a bot play on a toep referee.
//
// A bot has one method: it gets a [View], everything that its seat may know, and returns one [Act]. [Main] is the rest
// of its program:
//
//	func main() {
//		toep.Main(toep.BotFunc(func(_ context.Context, view *toep.View) toep.Act {
//			return view.Legal()[0]
//		}), toep.Options{})
//	}
//
// Inside a program of another purpose, [Run] does the same and returns an error, and [Connect] takes its settings as
// an argument.
package toep
