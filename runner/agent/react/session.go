package react

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/guard/inject"
	"github.com/seed-5817661a/concur/runner/guard/limit"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// session is one trace on its way: the conversation so far and what was counted.
type session struct {
	agent    *Agent
	task     agent.Task
	protocol protocol
	messages []model.Message
	calls    limit.Calls
	ledger   trace.Ledger
	ids      map[string]bool // tool call ids in use

	complained bool // the model was told once that its form is wrong
	result     trace.Trace

	evidenceCalls, evidenceFailures int
}

func (a *Agent) newSession(task agent.Task) *session {
	p := protocolOf(a.Config.Protocol)
	s := &session{
		agent:    a,
		task:     task,
		protocol: p,
		ids:      map[string]bool{},
		messages: []model.Message{
			{Role: model.System, Content: systemPrompt(p, a.Tools.Specs())},
			{Role: model.User, Content: task.Query.Text},
		},
		result: trace.Trace{ID: task.ID},
	}
	if a.Config.HasGuard(config.GuardCalls) {
		s.calls.Max = a.Config.MaxToolCalls
	}
	if a.Config.HasGuard(config.GuardRepeat) {
		s.calls.Repeats = a.Config.MaxRepeats
	}
	return s
}

// ask sends the conversation, reads the reply and adds it to the conversation.
func (s *session) ask(ctx context.Context, tools []model.ToolSpec) (turn, error) {
	req := model.Request{
		Identity: model.Identity{
			Agent: s.task.ID.Agent, Query: s.task.ID.Query, Trace: s.task.ID.Trace,
			Step: s.result.Steps, Purpose: model.Agent,
		},
		Messages:    s.messages,
		Temperature: s.agent.Config.Temperature,
		Seed:        s.task.Seed,
	}
	s.protocol.prepare(&req, tools)
	reply, err := s.task.Model.Complete(ctx, req)
	s.result.ModelCalls++
	if err != nil {
		return turn{}, err
	}
	s.result.Steps++
	s.result.Usage = s.result.Usage.Add(reply.Usage)
	reply.Message.Role = model.Assistant
	t := s.protocol.read(reply)
	t.calls = s.distinctIDs(t.calls)
	if t.message.ToolCalls != nil {
		t.message.ToolCalls = t.calls
	}
	s.messages = append(s.messages, t.message)
	s.noteForm(t)
	return t, nil
}

// noteForm counts what was wrong with a reply's form.
func (s *session) noteForm(t turn) {
	if t.invented {
		s.result.Format.Invented++
		s.guard("format", "cut", "the model wrote an observation itself")
	}
	if t.repaired {
		s.result.Format.Repaired++
		s.guard("format", "repair", "the action's input was no JSON: "+t.calls[0].Arguments)
	}
	if t.problem != nil {
		s.result.Format.Errors++
		s.guard("format", "reject", t.problem.Error())
	}
}

// distinctIDs gives calls without an id, or with one that was used before, an id of
// their own: every call must be answerable by exactly one tool message.
func (s *session) distinctIDs(calls []model.ToolCall) []model.ToolCall {
	out := make([]model.ToolCall, len(calls))
	for i, c := range calls {
		for n := i; c.ID == "" || s.ids[c.ID]; n++ {
			c.ID = fmt.Sprintf("call_%d_%d", s.step(), n)
		}
		s.ids[c.ID] = true
		out[i] = c
	}
	return out
}

// lastTurn is the one turn without tools that follows a limit.
func (s *session) lastTurn(ctx context.Context, reason trace.StopReason) trace.Trace {
	s.messages = append(s.messages, model.Message{Role: model.User, Content: promptLast})
	t, err := s.ask(ctx, nil)
	if err != nil {
		return s.fail(ctx, err)
	}
	return s.conclude(reason, t)
}

// complain tells the model once what was wrong with the form of its reply. The second
// time it reports false.
func (s *session) complain(problem error) bool {
	if s.complained {
		return false
	}
	s.complained = true
	s.messages = append(s.messages, model.Message{Role: model.User, Content: s.protocol.complaint(problem)})
	return true
}

func (s *session) emit(b trace.Body) { s.task.Emit(s.step(), b) }

// step is the model turn that events belong to: the one whose reply came last.
func (s *session) step() int { return max(0, s.result.Steps-1) }

func (s *session) guard(rule, decision, detail string) {
	s.emit(trace.Guard{Rule: rule, Decision: decision, Detail: detail})
}

func describe(f inject.Finding) string {
	hits := make([]string, len(f.Hits))
	for i, h := range f.Hits {
		hits[i] = fmt.Sprintf("%s (%s): %q", h.Family, h.View, h.Match)
	}
	return fmt.Sprintf("score %.2f: %s", f.Score, strings.Join(hits, "; "))
}

// show is what the model sees of a result: the output or the error, cut to size.
func (s *session) show(callID, text string) {
	shown, cut := limit.Output(text, s.agent.Config.MaxOutput)
	if cut {
		s.guard("output_cap", "cut", fmt.Sprintf("%s: %d bytes", callID, len(text)))
	}
	s.messages = append(s.messages, s.protocol.observation(callID, shown))
}

// countEvidence keeps the figures that tell a broken backend from an agent that found
// nothing. Calls that a limit held back asked no backend and do not count.
func (s *session) countEvidence(r tool.Result) {
	t, known := s.agent.Tools.Lookup(r.Call.Name)
	if !known || !t.Spec().Evidence {
		return
	}
	s.evidenceCalls++
	if r.Failure == tool.BackendFailure {
		s.evidenceFailures++
	}
}
