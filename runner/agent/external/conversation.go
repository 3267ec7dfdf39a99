package external

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/trace"
)

// MaxExchanges is the maximum number of model calls of one trace. Without this limit, an agent in an endless
// loop could fill the disk before its time is over.
const MaxExchanges = 1000

var (
	errEnded   = errors.New("the trace of this key has ended")
	errTooMany = fmt.Errorf("the trace has made %d model calls, the maximum", MaxExchanges)
)

// conversation has the exchanges between the agent of one trace and the model. The proxy uses it as the
// model.Model for the key of the trace. For each request, it chooses a name, passes the request to the model of
// the trace, and records the tool calls in the reply as events.
type conversation struct {
	task  agent.Task
	ctx   context.Context // of the trace
	hider *secret.Hider   // removes the agent's keys from recordings; may be nil

	mu        sync.Mutex
	ended     bool
	started   int
	replies   int
	calls     int                  // tool calls in replies
	results   int                  // their results in later requests
	open      map[string]time.Time // start times of calls without a result, by id
	usage     model.Usage
	lastError error      // of the last exchange; nil if it succeeded
	kept      *keptParts // tool results

	embeddings map[string]*embedding // by provider and model
}

// Complete passes a request of the agent to the model.
func (c *conversation) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	c.hide(&req)
	if err := c.begin(&req); err != nil {
		return model.Response{}, refusal(err)
	}
	ctx, done := c.within(ctx)
	defer done()
	resp, err := c.task.Model.Complete(ctx, req)
	resp.Message.ToolCalls = model.NameCalls(resp.Message.ToolCalls, len(req.Messages))
	c.record(resp, err)
	return resp, err
}

// refusal returns the error for a request that is not passed to the model.
func refusal(err error) error {
	return &model.Error{Kind: model.ErrBadRequest, Model: "the proxy", Err: err}
}

// within returns a context that ends when the request of the client ends, or when the trace ends.
func (c *conversation) within(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.ctx, func() { cancel(context.Cause(c.ctx)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// hide removes keys from a request of the agent, before the request is sent and recorded.
func (c *conversation) hide(req *model.Request) {
	if c.hider == nil {
		return
	}
	req.Messages = slices.Clone(req.Messages)
	for i := range req.Messages {
		m := &req.Messages[i]
		m.Content, m.Thought = c.hider.Hide(m.Content), c.hider.Hide(m.Thought)
		m.ToolCalls = slices.Clone(m.ToolCalls)
		for j := range m.ToolCalls {
			m.ToolCalls[j].Arguments = c.hider.Hide(m.ToolCalls[j].Arguments)
		}
	}
	req.Tools = slices.Clone(req.Tools)
	for i := range req.Tools {
		req.Tools[i].Description = c.hider.Hide(req.Tools[i].Description)
	}
}

// start counts a request of the trace. If of is not nil, it also counts it for of, a part of the trace. It
// returns an error if no further request is allowed.
func (c *conversation) start(of *trace.Child) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ended:
		return errEnded
	case c.started == MaxExchanges:
		return errTooMany
	}
	if c.started++; of != nil {
		of.ModelCalls++
	}
	return nil
}

// identity returns the identity of an agent's request.
func (c *conversation) identity(step int, task string) model.Identity {
	return model.Identity{
		Agent: c.task.ID.Agent, Query: c.task.ID.Query, Trace: c.task.ID.Trace, Step: step,
		Purpose: model.Agent, Task: task, Path: c.task.Child.Path,
	}
}

// begin names a request, and records the tool results that it has.
//
// Agents send requests at the same time, and in a replay their order is different. So the name must depend on
// the content of the request only. The conversation is named by the messages before the first reply, and the
// step by the number of replies.
func (c *conversation) begin(req *model.Request) error {
	if err := c.start(nil); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	first, step := sha256.New(), 0
	for _, m := range req.Messages {
		if m.Role == model.Assistant {
			step++
		} else if step == 0 {
			fmt.Fprintf(first, "%q %q\n", m.Role, m.Content)
		}
		if made, waits := c.open[m.ToolCallID]; m.Role == model.ToolRole && waits {
			delete(c.open, m.ToolCallID)
			c.results++
			output, found := c.kept.take(trace.InputOf(m.Content))
			c.task.Emit(max(0, c.replies-1), trace.Observation{
				CallID: m.ToolCallID, Output: output, Documents: found,
				DurationMS: float64(time.Since(made).Microseconds()) / 1000,
			})
		}
	}
	if req.NoSeed { // providers get no seed; the offline model uses it for sampling
		req.Seed = c.task.Seed
	}
	req.Identity = c.identity(step, hex.EncodeToString(first.Sum(nil)[:4]))
	return nil
}

// record adds a reply: its usage, and an event for each of its tool calls.
func (c *conversation) record(resp model.Response, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	if c.lastError = err; err != nil {
		return
	}
	step := c.replies
	c.replies++
	c.usage = c.usage.Add(resp.Usage)
	thought, text := resp.Message.Speech()
	if len(resp.Message.ToolCalls) > 0 && thought == "" {
		thought = text
	}
	if thought != "" {
		c.task.Emit(step, trace.Thought{Content: thought})
	}
	for _, call := range resp.Message.ToolCalls {
		c.calls++
		c.open[call.ID] = time.Now()
		c.task.Emit(step, trace.Action{Name: call.Name, Input: trace.InputOf(call.Arguments), CallID: call.ID})
	}
}

// close ends the conversation. After that, requests are refused and no events are recorded.
func (c *conversation) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
}
