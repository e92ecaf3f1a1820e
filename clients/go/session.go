package toep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	refereev1 "example.org/toep/gen/referee/v1"
)

const (
	protocol = 1

	// answerBytes is more than any answer has.
	answerBytes = 64

	// remembered is how many answers are kept for each table: the referee says only of refused ones what became of them.
	remembered = 32

	// goodbye is how long the referee may take to end the stream after the bot has left.
	goodbye = 5 * time.Second
)

// given is an answer that was sent.
type given struct {
	view *View
	act  Act
}

// table is what is kept of one match.
type table struct {
	ctx   context.Context // ends with the match
	end   context.CancelFunc
	seats map[uint32]*Match
	state *refereev1.TableState

	mu    sync.Mutex
	given map[uint32]given
	order []uint32 // the keys of given, oldest first
}

// session is one stream between a bot and a referee. One goroutine receives and owns the fields, one sends, and each
// ask that is worked on has its own.
type session struct {
	ctx      context.Context
	fail     context.CancelCauseFunc
	stream   refereev1.RefereeService_PlayClient
	bot      Bot
	settings Settings
	options  Options
	again    *again
	slots    chan struct{}
	answers  chan *refereev1.Answer
	leaving  chan string
	most     int

	tables   map[uint32]*table
	draining bool

	logging sync.Mutex
}

// play plays over a connection, on one stream after the other.
func play(
	ctx context.Context, client refereev1.RefereeServiceClient, bot Bot, settings Settings, options Options, again *again,
) error {
	if options.Log == nil {
		options.Log = os.Stderr
	}
	for {
		err := visitOnce(ctx, client, bot, settings, options, again)
		var retry *againError
		if !errors.As(err, &retry) {
			return err
		}
		fmt.Fprintf(options.Log, "%v: trying again in %.1f s\n", retry, retry.after.Seconds())
		if err := again.sleep(ctx, retry.after); err != nil {
			return err
		}
	}
}

// visitOnce plays on one stream. The error is an [*againError] if another one is worth a try.
func visitOnce(
	ctx context.Context, client refereev1.RefereeServiceClient, bot Bot, settings Settings, options Options, again *again,
) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	options.Parallel = max(1, options.Parallel)
	if settings.Parallel > 0 {
		options.Parallel = settings.Parallel
	}
	s := &session{
		ctx:      ctx,
		fail:     fail,
		bot:      bot,
		settings: settings,
		options:  options,
		again:    again,
		slots:    make(chan struct{}, options.Parallel),
		answers:  make(chan *refereev1.Answer),
		leaving:  make(chan string, 1),
		tables:   map[uint32]*table{},
	}
	calling := ctx
	if settings.Token != "" {
		calling = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+settings.Token)
	}
	stream, err := client.Play(calling)
	if err != nil {
		return s.turnedAway(err)
	}
	s.stream = stream
	return s.run()
}

func (s *session) run() error {
	response, err := s.greet()
	if err != nil {
		return err
	}
	go s.send()
	for {
		if err := s.take(response); err != nil {
			return err
		}
		if reason, done := s.done(); done {
			s.leave(reason)
			return nil
		}
		if response, err = s.stream.Recv(); err != nil {
			return s.ended(err)
		}
	}
}

// greet says hello, and returns the message that has the welcome.
func (s *session) greet() (*refereev1.PlayResponse, error) {
	// Why a message could not be sent, the next one received tells.
	_ = s.stream.Send(&refereev1.PlayRequest{Hello: &refereev1.Hello{
		Protocol: protocol,
		Bot:      s.settings.Bot,
		Version:  s.options.Version,
		Parallel: uint32(s.options.Parallel),

		ResumeToken: s.again.resume,
	}})
	response, err := s.stream.Recv()
	if err != nil {
		return nil, s.turnedAway(err)
	}
	welcome := response.GetWelcome()
	if welcome.GetProtocol() != protocol {
		return nil, setupf("the referee at %s speaks protocol %d, this client %d: use the client that belongs to the referee",
			s.settings.Address, welcome.GetProtocol(), protocol)
	}
	matches := map[string]bool{}
	for _, seated := range response.GetSeated() {
		matches[seated.GetMatchId()] = true
	}
	s.again.welcomed(welcome.GetResumeToken(), matches)
	s.most = math.MaxInt
	if limit := welcome.GetMaxAnswers(); limit > 0 {
		s.most = int(limit)
	}
	if limit := welcome.GetMaxRequestBytes(); limit > 0 {
		s.most = max(1, min(s.most, int(limit)/answerBytes))
	}
	return response, nil
}

