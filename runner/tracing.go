package runner

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/delegate"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/talk"
	"github.com/seed-5817661a/concur/runner/tooluse"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// trace runs one trace, with its own seed and recorder. The trace works on a query, or on all turns of a
// conversation. If the agent panics, only this trace ends. out receives the lines, and written returns their size.
func (l *Local) trace(ctx context.Context, g group, q datasets.Query, index int, out Lines,
	written func() int64) store.FinishedTrace {
	arm := g.owner()
	r := &tracing{Local: l, out: out, group: g, query: q,
		ID: trace.ID{Agent: arm.AgentHash, Query: q.ID, Trace: index},
		rec: &recorder{inner: arm.Model, name: arm.Configuration.Model, out: out, clock: l.clock, sent: &sentCount{},
			parents: l.parents}}
	start, seed := l.clock(), TraceSeed(l.plan.Seed, q.ID, index)
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	r.rec.full = endIfFull(written, arm.Configuration.Limits.TraceBytes(), end)
	ctx = tool.WithOrder(tool.WithTrace(ctx, r.ID), &r.order)
	if l.parents != nil {
		ctx = tool.WithParents(ctx, l.parents.OfCall)
	}
	var t trace.Trace
	if len(q.Turns) == 0 {
		t = r.run(ctx, agent.Child{}, q, seed)
	} else {
		ledger := &trace.Ledger{} // a reply may cite what an earlier turn found
		t = talk.Run(q, func(n int, turn datasets.Query) trace.Trace {
			child := agent.Child{Path: model.TurnPath(n), Ledger: ledger}
			began, sent := l.clock(), r.rec.sent.load()
			t := r.run(ctx, child, turn, delegate.Seed(seed, child.Path))
			ended := t.Conclusion()
			ended.Timing = trace.Timing{WallS: l.clock().Sub(began).Seconds(), CallsSent: r.rec.sent.load() - sent}
			r.record(child, max(0, t.Steps-1), ended)
			return t
		})
	}
	t.ID = r.ID // the agent may not have set it
	timing := trace.Timing{WallS: l.clock().Sub(start).Seconds(), CallsSent: r.rec.sent.load()}
	if arm.Recording != nil {
		timing.WallS = arm.Recording(r.ID).Seconds
	}
	timing.ToolsS = r.seconds
	conclusion := t.Conclusion()
	conclusion.Timing = timing
	r.record(agent.Child{}, max(0, t.Steps-1), conclusion)
	return store.FinishedTrace{Trace: t, Timing: timing, Events: r.events}
}

// tracing is a trace in progress.
type tracing struct {
	*Local
	out   Lines
	group group
	query datasets.Query
	trace.ID
	rec     *recorder
	order   tool.Order
	failed  atomic.Int64       // calls that failed, also of sub-agents
	seconds map[string]float64 // time of the calls of each tool
	events  []trace.Event      // only if they are needed
}

// run lets the agent work on a query. This is the query of the trace or, if child has the path of a turn, one
// turn of it.
func (r *tracing) run(ctx context.Context, child agent.Child, q datasets.Query, seed int64) trace.Trace {
	arm, own := r.group.owner(), &part{path: child.Path}
	rec, failed := r.rec, r.failed.Load()
	if child.Path != "" { // the path names the turn in the recording
		ctx = tool.WithPath(ctx, child.Path)
		rec = r.recorder(arm.Configuration.Model, arm.Model, r.rec.sent.of(child.Path))
	}
	if r.parents != nil {
		ctx = model.WithTraceparent(ctx, r.parents.OfAgent(r.ID, child.Path))
	}
	task := agent.Task{
		ID: r.ID, Query: q, Seed: seed, Model: rec, Today: r.plan.Today, Child: child,
		Emit: r.emit(child, own, own, rec.sent),
		Records: func(c agent.Child, name string, m model.Model) (model.Model, trace.Emit) {
			sent := r.rec.sent.of(c.Path)
			return r.recorder(name, m, sent), r.emit(c, own, &part{path: c.Path}, sent)
		},
	}
	t := runAgent(arm.Agent, tool.WithDay(ctx, task.Day()), task)
	if full, is := errors.AsType[*fullError](context.Cause(ctx)); is {
		t.StopReason, t.Cause = trace.AgentError, full.Error()
		t.Outcome, _ = t.StopReason.Outcome()
	}
	t.Sureness = own.sure.Result(t.Message)
	if uses := own.uses.Record(); uses != nil {
		t.Extras.Set(tooluse.Name, uses)
	}
	r.seconds = addSeconds(r.seconds, own.uses.Seconds())
	t.Actions, t.Repeated, t.FailedCalls = own.calls.n, own.calls.repeated, int(r.failed.Load()-failed)
	return t
}

