package datasets_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
)

var advice = regexp.MustCompile("these are records of (.*): " +
	"convert them with `concur datasets convert .* --mapping (.*)`")

// advised returns the mapping that the messages about a loaded file name; "" if there is no such advice.
func advised(t *testing.T, name, text string) string {
	t.Helper()
	d, err := datasets.Load(writeFile(t, name, text))
	said := ""
	if err != nil {
		said = err.Error()
		if n := strings.Count(said, "\n"); n > 1 {
			t.Errorf("%s: an error of %d lines: %s", name, n+1, said)
		}
	} else {
		said = strings.Join(d.Notes, "\n")
	}
	found := advice.FindStringSubmatch(said)
	if found == nil {
		if err != nil && !strings.Contains(said, ":1:") {
			t.Errorf("%s: %v", name, err)
		}
		return ""
	}
	if found[1] != found[2] {
		t.Errorf("the advice has two names: %s", found[0])
	}
	return found[2]
}

// TestAdviceOfConversion: a conversion without a mapping has the same advice.
func TestAdviceOfConversion(t *testing.T) {
	text := `{"_id": "a", "question": "Who?", "answer": "Ann", "type": "bridge"}`
	_, _, err := converted(t, "h.jsonl", text, datasets.Conversion{})
	if err == nil || !advice.MatchString(err.Error()) {
		t.Errorf("no advice: %v", err)
	}
	set := datasets.Conversion{Mapping: mapped(nil, fields{"type": "entity"}, nil)}
	if _, _, err := converted(t, "h.jsonl", text, set); err != nil {
		t.Errorf("with a type of its own: %v", err)
	}
}

// TestAdviceOfMapping also checks that files of other programs get no advice. TestMappings has the other mappings.
func TestAdviceOfMapping(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"humaneval", "h.jsonl", `{"task_id": "HumanEval/0", "prompt": "def f():\n", "entry_point": "f", "test": "\ndef check(f):\n    assert f() == 1\n"}`, "humaneval"},
		{"mbpp", "m.json", `[{"task_id": 2, "prompt": "Write f.", "code": "", "test_imports": [], "test_list": ["assert f() == 1"]}]`, "mbpp"},
		{"HotpotQA as a table, with its header wrong", "h.csv", "id,question,answer,type,level\na,Who?,Ann,bridge,hard\n", "hotpotqa"},
		{"many records, one error", "h.jsonl", strings.Repeat(`{"_id": "a", "question": "Who?", "answer": "Ann", "type": "bridge"}`+"\n", 50), "hotpotqa"},
		{"GSM8K as a table", "g.csv", "question,answer\nHow many?,\"2+2\n#### 4\"\n", "gsm8k"},
		{"a name with a space", "my file.csv", "question,answer\nHow many?,\"2+2\n#### 4\"\n", "gsm8k"},
		{"types of concur", "own.csv", "id,question,answer,type,level\na,Who?,Ann,entity,hard\n", ""},
		{"an ordinary table", "own.csv", "question,answer\nWhat is #### in Markdown?,a heading\n", ""},
		{"options, but not those of MMLU", "own.jsonl", `{"question": "Which?", "choices": ["a", "b"], "answer": 1}`, ""},
		{"concur's own form", "own.yaml", "- {id: a, category: b, query: Who?, gold: {answer: Ann}}\n", ""},
	} {
		if got := advised(t, c.file, c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
