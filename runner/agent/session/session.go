package session

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/guard/inject"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/limit"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Settings hold an agent's configuration and tools. They have no state between traces.
type Settings struct {
	Config config.Agent
	Tools  *tool.Registry // never nil; an agent without tools has an empty registry
	// Prompt comes before the agent's own instructions; may be "".
	Prompt string
	// Features take part in each trace, in their order.
	Features []Feature
	// Scans caches the findings in questions and observations; may be nil.
	Scans *inject.Memo
}

// Strategy is a way of working on a question: its tools, its prompt and its turns.
type Strategy struct {
	Tools bool // use the configured tools
	// Own lists tools that the loop carries out itself, in addition to those. In text, a strategy with such
	// tools uses lists of calls as turns.
	Own []model.ToolSpec
	// System returns the parts of the system prompt. The first one states the agent's purpose;
	// agent.prompts.system replaces it. marks explains marked data; "" if nothing is marked.
	System func(p Protocol, tools []tool.Spec, marks string) []string
	Run    func(ctx context.Context, s *Session) trace.Trace
}

// Session is a trace in progress: the conversation and the counts so far.
type Session struct {
	MaxSteps int       // turns of the loop
	Outcomes []Outcome // of the last turn's calls, in their order

	agent     Settings
	task      agent.Task
	protocol  Protocol
	tools     *tool.Registry // of the strategy
	own       []model.ToolSpec
	messages  []model.Message
	calls     limit.Calls
	failures  limit.Failures
	marks     inject.Spotlight // the zero value marks nothing
	ledger    *trace.Ledger
	documents []trace.Document // as shown to the model
	ids       map[string]bool  // tool call ids in use
	children  map[string]int   // how often an agent was called, by name

	parts features

	complained        bool         // the model was told once about a fault of form
	lineRequested     bool         // the model was asked once for its answer line
	before            *Turn        // the last reply with a missing answer line that the model was told about
	callsWithoutTools bool         // the model called a tool in a turn without tools
	blocked           int          // consecutive turns with only blocked repetitions
	rejected          *trace.Trace // the result with the last answer that was rejected for its citations
	called            []string     // tools whose calls gave a result, in their order
	result            trace.Trace

	evidenceCalls, evidenceFailures int
	evidenceFound                   bool // documents came from an evidence tool
	// the error of the last call to an evidence tool, if its backend failed; else ""
	lastFailure string
}

// Run runs one trace. A known attack in the query ends it before its first turn.
func Run(ctx context.Context, a Settings, task agent.Task, by Strategy) trace.Trace {
	s := newSession(a, task, by)
	if s.refused(questions(task.Query)...) {
		return s.Stop(trace.RefusedByGuard, "")
	}
	if err := s.condense(ctx); err != nil {
		return s.Fail(ctx, err)
	}
	if s.result.Question != "" && s.refused(s.result.Question) {
		return s.Stop(trace.RefusedByGuard, "")
	}
	if err := s.begin(ctx); err != nil {
		return s.Fail(ctx, err)
	}
	s.open()
	return by.Run(ctx, s)
}

func newSession(a Settings, task agent.Task, by Strategy) *Session {
	s := &Session{
		agent:    a,
		task:     task,
		protocol: Protocol{text: a.Config.Protocol == config.ProtocolText, lists: len(by.Own) > 0},
		tools:    &tool.Registry{},
		MaxSteps: a.Config.Steps(task.Query.MaxSteps),
		ids:      map[string]bool{},
		children: map[string]int{},
		own:      by.Own,
		ledger:   cmp.Or(task.Child.Ledger, &trace.Ledger{}),
		result:   trace.Trace{ID: task.ID},
	}
	if most := task.Child.MaxSteps; most != nil {
		s.MaxSteps = min(s.MaxSteps, *most)
	}
	if by.Tools {
		s.tools = a.Tools
	}
	specs := s.tools.Specs()
	for _, t := range by.Own {
		line, _ := lines.Encode(t) // encoded as a registry encodes the others
		specs = append(specs, tool.Spec{ToolSpec: t, Line: string(line)})
	}
	s.calls.Max = task.Child.MaxToolCalls
	if s.calls.Max == nil && a.Config.HasGuard(config.GuardCalls) && a.Config.MaxToolCalls > 0 {
		s.calls.Max = &a.Config.MaxToolCalls
	}
	if a.Config.HasGuard(config.GuardRepeat) {
		s.calls.Repeats = a.Config.MaxRepeats
	}
	if a.Config.HasGuard(config.GuardFailures) {
		s.failures.Max = a.Config.MaxToolFailures
	}
	if a.Config.HasGuard(config.GuardSpotlight) {
		s.marks = inject.NewSpotlight(inject.SpotlightMode(a.Config.Spotlight), task.Seed)
	}
	system := by.System(s.protocol, specs, s.marks.Instruction())
	if own := a.Config.Prompts.System; !own.IsZero() {
		system[0] = s.Fill(own)
	}
	if a.Prompt != "" {
		system = append([]string{a.Prompt}, system...)
	}
	s.messages = []model.Message{{Role: model.System, Content: strings.Join(system, "\n\n")}}
	return s
}

// offered returns the tools that a turn may use: the strategy's, without excluded ones.
func (s *Session) offered() []model.ToolSpec { return s.parts.offer(append(s.Tools(), s.own...)) }

