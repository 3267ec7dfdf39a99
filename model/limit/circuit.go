package limit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
)

// Defaults of Circuit.
const (
	DefaultFailures = 5
	DefaultGiveUp   = 20 * time.Second
)

// outages is a multiple of GiveUp: an endpoint that has worked may report server failures for that time,
// because overloads pass.
const outages = 6

// turns is a multiple of outages and GiveUp: an endpoint that has worked may answer "too many requests" for
// that time without any reply. It is longer than any limit per minute.
const turns = 5

// Circuit gives up a useless endpoint, so that a run ends within seconds and can be resumed. It opens after
// Failures attempts in a row with one kind of fault (decide has the rule for each kind), after two such
// attempts shortly before GiveUp at an endpoint that never worked, or after Failures calls of one model that
// were all refused as bad requests. Once open it stays open: every call fails at once with an *OpenError, and
// waiting calls stop waiting.
//
// Retry goes between its two halves: [Circuit.Watch] beneath Retry observes each attempt, and [Circuit.Guard]
// above Retry ends the waits.
type Circuit struct {
	Failures int           // in a row; default DefaultFailures
	GiveUp   time.Duration // after which an endpoint that only fails is given up; default DefaultGiveUp
	// OnOpen, if set, is called once, before the first call fails with an *OpenError. It may
	// run on its own goroutine.
	OnOpen func(*OpenError)

	mu       sync.Mutex
	worked   bool // at least one success
	streak   fault
	length   int
	since    time.Time   // when the streak's first attempt was sent
	ended    time.Time   // when that attempt ended
	repeated bool        // whether an attempt sent after ended failed in the same way
	timer    *time.Timer // calls decide again if no attempt ends in time
	last     error
	refused  map[string]int // bad requests of each model until its first success, which sets it to worksFor
	verdict  *OpenError     // set with the decision to open
	initDown sync.Once
	down     context.Context // done once open
	setDown  context.CancelFunc
}

// OpenError is the error of calls after the circuit has opened.
type OpenError struct {
	Failures int           // in a row
	Over     time.Duration // from the first to the decision
	Cause    error         // the last failure
}

func (e *OpenError) Error() string {
	after := text.Counted(e.Failures, "failure")
	if e.Failures > 1 {
		after += " in a row"
	}
	if over := e.Over.Round(100 * time.Millisecond); over >= time.Second {
		after += fmt.Sprintf(" over %v", over)
	}
	return fmt.Sprintf("%v; the endpoint is given up after %s", e.Cause, after)
}

// Unwrap returns the cause.
func (e *OpenError) Unwrap() error { return e.Cause }

func (c *Circuit) prepare() {
	c.initDown.Do(func() { c.down, c.setDown = context.WithCancel(context.Background()) })
}

// Open returns the reason why the circuit is open; nil while it is closed.
func (c *Circuit) Open() *OpenError {
	c.prepare()
	if c.down.Err() == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.verdict
}

// Guard returns a model that calls m and ends each call as soon as the circuit opens.
func (c *Circuit) Guard(name string, m model.Model) model.Model {
	c.prepare()
	return complete(func(ctx context.Context, req model.Request) (model.Response, error) {
		if open := c.Open(); open != nil {
			return model.Response{}, refusal(name, open, nil)
		}
		inner, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		defer context.AfterFunc(c.down, func() { cancel(c.Open()) })()
		resp, err := m.Complete(inner, req)
		if err != nil && inner.Err() != nil && ctx.Err() == nil && model.KindOf(err) == model.ErrCancelled {
			return model.Response{}, refusal(name, c.Open(), err)
		}
		return resp, err
	})
}

// Watch returns a model that calls m and observes each attempt.
func (c *Circuit) Watch(name string, m model.Model) model.Model {
	c.prepare()
	return complete(func(ctx context.Context, req model.Request) (model.Response, error) {
		if open := c.Open(); open != nil {
			return model.Response{}, refusal(name, open, nil)
		}
		sent := time.Now()
		resp, err := m.Complete(ctx, req)
		if err == nil || model.KindOf(err) != model.ErrCancelled {
			c.learn(name, sent, err)
		}
		return resp, err
	})
}

// refusal returns the error of a call that was not made, or that ended with err.
func refusal(name string, open *OpenError, err error) error {
	refused := &model.Error{Kind: model.KindOf(open.Cause), Model: name, Err: open}
	if e, ok := errors.AsType[*model.Error](err); ok {
		refused.Attempts, refused.Waited = e.Attempts, e.Waited
	}
	return refused
}

