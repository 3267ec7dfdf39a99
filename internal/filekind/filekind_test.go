package filekind_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-5817661a/concur/internal/filekind"
)

func TestOfYAML(t *testing.T) {
	for text, want := range map[string]string{
		"prompts: [a]\nproviders: [b]\ntests: []":               "a configuration of promptfoo",
		"model: offline:reader\nk: 3":                           "a configuration of concur",
		"base: {k: 3}\nmatrix: {k: [1, 3]}":                     "an ablation",
		"schema: concur/run/v1\nrun: a":                         "the manifest of a run",
		`{"schema": "concur/summary/v1", "configurations": []}`: "the summary of a run",
		`{"schema": "concur/baseline/v2"}`:                      "a baseline",
		"queries: []\ntools: []":                                "a dataset",
		"- {id: a, query: b, gold: {}}":                         "a dataset",
		"- {question: a, answer: b}":                            "a dataset",
		"- {question: a, answers: [b], gold: c}":                "a file of recorded answers",
		"- {messages: []}":                                      "a file of chats",
		"- {model: a}":                                          "", // no configuration is a list
		"a: [":                                                  "", "": "", "text": "", "[]": "", "{}": "", "schema: other/v1": "",
	} {
		if kind, found := filekind.OfYAML([]byte(text)); kind.What != want || found != (want != "") {
			t.Errorf("%q is %q, want %q", text, kind.What, want)
		}
	}
}

func TestIsConfiguration(t *testing.T) {
	for text, want := range map[string]bool{
		"model: offline:reader": true, "k: 1\ntests: [{query: a}]": true, "tests: [{query: a, gold: {}}]": true,
		"kk: 1\ntests: [{question: a}]": true, "agent: {}\ntests: [{vars: {a: b}}]": true,
		"tests: [{vars: {a: b}}]": false, "tests: [{assert: []}]": false, "tests: []": false, "tests: a.csv": false, "tests: [a]": false,
		"prompts: [a]\ntests: [{query: a}]": false, "- {query: a, gold: {}}": false, "tests: [": false, "": false,
	} {
		if got := filekind.IsConfiguration([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestSays(t *testing.T) {
	kind, _ := filekind.Of("concur/results/v1", nil, true)
	if got, want := kind.Says("runs/a/results.jsonl"), "this is a results file of a run; the command for it is: concur report runs/a"; filepath.ToSlash(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOfFile(t *testing.T) {
	for path, text := range map[string]string{
		"q.csv": "question,answer\n", "q.tsv": "", "q.JSONL": "{\"question\": \"a\", \"answer\": \"b\"}\n{\"question\": 1}\n", "q.yaml": "- {query: a, gold: {}}",
	} {
		if kind, found := filekind.OfFile(path, []byte(text)); !found || kind.What != filekind.Dataset {
			t.Errorf("%s is %q, want a dataset", path, kind.What)
		}
	}
}

// The presets of ablations are found to be ablations, the built-in sets datasets, whatever they hold.
func TestOwnFiles(t *testing.T) {
	for pattern, want := range map[string]string{
		"../../ablations/presets/*.yaml": "an ablation", "../../datasets/builtin/*.yaml": filekind.Dataset,
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) < 5 {
			t.Fatalf("%d files of %s, error %v", len(files), pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if kind, _ := filekind.OfYAML(data); kind.What != want {
				t.Errorf("%s is %q, want %q", file, kind.What, want)
			}
		}
	}
}

func TestOfPath(t *testing.T) {
	for name, text := range map[string]string{"q.xlsx": "PK\x03\x04rest", "q.xls": "\xD0\xCF\x11\xE0", "nothing": ""} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want := filekind.Workbook
		if text == "" {
			want = ""
		}
		if kind, found := filekind.OfPath(path); kind.What != want || found != (want != "") {
			t.Errorf("%s is %q, want %q", name, kind.What, want)
		}
	}
	if _, found := filekind.OfPath("nowhere"); found {
		t.Error("a file that is not there has a kind")
	}
	kind, _ := filekind.OfPath("../../datasets/testdata/small.yaml")
	if kind.What != filekind.Dataset || !kind.IsFor("run") || kind.IsFor("import") {
		t.Errorf("a dataset is %q", kind.What)
	}
}