// specs returns all tools of the trace, as shown to the model.
func (s *Session) specs() []model.ToolSpec {
	return s.parts.offer(append(s.tools.ModelSpecs(), s.own...))
}

// Ask sends the conversation, reads the reply and adds it to the conversation. A turn without tools still lists
// them, because servers and providers cache the common prefix of requests. It stops listing them once the model
// has called one in such a turn, because some servers ignore that choice.
func (s *Session) Ask(ctx context.Context, tools bool) (Turn, error) {
	req := model.Request{
		Identity: s.identity(s.result.Steps, ""), Messages: s.parts.shorten(s.messages, s.protocol),
		Temperature: s.agent.Config.Temperature, Seed: s.task.Seed, SingleCall: s.agent.Config.SingleTool,
	}
	s.protocol.prepare(&req, s.offered(), tools, s.callsWithoutTools)
	if tools {
		s.parts.request(&req)
	}
	reply, err := s.task.Model.Complete(ctx, req)
	s.result.ModelCalls++
	if err != nil {
		return Turn{}, err
	}
	s.result.Steps++
	s.result.Usage = s.result.Usage.Add(reply.Usage)
	reply.Message.Role = model.Assistant
	t := s.protocol.read(reply, s.specs())
	tools = tools && len(s.offered()) > 0
	s.callsWithoutTools = s.callsWithoutTools || !tools && len(reply.Message.ToolCalls) > 0
	t.Problem = s.problemOf(t, tools)
	if t.Problem != nil {
		t.message.ToolCalls = nil // calls that will not be answered
	}
	t.Calls = s.uniqueIDs(t.Calls)
	s.parts.reply(t, reply.Usage)
	if t.message.ToolCalls != nil {
		t.message.ToolCalls = t.Calls
	}
	s.messages = append(s.messages, t.message)
	if t.thought != "" {
		s.Emit(trace.Thought{Content: t.thought})
	}
	s.noteForm(t, tools)
	return t, nil
}

// identity names a request of the trace; task is a side request's task, or "".
func (s *Session) identity(step int, task string) model.Identity {
	id := s.task.ID
	return model.Identity{Agent: id.Agent, Query: id.Query, Trace: id.Trace, Step: step, Purpose: model.Agent,
		Path: s.task.Child.Path, Task: task}
}

// uniqueIDs replaces missing and repeated ids of calls, because each is answered by one tool message.
func (s *Session) uniqueIDs(calls []model.ToolCall) []model.ToolCall {
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

// atLimit ends the trace at a limit: after one turn without tools, or at once if configured.
func (s *Session) atLimit(ctx context.Context, reason trace.StopReason) trace.Trace {
	if s.agent.Config.OnLimit == config.OnLimitStop {
		return s.noAnswer(reason, reason, "a limit was reached before the agent had answered, and "+
			"agent.on_limit is stop")
	}
	return s.Last(ctx, reason, prompt("last"))
}

// complain tells the model once about a fault in the form of its reply; the second time it returns false. A
// missing answer line counts as a reminder.
func (s *Session) complain(t Turn) bool {
	if s.complained {
		return false
	}
	s.complained = true
	if isUnmarked(t.Problem) {
		s.before = &t
		s.result.Format.Reminders++
	}
	s.Say(s.protocol.complaint(t.Problem))
	return true
}

// Say sends a text to the model as the user.
func (s *Session) Say(text string) {
	s.messages = append(s.messages, model.Message{Role: model.User, Content: text})
}

// Replies returns the texts of the model's replies so far.
func (s *Session) Replies() (out []string) {
	for _, m := range s.messages {
		if m.Role == model.Assistant {
			out = append(out, m.Content)
		}
	}
	return out
}

// Called returns the tools whose calls gave a result so far, in their order.
func (s *Session) Called() []string { return s.called }

// Mark marks a text as data, as results of tools are marked.
func (s *Session) Mark(text string) string { return s.marks.Mark(text) }

// Steps returns the number of the model's turns so far.
func (s *Session) Steps() int { return s.result.Steps }

// Task returns the task of the trace.
func (s *Session) Task() agent.Task { return s.task }

// Config returns the agent's configuration.
func (s *Session) Config() config.Agent { return s.agent.Config }

// Emit records an event of the last turn.
func (s *Session) Emit(b trace.Body) { s.task.Emit(s.step(), b) }

// step returns the model turn that events belong to: the turn of the last reply.
func (s *Session) step() int { return max(0, s.result.Steps-1) }

// Guard records a decision of a guard.
func (s *Session) Guard(rule, decision, detail string) {
	s.Emit(trace.Guard{Rule: rule, Decision: decision, Detail: detail})
}

// countEvidence counts evidence calls, to distinguish a failing backend from an agent that
// found nothing. Blocked calls did not reach a backend and do not count.
func (s *Session) countEvidence(r tool.Result) {
	t, known := s.tools.Lookup(r.Call.Name)
	if !known || !t.Spec().Evidence {
		return
	}
	s.evidenceCalls++
	s.evidenceFound = s.evidenceFound || len(r.Output.Documents) > 0
	s.lastFailure = ""
	if r.Failure == tool.BackendFailure {
		s.lastFailure = strings.TrimPrefix(r.Error, "ERROR: ")
		s.evidenceFailures++
	}
}