func (r *tracing) recorder(name string, m model.Model, sent *sentCount) *recorder {
	return &recorder{inner: m, name: name, out: r.out, clock: r.clock, sent: sent, full: r.rec.full,
		parents: r.parents}
}

// emit returns the function Emit for an agent whose events count for of. own is the agent that works on the
// query. The end of that agent is not taken from its events: it is recorded from the trace that the agent
// returns.
func (r *tracing) emit(child agent.Child, own, of *part, sent *sentCount) trace.Emit {
	began := r.clock()
	return func(step int, b trace.Body) {
		if of == own {
			own.sure.Note(b)
		}
		own.uses.Note(strings.TrimPrefix(strings.TrimPrefix(of.path, own.path), "/"), b)
		switch body := b.(type) {
		case trace.Conclusion:
			if of == own {
				return
			}
			body.Actions, body.Repeated = of.calls.n, of.calls.repeated
			body.Timing = trace.Timing{WallS: r.clock().Sub(began).Seconds(), CallsSent: sent.load()}
			b = body
		case trace.Action:
			of.calls.add(body)
			r.order.Request(of.path, body.CallID, body.Name, step)
		case trace.Observation:
			if _, requested := r.order.Number(of.path, body.CallID); requested && hasFailed(body) {
				r.failed.Add(1)
			}
		}
		r.record(child, step, b)
	}
}

// record writes an event. It keeps the event in memory if a judge, a verifier or a comparison of tool calls
// needs it.
func (r *tracing) record(c agent.Child, step int, b trace.Body) {
	e := trace.Event{ID: r.ID, Path: c.Path, Step: step, Time: r.clock(), Body: b}
	c.Ordered(func() {
		if _, last := b.(trace.Conclusion); !last && r.rec.full() != nil {
			return
		}
		r.out.Event(e)
		if r.group.keepsEvents(r.query) {
			r.events = append(r.events, e)
		}
	})
}

// endIfFull returns a function that ends a trace when the trace has written more than most bytes.
func endIfFull(written func() int64, most int64, end context.CancelCauseFunc) func() error {
	return func() error {
		if written() < most {
			return nil
		}
		full := &fullError{most}
		end(full)
		return full
	}
}

// fullError is the cause that ends a trace which wrote more into the run folder than limits.trace_mb allows.
type fullError struct{ most int64 }

func (e *fullError) Error() string {
	return fmt.Sprintf("the trace wrote more than %d MiB into the run folder: raise limits.trace_mb, or make the "+
		"agent write less", e.most>>20)
}

func runAgent(a agent.Agent, ctx context.Context, task agent.Task) (t trace.Trace) {
	defer func() {
		if p := recover(); p != nil {
			t = trace.Trace{
				ID: task.ID, Outcome: trace.Infra, StopReason: trace.Panic, Extract: "none",
				Cause: fmt.Sprintf("the agent panicked: %v\n%s", p, debug.Stack()),
			}
		}
	}()
	return a.Run(ctx, task)
}

