package imports_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/imports"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// saved imports a file and returns its run.
func saved(t *testing.T, l *imports.Log) *store.Run {
	t.Helper()
	dir, err := l.Save(t.Context(), t.TempDir(), map[string]string{"concur": "test"}, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	run, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// lines returns the records of a run in a short form.
func lines(t *testing.T, run *store.Run) []string {
	t.Helper()
	records, err := run.Sorted()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range records {
		var grades []string
		for _, a := range r.Answers {
			grades = append(grades, string(a.Verdict)[:3])
		}
		answer := string(r.Consensus.Outcome)
		if r.Consensus.Answer != nil {
			answer = *r.Consensus.Answer
		}
		out = append(out, fmt.Sprintf("%s %s: %s (%s) %s by %s, traces %s", r.Configuration, r.Query, answer, r.Consensus.Method, r.Verdict.Verdict, r.Verdict.By, strings.Join(grades, " ")))
	}
	return out
}

// TestFilesOfTheTools reads files that the tools themselves wrote. The tools printed these results: promptfoo
// 11 passed, 1 failed, 6 errors; Inspect an accuracy of 2/3 over 11 of 12 samples, 7 of which were right.
func TestFilesOfTheTools(t *testing.T) {
	inspect := []string{
		"mockllm/model 1: 2 (exact) correct by import, traces cor cor cor",
		"mockllm/model broken: 42 (majority) correct by import, traces cor uns cor",
		"mockllm/model capital: Paris (majority) correct by import, traces cor inc cor",
		"mockllm/model x-y-z: abstained (exact) incorrect by import, traces inc inc inc",
	}
	inspectCounts := []string{"mockllm/model: 7 traces correct, 4 incorrect, 0 unscored, 1 lost"}
	for file, want := range map[string]struct{ tool, counts, records []string }{
		"promptfoo-0.123.1.json": {
			[]string{"promptfoo 0.123.1"},
			[]string{"mine, Answer: {{q}}: 5 traces correct, 1 incorrect, 0 unscored, 3 lost", "mine, {{q}}: 6 traces correct, 0 incorrect, 0 unscored, 3 lost"},
			[]string{
				"mine, Answer: {{q}} capital: Paris (majority) correct by import, traces cor cor inc",
				"mine, Answer: {{q}} test-2: It is 2 (exact) correct by import, traces cor cor cor",
				"mine, Answer: {{q}} test-3: infra (none) unscored by infra, traces uns uns uns",
				"mine, {{q}} capital: Paris (exact) correct by import, traces cor cor cor",
				"mine, {{q}} test-2: It is 2 (exact) correct by import, traces cor cor cor",
				"mine, {{q}} test-3: infra (none) unscored by infra, traces uns uns uns",
			},
		},
		"inspect-0.3.285.eval": {[]string{"inspect_ai 0.3.285"}, inspectCounts, inspect},
		"inspect-0.3.285.json": {[]string{"inspect_ai 0.3.285"}, inspectCounts, inspect},
	} {
		t.Run(file, func(t *testing.T) {
			l, err := imports.Open(filepath.Join("testdata", file), "", "")
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want.tool[0], l.Tool); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(want.counts, l.Counts()); d != "" {
				t.Error(d)
			}
			run := saved(t, l)
			if d := cmp.Diff(want.records, lines(t, run)); d != "" {
				t.Error(d)
			}
			if _, err := ablations.Summarize(run.Manifest, run.Records(), "", ablations.Options{}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestChats(t *testing.T) {
	l, err := imports.Open("testdata/chats.jsonl", "", "")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"1 conversation has no gold: name a dataset with --dataset to judge it"}, l.Notes); d != "" {
		t.Error(d)
	}
	run := saved(t, l)
	got := lines(t, run)
	if len(got) != 2 || !strings.Contains(got[0], ": Paris (majority)") || !strings.Contains(got[0], "unscored by gold") {
		t.Errorf("%q", got)
	}
	steps := 0
	for e, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if e.Query == "sum" && e.Trace == 0 {
			steps++
		}
	}
	if steps != 3 { // action, observation, end
		t.Errorf("%d events of the first trace", steps)
	}
	if err := l.Judge(datasets.New("d", []datasets.Query{{ID: "sum", Category: "c"}})); err == nil || !strings.Contains(err.Error(), "What-is-the-capital-of-France") {
		t.Errorf("a query that the dataset does not have: %v", err)
	}
	judged := datasets.New("d", []datasets.Query{{ID: "sum", Category: "c"}, {ID: "What-is-the-capital-of-France", Category: "c", Text: "What is the capital of France?"}})
	if err := l.Judge(judged); err != nil || len(l.Notes) > 0 {
		t.Errorf("%v; a dataset judges, and the notes are %q", err, l.Notes)
	}
}

// TestThoughts checks that a thought is not a message, even without an end, and that no answer is read in it.
func TestThoughts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chats.jsonl")
	line := `{"id": "sum", "messages": [{"role": "user", "content": "What is 1 + 1?"}, {"role": "assistant", "content": %q}]}` + "\n"
	content := fmt.Sprintf(line, "<think>Answer: 3? Let me") + fmt.Sprintf(line, "<think>3?</think>Answer: 2")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := imports.Open(path, "", "")
	if err != nil {
		t.Fatal(err)
	}
	records, err := saved(t, l).Sorted()
	if err != nil {
		t.Fatal(err)
	}
	a := records[0].Answers
	if len(a) != 2 || a[0].Outcome != trace.NoAnswer || a[1].Answer == nil || *a[1].Answer != "2" {
		t.Errorf("%+v", a)
	}
}

// TestTraceArrays reads a file that was written by hand: trace arrays with the fields of trace.jsonl and with
// other common names for them, an event with another name, a tool's error, and an empty array.
func TestTraceArrays(t *testing.T) {
	l, err := imports.Open("testdata/traces.jsonl", "", "")
	if err != nil {
		t.Fatal(err)
	}
	notes := []string{"1 event of a trace is neither thought, action, observation nor final: it is left out"}
	if d := cmp.Diff(notes, l.Notes); d != "" {
		t.Error(d)
	}
	run := saved(t, l)
	if d := cmp.Diff([]string{"default sum: 2 (majority) correct by gold, traces cor cor inc"}, lines(t, run)); d != "" {
		t.Error(d)
	}
	var events []string
	for e, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		switch b := e.Body.(type) {
		case trace.Action:
			events = append(events, fmt.Sprintf("%d.%d %s %s", e.Trace, e.Step, b.Name, b.Input))
		case trace.Observation:
			events = append(events, fmt.Sprintf("%d.%d %s %v", e.Trace, e.Step, b.Output, b.Error != nil))
		case trace.Conclusion:
			events = append(events, fmt.Sprintf("%d %d steps, %d calls", e.Trace, b.Steps, b.ToolCalls))
		}
	}
	slices.Sort(events)
	if d := cmp.Diff([]string{
		`0 2 steps, 1 calls`, `0.0 calc {"expression":"1 + 1"}`, `0.0 {"result":"2"} false`,
		`1 2 steps, 1 calls`, `1.0 calc "1 +"`, `1.0 null true`, `2 0 steps, 0 calls`,
	}, events); d != "" {
		t.Error(d)
	}
}

func TestJudgeByDataset(t *testing.T) {
	l, err := imports.Open("testdata/inspect-0.3.285.json", "", "")
	if err != nil {
		t.Fatal(err)
	}
	var queries []datasets.Query
	for _, q := range l.Queries {
		q.Gold.Answer, q.Gold.Aliases, q.Gold.None = "Lyon", nil, false
		queries = append(queries, q)
	}
	if err := l.Judge(datasets.New("d", queries)); err != nil {
		t.Fatal(err)
	}
	records, err := saved(t, l).Sorted()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if r.Verdict.Verdict == judge.Correct || r.Verdict.By != judge.ByGold && r.Verdict.By != judge.ByInfra {
			t.Errorf("%s: %+v", r.Query, r.Verdict)
		}
	}
}

