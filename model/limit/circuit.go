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

// outages is the multiple of GiveUp after which an endpoint that has worked is given up for server failures, and an
// endpoint that never worked for "too many requests". It is more than one, because overloads pass.
const outages = 6

// turns is a further multiple, for an endpoint that has worked and now replies only "too many requests". The product
// with outages and GiveUp is longer than any limit per minute.
const turns = 5

// Circuit gives up an endpoint that does not work, so that the run ends within seconds and can be resumed. It
// opens in three cases. First, after Failures consecutive attempts with the same kind of fault; decide has
// the rule for each kind. Second, at an endpoint that never worked, after two such attempts shortly before
// GiveUp. Third, after Failures calls of one model that were all refused as bad requests. An open circuit
// never closes: every call fails at once with an *OpenError, and waiting calls stop waiting.
//
// Circuit has two decorators, one on each side of Retry: [Circuit.Watch] inside of Retry observes each
// attempt, and [Circuit.Guard] outside of Retry ends the waits.
type Circuit struct {
	Failures int           // consecutive failures; default DefaultFailures
	GiveUp   time.Duration // time after which an endpoint that only fails is given up; default DefaultGiveUp
	// OnOpen, if set, is called once, before the first call fails with an *OpenError. It may be called in
	// another goroutine.
	OnOpen func(*OpenError)

	mu       sync.Mutex
	worked   bool // at least one success
	streak   fault
	length   int
	since    time.Time   // time when the first attempt of the streak was sent
	ended    time.Time   // time when that attempt ended
	repeated bool        // an attempt that was sent after ended failed in the same way
	timer    *time.Timer // calls decide again later, if no attempt ends in time
	last     error
	refused  map[string]int // number of refused requests of each model; worksFor after its first success
	verdict  *OpenError     // set when the circuit is decided to open
	initDown sync.Once
	down     context.Context // done when the circuit is open
	setDown  context.CancelFunc
}

// OpenError is the error of calls after the circuit has opened.
type OpenError struct {
	Failures int           // number of consecutive failures
	Over     time.Duration // time from the first failure to the decision
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

// Open returns the reason why the circuit is open; nil if it is closed.
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

// refusal returns the error of a call that the open circuit prevented or ended; err is the call's own error,
// if any.
func refusal(name string, open *OpenError, err error) error {
	refused := &model.Error{Kind: model.KindOf(open.Cause), Model: name, Err: open}
	if e, ok := errors.AsType[*model.Error](err); ok {
		refused.Attempts, refused.Waited = e.Attempts, e.Waited
	}
	return refused
}

// learn counts the result of an attempt, and opens the circuit if it decides to.
func (c *Circuit) learn(name string, sent time.Time, err error) {
	c.mu.Lock()
	c.count(sent, err)
	open := cmp.Or(c.decide(), c.refuse(name, err))
	c.mu.Unlock()
	c.open(open)
}

// worksFor marks a model that has replied to a request. If later requests of this model are bad, the fault is
// in those requests.
const worksFor = -1

// refuse counts a bad request of a model that has never replied, such as a model that does not exist. After
// Failures of these it returns the verdict.
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
	// For these kinds, time must pass before a decision.
	if c.timer == nil && (f == noConnection || f == noService || f == noSense) {
		c.timer = time.AfterFunc(c.patience()-time.Since(c.since), c.decideLater)
	}
}

// decideLater calls decide again after some time, because a call may wait long before it fails again.
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

// patience returns the duration for which Failures consecutive attempts must fail. It is shorter for an
// endpoint that never worked, so that a run with a wrong address ends within ten seconds.
func (c *Circuit) patience() time.Duration {
	if !c.worked {
		return c.giveUp() / 5 * 2
	}
	return c.giveUp() / 2
}

func (c *Circuit) failures() int { return cmp.Or(c.Failures, DefaultFailures) }

// twoFailures returns the duration after which two failures are enough.
func (c *Circuit) twoFailures() time.Duration { return c.giveUp() / 10 * 9 }

// decide returns the verdict when it is due, only once.
func (c *Circuit) decide() *OpenError {
	over := time.Since(c.since)
	due := c.length >= c.failures()
	lasted := due && over >= c.patience() || c.length > 1 && !c.worked && over >= c.twoFailures()
	switch c.streak {
	case none:
		due = false
	case noConnection:
		due = lasted
	case noService: // an overload passes
		due = lasted && (!c.worked || over >= outages*c.giveUp())
	case noSense: // usually a wrong address; if the endpoint has worked, probably an exception
		due = lasted && !c.worked
	case noTurn: // a limit per minute passes, a limit per day does not
		wait := outages * c.giveUp()
		if c.worked {
			wait *= turns
		}
		due = due && over >= wait
	case noReply: // at the first request, a silent server looks like a slow model, so it gets the time of two requests
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
