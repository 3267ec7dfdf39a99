package offline_test

import (
	"strings"
	"testing"
)

// A knowledge base is asked before web_search. Unlike web_search, it answers only with passages that contain most of
// the question.
func TestKnowledgeBase(t *testing.T) {
	for _, c := range []struct{ tools, question, want, calls string }{
		{"handbook", "In which year was Velmora founded?", "Answer: 1204", "handbook"},
		{"web_search handbook calc", "In which year was Velmora founded?", "Answer: 1204", "handbook"},
		{"handbook web_search", "In which year did smugglers burn the custom house of Velmora?", "Answer: [ABSTAIN]", "handbook"},
		{"web_search", "In which year did smugglers burn the custom house of Velmora?", "Answer: 1204", "web_search"},
	} {
		final, calls := script{tools: strings.Fields(c.tools)}.run(t, c.question)
		if !strings.Contains(final, c.want) {
			t.Errorf("%s, %s: %s", c.tools, c.question, final)
		}
		for _, call := range calls {
			if name, _, _ := strings.Cut(call, " "); name != c.calls {
				t.Errorf("%s, %s: called %s", c.tools, c.question, call)
			}
		}
	}
}
