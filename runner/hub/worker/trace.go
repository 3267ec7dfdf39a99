package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/trace"
)

// work makes the trace that a message asks for. When hard is done, the trace is given back. When the trace
// is no longer needed, it is stopped.
func (w *worker) work(ctx, hard context.Context, e *engagement, m jetstream.Msg) {
	job, err := wire.ReadWork(m.Data(), e.run)
	if err != nil {
		w.Log(fmt.Sprintf("run %s: %v", e.run, err))
		_ = m.Term() // nobody can read it
		return
	}
	key := wire.Key(job.ID).String()
	e.set(key, true)
	defer e.set(key, false)
	wanted, cancel := context.WithCancel(hard)
	defer cancel()
	stop := e.keepAlive(m, cancel)
	defer stop()
	suspect := again(m)
	if suspect {
		advice := w.advised(wanted, e, job)
		if advice.Wait || advice.Done {
			stop()
			e.skip(m, advice)
			return
		}
		job.Losses = advice.Losses
	}
	parts, err := w.make(wanted, e, job, suspect)
	switch {
	case err == nil:
		err = w.deliver(hard, wanted, e, parts)
	case wanted.Err() != nil && hard.Err() == nil:
		_ = m.Nak() // the coordinator has removed the message; if it has not, another worker may make the trace
		return
	case errors.Is(err, runner.ErrUnknownJob):
		w.Log(fmt.Sprintf("run %s: %v", e.run, err))
		_ = m.NakWithDelay(lookEvery) // a worker with another plan may know it
		return
	case errors.Is(err, errBroken):
		w.disengage(e, e.maker.Broken()) // before the trace is given back, which this worker would take again
	}
	if errors.Is(err, errEnded) {
		w.Log(fmt.Sprintf("run %s: a result is dropped, because the run is no longer at the hub", e.run))
		return
	}
	stop()
	if err != nil {
		w.giveBack(e, job, m)
		return
	}
	_ = m.Ack() // if it is lost, the trace is made again and dropped
}

// again reports whether the hub has given the message to a worker before.
func again(m jetstream.Msg) bool {
	meta, err := m.Metadata()
	return err == nil && meta.NumDelivered > 1
}

// advised asks the coordinator about a trace that another worker had before, and perhaps did not survive. Without an
// answer, the advice is what the message says.
func (w *worker) advised(ctx context.Context, e *engagement, job wire.Work) (a wire.Advice) {
	ctx, cancel := context.WithTimeout(ctx, link.Timeout)
	defer cancel()
	question := wire.Taken{Worker: w.Name, ID: job.ID, GivenBack: job.GivenBack, Alone: job.Alone()}
	m, err := w.Link.Conn.RequestWithContext(ctx, e.run.AgainSubject(), question.Encode())
	if err != nil || json.Unmarshal(m.Data, &a) != nil || len(a.Losses) < len(job.Losses) {
		return wire.Advice{Losses: job.Losses}
	}
	return a
}

// skip leaves a message to others, or removes it if its trace is done.
func (e *engagement) skip(m jetstream.Msg, a wire.Advice) {
	if a.Done {
		_ = m.Ack()
		return
	}
	_ = m.NakWithDelay(e.plan.AckWait) // if the trace does not end until then, somebody asks again
}

