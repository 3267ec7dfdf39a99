package react

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/guard/limit"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// maxBlocked is how many turns on end may repeat calls that are blocked: a model that was
// told so twice will not do anything else.
const maxBlocked = 2

const errSingleTool = tool.PlainErrorPrefix + "one_tool_call_per_turn: send this call again in a turn of its own"

// act runs the calls of a turn side by side and answers each of them with exactly one
// tool message, in the order of the calls. limited says that the trace has used up its
// calls, or only repeats them; bug is the result of a tool that panicked.
func (s *session) act(ctx context.Context, t turn) (limited bool, bug *tool.Result) {
	s.before = nil
	repeated := 0
	results := make([]tool.Result, len(t.calls))
	ran := make([]bool, len(t.calls))
	var running sync.WaitGroup
	for i, call := range t.calls {
		s.emit(trace.Action{Name: call.Name, Input: trace.InputOf(call.Arguments), CallID: call.ID})
		if rule, observation := s.hold(i, call); rule != "" {
			s.guard(rule, "block", call.Name)
			limited = limited || rule == string(limit.TooMany)
			if rule == string(limit.Repeated) {
				repeated++
			}
			results[i] = tool.Result{Call: call, Error: observation, Failure: tool.AgentFailure, Kind: rule}
			continue
		}
		ran[i] = true
		running.Go(func() { results[i] = s.tools.Invoke(ctx, call, s.agent.Config.ToolTimeout) })
	}
	running.Wait()
	if s.blocked++; repeated < len(t.calls) {
		s.blocked = 0
	}
	if s.blocked == maxBlocked {
		s.guard(string(limit.Repeated), "limit", "the same call was blocked twice in a row")
		limited = true
	}
	s.result.ToolCalls = s.calls.Admitted()
	for i, r := range results {
		if ran[i] {
			s.countEvidence(r)
		}
		s.observe(r)
		if r.Failure == tool.PanicFailure && bug == nil {
			bug = &r
		}
	}
	return limited, bug
}

// hold gives the rule that keeps a turn's i-th call from running and what the model reads
// instead; "" where it may run, which counts it.
func (s *session) hold(i int, call model.ToolCall) (rule, observation string) {
	if i > 0 && s.agent.Config.SingleTool {
		return "single_tool", errSingleTool
	}
	if s.failures.Excluded(call.Name) {
		return config.GuardFailures, s.failures.Observation(call.Name)
	}
	if d := s.calls.Admit(call); d != limit.Run {
		return string(d), d.Observation()
	}
	return "", ""
}

// observe enters a result's documents in the ledger, records the observation and shows
// it to the model. It runs in the order of the calls, so that document ids do not depend
// on which call came back first.
func (s *session) observe(r tool.Result) {
	s.result.ModelCalls += r.Output.ModelCalls
	s.result.Usage = s.result.Usage.Add(r.Output.Usage)
	o := trace.Observation{CallID: r.Call.ID, DurationMS: float64(r.Duration.Microseconds()) / 1e3}
	text := r.Error
	if r.Error == "" {
		if r.Output.Documents != nil {
			o.Documents = s.ledger.Enter(r.Output.Documents)
		}
		raw, err := r.Output.Render(o.Documents)
		if err != nil { // Invoke has rendered it once already
			text = tool.PlainErrorPrefix + err.Error()
		} else {
			o.Output, text = json.RawMessage(raw), string(raw)
		}
	}
	if o.Output == nil {
		o.Error, o.ErrorKind = &text, &r.Kind
	}
	s.emit(o)
	shown := s.screen(r, o, text)
	if s.failures.Note(r) {
		n := s.failures.Count(r.Call.Name)
		s.guard(config.GuardFailures, "exclude", fmt.Sprintf("%s: %d failures", r.Call.Name, n))
		shown += "\n" + fmt.Sprintf(promptExcluded, r.Call.Name, n)
	}
	s.messages = append(s.messages, s.protocol.observation(r.Call.ID, shown))
}
