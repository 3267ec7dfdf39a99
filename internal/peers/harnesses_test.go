//go:build peers

package peers

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The versions of other harnesses whose results are imported; docs/import.md names them.
const (
	promptfoo = "promptfoo@0.123.1"
	inspect   = "inspect-ai==0.3.285"
)

// newHarness is a bench with what the harnesses evaluate.
func newHarness(t *testing.T) bench {
	t.Helper()
	b := bench{dir: t.TempDir(), most: agentTime}
	b.copy(t, filepath.Join("testdata", "harnesses"), ".")
	b.build(t)
	return b
}

// counts are those that concur import prints of the traces of a file.
type counts struct{ correct, incorrect, unscored, infra int }

var ofTraces = regexp.MustCompile(`(?m)^import: .*: (\d+) traces correct, (\d+) incorrect, (\d+) unscored, (\d+) lost$`)

// imports imports a file, and gives the sum of its rows and the name of its run.
func (b bench) imports(t *testing.T, args ...string) (sum counts, run string) {
	t.Helper()
	stdout, stderr, code := b.run(t, nil, b.concur, append([]string{"import"}, args...)...)
	into := regexp.MustCompile(`(?m)^import: .* into (.*)$`).FindStringSubmatch(stderr)
	if code != 0 || into == nil {
		t.Fatalf("import %s: exit code %d\n%s%s", args, code, stderr, stdout)
	}
	for _, m := range ofTraces.FindAllStringSubmatch(stderr, -1) {
		for i, n := range []*int{&sum.correct, &sum.incorrect, &sum.unscored, &sum.infra} {
			*n += number(t, m[i+1])
		}
	}
	return sum, into[1]
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPromptfoo evaluates with promptfoo, two prompts and three repeats, and imports that.
func TestPromptfoo(t *testing.T) {
	b := newHarness(t)
	b.takeNode(t)
	b.npm(t, "install", promptfoo)
	env := []string{"PROMPTFOO_DISABLE_TELEMETRY=1", "PROMPTFOO_DISABLE_UPDATE=1", "PROMPTFOO_CONFIG_DIR=" + filepath.Join(b.dir, "promptfoo")}
	main := filepath.Join(b.dir, "node_modules", "promptfoo", "dist", "src", "main.js")
	printed, stderr, code := b.run(t, env, b.node, main, "eval", "--repeat", "3", "--no-cache", "--max-concurrency", "1", "--no-table", "--output", "results.json")
	figure := func(of string) int {
		m := regexp.MustCompile(`(\d+) ` + of).FindStringSubmatch(printed)
		if m == nil {
			t.Fatalf("promptfoo ended with %d and printed no number of %s:\n%s%s", code, of, printed, stderr)
		}
		return number(t, m[1])
	}
	want := counts{correct: figure("passed"), incorrect: figure("failed"), infra: figure("errors")}
	got, run := b.imports(t, "results.json")
	t.Logf("promptfoo printed %+v", want)
	if got != want || want.correct == 0 || want.incorrect == 0 || want.infra == 0 {
		t.Errorf("imported %+v, promptfoo printed %+v", got, want)
	}
	matches(t, b.prints(t, 0, nil, "report", "latest-import", "--format", "csv"), `^"?mine, Answer: \{\{q\}\}`, `^"?mine, \{\{q\}\}`)
	_, again := b.imports(t, "results.json")
	matches(t, b.prints(t, 0, nil, "compare", run, again), `^A: mine, \{\{q\}\}`, `^B: mine, \{\{q\}\}`)
	b.judgesAlike(t, env, main)
}

// TestInspect evaluates with Inspect AI, three epochs of a mock of a model, and imports that.
func TestInspect(t *testing.T) {
	b := newHarness(t)
	b.venv(t, inspect)
	printed, stderr, code := b.run(t, nil, filepath.Join(b.dir, "venv", "bin", "python"), "task.py", "logs")
	if code != 0 {
		t.Fatalf("Inspect ended with %d\n%s%s", code, printed, stderr)
	}
	runs := map[string]string{}
	for line := range strings.Lines(printed) {
		var of struct {
			How, Log                               string
			Samples, Completed, Correct, Incorrect int
			Accuracy                               float64
		}
		if err := json.Unmarshal([]byte(line), &of); err != nil {
			t.Fatalf("task.py printed %q: %v", line, err)
		}
		want := counts{correct: of.Correct, incorrect: of.Incorrect, infra: of.Samples - of.Completed}
		got, run := b.imports(t, strings.TrimPrefix(of.Log, "file://"))
		t.Logf("%s: Inspect has %+v, an accuracy of %.3f", of.How, want, of.Accuracy)
		if got != want || want.correct == 0 || want.incorrect == 0 || (want.infra > 0) != (of.How == "failing") {
			t.Errorf("%s: imported %+v, Inspect has %+v", of.How, got, want)
		}
		runs[of.How] = run
		if accuracy := b.accuracy(t, run); math.Abs(accuracy-of.Accuracy) > 1e-9 {
			t.Errorf("%s: an accuracy of %f, Inspect has %f", of.How, accuracy, of.Accuracy)
		}
	}
	matches(t, b.prints(t, 0, nil, "report", "latest-import"), `^unknown +7 +\[abstained\] +3 +incorrect`)
	matches(t, b.prints(t, 0, nil, "compare", runs["whole"], runs["worse"]), `^A: mockllm/model +3/4`, `^B: mockllm/model +2/4 .*−25 `)
}

// accuracy is that of Inspect: the mean over queries of the share of right epochs.
func (b bench) accuracy(t *testing.T, run string) float64 {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(b.prints(t, 0, nil, "export", run, "--format", "votes"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	query, outcome, verdict := slices.Index(rows[0], "query"), slices.Index(rows[0], "outcome"), slices.Index(rows[0], "verdict")
	right, valid := map[string]float64{}, map[string]float64{}
	for _, row := range rows[1:] {
		if row[outcome] == "infra" {
			continue
		}
		if valid[row[query]]++; row[verdict] == "correct" {
			right[row[query]]++
		}
	}
	sum := 0.0
	for q, n := range valid {
		sum += right[q] / n
	}
	return sum / float64(len(valid))
}
