package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// runTrace runs one trace with its own seed, events and recorder. A panic of the agent
// ends that trace alone.
func (s *schedule) runTrace(ctx context.Context, g group, q datasets.Query, index int) timedTrace {
	arm := g.owner()
	id := trace.ID{Agent: arm.AgentHash, Query: q.ID, Trace: index}
	recorder := &recorder{inner: arm.Model, name: arm.Configuration.Model, out: s.out, clock: s.control.Clock}
	start := s.control.Clock()
	var events []trace.Event
	var asked actions
	record := func(step int, b trace.Body) {
		e := trace.Event{ID: id, Step: step, Time: s.control.Clock(), Body: b}
		s.out.Event(e)
		if s.control.OnEvent != nil {
			s.tell(func() { s.control.OnEvent(e) })
		}
		if g.readByJudge() {
			events = append(events, e)
		}
	}
	emit := func(step int, b trace.Body) {
		switch b := b.(type) {
		case trace.Conclusion: // the trace that the agent returns is what counts
		case trace.Action:
			asked.add(b)
			record(step, b)
		default:
			record(step, b)
		}
	}
	ctx = tool.WithTrace(ctx, id)
	t := recovered(arm.Agent, ctx, agent.Task{
		ID: id, Query: q, Seed: TraceSeed(s.plan.Seed, q.ID, index), Model: recorder, Emit: emit,
	})
	t.Actions, t.Repeated = asked.n, asked.repeated
	t.ID = id // an agent that leaves it out must not take another trace's place
	timing := trace.Timing{WallS: s.control.Clock().Sub(start).Seconds(), CallsSent: recorder.calls()}
	end := t.Conclusion()
	end.Timing = timing
	record(max(0, t.Steps-1), end)
	return timedTrace{Trace: t, Timing: timing, events: events}
}

func recovered(a agent.Agent, ctx context.Context, task agent.Task) (t trace.Trace) {
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

// recorder is the model of one trace: it passes requests on and writes each exchange
// down, with the messages that were added since the one before.
type recorder struct {
	inner model.Model
	name  string // as configured
	out   *store.Writer
	clock clock

	mu     sync.Mutex                         // an agent may ask several things at once
	before map[model.Identity][]model.Message // the previous request of each conversation, with its reply
	sent   int
}

// Complete asks the model and records what was asked and answered.
func (r *recorder) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	start := r.clock()
	resp, err := r.inner.Complete(ctx, req)
	resp.Took = r.clock().Sub(start)
	x := store.Exchange{
		Identity: req.Identity, Time: start, Seed: req.Seed,
		RequestSettings: &store.RequestSettings{Model: r.name, Temperature: req.Temperature, Tools: req.Tools, Choice: req.Choice, SingleCall: req.SingleCall, Stop: req.Stop, MaxTokens: req.MaxTokens, Schema: req.Schema},
		Latency:         resp.Took.Seconds(), Attempts: 1,
	}
	x.Attempts = max(1, resp.Attempts)
	if err != nil {
		text, kind := err.Error(), model.KindOf(err)
		x.Error, x.ErrorKind = &text, &kind
		if e, ok := errors.AsType[*model.Error](err); ok {
			x.Attempts = max(1, e.Attempts)
		}
	} else {
		finish := string(resp.Finish)
		x.Response, x.Finish, x.Model, x.Usage = &resp.Message, &finish, &resp.Model, &resp.Usage
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent++
	x.Kept, x.Messages = r.added(req.Identity.Conversation(), req.Messages, x.Response)
	r.out.Exchange(x)
	return resp, err
}

// added gives the messages of a request from the first on that the previous exchange, with
// its reply, does not hold, and the number of those before: nothing twice for an agent
// that only appends, and everything that one which rewrites its conversation has changed.
func (r *recorder) added(in model.Identity, all []model.Message, reply *model.Message) (kept int, messages []model.Message) {
	from, before := 0, r.before[in]
	for from < min(len(all), len(before)) && same(all[from], before[from]) {
		from++
	}
	asked := slices.Clone(all) // the agent may go on to change its own
	if r.before == nil {
		r.before = map[model.Identity][]model.Message{}
	}
	r.before[in] = asked
	if reply != nil {
		r.before[in] = append(asked, *reply)
	}
	return from, asked[from:]
}

func same(a, b model.Message) bool {
	return a.Role == b.Role && a.Content == b.Content && a.ToolCallID == b.ToolCallID &&
		slices.Equal(a.ToolCalls, b.ToolCalls) && bytes.Equal(a.Opaque, b.Opaque)
}

func (r *recorder) calls() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sent
}