// learn counts the result of an attempt, and opens the circuit if that decides.
func (c *Circuit) learn(name string, sent time.Time, err error) {
	c.mu.Lock()
	c.count(sent, err)
	open := cmp.Or(c.decide(), c.refuse(name, err))
	c.mu.Unlock()
	c.open(open)
}

// worksFor marks a model that has answered a request; later bad requests of the model concern single
// requests.
const worksFor = -1

// refuse counts a bad request of a model that has never answered, such as a model that does not exist, and
// returns the verdict after Failures of them.
func (c *Circuit) refuse(name string, err error) *OpenError {
	if c.refused == nil {
		c.refused = map[string]int{}
	}
	switch {
	case err == nil:
		c.refused[name] = worksFor
	case model.KindOf(err) == model.ErrBadRequest && c.refused[name] != worksFor:
		c.refused[name]++
	default:
		return nil
	}
	if c.refused[name] < c.failures() || c.verdict != nil {
		return nil
	}
	c.verdict = &OpenError{Failures: c.refused[name], Cause: err}
	return c.verdict
}

func (c *Circuit) count(sent time.Time, err error) {
	f := faultOf(err)
	c.worked = c.worked || err == nil
	if f != c.streak || f == none {
		if c.timer != nil {
			c.timer.Stop()
			c.timer = nil
		}
		c.streak, c.length, c.since, c.ended, c.repeated = f, 0, sent, time.Now(), false
	}
	if f == none {
		return
	}
	c.length++
	c.last = err
	c.repeated = c.repeated || !sent.Before(c.ended)
	if c.timer == nil && (f == noConnection || f == noService || f == noSense) { // these kinds need time
		c.timer = time.AfterFunc(c.patience()-time.Since(c.since), c.decideLater)
	}
}

// decideLater calls decide again after a time, because a single call may wait long before it fails again.
func (c *Circuit) decideLater() {
	c.mu.Lock()
	open := c.decide()
	if open == nil && c.timer != nil {
		if wait := c.twoFailures() - time.Since(c.since); wait > 0 {
			c.timer.Reset(wait)
		}
	}
	c.mu.Unlock()
	c.open(open)
}

// patience returns the time for which Failures attempts in a row must fail. It is shorter for an endpoint
// that never worked, so that a run with a wrong address ends within ten seconds.
func (c *Circuit) patience() time.Duration {
	if !c.worked {
		return c.giveUp() / 5 * 2
	}
	return c.giveUp() / 2
}

func (c *Circuit) failures() int { return cmp.Or(c.Failures, DefaultFailures) }

// twoFailures returns the time after which two failures are enough.
func (c *Circuit) twoFailures() time.Duration { return c.giveUp() / 10 * 9 }

// decide returns the verdict once, when it is due.
func (c *Circuit) decide() *OpenError {
	over := time.Since(c.since)
	due := c.length >= c.failures()
	lasted := due && over >= c.patience() || c.length > 1 && !c.worked && over >= c.twoFailures()
	switch c.streak {
	case none:
		due = false
	case noConnection:
		due = lasted
	case noService: // overloads pass
		due = lasted && (!c.worked || over >= outages*c.giveUp())
	case noSense: // usually a wrong address; an exception once the endpoint has worked
		due = lasted && !c.worked
	case noTurn: // limits by the minute pass, those by the day do not
		wait := outages * c.giveUp()
		if c.worked {
			wait *= turns
		}
		due = due && over >= wait
	case noReply: // a silent server cannot be told from a slow model at its first request, so it gets the time of two
		due = !c.worked && (due || c.repeated && over >= c.twoFailures())
	case noAccess: // some gateways refuse single requests with this status
		due = due || !c.worked
	}
	if !due || c.verdict != nil {
		return nil
	}
	c.verdict = &OpenError{Failures: c.length, Over: over, Cause: c.last}
	return c.verdict
}

func (c *Circuit) open(verdict *OpenError) {
	if verdict == nil {
		return
	}
	if c.OnOpen != nil {
		c.OnOpen(verdict)
	}
	c.setDown()
}

func (c *Circuit) giveUp() time.Duration { return cmp.Or(c.GiveUp, DefaultGiveUp) }