// recorder is the model of one agent of a trace. It forwards requests, and records each exchange with the
// messages that were added since the previous exchange.
type recorder struct {
	inner model.Model
	name  string // as configured
	out   Lines
	clock clock

	mu     sync.Mutex                         // an agent may call Complete concurrently
	before map[model.Identity][]model.Message // the previous request of each conversation, with its reply
	kept   int                                // bytes of texts in before
	sent   *sentCount                         // requests of this agent and of those that it called
	full   func() error                       // returns an error if the trace has written too much; may be nil

	parents Parents // may be nil
}

func (r *recorder) isFull() error {
	if r.full == nil {
		return nil
	}
	return r.full()
}

// Complete asks the model and records request and reply.
func (r *recorder) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	if err := r.isFull(); err != nil {
		return model.Response{}, &model.Error{Kind: model.ErrBadRequest, Model: r.name, Err: err}
	}
	if r.parents != nil {
		ctx = model.WithTraceparent(ctx, r.parents.OfRequest(req.Identity))
	}
	start := r.clock()
	resp, err := r.inner.Complete(ctx, req)
	resp.Took = r.clock().Sub(start)
	x := store.Exchange{
		Identity: req.Identity, Time: start, Seed: req.Seed,
		RequestSettings: &store.RequestSettings{
			Model: r.name, Temperature: req.Temperature, NoTemperature: req.NoTemperature, NoSeed: req.NoSeed,
			Tools: req.Tools, Choice: req.Choice,
			SingleCall: req.SingleCall, Stop: req.Stop, MaxTokens: req.MaxTokens, Schema: req.Schema, Extra: req.Extra,
		},
		Latency: resp.Took.Seconds(), Attempts: max(1, resp.Attempts),
	}
	if err != nil {
		text, kind := err.Error(), model.KindOf(err)
		x.Error, x.ErrorKind = &text, &kind
		if e, ok := errors.AsType[*model.Error](err); ok {
			x.Attempts = max(1, e.Attempts)
		}
	} else {
		finish := string(resp.Finish)
		x.Response, x.Finish, x.Model, x.Usage, x.Sent = &resp.Message, &finish, &resp.Model, &resp.Usage, resp.Sent
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent.add()
	x.Kept, x.Messages = r.newMessages(req.Identity.Conversation(), req.Messages, x.Response)
	r.out.Exchange(x)
	return resp, err
}

// maxKept is the maximum size in bytes of the texts of earlier requests that a trace keeps in memory. The limit
// is needed because an agent can begin many different conversations.
const maxKept = 8 << 20

// newMessages compares the messages of a request with the previous exchange of its conversation. It returns the
// messages from the first difference on, and kept, the number of equal messages before them. If an agent only
// appends messages, each message is recorded once. If it rewrites its conversation, all changes are recorded.
func (r *recorder) newMessages(in model.Identity, all []model.Message, reply *model.Message) (kept int,
	messages []model.Message) {
	from, before := 0, r.before[in]
	for from < min(len(all), len(before)) && all[from].Same(before[from]) {
		from++
	}
	request := slices.Clone(all) // the agent may change its slice later
	for _, m := range request[from:] {
		r.kept += len(m.Content)
	}
	if r.before == nil || r.kept > maxKept { // they were dropped for lack of memory and are recorded again
		r.kept = 0
		r.before = map[model.Identity][]model.Message{}
	}
	r.before[in] = request
	if reply != nil {
		r.before[in] = append(request, *reply)
	}
	return from, request[from:]
}

// TraceSeed returns the seed of one trace: the first 31 bits of the SHA-256 of run seed, query id, trace index
// and purpose (docs/method.md §11). The configuration is not included, so that the traces of two rows of an
// ablation have the same seeds. K is not included, so that the first trace of K=3 equals that of K=1.
func TraceSeed(run int64, query string, trace int) int64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%d\x00agent", run, query, trace))
	return int64(binary.BigEndian.Uint32(sum[:4]) >> 1)
}
