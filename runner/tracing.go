package runner

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// runTrace runs one trace with its own seed and recorder. A panic of the agent ends only this trace.
func (s *schedule) runTrace(ctx context.Context, g group, q datasets.Query, index int) store.FinishedTrace {
	arm := g.owner()
	id := trace.ID{Agent: arm.AgentHash, Query: q.ID, Trace: index}
	rec := &recorder{inner: arm.Model, name: arm.Configuration.Model, out: s.out, clock: s.control.Clock,
		sent: &sentCount{}}
	start := s.control.Clock()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	rec.full = s.endIfFull(id, arm.Configuration.Limits.TraceBytes(), end)
	var events []trace.Event
	record := func(c agent.Child, step int, b trace.Body) {
		e := trace.Event{ID: id, Path: c.Path, Step: step, Time: s.control.Clock(), Body: b}
		c.Ordered(func() {
			if _, last := b.(trace.Conclusion); !last && rec.full() != nil {
				return
			}
			s.out.Event(e)
			if g.needsEvents(q.Expects != nil) {
				events = append(events, e)
			}
		})
	}
	var order tool.Order
	var failed atomic.Int64
	var sure sureness
	emit := func(child agent.Child, calls *actions, sent *sentCount) trace.Emit {
		path, began := child.Path, s.control.Clock()
		return func(step int, b trace.Body) {
			if path == "" {
				sure.note(b)
			}
			switch body := b.(type) {
			case trace.Conclusion:
				if path == "" { // the returned trace has its end
					return
				}
				body.Actions, body.Repeated = calls.n, calls.repeated
				body.Timing = trace.Timing{WallS: s.control.Clock().Sub(began).Seconds(),
					CallsSent: sent.load()}
				b = body
			case trace.Action:
				calls.add(body)
				order.Request(path, body.CallID, body.Name)
			case trace.Observation:
				if _, requested := order.Number(path, body.CallID); requested && hasFailed(body) {
					failed.Add(1)
				}
			}
			record(child, step, b)
		}
	}
	ctx = tool.WithOrder(tool.WithTrace(ctx, id), &order)
	var calls actions
	t := runAgent(arm.Agent, ctx, agent.Task{
		ID: id, Query: q, Seed: TraceSeed(s.plan.Seed, q.ID, index), Model: rec, Today: s.plan.Today,
		Emit: emit(agent.Child{}, &calls, rec.sent),
		Records: func(c agent.Child, name string, m model.Model) (model.Model, trace.Emit) {
			sent := rec.sent.of(c.Path)
			return &recorder{inner: m, name: name, out: s.out, clock: s.control.Clock, sent: sent, full: rec.full},
				emit(c, &actions{}, sent)
		},
	})
	if full, is := errors.AsType[*fullError](context.Cause(ctx)); is {
		t.StopReason, t.Cause = trace.AgentError, full.Error()
		t.Outcome, _ = t.StopReason.Outcome()
	}
	t.Sureness = sure.result(t.Message)
	t.Actions, t.Repeated, t.FailedCalls = calls.n, calls.repeated, int(failed.Load())
	t.ID = id // the agent may not have set it
	timing := trace.Timing{WallS: s.control.Clock().Sub(start).Seconds(), CallsSent: rec.sent.load()}
	if arm.Recording != nil {
		timing.WallS = arm.Recording(id).Seconds
	}
	conclusion := t.Conclusion()
	conclusion.Timing = timing
	record(agent.Child{}, max(0, t.Steps-1), conclusion)
	return store.FinishedTrace{Trace: t, Timing: timing, Events: events}
}

// endIfFull returns a check that ends a trace when it has written more than most bytes.
func (s *schedule) endIfFull(id trace.ID, most int64, end context.CancelCauseFunc) func() error {
	return func() error {
		if s.folder.Written(id) < most {
			return nil
		}
		full := &fullError{most}
		end(full)
		return full
	}
}

// hasFailed reports whether a call that ran returned an error or no result. A call that a guard blocked did
// not run.
func hasFailed(o trace.Observation) bool {
	if o.Error != nil {
		blocked := o.ErrorKind != nil && (*o.ErrorKind == "single_tool" || slices.Contains(config.Guards(), *o.ErrorKind))
		return !blocked
	}
	return string(o.Output) == "{}" || o.Documents != nil && len(o.Documents) == 0
}

// fullError ends a trace that wrote more into the run folder than limits.trace_mb.
type fullError struct{ most int64 }

func (e *fullError) Error() string {
	return fmt.Sprintf("the trace wrote more than %d MiB into the run folder: raise limits.trace_mb, or make the "+
		"agent write less", e.most>>20)
}

// actions counts the tool calls of a trace, and those that repeat an earlier one's tool and arguments.
type actions struct {
	n, repeated int
	seen        map[string]bool
}

func (a *actions) add(x trace.Action) {
	if a.seen == nil {
		a.seen = map[string]bool{}
	}
	a.n++
	call := x.Name + "\x00" + tool.Canonical(string(x.Input))
	if a.seen[call] {
		a.repeated++
	}
	a.seen[call] = true
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

// recorder is the model of one agent of a trace: it forwards requests and records each exchange, with
// the messages added since the previous one.
type recorder struct {
	inner model.Model
	name  string // as configured
	out   *outputs
	clock clock

	mu     sync.Mutex                         // an agent may call Complete concurrently
	before map[model.Identity][]model.Message // the previous request of each conversation, with its reply
	kept   int                                // bytes of texts in before
	sent   *sentCount                         // requests of this agent and of those that it called
	full   func() error                       // returns an error if the trace has written too much; may be nil
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

// maxKept limits the texts of earlier requests that a trace keeps in memory, in bytes, because an agent can
// begin many different conversations.
const maxKept = 8 << 20

// newMessages returns the messages of a request that are not in the previous exchange of its conversation,
// and kept, the number of unchanged messages before them. If an agent only appends, each message is recorded
// once; if it rewrites its conversation, all changes are recorded.
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

// TraceSeed returns the seed of one trace: the first 31 bits of the SHA-256 of run seed, query id, trace
// index and purpose (docs/method.md §11). The configuration is not included, so that rows of an ablation are
// paired. K is not included, so that the first trace of K=3 equals that of K=1.
func TraceSeed(run int64, query string, trace int) int64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%d\x00agent", run, query, trace))
	return int64(binary.BigEndian.Uint32(sum[:4]) >> 1)
}
