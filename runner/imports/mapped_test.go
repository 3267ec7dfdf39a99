package imports_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/imports"
)

// written returns the path of a new file with a text.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const rows = `{"task": {"n": 1, "q": "2+3?"}, "out": ["5"], "ok": "PASS", "m": "openai/gpt-4o"}
{"task": {"n": 1, "q": "2+3?"}, "out": ["6"], "ok": false, "m": "openai/gpt-4o"}
{"task": {"n": 2, "q": "7*8?"}, "out": ["56"], "ok": 1.0, "m": "openai/gpt-4o"}
{"task": {"n": 2, "q": "7*8?"}, "out": ["54"], "ok": 0.4, "m": "openai/gpt-4o"}
`

// TestMapping checks that rows of any form are read by the paths of their fields: as lines, as a list, and as
// a list in an object.
func TestMapping(t *testing.T) {
	list := "[" + strings.Join(strings.Split(strings.TrimSpace(rows), "\n"), ",\n") + "]"
	const fields = "id=task.n,query=task.q,output=out.0,verdict=ok,model=m"
	for name, c := range map[string]struct{ file, text, mapping string }{
		"lines":               {"r.jsonl", rows, fields},
		"a mark of a BOM":     {"r.jsonl", "\uFEFF" + rows, fields},
		"a list":              {"r.json", list, fields},
		"a list in an object": {"r.json", `{"meta": {}, "all": {"results": ` + list + `}}`, fields + ",rows=all.results"},
		"a file":              {"r.jsonl", rows, written(t, "map.yaml", "id: task.n\nquery: task.q\noutput: out.0\nverdict: ok\nmodel: m\n")},
	} {
		m, err := imports.ReadMapping(c.mapping)
		if err != nil {
			t.Fatal(err)
		}
		l, err := imports.OpenMapped(written(t, c.file, c.text), m)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff([]string{"openai/gpt-4o: 2 traces correct, 1 incorrect, 1 unscored, 0 lost", "1 row has a verdict that is neither right nor wrong, or none: it is unscored"}, append(l.Counts(), l.Notes...)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		want := []string{
			"openai/gpt-4o 1: 6 (tie) incorrect by import, traces cor inc",
			"openai/gpt-4o 2: 56 (tie) correct by import, traces cor uns",
		}
		if d := cmp.Diff(want, lines(t, saved(t, l))); d != "" || l.Name != "r" || l.Rows[0].Model != "openai:gpt-4o" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestMappedConversations checks that a conversation with a simulated user is one trace, and that the trials
// of a task are its traces.
func TestMappedConversations(t *testing.T) {
	const trial = `{"task_id": "a", "log": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"},
		{"role": "user", "content": "Cancel it"}, {"role": "assistant", "content": "Done"}], "r": 1}`
	m, err := imports.ReadMapping("id=task_id,messages=log,verdict=r")
	if err != nil {
		t.Fatal(err)
	}
	l, err := imports.OpenMapped(written(t, "x.json", "["+trial+","+trial+","+strings.Replace(trial, `"r": 1`, `"r": 0`, 1)+"]"), m)
	if err != nil {
		t.Fatal(err)
	}
	if n := l.Rows[0].Traces["a"]; len(l.Queries) != 1 || l.Queries[0].Text != "Hi" || len(n) != 3 || n[0].Steps != 2 || n[0].Message != "Done" {
		t.Errorf("%+v of %+v", n, l.Queries)
	}
}

func TestBadMappings(t *testing.T) {
	for text, want := range map[string]string{
		"query=q,output":           `"output": write FIELD=PATH once for each field`,
		"query=q,query=r,output=o": `"query=r": write FIELD=PATH once`,
		"query=q,ouput=o":          `no field "ouput" is read: did you mean "output"?`,
		"query=q":                  "it has neither output nor messages",
		"output=o":                 "it has neither query nor messages",
		"nothing.yaml":             "nothing.yaml",
	} {
		if _, err := imports.ReadMapping(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for _, c := range []struct{ mapping, text, want string }{
		{"query=q,output=o", "", "the file is empty"},
		{"query=q,output=o", `{"q": "a", "o": "b"}` + "\n" + `{"q": `, "after row 1: "},
		{"query=q,output=o", `{"o": "b"}`, `row 1: its question is missing: the field "q" is empty; give its path as query`},
		{"query=q,output=o", `[{"q": "a"}, 3]`, "row 2: it is not an object"},
		{"query=q,output=o,rows=x.y", `{"x": []}`, `the file has no field "x.y"`},
		{"messages=m", `{"m": "hi"}`, `row 1: its field "m" is not a list of messages`},
	} {
		m, err := imports.ReadMapping(c.mapping)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = imports.OpenMapped(written(t, "x.json", c.text), m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestUnknownFilesAreShown checks that the error for a file of an unknown format describes the contents,
// names the most similar format, and says what to do.
func TestUnknownFilesAreShown(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.json", `{"a": 1}`, `unknown format, one object with "a", 8 B: add --mapping query=FIELD,output=FIELD,verdict=FIELD`},
		{"a.json", `[{"question": "q", "response": "r", "score": 1, "x": {"y": [1, 2]}, "z": 1}]`, `unknown format, objects with "question", "response", "score", "x" and 1 more, 76 B: add --mapping query=question,output=response,verdict=score`},
		{"a.jsonl", "{\"question\": \"q\"}\n{\"question\": \"r\"}\n", `unknown format, objects with "question", 36 B: add --mapping query=question`},
		{"a.json", `[{"task_id": 1, "traj": [], "trial": 0}]`, `it resembles tau-bench's results: add --from tau`},
		{"a.jsonl", `{"run_id": "r", "sample_id": "s", "type": "match", "data": {}}`, `it resembles a log of OpenAI evals: add --from openai-evals`},
		{"a.json", `{"results": {"x": 1}, "config": {}}`, `it resembles promptfoo's results: add --from promptfoo`},
		{"a.json", `{"results": "` + strings.Repeat("x", 2<<20) + `"}`, `unknown format, one object with "results", 2 MiB: add --mapping rows=results`},
		{"a.json", `"text"`, `it has no JSON objects (6 B): give a file of results as JSON or JSONL`},
		{"a.txt", "hello\n", "it has no JSON objects (6 B)"},
		{"a.json", "[]", "it has no JSON objects (2 B)"},
	} {
		_, err := imports.Open(written(t, c.name, c.text), "", "")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text[:min(len(c.text), 80)], err, c.want)
		}
	}
}