// keepAlive tells the hub that a message is being worked on, until stop is called. It calls end when the
// trace is no longer needed.
func (e *engagement) keepAlive(m jetstream.Msg, end func()) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	over := e.overNow()
	go func() {
		defer close(ended)
		ticker := time.NewTicker(e.inProgress())
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-over:
				end()
				return
			case <-ticker.C:
				_ = m.InProgress() // the next one follows soon
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// flushWithin is the time in which the hub should have what a worker says.
const flushWithin = time.Second

// errEnded means that nobody wants the trace any more.
var errEnded = errors.New("the run has ended")

// errStopped means that the worker was told to stop before a trace had ended.
var errStopped = errors.New("the worker stops")

// errBroken means that a trace failed because the agents no longer work on this machine.
var errBroken = errors.New("the agents are broken here")

// make makes a trace, and returns the messages with it. A suspect is a trace that another worker had before: it may
// kill this one at once, so the coordinator must know first that it begins here.
func (w *worker) make(ctx context.Context, e *engagement, job wire.Work, suspect bool) ([][]byte, error) {
	if job.Alone() {
		w.quiet.Lock()
		defer w.quiet.Unlock()
	} else {
		w.quiet.RLock()
		defer w.quiet.RUnlock()
	}
	if ctx.Err() != nil {
		return nil, errStopped
	}
	// Not before: a trace that waits until it may run alone is not the cause if the worker dies.
	_ = w.Link.Conn.Publish(e.run.TakenSubject(),
		wire.Taken{Worker: w.Name, ID: job.ID, GivenBack: job.GivenBack, Alone: job.Alone()}.Encode())
	if suspect {
		_ = w.Link.Conn.FlushTimeout(flushWithin) // without a connection the trace begins, and the message follows
	}
	lines := wire.NewEncoder(job.ID, w.Name)
	if err := e.maker.Run(ctx, runner.Job{ID: job.ID}, lines); err != nil {
		return nil, err
	}
	end := lines.End()
	switch {
	case end == nil || end.StopReason.Unfinished():
		return nil, errStopped
	case end.Outcome == trace.Infra && e.maker.Broken() != nil:
		return nil, errBroken
	}
	parts, err := lines.Messages(w.Link.Most())
	if err == nil {
		return parts, nil
	}
	w.Log(fmt.Sprintf("run %s: trace %d of %s cannot be sent: %v", e.run, job.Trace, job.Query, err))
	cause := err.Error()
	return wire.Delivery{ID: job.ID, Worker: w.Name, Lines: []wire.Line{{Event: &trace.Event{ID: job.ID, Time: time.Now(),
		Body: trace.Conclusion{Outcome: trace.Infra, StopReason: trace.AgentError, Extract: "none", Cause: &cause,
			Supporting: []string{}}}}}}.Encode(w.Link.Most())
}

// Pauses between two attempts to send a result.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// deliver sends the parts of a result, each until the hub has stored it. When wanted is done, it tries only once.
func (w *worker) deliver(ctx, wanted context.Context, e *engagement, parts [][]byte) error {
	wait := firstPause
	for i := 0; i < len(parts); {
		err := w.Link.Publish(ctx, e.run.DoneSubject(), parts[i])
		if err == nil {
			i, wait = i+1, firstPause
			e.refuse(false)
			continue
		}
		if ctx.Err() != nil {
			return errStopped
		}
		if wanted.Err() != nil || w.ended(e) {
			return errEnded
		}
		if e.refuse(true) {
			w.Log(fmt.Sprintf("run %s: the hub does not store results (%v); they are kept and sent again", e.run, err))
		}
		pause(wanted, wait)
		wait = min(2*wait, lastPause)
	}
	return nil
}

// refuse notes whether the hub refuses results of the run, and reports whether that is new: each place would say so.
func (e *engagement) refuse(is bool) (begins bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	begins = is && !e.refused
	e.refused = is
	return begins
}

// giveBack asks for the trace again, and then acknowledges the message. If the worker dies in between, the trace is
// made twice. If the hub does not answer, the hub gives the message to another worker after a while.
func (w *worker) giveBack(e *engagement, job wire.Work, m jetstream.Msg) {
	job.GivenBack++
	ctx, cancel := context.WithTimeout(context.Background(), link.Timeout)
	defer cancel()
	if err := w.Link.Publish(ctx, e.run.WorkSubject(job.ID), job.Encode()); err != nil {
		w.Log(fmt.Sprintf("run %s: trace %d of %s cannot be given back: %v", e.run, job.Trace, job.Query, err))
		return
	}
	_ = m.DoubleAck(ctx) // the message above has replaced this one
}
