package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/limit"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Outcome is a call of the last turn, and its result in the form in which the model read it.
type Outcome struct {
	Call   model.ToolCall
	Shown  string
	Failed bool
	At     int // index of its message in the conversation
}

// maxBlocked is a number of turns: if so many turns in a row have only blocked repetitions, the trace ends.
// After two notices, a model that repeats its call will probably not change it.
const maxBlocked = 2

const errSingleTool = tool.PlainErrorPrefix + "one_tool_call_per_turn: send this call again in a turn of its own"

// act runs the calls of a turn concurrently and answers each with exactly one tool message, in the order of the
// calls. limited says that the trace has used up its calls, or only repeats calls. bug is the result of a tool
// that panicked, or nil.
func (s *Session) act(ctx context.Context, t Turn) (limited bool, bug *tool.Result) {
	s.before = nil
	s.Outcomes = nil
	var again bool
	if t.Calls, again = s.parts.answer(t.Calls); len(t.Calls) == 0 {
		return again && s.blockTurn(), nil
	}
	repeated := 0
	results := make([]tool.Result, len(t.Calls))
	ran := make([]bool, len(t.Calls))
	for i, call := range t.Calls {
		s.Emit(trace.Action{Name: call.Name, Input: trace.InputOf(call.Arguments), CallID: call.ID})
		if rule, observation := s.blockingRule(i, call); rule != "" {
			s.Guard(rule, "block", call.Name)
			limited = limited || rule == string(limit.TooMany)
			if rule == string(limit.Repeated) {
				repeated++
			}
			results[i] = tool.Result{Call: call, Error: observation, Failure: tool.AgentFailure, Kind: rule}
			continue
		}
		ran[i] = true
	}
	s.runAll(ctx, t.Calls, ran, results)
	if repeated < len(t.Calls) {
		s.blocked = 0
	} else if s.blockTurn() {
		limited = true
	}
	s.result.ToolCalls = s.calls.Admitted()
	for i, r := range results {
		if t, known := s.tools.Lookup(r.Call.Name); ran[i] && known && t.Spec().Evidence {
			s.countEvidence(r)
		}
		s.observe(r)
		if r.Failure == tool.PanicFailure && bug == nil {
			bug = &r
		}
	}
	return limited, bug
}

// Turn requests a turn with tools. If the reply has a mistake of form, the model is asked to correct it, once;
// again says so. end is not nil if the trace has ended.
func (s *Session) Turn(ctx context.Context) (t Turn, again bool, end *trace.Trace) {
	t, err := s.Ask(ctx, true)
	done := trace.Trace{}
	switch {
	case err != nil:
		done = s.Fail(ctx, err)
	case t.Problem == nil:
		return t, false, nil
	case s.complain(t):
		return t, true, nil
	case isUnmarked(t.Problem):
		done = s.Conclude(ctx, trace.Final, t)
	default:
		done = s.noAnswer(trace.Final, trace.FormatError, t.Problem.Error())
	}
	return t, false, &done
}

// Run runs the calls of a turn. end is not nil if they ended the trace. After the calls have run, Run calls
// before, which replies to the other calls of the turn before the model's next request.
func (s *Session) Run(ctx context.Context, t Turn, before func()) (end *trace.Trace) {
	var done trace.Trace
	limited, bug := s.act(ctx, t)
	before()
	switch {
	case errors.Is(ctx.Err(), context.Canceled): // after a deadline, the next request fails and records the cause
		done = s.Fail(ctx, ctx.Err())
	case bug != nil:
		done = s.Stop(trace.Panic, bug.Error+"\n"+bug.Stack) // a panic is never the agent's fault
	case limited:
		done = s.atLimit(ctx, trace.MaxToolCalls)
	default:
		err := s.parts.afterCalls(ctx)
		if err == nil {
			return nil
		}
		done = s.Fail(ctx, err)
	}
	return &done
}

// OutOfTurns ends the trace because its turns are used up.
func (s *Session) OutOfTurns(ctx context.Context) trace.Trace {
	s.Guard("steps", "limit", "all allowed turns are used up")
	return s.atLimit(ctx, trace.MaxSteps)
}

// Served records a call of a tool that a feature runs itself (Turns), and shows the model its result.
func (s *Session) Served(r tool.Result) {
	s.Emit(trace.Action{Name: r.Call.Name, Input: trace.InputOf(r.Call.Arguments), CallID: r.Call.ID})
	s.observe(r)
}

// observe shows the model the result of a call. It runs in the order of the calls, so that
// document ids do not depend on the order of replies.
func (s *Session) observe(r tool.Result) {
	s.result.ModelCalls += r.Output.ModelCalls
	s.result.Usage = s.result.Usage.Add(r.Output.Usage)
	s.result.Children = append(s.result.Children, r.Output.Children...)
	shown := s.show(r)
	if s.failures.Note(r) {
		n := s.failures.Count(r.Call.Name)
		s.Guard(config.GuardFailures, "exclude", fmt.Sprintf("%s: %d failures", r.Call.Name, n))
		shown += "\n" + fmt.Sprintf(prompt("excluded"), r.Call.Name, n)
	}
	if r.Error == "" {
		s.called = append(s.called, r.Call.Name)
	}
	s.Outcomes = append(s.Outcomes, Outcome{r.Call, shown, r.Error != "", len(s.messages)})
	if s.protocol.inline > 0 {
		s.writeResult(shown)
		return
	}
	s.messages = append(s.messages, s.protocol.observation(r.Call.ID, shown))
}
