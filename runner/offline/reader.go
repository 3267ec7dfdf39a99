package offline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/offline/protocol"
)

// Reader is the name of the only variant of the offline model.
const Reader = "reader"

// Version changes when a request could get a different reply.
const Version = "reader/v13"

// Footnote is printed with all results of the reader.
const Footnote = "offline:reader is a retrieve-and-compute policy, not a language model; its tokens are words."

// Options are the settings of an offline model. The zero value has no latency.
type Options struct {
	// Latency is the delay of every call, before anything is computed. If the context of the call ends, the
	// delay ends too.
	Latency time.Duration
}

// New returns the offline model of a variant; "reader" is the only variant. It returns an error for a
// negative latency.
func New(variant string, o Options) (model.Model, error) {
	if variant != Reader {
		return nil, fmt.Errorf("make offline model %q: unknown variant; there is %q", variant, Reader)
	}
	if o.Latency < 0 {
		return nil, fmt.Errorf("make offline model %q: latency %v is negative; give 0 or more", variant, o.Latency)
	}
	return reader{o, &library{}}, nil
}

// reader implements the model. Its library is only a cache: it has no effect on replies.
type reader struct {
	options Options
	library *library
}

const fullName = "offline:" + Reader

// Complete waits for the latency, then decides the next turn: tool calls, or the final message. For a request
// with a schema, it replies by rule. The reply depends only on messages, tools, tool choice, schema name,
// stop texts, temperature and seed.
func (r reader) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	if r.options.Latency > 0 {
		select {
		case <-ctx.Done():
		case <-time.After(r.options.Latency):
		}
	}
	leave, err := slot.Enter(ctx) // limits the number of concurrent computations
	if err != nil {
		return model.Response{}, &model.Error{Kind: model.KindOf(err), Model: fullName, Err: err}
	}
	defer leave()
	resp, err := reply(req, r.library)
	if err != nil {
		return model.Response{}, &model.Error{Kind: model.ErrBadRequest, Model: fullName, Err: err}
	}
	return resp, nil
}

// reply computes the answer to a request. It never waits.
func reply(req model.Request, documents *library) (model.Response, error) {
	out := model.Message{Role: model.Assistant}
	err := checkForm(req)
	switch {
	case err != nil:
	case req.Schema != nil:
		out.Content, err = byRule(req)
	default:
		out.Content, out.ToolCalls, err = takeTurn(req, documents)
		out.ToolCalls = model.NameCalls(out.ToolCalls, len(req.Messages))
	}
	if err != nil {
		return model.Response{}, err
	}
	for _, s := range req.Stop {
		if s != "" {
			out.Content, _, _ = strings.Cut(out.Content, s)
		}
	}
	resp := model.Response{Message: out, Finish: model.FinishStop, Model: fullName}
	if len(out.ToolCalls) > 0 {
		resp.Finish = model.FinishToolCalls
	}
	for _, m := range req.Messages {
		resp.Usage.InputTokens += tokensOf(m)
	}
	for _, t := range req.Tools {
		resp.Usage.InputTokens += tokens(t.Name, t.Description, string(t.Parameters))
	}
	resp.Usage.OutputTokens = tokensOf(out)
	return resp, nil
}

// tokens counts words separated by white space, the unit of the reader's usage.
func tokens(texts ...string) (n int) {
	for _, s := range texts {
		for range strings.FieldsSeq(s) {
			n++
		}
	}
	return n
}

func tokensOf(m model.Message) int {
	n := tokens(m.Content)
	for _, c := range m.ToolCalls {
		n += tokens(c.Name, c.Arguments)
	}
	return n
}

// takeTurn applies the policy, with native calls, in the text protocol, or within one text.
func takeTurn(req model.Request, documents *library) (string, []model.ToolCall, error) {
	req.Messages = withoutHistory(req.Messages)
	inText, inline := protocol.SpeaksText(req), protocol.SpeaksInline(req)
	switch {
	case inText:
		req = protocol.AsNative(req)
	case inline:
		req = protocol.FromInline(req)
	}
	conv := documents.readConversation(req)
	conv.oneCall = inText && conv.complete == "" || inline || req.SingleCall
	if strings.TrimSpace(conv.question) == "" {
		return "", nil, errors.New("the request has no user message with a question; send one")
	}
	content, calls := nextTurn(&conv, documents, chooser{seed: req.Seed, temperature: req.Temperature})
	if conv.explain {
		return "", []model.ToolCall{conv.explanation(content, calls)}, nil
	}
	if _, open := conv.offered[conv.complete]; open && len(calls) == 0 {
		calls = []model.ToolCall{callOf(conv.complete, map[string]string{"answer": content})}
		content = "The question is settled."
	}
	if inline {
		return protocol.AsInline(content, calls, req.Tools), nil, nil
	}
	if inText {
		return protocol.AsText(content, calls, conv.complete != ""), nil, nil
	}
	return content, calls, nil
}

// nextTurn takes the first of these steps that is necessary: refuse, plan, gather, compute, answer. If the
// request demands a tool, it always calls that tool.
func nextTurn(conv *conversation, documents *library, choose chooser) (string, []model.ToolCall) {
	isForbidden := func() bool { return forbidden(conv.question) }
	if strings.Contains(conv.system, refusal) && conv.must == "" && documents.requests.Get(conv.question, isForbidden) {
		return refused, nil
	}
	d := newDesk(conv, documents, choose)
	f := finding{state: pending}
	if g, consulted := d.consult(); consulted {
		f = g
	} else if ownThing().MatchString(conv.question) && len(conv.given) == 0 {
		f.state = absent
	} else if g, asked := d.program(); asked {
		f = g
	} else if g, asked := d.database(); asked {
		f = g
	} else if conv.can(protocol.PlannerTool) && len(conv.seen) == 0 {
		d.call(protocol.PlannerTool, map[string]any{"goal": conv.question})
	} else {
		f = d.decide()
	}
	if conv.must != "" && len(d.calls) == 0 {
		d.call(conv.must, conv.demanded())
	}
	if len(d.calls) == 0 {
		return f.message(), nil
	}
	if conv.oneCall {
		d.calls = d.calls[:1]
	}
	return d.thought(), d.calls
}