// take goes through one message, in the order in which its fields are meant.
func (s *session) take(response *refereev1.PlayResponse) error {
	for _, seated := range response.GetSeated() {
		if err := s.seat(seated); err != nil {
			return err
		}
	}
	for _, update := range response.GetUpdates() {
		if err := s.update(update); err != nil {
			return err
		}
	}
	for _, refusal := range response.GetRefusals() {
		if err := s.refused(refusal); err != nil {
			return err
		}
	}
	for _, superseded := range response.GetSuperseded() {
		if t := s.tables[superseded.GetTable()]; t != nil {
			t.forget(superseded.GetAsk())
		}
	}
	for _, ask := range response.GetAsks() {
		s.ask(ask)
	}
	for _, over := range response.GetOver() {
		if err := s.over(over); err != nil {
			return err
		}
	}
	s.draining = s.draining || response.GetDraining() != nil
	return nil
}

func (s *session) seat(seated *refereev1.Seated) error {
	match := NewMatch(seated)
	t := s.tables[seated.GetTable()]
	if t == nil {
		t = &table{seats: map[uint32]*Match{}, given: map[uint32]given{}}
		t.ctx, t.end = context.WithCancel(s.ctx)
		s.tables[seated.GetTable()] = t
	}
	t.seats[seated.GetSeat()] = match
	if s.options.Seated == nil {
		return nil
	}
	return guard("when it was seated", func() { s.options.Seated(match) })
}

func (s *session) update(update *refereev1.TableUpdate) error {
	if t := s.tables[update.GetTable()]; t != nil && update.GetState() != nil {
		t.state = update.GetState()
	}
	if s.options.Event == nil {
		return nil
	}
	for _, event := range update.GetEvents() {
		if err := guard("at an event", func() { s.options.Event(int(update.GetTable()), event) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) refused(refusal *refereev1.Refusal) error {
	var about given
	if t := s.tables[refusal.GetTable()]; t != nil {
		about = t.recall(refusal.GetAsk())
	}
	plain := refusalOf(refusal, about)
	s.logf("%v", plain)
	if s.options.Refused == nil {
		return nil
	}
	return guard("at a refusal", func() { s.options.Refused(plain) })
}

func (s *session) over(over *refereev1.MatchOver) error {
	t := s.tables[over.GetTable()]
	if t == nil {
		return nil
	}
	t.end()
	delete(s.tables, over.GetTable())
	s.again.finished++
	if s.options.Over == nil {
		return nil
	}
	var seats []int
	for _, seat := range slices.Sorted(maps.Keys(t.seats)) {
		seats = append(seats, int(seat))
	}
	return guard("at the end of a match", func() { s.options.Over(overOf(over, seats)) })
}

// ask lets the bot work on an ask.
func (s *session) ask(ask *refereev1.Ask) {
	t := s.tables[ask.GetTable()]
	if t == nil || t.seats[ask.GetSeat()] == nil {
		s.logf("ask %d is left alone: this bot does not sit at seat %d of table %d",
			ask.GetAsk(), ask.GetSeat(), ask.GetTable())
		return
	}
	view := NewView(t.seats[ask.GetSeat()], ask, t.state)
	if len(view.Legal()) == 0 {
		s.logf("ask %d of match %s is left alone: this client knows none of the acts it allows", view.Ask, view.MatchID)
		return
	}
	go s.work(t, view, time.Now())
}

// work asks the bot, when it has a hand free, and passes its answer on to be sent.
func (s *session) work(t *table, view *View, asked time.Time) {
	ctx := t.ctx
	if view.Budget > 0 {
		limited, cancel := context.WithDeadline(t.ctx, asked.Add(view.Budget))
		defer cancel()
		ctx = limited
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-t.ctx.Done():
		return
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		s.logf("ask %d of match %s is left alone: its time ran out while the bot was busy", view.Ask, view.MatchID)
		return
	}
	where := fmt.Sprintf("at ask %d of match %s", view.Ask, view.MatchID)
	var act Act
	var answer *refereev1.Answer
	err := guard(where, func() { act = s.bot.Act(ctx, view) })
	if err == nil {
		if answer, err = act.answer(uint32(view.Table), uint32(view.Ask)); err != nil {
			err = &BotError{Where: where, Value: err}
		}
	}
	if t.ctx.Err() != nil {
		return // nobody waits for it
	}
	if err != nil {
		s.fail(err)
		return
	}
	t.remember(given{view: view, act: act})
	select {
	case s.answers <- answer:
	case <-t.ctx.Done():
	}
}

// send sends what there is, as much at a time as the referee takes, until the bot leaves or the stream ends.
func (s *session) send() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case reason := <-s.leaving:
			_ = s.stream.Send(&refereev1.PlayRequest{Leave: &refereev1.Leave{Reason: reason}})
			_ = s.stream.CloseSend()
			return
		case answer := <-s.answers:
			// When the stream has ended, the receiver hears of it.
			_ = s.stream.Send(&refereev1.PlayRequest{Answers: s.batch(answer)})
		}
	}
}

