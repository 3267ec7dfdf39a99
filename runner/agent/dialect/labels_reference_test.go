package dialect_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/runner/agent/dialect"
)

// referenceLabel and reference read only the form that the text protocol asks for.
var referenceLabel = regexp.MustCompile(`(?im)^[ \t>*_]*(Thought|Action Input|Action|Observation|Final)[ \t]*[*_]*:[*_]*[ \t]*`)

type plain struct{ thought, action, input, final, kept string }

func reference(reply string) plain {
	t := plain{kept: reply}
	marks := referenceLabel.FindAllStringSubmatchIndex(reply, -1)
	for i, m := range marks {
		if strings.EqualFold(reply[m[2]:m[3]], "Observation") {
			t.kept = strings.TrimRight(reply[:m[0]], " \t\n")
			marks = marks[:i]
			break
		}
	}
	section := func(i int) string {
		end := len(t.kept)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		return strings.TrimSpace(t.kept[marks[i][1]:end])
	}
	lead := t.kept
	if len(marks) > 0 {
		lead = t.kept[:marks[0][0]]
	}
	thoughts := []string{strings.TrimSpace(lead)}
	for i, m := range marks {
		switch strings.ToLower(t.kept[m[2]:m[3]]) {
		case "thought":
			thoughts = append(thoughts, section(i))
			continue
		case "action":
			t.action, t.input = strings.Trim(section(i), "`*\"' "), "{}"
			if i+1 < len(marks) && strings.EqualFold(t.kept[marks[i+1][2]:marks[i+1][3]], "Action Input") {
				t.input = section(i + 1)
			}
		case "final":
			t.final = strings.TrimSpace(t.kept[m[1]:])
		default:
			continue
		}
		break
	}
	t.thought = strings.TrimSpace(strings.Join(thoughts, "\n"))
	return t
}

// lines are lines of replies in the text protocol.
var lines = []string{
	"Thought: I need it.", "I look for it (again) [1].", "**thought:** so", "> Thought: y\nand more", "", "Thought:",
	"Action: echo", "**Action:** `radar`", "Action:\necho", "action: calc",
	"Action Input: {\"text\": \"five, (six) [7]\"}", "Action Input: {}", "Action Input:\n{\n  \"text\": \"<tool_call>{ <think> Finish[x]\"\n}",
	"Final: It is.\n\nAnswer: five [corpus_1]\nReferences:\ncorpus_1: x", "Final: five", "**Final:** Answer: [ABSTAIN]",
	"Observation: {\"text\": 1}", "Observation: Final: no",
}

// TestLabelsReference checks that the other dialects do not change the reading of the form that the text
// protocol asks for.
func TestLabelsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 8).Draw(t, "lines"), "\n")
		want, got := reference(reply), dialect.Parse(reply, offered())
		switch {
		case want.action == "":
			want.input = ""
		case !json.Valid([]byte(want.input)): // prose after it, which is repaired or refused
			t.Skip("see TestLabels")
		}
		if p := (plain{got.Thought, got.Name, got.Arguments, got.Final, got.Kept}); p != want {
			t.Fatalf("%q\nread as %+v (%v)\nwant    %+v", reply, p, got.Problem, want)
		}
		if said := want.action != "" || want.final != ""; said != (got.Problem == nil) {
			t.Fatalf("%q has the problem %v", reply, got.Problem)
		}
	})
}
