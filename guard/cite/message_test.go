package cite_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/guard/cite"
	"github.com/seed-5817661a/concur/trace"
)

// TestTheScoredAnswerIsAudited checks that the scored answer is compared with the documents, however the
// message states it.
func TestTheScoredAnswerIsAudited(t *testing.T) {
	for _, form := range []string{
		"Answer: %", "Answer: %.", "Answer: % [corpus_1]", "**Answer:**\n\n%", "**Final Answer**: **%**", "1. Answer: %", "\\boxed{%}", "The answer is %.", "Answer: \n```\n%\n```",
		"```\nAnswer: %\n```", "### Answer\n%", "| Answer: % |", "✅ Answer: %", "Answer: %\nReferences:\nAnswer: tower [corpus_1]", "Réponse finale : %",
	} {
		for value, grounded := range map[string]bool{"330 m": true, "9,999 m": false} {
			message := "The height of the tower is known [corpus_1].\n" + strings.ReplaceAll(form, "%", value)
			final := answer.Extract(message, "", answer.Quantity)
			if final.Outcome != trace.Answered {
				continue
			}
			in := cite.Input{Message: message, Answer: final.Short, Documents: library()}
			r, all := cite.Audit(in), cite.Sentences(in)
			last := all[len(all)-1]
			if r.Grounded != grounded || !last.Answer || last.Text != final.Short {
				t.Errorf("%q: scored %q, audited %+v, grounded %v\n%s", message, final.Short, last, r.Grounded, show(r))
			}
		}
	}
}
