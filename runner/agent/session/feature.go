package session

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Feature adds something to an agent, such as memories, whatever its strategy is. It keeps no state between
// traces.
type Feature interface {
	// Versions returns the parts that the feature adds to the agent's hash, by name
	// (config.Configuration.AgentHash).
	Versions() map[string]string
	// Begin is called once per trace, when the question is known and before the model's first turn. It may make side
	// requests (Ask). An error ends the trace (Fail).
	Begin(ctx context.Context, s *Session) (Part, error)
}

// Chooser is a Feature that chooses which of the agent's tools a trace is offered.
type Chooser interface {
	Feature
	// Choose is called once per trace, when the question is known and before the system prompt is written. It
	// returns the names of the tools to offer; nil for all tools. An error ends the trace (Fail).
	Choose(ctx context.Context, s *Session) ([]string, error)
}

// choose lets the agent's features choose its tools.
func (s *Session) choose(ctx context.Context) error {
	for _, f := range s.agent.Features {
		c, chooses := f.(Chooser)
		if !chooses {
			continue
		}
		names, err := c.Choose(ctx, s)
		if err != nil {
			return err
		}
		if names != nil {
			s.chosen = map[string]bool{}
			s.Offer(names...)
		}
	}
	return nil
}

// Part is a feature in one trace. Only Name is required.
type Part struct {
	Name   string // names its observation in the trace, and the record that End returns (trace.Extras)
	Prompt string // added to the strategy's system prompt
	System string // added to the system prompt after the dates and the form of the conversation
	User   string // a message after the question
	// Documents are added to the ledger in this order, and follow User. They are scanned, sanitised and marked
	// like the results of a tool.
	Documents []trace.Document
	// Audited requires the audit of citations even if no tool returns documents; the prompt asks for
	// citations.
	Audited bool
	Turns   Turns // takes part in the turns of the loop
	// AfterCalls is called when all calls of a turn have results, if the trace continues. An error ends the
	// trace (Fail).
	AfterCalls func(context.Context) error
	// Shorten returns shorter texts that take the place of tool results in the next request, by the indices of
	// their messages. The messages of the conversation do not change. It may make side requests (Ask). An error
	// ends the trace (Fail).
	Shorten func(context.Context, []model.Message) (map[int]string, error)
	// End is called at the end of the trace. It returns the feature's record of the trace; nil if it has no
	// record.
	End func() any
}

// Turns changes the turns of a loop: it adds a tool whose calls the feature answers itself.
type Turns interface {
	// Offer returns the tools of a request, given the agent's tools.
	Offer(tools []model.ToolSpec) []model.ToolSpec
	// Request may change a request in which the model can call tools.
	Request(*model.Request)
	// Reply is called with each reply of the loop, and its usage.
	Reply(Turn, model.Usage)
	// Answer replies to the calls of a turn that belong to the feature, and returns the other calls. again means
	// that the feature blocked a repeated call.
	Answer(calls []model.ToolCall) (others []model.ToolCall, again bool)
}

// begin starts the features, and adds their texts to the strategy's prompt.
func (s *Session) begin(ctx context.Context) error {
	for _, f := range s.agent.Features {
		p, err := f.Begin(ctx, s)
		if err != nil {
			return err
		}
		if s.parts = append(s.parts, p); p.Prompt != "" {
			s.Instruct(p.Prompt)
		}
	}
	return nil
}

// give adds a feature's texts and documents to the model's messages.
func (s *Session) give(p Part) {
	if p.System != "" {
		s.Instruct(p.System)
	}
	parts := []string{p.User}
	if len(p.Documents) > 0 {
		parts = append(parts, s.show(tool.Result{
			Call: model.ToolCall{ID: p.Name, Name: p.Name}, Output: tool.Output{Documents: p.Documents},
		}))
		s.evidenceFound = s.evidenceFound || p.Audited
	}
	if text := strings.TrimSpace(strings.Join(parts, "\n\n")); text != "" {
		s.inform(text)
	}
}

// features are the features of an agent in one trace.
type features []Part

// offer returns the tools as the model sees them.
func (f features) offer(tools []model.ToolSpec) []model.ToolSpec {
	for _, p := range f {
		if p.Turns != nil {
			tools = p.Turns.Offer(tools)
		}
	}
	return tools
}

func (f features) request(req *model.Request) {
	for _, p := range f {
		if p.Turns != nil {
			p.Turns.Request(req)
		}
	}
}

func (f features) reply(t Turn, u model.Usage) {
	for _, p := range f {
		if p.Turns != nil {
			p.Turns.Reply(t, u)
		}
	}
}

// answer lets each feature reply to the calls that belong to it, and returns the other calls. again means that
// a feature blocked a repeated call.
func (f features) answer(calls []model.ToolCall) (others []model.ToolCall, again bool) {
	for _, p := range f {
		if p.Turns != nil {
			var blocked bool
			calls, blocked = p.Turns.Answer(calls)
			again = again || blocked
		}
	}
	return calls, again
}

func (f features) afterCalls(ctx context.Context) error {
	for _, p := range f {
		if p.AfterCalls == nil {
			continue
		}
		if err := p.AfterCalls(ctx); err != nil {
			return err
		}
	}
	return nil
}

// shorten returns the conversation for a request, with the texts of Part.Shorten.
func (f features) shorten(ctx context.Context, messages []model.Message, form Protocol) ([]model.Message, error) {
	sent := messages
	for _, p := range f {
		if p.Shorten == nil {
			continue
		}
		texts, err := p.Shorten(ctx, messages)
		if err != nil {
			return nil, err
		}
		for at, text := range texts {
			if &sent[0] == &messages[0] {
				sent = slices.Clone(messages)
			}
			sent[at].Content = form.observation("", text).Content
		}
	}
	return sent, nil
}

// end returns what the features recorded.
func (f features) end() (out trace.Extras) {
	for _, p := range f {
		if p.End == nil {
			continue
		}
		if record := p.End(); record != nil {
			out.Set(p.Name, record)
		}
	}
	return out
}