// Calls that a format does not record are not compared, and a note says so.
func TestExpectedCalls(t *testing.T) {
	for file, want := range map[string]int{"testdata/chats.jsonl": 2, "testdata/promptfoo-0.123.1.json": 0} {
		l, err := imports.Open(file, "", "")
		if err != nil {
			t.Fatal(err)
		}
		queries := slices.Clone(l.Queries)
		queries[0].Expects = &datasets.Expects{Tools: []datasets.ExpectedCall{{Name: "add"}}}
		if err := l.Judge(datasets.New("d", queries)); err != nil {
			t.Fatal(err)
		}
		records, err := saved(t, l).Sorted()
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for _, r := range records {
			for _, a := range r.Answers {
				if a.Calls != nil {
					compared++
				}
			}
		}
		told := slices.Contains(l.Notes, "1 query expects tool calls, which the file does not record: they are not compared")
		if compared != want || told != (want == 0) {
			t.Errorf("%s: %d traces compared, notes %q", file, compared, l.Notes)
		}
	}
}

func TestBadFiles(t *testing.T) {
	whole, err := os.ReadFile("testdata/inspect-0.3.285.eval")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file string
		text []byte
		want string
	}{
		"cut archive":       {"a.eval", whole[:len(whole)/2], "the file was cut, or is not an .eval"},
		"other archive":     {"a.eval", archive(t, map[string]string{"x.json": "{}"}), "has no header.json"},
		"log of no samples": {"a.eval", archive(t, map[string]string{"_journal/start.json": `{"version": 2, "status": "error", "error": {"message": "no key"}}`}), "it has no samples (status error: no key)"},
		"many epochs":       {"a.json", []byte(`{"version": 2, "eval": {}, "samples": [{"id": 1, "epoch": 2000000000, "messages": []}]}`), "sample 1, epoch 2000000000: there are more than 10000 epochs"},
		"older log":         {"a.json", []byte(`{"version": 1, "eval": {}}`), "it has version 1, and only version 2 can be read"},
		"cut JSON":          {"a.json", []byte(`{"evalId": "x", "results": {`), "read promptfoo's results: unexpected EOF: the file ends too early; copy it again"},
		"other promptfoo":   {"a.json", []byte(`{"evalId": "x", "results": {"version": 2, "results": [{}]}}`), "they have version 2, and only version 3 can be read"},
		"other JSON":        {"a.json", []byte(`{"a": 1}`), "unknown format, one object with \"a\", 8 B: add --mapping"},
		"no JSON":           {"a.jsonl", []byte("{\"messages\": []}\n"), "line 1: it has no message of the user"},
		"cut line":          {"a.jsonl", []byte("{\"messages\": [{\"role\": \"user\", \"content\": \"q\"}]}\n{\"mess"), "line 2: not JSON: it ends too early: close what is open, such as a bracket or a quotation mark; write one object on each line, and copy the file again"},
		"two questions":     {"a.jsonl", []byte("{\"id\": \"a\", \"messages\": [{\"role\": \"user\", \"content\": \"q\"}]}\n{\"id\": \"a\", \"messages\": [{\"role\": \"user\", \"content\": \"r\"}]}\n"), `line 2: line 1 has a different question under the id "a"`},
		"two golds":         {"a.jsonl", []byte("{\"gold\": 1, \"messages\": [{\"role\": \"user\", \"content\": \"q\"}]}\n{\"gold\": 2, \"messages\": [{\"role\": \"user\", \"content\": \"q\"}]}\n"), `line 2: it has the gold "2", but line 1 has "1"`},
		"empty":             {"a.jsonl", nil, "the file is empty"},
		"unknown score":     {"b.eval", whole, `it has no score "f1"; it has includes, match: choose one with --score`},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.file)
			if err := os.WriteFile(path, c.text, 0o600); err != nil {
				t.Fatal(err)
			}
			score := ""
			if name == "unknown score" {
				score = "f1"
			}
			if _, err := imports.Open(path, "", score); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestZipBomb reads 300 KB that unpack to more than the limit of a sample.
