package offline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
)

// Reader is the name of the one variant that New knows so far.
const Reader = "reader"

// Footnote stands wherever results of the reader are printed.
const Footnote = "offline:reader is a retrieve-and-compute policy, not a language model; its tokens are words."

// Options are the settings of an offline model. The zero value answers at once.
type Options struct {
	// Latency is waited in every call, under the call's context.
	Latency time.Duration
}

// New makes an offline model by variant; "reader" is the only one so far. A negative
// latency is an error.
func New(variant string, o Options) (model.Model, error) {
	if variant != Reader {
		return nil, fmt.Errorf("make offline model %q: unknown variant; there is %q", variant, Reader)
	}
	if o.Latency < 0 {
		return nil, fmt.Errorf("make offline model %q: latency %v is negative; give 0 or more", variant, o.Latency)
	}
	return reader{o}, nil
}

// reader keeps nothing between calls; each one reads the conversation anew.
type reader struct{ options Options }

const fullName = "offline:" + Reader

// Complete decides the next turn: tool calls, or the final message. The answer depends on
// messages, tools, temperature and seed alone.
func (r reader) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	if err := r.wait(ctx); err != nil {
		return model.Response{}, &model.Error{Kind: model.KindOf(err), Model: fullName, Err: err}
	}
	conv := readConversation(req)
	if strings.TrimSpace(conv.question) == "" {
		return model.Response{}, &model.Error{Kind: model.ErrBadRequest, Model: fullName, Err: errors.New("the request has no user message with a question; send one")}
	}
	content, calls := turn(&conv, chooser{seed: req.Seed, temperature: req.Temperature})
	out := model.Message{Role: model.Assistant, Content: content, ToolCalls: calls}
	resp := model.Response{Message: out, Finish: model.FinishStop, Model: fullName}
	if len(calls) > 0 {
		resp.Finish = model.FinishToolCalls
	}
	for _, m := range req.Messages {
		resp.Usage.InputTokens += words(m)
	}
	for _, t := range req.Tools {
		resp.Usage.InputTokens += len(strings.Fields(t.Name)) + len(strings.Fields(t.Description)) + len(strings.Fields(string(t.Parameters)))
	}
	resp.Usage.OutputTokens = words(out)
	return resp, nil
}

func (r reader) wait(ctx context.Context) error {
	if r.options.Latency == 0 {
		return ctx.Err()
	}
	t := time.NewTimer(r.options.Latency)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return ctx.Err()
	}
}

// words is the unit in which the reader counts tokens.
func words(m model.Message) int {
	n := len(strings.Fields(m.Content))
	for _, c := range m.ToolCalls {
		n += len(strings.Fields(c.Name)) + len(strings.Fields(c.Arguments))
	}
	return n
}

// turn is the policy: refuse, plan, gather, compute, answer.
func turn(conv *conversation, choose chooser) (string, []model.ToolCall) {
	if strings.Contains(conv.system, refusal) && forbidden(conv.question) {
		return refuse(), nil
	}
	d := newDesk(conv, choose, readQuestion(conv.question))
	if plan, asked := d.plan(); !asked {
		return d.thought(), d.calls
	} else if plan > d.tries {
		d.tries = min(plan, maxHops)
	}
	v := d.decide(d.question.root)
	if v.state == pending && len(d.calls) > 0 {
		return d.thought(), d.calls
	}
	return v.message(), nil
}

// plan asks the planner once, where it is offered, and gives the number of searches that
// it foresees: a lookup may then try as many wordings.
func (d *desk) plan() (searches int, asked bool) {
	for _, o := range d.conv.seen {
		if o.tool == plannerTool {
			return o.searches(), true
		}
	}
	if !d.conv.has(plannerTool) || len(d.conv.seen) > 0 {
		return 0, true
	}
	goal := d.question.text
	if goal == "" {
		goal = plain(d.conv.question)
	}
	d.call(plannerTool, map[string]any{"goal": goal})
	return 0, false
}