// batch returns an answer and those that are ready by now.
func (s *session) batch(answer *refereev1.Answer) []*refereev1.Answer {
	batch := []*refereev1.Answer{answer}
	for len(batch) < s.most {
		select {
		case answer := <-s.answers:
			batch = append(batch, answer)
		default:
			return batch
		}
	}
	return batch
}

// done tells whether and why the bot is to leave: never in the middle of a match.
func (s *session) done() (string, bool) {
	switch {
	case len(s.tables) > 0:
		return "", false
	case s.draining:
		return "the referee is closing down", true
	default:
		return "done", s.settings.Matches > 0 && s.again.finished >= s.settings.Matches
	}
}

// leave says goodbye, and reads what is still on its way. Everything that matters was said before.
func (s *session) leave(reason string) {
	late := time.AfterFunc(goodbye, func() { s.fail(nil) })
	defer late.Stop()
	s.leaving <- reason
	for {
		if _, err := s.stream.Recv(); err != nil {
			return
		}
	}
}

// ended returns what the end of the stream means.
func (s *session) ended(err error) error {
	if cause := context.Cause(s.ctx); cause != nil {
		return cause
	}
	if !errors.Is(err, io.EOF) {
		code, details := s.status(err)
		if code == codes.Unavailable {
			if after, ok := s.again.lost(); ok {
				s.again.running = s.matches()
				return &againError{lostf("the connection to the referee was lost (%s: %s)", code, details), after}
			}
		}
		return lostf("the connection to the referee was lost (%s: %s): is it still running?", code, details)
	}
	if running := len(s.tables); running > 0 {
		return lostf("the referee ended the stream in the middle of %d match(es)", running)
	}
	return nil
}

// matches returns the ids of the matches that are being played.
func (s *session) matches() map[string]bool {
	ids := map[string]bool{}
	for _, t := range s.tables {
		for _, seat := range t.seats {
			ids[seat.MatchID] = true
		}
	}
	return ids
}

// turnedAway returns what the end of a stream that has not begun means.
func (s *session) turnedAway(err error) error {
	if cause := context.Cause(s.ctx); cause != nil {
		return cause
	}
	why, was := s.reason(err), s.again.wasLost
	if after, ok := s.pause(status.Code(err)); ok {
		return &againError{why, after}
	}
	if was {
		return lostf("%v", why)
	}
	return why
}

// pause returns how long a bot that was not let in waits before another try, and whether one is worth it.
func (s *session) pause(code codes.Code) (time.Duration, bool) {
	if code == codes.Unauthenticated && s.again.wrongToken() {
		return 0, true
	}
	if s.stream != nil {
		if hints := s.stream.Trailer().Get(hintKey); len(hints) > 0 {
			return s.again.turnedAway(hints[0])
		}
	}
	if code == codes.Unavailable {
		return s.again.unreachable()
	}
	return 0, false
}

// reason returns why a stream has not begun.
func (s *session) reason(err error) error {
	where := s.settings.Address
	if errors.Is(err, io.EOF) {
		return setupf("the referee at %s ended the stream without a welcome: check TOEP_ADDRESS", where)
	}
	code, details := s.status(err)
	switch code {
	case codes.Unavailable:
		return setupf("no referee answers at %s (%s): start it, or set TOEP_ADDRESS to where it is", where, details)
	case codes.Unauthenticated, codes.PermissionDenied:
		return setupf("the referee at %s does not let in %q (%s): check TOEP_BOT and TOEP_TOKEN",
			where, s.settings.Bot, details)
	case codes.Unimplemented:
		return setupf("what answers at %s is no toep referee: check TOEP_ADDRESS", where)
	default:
		return setupf("the referee at %s refused the stream: %s: %s", where, code, details)
	}
}

// status returns how a stream ended; the text has no line breaks and not the token.
func (s *session) status(err error) (codes.Code, string) {
	details := status.Convert(err).Message()
	if s.settings.Token != "" {
		details = strings.ReplaceAll(details, s.settings.Token, "***")
	}
	if details == "" {
		details = "no details"
	}
	return status.Code(err), oneLine(details)
}

func (s *session) logf(format string, arguments ...any) {
	s.logging.Lock()
	defer s.logging.Unlock()
	fmt.Fprintf(s.options.Log, format+"\n", arguments...)
}

// remember keeps an answer for the case that it is refused.
func (t *table) remember(answer given) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ask := uint32(answer.view.Ask)
	t.given[ask] = answer
	t.order = append(t.order, ask)
	if len(t.order) > remembered {
		delete(t.given, t.order[0])
		t.order = t.order[1:]
	}
}

// recall returns the answer to an ask, if it is known.
func (t *table) recall(ask uint32) given {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.given[ask]
}

// forget drops an answer that came to nothing.
func (t *table) forget(ask uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.given, ask)
}

// guard calls code of the bot's, and returns a [*BotError] if it panics.
func guard(where string, code func()) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &BotError{Where: where, Value: value, Stack: debug.Stack()}
		}
	}()
	code()
	return nil
}
