package sureness

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
		var s Check
		for _, b := range c.events {
			s.Note(b)
		}
		got := s.Result(c.message)
		if (got != nil) != c.asked || got != nil && ((got.Percent == nil) != (c.want == nil) || c.want != nil && *got.Percent != *c.want) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestStatedPercentage checks that the only percentage of a reply counts. Of several percentages, the one
// next to a word of sureness counts, unless that word is negated.
func TestStatedPercentage(t *testing.T) {
	const none = -1
	for reply, want := range map[string]float64{
		"60 %": 60, "60%": 60, "60 percent. Go on.": 60, "100%": 100, "0 %": 0, "**85%**": 85, "**85** %": 85, "90 ％": 90,
		"I am about 60.": 60, "60": 60, "Confidence: 75/100": 75, "My confidence is 85.": 85, "62,5 Prozent": 62.5,
		"I'd put it at 70 percent, given the sources.": 70, "60\u00a0%": 60, "About 80 PERCENT": 80,
		"50% of the cost is known; I am 90 % sure":       90,
		"50% of the cost is known and I am 90 % sure":    90,
		"15 % of 240 is 36. Ich bin zu 80 % sicher.":     80,
		"I am 90% sure (90 % confident), and 5 % is VAT": 90,
		"I'm not sure, 40 %.":                            40,
		"not 100% sure, maybe 40%":                       none,
		"I am not 100 % sure.":                           none,
		"I'm not entirely sure: 20 % or 30 %":            none,
		"90 % sure of the first, 60 % sure of the other": none,
		"20 % and 30 %":                                  none,
		"Between 60 and 70 %":                            none,
		"60-70 % sure":                                   none,
		"140 %":                                          none,
		"-5 %":                                           none,
		"1,000 %":                                        none,
		"I search once more.":                            none,
		"1. Search. 2. Answer.":                          none,
		"It was built in 1889.":                          none,
		"Confidence: 0.85":                               none,
		"":                                               none,
	} {
		for _, inMessage := range []bool{false, true} {
			s, message := Check{due: true, reply: reply}, ""
			if inMessage {
				s.reply, message = "", reply
			}
			if got := s.Result(message).Percent; got == nil && want != none || got != nil && *got != want {
				t.Errorf("%q, in the message %t: %v, want %v", reply, inMessage, got, want)
			}
		}
	}
	for message, want := range map[string]float64{
		"60 %\n\nAnswer: Paris": 60, "I am about 60.\nAnswer: Paris": 60, "60 percent. Go on.\n**Answer:** 12 %": 60,
		"12 %\nAnswer: 12 %": none, "12\nAnswer: 12": none, "In 1900, 12 % lived in towns.\nAnswer: Lagos": none,
		"I am 12 % sure.\nAnswer: 12 %": 12,
	} {
		s := Check{due: true}
		if got := s.Result(message).Percent; got == nil && want != none || got != nil && *got != want {
			t.Errorf("message %q: %v, want %v", message, got, want)
		}
	}
	if got := (&Check{due: true, goesOn: true}).Result("60 %").Percent; got != nil {
		t.Errorf("a final message that does not reply to the check: %v", *got)
	}
}
