package offline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/runner/model"
)

// Reader is the name of the one variant that New knows so far.
const Reader = "reader"

// Version changes whenever a request can get another reply.
const Version = "reader/v2"

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

// Complete decides the next turn: tool calls, or the final message. A request with a
// schema it answers by rule. The answer depends on messages, tools, schema name, stop
// texts, temperature and seed alone.
func (r reader) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	leave, err := r.begin(ctx)
	if err != nil {
		return model.Response{}, &model.Error{Kind: model.KindOf(err), Model: fullName, Err: err}
	}
	defer leave()
	if req.Schema != nil {
		return r.ruled(req)
	}
	text, native := speaksText(req), req
	if text {
		native = asNative(req)
	}
	conv := readConversation(native)
	conv.oneCall = text || req.SingleCall
	if strings.TrimSpace(conv.question) == "" {
		return model.Response{}, &model.Error{Kind: model.ErrBadRequest, Model: fullName, Err: errors.New("the request has no user message with a question; send one")}
	}
	content, calls := turn(&conv, chooser{seed: req.Seed, temperature: req.Temperature})
	if text {
		content, calls = asText(content, calls), nil
	}
	out := model.Message{Role: model.Assistant, Content: stopped(content, req.Stop), ToolCalls: calls}
	resp := model.Response{Message: out, Finish: model.FinishStop, Model: fullName}
	if len(calls) > 0 {
		resp.Finish = model.FinishToolCalls
	}
	resp.Usage.InputTokens = wordsIn(req)
	resp.Usage.OutputTokens = words(out)
	return resp, nil
}

// ruled answers a request for a structured reply.
func (reader) ruled(req model.Request) (model.Response, error) {
	content, err := byRule(req)
	if err != nil {
		return model.Response{}, &model.Error{Kind: model.ErrBadRequest, Model: fullName, Err: err}
	}
	out := model.Message{Role: model.Assistant, Content: stopped(content, req.Stop)}
	usage := model.Usage{InputTokens: wordsIn(req), OutputTokens: words(out)}
	return model.Response{Message: out, Finish: model.FinishStop, Model: fullName, Usage: usage}, nil
}

// stopped cuts a reply before the first of the texts that are to end it.
func stopped(content string, stops []string) string {
	for _, s := range stops {
		if s != "" {
			content, _, _ = strings.Cut(content, s)
		}
	}
	return content
}

// begin waits for the latency, and then for a slot to compute in.
func (r reader) begin(ctx context.Context) (leave func(), err error) {
	if r.options.Latency > 0 {
		t := time.NewTimer(r.options.Latency)
		defer t.Stop()
		select {
		case <-ctx.Done():
		case <-t.C:
		}
	}
	return slot.Enter(ctx)
}

// words is the unit in which the reader counts tokens.
func words(m model.Message) int {
	n := len(strings.Fields(m.Content))
	for _, c := range m.ToolCalls {
		n += len(strings.Fields(c.Name)) + len(strings.Fields(c.Arguments))
	}
	return n
}

// wordsIn counts a request.
func wordsIn(req model.Request) int {
	n := 0
	for _, m := range req.Messages {
		n += words(m)
	}
	for _, t := range req.Tools {
		n += len(strings.Fields(t.Name)) + len(strings.Fields(t.Description)) + len(strings.Fields(string(t.Parameters)))
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
		return d.next()
	} else if plan > d.tries {
		d.tries = min(plan, maxHops)
	}
	v := d.decide(d.question.root)
	if v.state == pending && len(d.calls) > 0 {
		return d.next()
	}
	return v.message(), nil
}

// next gives a turn with tool calls. Where only one fits into a turn it is the first; the
// others are decided on again once its answer is there.
func (d *desk) next() (string, []model.ToolCall) {
	if d.conv.oneCall {
		d.calls = d.calls[:1]
	}
	return d.thought(), d.calls
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
	if goal == "" || strings.Contains(goal, hole) {
		goal = plain(d.conv.question)
	}
	d.call(plannerTool, map[string]any{"goal": goal})
	return 0, false
}
