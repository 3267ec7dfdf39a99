package react_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// TestPromptKnowsOnlyTheToolsThatAreThere tries all subsets of three tools. For each tool it has words that
// occur only in the tool's part of the prompt.
func TestPromptKnowsOnlyTheToolsThatAreThere(t *testing.T) {
	named := func(name string) fakeTool { f := echo(); f.name = name; return f }
	all := []struct {
		tool  tool.Tool
		words []string
	}{
		{named("planner"), []string{"planner"}},
		{library(), []string{"corpus_", "cite", "citation", "document", "References"}},
		{named("calc"), []string{"rithmetic"}},
	}
	for set := range 1 << len(all) {
		var there []tool.Tool
		for i, c := range all {
			if set>>i&1 == 1 {
				there = append(there, c.tool)
			}
		}
		p := play(t, t.Context(), newAgent(t, there...), question("?"), say("Answer: x"))
		prompt := p.requests[0].Messages[0].Content
		for i, c := range all {
			for _, w := range c.words {
				if has, want := strings.Contains(strings.ToLower(prompt), strings.ToLower(w)), set>>i&1 == 1; has != want {
					t.Errorf("with the tools %v the prompt has %q: %t, want %t", toolNames(p.requests[0]), w, has, want)
				}
			}
		}
		if has, want := strings.Contains(prompt, "tool"), len(there) > 0; has != want {
			t.Errorf("with %d tools the prompt speaks of tools: %t", len(there), has)
		}
		for _, w := range []string{"Answer:", "[ABSTAIN]", "[REFUSE]"} {
			if !strings.Contains(prompt, w) {
				t.Errorf("with the tools %v the prompt has no %s", toolNames(p.requests[0]), w)
			}
		}
		if !slices.Equal(strings.Fields(prompt), strings.Fields(strings.TrimSpace(prompt))) || strings.Contains(prompt, "\n\n\n") {
			t.Errorf("the prompt has gaps:\n%s", prompt)
		}
	}
}

func TestSupportingDocuments(t *testing.T) {
	for _, c := range []struct {
		message string
		want    []string
	}{
		{"So it is [corpus_2].\nAnswer: x", []string{"corpus:lakes"}},
		{"So it is [corpus_2], and so is that [corpus_1] [corpus_2].\nAnswer: x", []string{"corpus:lakes", "corpus:rivers"}},
		{"Both [corpus_1, corpus_2] and [corpus_2;corpus_1].\nAnswer: x", []string{"corpus:rivers", "corpus:lakes"}},
		{"Made up [corpus_9], no id [rivers], open [corpus_1\nAnswer: x", nil},
		{"Answer: x\nReferences:\n[corpus_1] On rivers", []string{"corpus:rivers"}},
	} {
		p := play(t, t.Context(), newAgent(t, library()), question("?"),
			use("", call("a", "library", `{"text":"rivers"}`), call("b", "library", `{"text":"lakes"}`)),
			use("", call("c", "library", `{"text":"rivers"}`)), // a known document keeps its id
			say(c.message))
		p.ended(t, trace.Answered, trace.Final, "x")
		if diff := cmp.Diff(c.want, p.Supporting); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.message, diff)
		}
	}
}
