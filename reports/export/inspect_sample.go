package export

import (
	"encoding/json"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// sampleOf returns a trace with its events as a sample.
func sampleOf(targets []string, r store.Record, a store.Answer, events []trace.Event, name string) inspectSample {
	s := inspectSample{
		ID: r.Query, Epoch: a.Trace - r.Answers[0].Trace + 1, Input: r.Question, Target: targets,
		Usage:    map[string]object{},
		Messages: []inspectMessage{{Role: "user", Content: r.Question}},
		Metadata: object{
			"category": r.Category, "concur_outcome": a.Outcome, "concur_answer": a.Answer,
			"concur_stop_reason": a.StopReason,
			"concur_decision":    r.Consensus.Answer, "concur_method": r.Consensus.Method,
			"concur_verdict": r.Verdict.Verdict,
		},
	}
	if len(targets) == 0 {
		s.Target = []string{r.Expected}
	}
	var final string
	step := -1
	assistant := func(of int) *inspectMessage { // returns the one message for each turn of the model
		if last := &s.Messages[len(s.Messages)-1]; step == of && last.Role == "assistant" {
			return last
		}
		step = of
		s.Messages = append(s.Messages, inspectMessage{Role: "assistant"})
		return &s.Messages[len(s.Messages)-1]
	}
	turn := 0
	for _, e := range events {
		if !model.IsOwnPath(e.Path) { // an event of a sub-agent; the observation of its caller has the answer
			continue
		}
		if turn < len(r.Turns) && e.Path == model.TurnPath(turn) { // the first event of a turn
			if turn == 0 {
				s.Messages = nil
			} else {
				s.Messages = append(s.Messages, inspectMessage{Role: "assistant", Content: final})
			}
			s.Messages = append(s.Messages, inspectMessage{Role: "user", Content: r.Turns[turn].Question})
			step, turn = -1, turn+1
		}
		switch b := e.Body.(type) {
		case trace.Thought:
			assistant(e.Step).Content = b.Content
		case trace.Action:
			m := assistant(e.Step)
			m.Calls = append(m.Calls, inspectCall{b.CallID, b.Name, argumentsOf(b.Input), "function"})
		case trace.Observation:
			m := inspectMessage{Role: "tool", Content: outputOf(b.Output), Answers: b.CallID}
			if b.Error != nil {
				m.Error = object{"type": "unknown", "message": *b.Error}
			}
			s.Messages = append(s.Messages, m)
		case trace.Conclusion:
			final = b.Message
			s.Seconds = b.Timing.WallS
			s.Usage[name] = object{
				"input_tokens": b.Usage.InputTokens, "output_tokens": b.Usage.OutputTokens,
				"total_tokens":            b.Usage.InputTokens + b.Usage.OutputTokens,
				"input_tokens_cache_read": b.Usage.CachedTokens,
			}
		}
	}
	if a.Outcome == trace.Infra {
		cause := "the trace ended by an infrastructure failure"
		if a.Cause != nil {
			cause = *a.Cause
		}
		s.Error = object{"message": cause, "traceback": "", "traceback_ansi": ""}
		s.Output = object{"model": name, "choices": []object{}}
		return s
	}
	answer := inspectMessage{Role: "assistant", Content: final}
	s.Messages = append(s.Messages, answer)
	s.Output = object{"model": name, "completion": final,
		"choices": []object{{"message": answer, "stop_reason": "stop"}}}
	if value := scoreOf(a); value != "" {
		s.Scores = map[string]object{goldScore: {"value": value, "answer": a.Answer, "explanation": ""}}
	}
	return s
}

// argumentsOf returns the arguments of a call as an object, which Inspect requires.
func argumentsOf(input json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) == nil && fields != nil {
		return input
	}
	raw, _ := json.Marshal(object{"input": outputOf(input)}) // the input is text
	return raw
}

// outputOf returns JSON as text; a JSON string without its quotes.
func outputOf(output json.RawMessage) string {
	var text string
	if json.Unmarshal(output, &text) == nil {
		return text
	}
	return string(output)
}
