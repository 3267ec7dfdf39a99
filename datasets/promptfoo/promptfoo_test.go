package promptfoo_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/promptfoo"
)

var update = flag.Bool("update", false, "write the golden files")

// Every configuration converts, or its assertions are listed; the golden file beside it has both.
func TestConfigurations(t *testing.T) {
	files, err := filepath.Glob("testdata/*/[0-9]*.yaml")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d configurations: %v", len(files), err)
	}
	named := map[string]bool{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`type: "?([a-z][a-z0-9:-]*)`).FindAllSubmatch(raw, -1) {
			named[strings.TrimPrefix(string(m[1]), "not-")] = true
		}
		read, err := promptfoo.Read(file, promptfoo.Options{})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		got := string(read.JSONL)
		for _, f := range read.Losses {
			got += "not converted: " + filepath.ToSlash(f.String()) + "\n"
		}
		for _, f := range read.LeftOut {
			got += "left out: " + filepath.ToSlash(f.String()) + "\n"
		}
		golden := strings.TrimSuffix(file, ".yaml") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		if read.Count == 0 {
			continue
		}
		loaded := filepath.Join(t.TempDir(), "queries.jsonl")
		if err := os.WriteFile(loaded, read.JSONL, 0o600); err != nil {
			t.Fatal(err)
		}
		if d, err := datasets.Load(loaded); err != nil || len(d.Queries) != read.Count {
			t.Errorf("%s: the queries do not load: %v", file, err)
		}
	}
	all, _ := promptfoo.Types()
	for _, name := range all {
		if !named[name] {
			t.Errorf("no configuration has the assertion %s", name)
		}
	}
}

// A cell of a table is read as promptfoo reads it.
func TestCells(t *testing.T) {
	for cell, want := range map[string]string{
		"Paris":                     `{"equals":"Paris"}`,
		"contain: Paris":            `{"equals":"contain: Paris"}`,
		"equals: 4":                 `{"equals":"4"}`,
		"contains:a:b":              `{"contains":"a:b"}`,
		"not-contains-any:a, b":     `{"not_contains_any":["a","b"]}`,
		"similar:near":              `{"similar":"near","threshold":0.8}`,
		"similar(0.95):near":        `{"similar":"near","threshold":0.95}`,
		"similar:cosine:near":       `{"similar":"cosine:near","threshold":0.8}`,
		"latency(1500)":             `{"max_seconds":1.5}`,
		"cost(0.002)":               `{"max_usd":0.002}`,
		"is-json":                   `{"is_json":true}`,
		`is-json:{"type":"object"}`: `{"is_json":{"type":"object"}}`,
		"grade: is polite":          `condition: is polite`,
		"llm-rubric: is polite":     `condition: is polite`,
		"fn: output.length":         `javascript`,
		"javascript: true":          `javascript`,
		"eval: true":                `javascript`,
		"python: len(output)":       `python`,
		"file://check.py:f":         `python`,
		"file://check.js":           `javascript`,
		"rouge-n(0.6):text":         `rouge-n`,
		"select-best:the shortest":  `{"equals":"select-best:the shortest"}`,
		"trajectory:tool-used:find": `trajectory:tool-used`,
	} {
		file := filepath.Join(t.TempDir(), "t.csv")
		text := fmt.Sprintf("question,__expected\nWhich?,\"%s\"\n", strings.ReplaceAll(cell, `"`, `""`))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		read, err := promptfoo.Read(file, promptfoo.Options{})
		if err != nil {
			t.Errorf("%s: %v", cell, err)
			continue
		}
		got := string(read.JSONL)
		switch _, check, has := strings.Cut(got, `"checks":[`); {
		case has:
			got = strings.TrimSuffix(check, "]}\n")
		case len(read.Losses) > 0:
			got = read.Losses[0].What
		default:
			_, got, _ = strings.Cut(got, `"gold":{"condition":"`)
			got = "condition: " + strings.TrimSuffix(got, "\"}}\n")
		}
		if got != want {
			t.Errorf("%s is %s, want %s", cell, got, want)
		}
	}
}

// The tests of results are converted as those of a configuration are.
func TestResultTest(t *testing.T) {
	for _, c := range []struct{ test, checks, lost, leftOut string }{
		{`{"assert": [{"type": "equals", "value": "{{w}}\ud83d\ude00"}]}`, `[{"equals":"Oslo😀"}]`, "", ""},
		{`{"assert": [{"type": "latency", "threshold": 1500}, {"type": "cost", "threshold": 1e-3}]}`,
			`[{"max_seconds":1.5},{"max_usd":0.001}]`, "", ""},
		{`{"threshold": 0.5, "assert": [{"type": "not-contains", "value": "x", "weight": 2}, {"type": "contains", "value": 12}]}`,
			`[{"all":[{"not_contains":"x","weight":2},{"contains":"12"}],"threshold":0.5}]`, "", ""},
		{`{"options": {"transform": "output.x"}, "assert": [{"type": "contains", "value": "file://a/w.txt"}]}`,
			`[{"contains":"Oslo"}]`, "", ""},
		{`{"assert": [{"type": "is-json", "value": {"maximum": 12345678901234567890}}, {"type": "nothing"}]}`,
			`[{"is_json":{"maximum":12345678901234567890}}]`, "nothing is no type", ""},
		{`{"assert": [{"type": "contains", "value": "file:///etc/hostname"}]}`, `null`, "/etc/hostname", "no assertion with a counterpart"},
		{`{"assert": [{"type": "contains", "value": "file://../w.txt"}]}`, `null`, "../w.txt", "no assertion with a counterpart"},
		{`{"assert": [{"type": "contains", "value": "file://large.txt"}]}`, `null`, "at most 64 KiB", "no assertion with a counterpart"},
		{`{"assert": [{"type": "contains", "value": "x", "weight": 0}]}`, `null`, "", "every output passes"},
		{`{"assert": [{"type": "contains", "value": "x"}], "threshold": "a"}`, `null`, "", "its threshold is not a number"},
		{`{"assert": "x"}`, `null`, "is not a list", "no assertion with a counterpart"},
		{`{"vars": {}}`, `null`, "", "has no assertions"},
	} {
		got, err := promptfoo.ResultTest{Test: json.RawMessage(c.test), Vars: map[string]any{"w": "Oslo"},
			Beside: fstest.MapFS{"a/w.txt": {Data: []byte("Oslo\n")}, "large.txt": {Data: make([]byte, 64<<10+1)}}}.Judging()
		if err != nil {
			t.Errorf("%s: %v", c.test, err)
			continue
		}
		checks, err := json.Marshal(got.Checks)
		if err != nil {
			t.Fatal(err)
		}
		lost := ""
		for _, f := range got.Losses {
			lost += f.What + " " + f.Why + "\n"
		}
		if string(checks) != c.checks || !strings.Contains(lost, c.lost) || (lost == "") != (c.lost == "") ||
			!strings.Contains(got.LeftOut, c.leftOut) || (got.LeftOut == "") != (c.leftOut == "") {
			t.Errorf("%s: checks %s, lost %q, left out %q", c.test, checks, lost, got.LeftOut)
		}
	}
	if _, err := (promptfoo.ResultTest{Test: json.RawMessage(`{"assert": `)}).Judging(); err == nil {
		t.Error("half a test is read")
	}
}
