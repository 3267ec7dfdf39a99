package runner

import (
	"testing"

	"github.com/seed-5817661a/concur/trace"
)

func TestSureness(t *testing.T) {
	ask := trace.Guard{Rule: "confidence_check", Decision: "ask"}
	goOn := trace.Guard{Rule: "confidence_check", Decision: "continue"}
	percent := func(p float64) *float64 { return &p }
	for _, c := range []struct {
		name    string
		events  []trace.Body
		message string
		asked   bool
		want    *float64
	}{
		{"not asked", []trace.Body{trace.Thought{Content: "I am 80 % sure."}}, "90 % sure", false, nil},
		{"in a thought", []trace.Body{ask, trace.Thought{Content: "I am 80 % sure."}, goOn}, "", true, percent(80)},
		{"in words", []trace.Body{ask, trace.Thought{Content: "Confidence: 62.5 percent"}}, "", true, percent(62.5)},
		{"in the final message", []trace.Body{ask}, "I am 95% confident.\nAnswer: Paris", true, percent(95)},
		{"another percentage", []trace.Body{ask, trace.Thought{Content: "15 % of 240 is 36. I am 70 % certain."}}, "", true, percent(70)},
		{"one alone", []trace.Body{ask, trace.Thought{Content: "55 %"}}, "", true, percent(55)},
		{"an answer in per cent", []trace.Body{ask}, "Answer: 12 %", true, nil},
		{"too much", []trace.Body{ask, trace.Thought{Content: "I am 140 % sure."}}, "", true, nil},
		{"nothing", []trace.Body{ask, trace.Thought{Content: "I go on."}}, "", true, nil},
		{"after the reply", []trace.Body{ask, goOn, trace.Thought{Content: "I am 30 % sure."}}, "", true, nil},
	} {
		var s sureness
		for _, b := range c.events {
			s.note(b)
		}
		got := s.result(c.message)
		if (got != nil) != c.asked || got != nil && ((got.Percent == nil) != (c.want == nil) || c.want != nil && *got.Percent != *c.want) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
