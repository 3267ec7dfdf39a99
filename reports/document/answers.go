package document

import (
	"cmp"
	"fmt"
)

// maxAnswers is the maximum number of different answers in a line.
const maxAnswers = 3

// AnswerCount is an answer with the number of its traces. Outcomes without an answer are in brackets, such as
// [refused].
type AnswerCount struct {
	Answer string `json:"answer"`
	Count  int    `json:"count"`
	Right  bool   `json:"right"`
}

// ListAnswers lists the most frequent answers, each with the number of traces that gave it.
func ListAnswers(all []AnswerCount) RichText {
	out := Plain("no answers")
	for i, a := range all[:min(len(all), maxAnswers)] {
		text := Quoted(cmp.Or(Shorten(a.Answer, MaxAnswer), `""`))
		if a.Count > 1 {
			text = Concat(text, Plain(fmt.Sprintf(" ×%d", a.Count)))
		}
		if out = Concat(out, Plain("; "), text); i == 0 {
			out = text
		}
	}
	if more := len(all) - maxAnswers; more > 0 {
		out = Concat(out, Plain(fmt.Sprintf("; %d more", more)))
	}
	return out
}
