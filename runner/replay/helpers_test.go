package replay_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

type modelFunc func(ctx context.Context, req model.Request) (model.Response, error)

func (f modelFunc) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return f(ctx, req)
}

// memory is a recording in memory. All its traces have ended, except those in open.
type memory struct {
	exchanges []store.Exchange
	events    []trace.Event
	open      map[trace.ID]bool
	err       error // of reading
}

func (m memory) Agents() (out []string) {
	for _, x := range m.exchanges {
		if x.Purpose == model.Agent && !slices.Contains(out, x.Agent) {
			out = append(out, x.Agent)
		}
	}
	return out
}

func (m memory) Exchanges(of model.Identity) (out []store.Exchange, err error) {
	for _, x := range m.exchanges {
		if x.OfTrace() == of {
			out = append(out, x)
		}
	}
	return out, m.err
}

func (m memory) Events(id trace.ID) (out []trace.Event, err error) {
	for _, e := range m.events {
		if e.ID == id && !m.open[id] {
			out = append(out, e)
		}
	}
	return out, m.err
}

// tape collects what recorders write.
type tape struct {
	mu        sync.Mutex
	exchanges []store.Exchange
}

// recorder records one conversation in the form of a run: each exchange has only the messages that are not at
// the beginning of the previous exchange with its reply.
type recorder struct {
	inner  model.Model
	tape   *tape
	before []model.Message
}

func (r *recorder) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	resp, err := r.inner.Complete(ctx, req)
	kept := 0
	for kept < min(len(req.Messages), len(r.before)) && asJSON(req.Messages[kept]) == asJSON(r.before[kept]) {
		kept++
	}
	x := store.Exchange{
		Identity: req.Identity, Messages: req.Messages[kept:], Kept: kept, Seed: req.Seed,
		RequestSettings: &store.RequestSettings{
			Tools: req.Tools, Choice: req.Choice, SingleCall: req.SingleCall,
			Temperature: req.Temperature, Stop: req.Stop, Schema: req.Schema,
		},
	}
	r.before = slices.Clone(req.Messages)
	if err != nil {
		text, kind := err.Error(), model.KindOf(err)
		x.Error, x.ErrorKind, x.Attempts = &text, &kind, attempts(err)
	} else {
		x = answeredBy(x, resp)
		r.before = append(r.before, resp.Message)
	}
	r.tape.mu.Lock()
	defer r.tape.mu.Unlock()
	r.tape.exchanges = append(r.tape.exchanges, throughJSON(x))
	return resp, err
}

// answeredBy returns an exchange with its response.
func answeredBy(x store.Exchange, r model.Response) store.Exchange {
	finish := string(r.Finish)
	x.Response, x.Finish, x.Usage, x.Model, x.Attempts = &r.Message, &finish, &r.Usage, &r.Model, r.Attempts
	x.Sent = r.Sent
	if x.RequestSettings == nil {
		x.RequestSettings = &store.RequestSettings{}
	}
	return x
}

func attempts(err error) int {
	if e, ok := errors.AsType[*model.Error](err); ok {
		return e.Attempts
	}
	return 0
}

// throughJSON returns a value after it was encoded and decoded.
func throughJSON[T any](v T) (back T) {
	raw, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(raw, &back)
	}
	if err != nil {
		panic(fmt.Sprint("record: ", err))
	}
	return back
}

func asJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func open(exchanges []store.Exchange) *replay.Recording {
	return replay.New(memory{exchanges: exchanges})
}

func say(role model.Role, content string) model.Message {
	return model.Message{Role: role, Content: content}
}

// turn returns the request that a short agent sends in a step of a trace.
func turn(trace, step int) model.Request {
	req := model.Request{
		Identity: model.Identity{Agent: "a1", Query: "q0", Trace: trace, Step: step, Purpose: model.Agent},
		Messages: []model.Message{say(model.System, "Answer the question.\nUse the tools."), say(model.User, "How long is the Nile?")},
		Tools: []model.ToolSpec{{
			Name: "web_search", Description: "Search.", Parameters: json.RawMessage(`{ "type": "object" }`),
		}},
		Temperature: 0.7, Seed: int64(100 + trace), Stop: []string{"\nObservation:"},
		Schema: &model.ResponseSchema{Name: "reply", Schema: json.RawMessage(`{"type":"object"}`)},
	}
	for i := range step {
		req.Messages = append(req.Messages, callOf(trace, i), model.Message{
			Role: model.ToolRole, ToolCallID: fmt.Sprint("call_", i), Content: fmt.Sprintf(`{"results":["page %d <of> trace %d"]}`, i, trace),
		})
	}
	return req
}

func callOf(trace, step int) model.Message {
	return model.Message{
		Role: model.Assistant, Content: fmt.Sprintf("I search, %d.", trace),
		ToolCalls: []model.ToolCall{{ID: fmt.Sprint("call_", step), Name: "web_search", Arguments: `{"query":"Nile"}`}},
		Opaque:    json.RawMessage(`{"signature": "<x>"}`),
	}
}

// searcher is a model that replies with calls, and at the end with an answer or an error.
func searcher(steps int, last error) modelFunc {
	return func(_ context.Context, req model.Request) (model.Response, error) {
		id := req.Identity
		if id.Step < steps-1 {
			return model.Response{
				Message: callOf(id.Trace, id.Step), Finish: model.FinishToolCalls, Model: "test-1", Attempts: 2,
				Usage: model.Usage{InputTokens: 10 * id.Step, OutputTokens: 5},
			}, nil
		}
		return model.Response{Message: say(model.Assistant, fmt.Sprint("Answer: ", id.Trace)), Finish: model.FinishStop}, last
	}
}

// record runs k traces of some steps with a recorder.
func record(t testing.TB, k, steps int, last error) ([]store.Exchange, map[model.Identity]model.Response) {
	t.Helper()
	var out tape
	responses := map[model.Identity]model.Response{}
	for trace := range k {
		r := &recorder{inner: searcher(steps, last), tape: &out}
		for step := range steps {
			req := turn(trace, step)
			resp, err := r.Complete(t.Context(), req)
			if (err != nil) != (last != nil && step == steps-1) {
				t.Fatal(err)
			}
			responses[req.Identity] = throughJSON(resp)
		}
	}
	return out.exchanges, responses
}
