package react

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/guard/inject"
	"github.com/seed-5817661a/concur/runner/guard/limit"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// session is a trace in progress: the conversation and the counts so far.
type session struct {
	agent    *Agent
	task     agent.Task
	protocol protocol
	tools    *tool.Registry // of the strategy
	maxSteps int            // turns of the loop
	messages []model.Message
	calls    limit.Calls
	failures limit.Failures
	marks    inject.Spotlight // the zero value marks nothing
	ledger   *trace.Ledger
	grounds  grounds
	ids      map[string]bool // tool call ids in use
	children map[string]int  // how often an agent was called, by name

	explainer explainer

	complained        bool       // the model was told once about a fault of form
	lineRequested     bool       // the model was asked once for its answer line
	before            *turn      // the last reply without an answer line that the model was told about
	callsWithoutTools bool       // the model called a tool in a turn without tools
	blocked           int        // consecutive turns with only blocked repetitions
	rejected          *rejection // the last answer rejected for its citations
	result            trace.Trace

	evidenceCalls, evidenceFailures int
	evidenceFound                   bool // documents came from an evidence tool
	lastFailed                      bool // the last call to one failed because of its backend
}

func (a *Agent) newSession(task agent.Task, plan strategy) *session {
	s := &session{
		agent:    a,
		task:     task,
		protocol: protocolOf(a.Config.Protocol),
		tools:    &tool.Registry{},
		maxSteps: a.maxSteps(task),
		ids:      map[string]bool{},
		children: map[string]int{},
		ledger:   cmp.Or(task.Child.Ledger, &trace.Ledger{}),
		result:   trace.Trace{ID: task.ID},
	}
	s.grounds.ledger = s.ledger
	if plan.tools {
		s.tools = a.Tools
	}
	s.explainer = newExplainer(a.Config, s.tools.ModelSpecs())
	s.result.Explain = s.explainer.counts
	if a.Config.HasGuard(config.GuardCalls) {
		s.calls.Max = a.Config.MaxToolCalls
	}
	if most := task.Child.MaxToolCalls; most != nil {
		s.calls.Max, s.calls.None = *most, *most == 0
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
	system := plan.prompt(s.protocol, s.tools.Specs(), s.marks.Instruction())
	if ask := s.explainer.instruction(); ask != "" {
		system = append(system, ask)
	}
	if a.Prompt != "" {
		system = append([]string{a.Prompt}, system...)
	}
	s.messages = []model.Message{
		{Role: model.System, Content: strings.Join(system, "\n\n")},
		{Role: model.User, Content: task.Query.Text},
	}
	return s
}

// offered are the tools that a turn may use: those of the strategy that are not excluded.
func (s *session) offered() []model.ToolSpec {
	return s.explainer.offer(slices.DeleteFunc(s.tools.ModelSpecs(), func(t model.ToolSpec) bool { return s.failures.Excluded(t.Name) }))
}

// ask sends the conversation, reads the reply and adds it to the conversation. A turn
// without tools still lists them, because servers and providers cache the common beginning
// of requests. It stops listing them once the model has called one in such a turn, since
// some servers ignore that choice.
func (s *session) ask(ctx context.Context, tools bool) (turn, error) {
	req := model.Request{
		Identity: model.Identity{
			Agent: s.task.ID.Agent, Query: s.task.ID.Query, Trace: s.task.ID.Trace,
			Step: s.result.Steps, Purpose: model.Agent, Path: s.task.Child.Path,
		},
		Messages:    s.messages,
		Temperature: s.agent.Config.Temperature,
		Seed:        s.task.Seed,
		SingleCall:  s.agent.Config.SingleTool,
	}
	s.protocol.prepare(&req, s.offered(), tools, s.callsWithoutTools)
	demanded := tools && s.explainer.demand(&req)
	reply, err := s.task.Model.Complete(ctx, req)
	s.result.ModelCalls++
	if err != nil {
		return turn{}, err
	}
	s.result.Steps++
	s.result.Usage = s.result.Usage.Add(reply.Usage)
	reply.Message.Role = model.Assistant
	t := s.protocol.read(reply, s.specs())
	tools = tools && len(s.offered()) > 0
	s.callsWithoutTools = s.callsWithoutTools || !tools && len(reply.Message.ToolCalls) > 0
	t.problem = s.problemOf(t, tools)
	if t.problem != nil {
		t.message.ToolCalls = nil // they will not be answered
	}
	t.calls = s.uniqueIDs(t.calls)
	s.explainer.read(t, demanded, reply.Usage)
	if t.message.ToolCalls != nil {
		t.message.ToolCalls = t.calls
	}
	s.messages = append(s.messages, t.message)
	if t.thought != "" {
		s.emit(trace.Thought{Content: t.thought})
	}
	s.noteForm(t, tools)
	return t, nil
}

// uniqueIDs replaces missing and repeated ids of calls: every call must be answered by
// exactly one tool message.
func (s *session) uniqueIDs(calls []model.ToolCall) []model.ToolCall {
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

// atLimit ends the trace when steps or calls are used up: after one turn without tools, or
// at once if the configuration says so.
func (s *session) atLimit(ctx context.Context, reason trace.StopReason) trace.Trace {
	if s.agent.Config.OnLimit == config.OnLimitStop {
		return s.noAnswer(reason, reason, "a limit was reached before the agent had answered, and agent.on_limit is stop")
	}
	s.say(promptLast)
	t, err := s.ask(ctx, false)
	if err != nil {
		return s.fail(ctx, err)
	}
	return s.conclude(ctx, reason, t)
}

// askConfidence asks the model once, after the configured number of turns, whether it can
// answer already.
func (s *session) askConfidence() bool {
	n := s.agent.Config.ConfidenceCheck
	if n <= 0 || s.result.Steps != n {
		return false
	}
	s.guard("confidence_check", "ask", fmt.Sprintf("after %d turns", n))
	s.say(promptConfidence)
	return true
}

// noteChoice records the result of the confidence check.
func (s *session) noteChoice(answers bool) {
	decision := "continue"
	if answers {
		decision = "answer"
	}
	s.guard("confidence_check", decision, "")
}

// complain tells the model once what was wrong with the form of its reply; the second time
// it returns false. A missing answer line counts as a reminder.
func (s *session) complain(t turn) bool {
	if s.complained {
		return false
	}
	s.complained = true
	if isUnmarked(t.problem) {
		s.before = &t
		s.result.Format.Reminders++
	}
	s.say(s.protocol.complaint(t.problem))
	return true
}

// say sends a text to the model as the user.
func (s *session) say(text string) {
	s.messages = append(s.messages, model.Message{Role: model.User, Content: text})
}

func (s *session) emit(b trace.Body) { s.task.Emit(s.step(), b) }

// step is the model turn that events belong to: that of the last reply.
func (s *session) step() int { return max(0, s.result.Steps-1) }

func (s *session) guard(rule, decision, detail string) {
	s.emit(trace.Guard{Rule: rule, Decision: decision, Detail: detail})
}

// countEvidence counts evidence calls, to distinguish a failing backend from an agent that
// found nothing. Blocked calls did not reach a backend and do not count.
func (s *session) countEvidence(r tool.Result) {
	t, known := s.tools.Lookup(r.Call.Name)
	if !known || !t.Spec().Evidence {
		return
	}
	s.evidenceCalls++
	s.evidenceFound = s.evidenceFound || len(r.Output.Documents) > 0
	if s.lastFailed = r.Failure == tool.BackendFailure; s.lastFailed {
		s.evidenceFailures++
	}
}