func TestZipBomb(t *testing.T) {
	bomb := archive(t, map[string]string{
		"header.json": `{"version": 2, "status": "success"}`, "samples/1_epoch_1.json": strings.Repeat(" ", 65<<20),
	})
	_, err := imports.InspectEval(bytes.NewReader(bomb), int64(len(bomb)), "")
	if err == nil || !strings.Contains(err.Error(), "samples/1_epoch_1.json: it unpacks to more than 64 MiB") {
		t.Errorf("got %v", err)
	}
}

// archive returns a ZIP archive of files.
func archive(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range files {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func FuzzOpen(f *testing.F) {
	for _, name := range []string{"promptfoo-0.123.1.json", "inspect-0.3.285.json", "lm-eval-0.4.13.jsonl", "lm-eval-0.4.13-choice.jsonl", "tau2.json", "chats.jsonl", "traces.jsonl"} {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Add([]byte("\n \n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, format := range imports.Formats() {
			l, err := imports.Read(bytes.NewReader(raw), format, "")
			switch {
			case err == nil && len(l.Rows) == 0:
				t.Errorf("%s: %q was read, and holds nothing", format, raw)
			case err != nil && (strings.HasSuffix(err.Error(), "EOF") && !errors.Is(err, io.ErrUnexpectedEOF) || !utf8.ValidString(err.Error())):
				t.Errorf("%s: %q: the error %q says nothing that helps", format, raw, err)
			}
		}
	})
}

// A file without a value is empty in every format, whatever white space it has.
func TestEmptyFiles(t *testing.T) {
	for _, format := range imports.Formats() {
		for _, text := range []string{"", "\n", " \t\r\n\n"} {
			if _, err := imports.Read(strings.NewReader(text), format, ""); err == nil || !strings.Contains(err.Error(), "the file is empty; write it again") {
				t.Errorf("%s, %q: %v", format, text, err)
			}
		}
	}
}

func Example() {
	l, err := imports.Open("testdata/inspect-0.3.285.eval", "inspect", "match")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Tool, l.Counts())
	// Output:
	// inspect_ai 0.3.285 [mockllm/model: 7 traces correct, 4 incorrect, 0 unscored, 1 lost]
}

// Assertions that many tests have are listed once, with the numbers of the tests.
func TestLossesOfManyTests(t *testing.T) {
	var results []string
	for i := range 9 {
		kind := "javascript"
		if i == 3 {
			kind = "equals"
		}
		results = append(results, fmt.Sprintf(`{"testIdx": %d, "vars": {"q": "%[1]d"}, "success": true, "provider": {"id": "p"},
			"testCase": {"assert": [{"type": %q, "value": "x"}]}, "response": {"output": "\u001b[2Jx"}}`, i, kind))
	}
	l, err := imports.Read(strings.NewReader(`{"results": {"version": 3, "results": [`+strings.Join(results, ",")+`]}}`),
		"promptfoo", "")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{
		"p: 9 traces correct, 0 incorrect, 0 unscored, 0 lost",
		"not converted: javascript of 8 tests (1–3, 5–9): runs code in promptfoo's own form: write a program for the check exec",
		"without checks: 8 tests (1–3, 5–9): has no assertion with a counterpart",
		"1 of 9 tests can be judged by concur: concur rejudge latest-import",
		"checks and promptfoo have the same verdict on 0 of 1 message; first difference: trace 0 of test-4, p: " +
			`correct by promptfoo (promptfoo's assertions hold), incorrect by checks (check 1, equals "x": the message is not "x")`,
	}, l.Lines()); d != "" {
		t.Error(d)
	}
}
