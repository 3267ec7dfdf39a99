package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/guard/inject"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Settings have an agent's configuration and tools. They have no state between traces.
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
	// Own lists tools that the loop handles itself, in addition to the configured tools. If a strategy has such
	// tools, a turn of the text protocol is read as a list of calls.
	Own []model.ToolSpec
	// System returns the parts of the system prompt. The first part states the agent's purpose;
	// agent.prompts.system replaces this part. marks is the text that explains how data is marked; "" if data
	// is not marked.
	System func(p Protocol, tools []tool.Spec, marks string) []string
	Run    func(ctx context.Context, s *Session) trace.Trace
}

// Session is a trace in progress. Its embedded parts hold the state; its methods are the turns of the loop
// and the end of the trace.
type Session struct {
	MaxSteps int       // turns of the loop
	Outcomes []Outcome // results of the last turn's calls, in the order of the calls

	*progress    // its task, settings and result so far
	conversation // its messages
	toolset      // its tools and limits
	evidence     // the results of its tools
	reading      // the reader of the model's replies

	complained        bool         // the model was already asked to correct the form of its reply
	lineRequested     bool         // the model was already asked for an answer line
	callsWithoutTools bool         // the model called a tool in a turn without tools
	rejected          *trace.Trace // the result with the last answer that was rejected for its citations; nil without one
}

// Run runs one trace. A known attack in the query ends it before its first turn.
func Run(ctx context.Context, a Settings, task agent.Task, by Strategy) trace.Trace {
	s := newSession(a, task, by)
	if s.refused(append(questions(task.Query), s.columns()...)...) {
		return s.Stop(trace.RefusedByGuard, "")
	}
	if err := s.condense(ctx); err != nil {
		return s.Fail(ctx, err)
	}
	if s.result.Question != "" && s.refused(s.result.Question) {
		return s.Stop(trace.RefusedByGuard, "")
	}
	if err := s.choose(ctx); err != nil {
		return s.Fail(ctx, err)
	}
	s.writeSystem(by)
	if err := s.begin(ctx); err != nil {
		return s.Fail(ctx, err)
	}
	s.open()
	return by.Run(ctx, s)
}

func newSession(a Settings, task agent.Task, by Strategy) *Session {
	p := &progress{agent: a, task: task, result: trace.Trace{ID: task.ID}}
	s := &Session{
		MaxSteps: a.Config.Steps(task.Query.MaxSteps),
		progress: p,
		conversation: conversation{
			progress: p, ids: map[string]bool{},
			protocol: Protocol{text: a.Config.Protocol == config.ProtocolText, lists: len(by.Own) > 0,
				inline: inlineCalls(a.Config, by)},
		},
		toolset:  newToolset(p, by),
		evidence: evidence{progress: p, ledger: cmp.Or(task.Child.Ledger, &trace.Ledger{})},
	}
	s.reading = reading{progress: p, shown: &s.evidence, kit: &s.toolset}
	if most := task.Child.MaxSteps; most != nil {
		s.MaxSteps = min(s.MaxSteps, *most)
	}
	if a.Config.HasGuard(config.GuardSpotlight) {
		s.marks = inject.NewSpotlight(inject.SpotlightMode(a.Config.Spotlight), task.Seed)
	}
	return s
}

// writeSystem writes the system prompt, for the tools that are offered. The form of the answer does not depend on
// the choice: it has citations if any tool of the agent returns documents.
func (s *Session) writeSystem(by Strategy) {
	all := s.tools.Specs()
	evidence := slices.ContainsFunc(all, func(t tool.Spec) bool { return t.Evidence })
	specs := slices.DeleteFunc(all, func(t tool.Spec) bool { return !s.Offers(t.Name) })
	if len(specs) > 0 {
		specs[0].Evidence = evidence
	}
	for _, t := range by.Own {
		line, _ := lines.Encode(t) // encoded in the same way as the registry's tools
		specs = append(specs, tool.Spec{ToolSpec: t, Line: string(line)})
	}
	system := by.System(s.protocol, specs, s.marks.Instruction())
	if own := s.agent.Config.Prompts.System; !own.IsZero() {
		system[0] = s.Fill(own)
	}
	if s.agent.Prompt != "" {
		system = append([]string{s.agent.Prompt}, system...)
	}
	s.messages = []model.Message{{Role: model.System, Content: strings.Join(system, "\n\n")}}
}

// Ask sends the conversation, reads the reply and adds it to the conversation. If tools may not be called in
// this turn, the request still lists them, because servers and providers cache the common beginning of
// requests. Some servers ignore the setting that forbids calls. So if the model calls a tool in such a turn,
// later requests of this kind do not list the tools.
func (s *Session) Ask(ctx context.Context, tools bool) (Turn, error) {
	messages, err := s.parts.shorten(ctx, s.messages, s.protocol)
	if err != nil {
		return Turn{}, err
	}
	req := model.Request{
		Identity: s.identity(s.result.Steps, ""), Messages: messages,
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
	t := s.read(reply)
	tools = tools && len(s.offered()) > 0
	s.callsWithoutTools = s.callsWithoutTools || !tools && len(reply.Message.ToolCalls) > 0
	t.Problem = s.problemOf(t, tools)
	if t.Problem != nil {
		t.message.ToolCalls = nil // calls that get no result
	}
	t.Calls = s.uniqueIDs(t.Calls)
	s.parts.reply(t, reply.Usage)
	if t.message.ToolCalls != nil {
		t.message.ToolCalls = t.Calls
	}
	s.addReply(t, tools)
	if t.thought != "" {
		s.Emit(trace.Thought{Content: t.thought})
	}
	s.noteForm(t, tools)
	return t, nil
}

// atLimit ends the trace at a limit: after one turn without tools or, if the configuration says so, at once.
func (s *Session) atLimit(ctx context.Context, reason trace.StopReason) trace.Trace {
	if s.agent.Config.OnLimit == config.OnLimitStop {
		return s.noAnswer(reason, reason, "a limit was reached before the agent had answered, and "+
			"agent.on_limit is stop")
	}
	return s.Last(ctx, reason, prompt("last"))
}

// complain asks the model to correct the form of its reply. It does so once in a trace, and returns false the
// second time. A request for a missing answer line also counts as one.
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
