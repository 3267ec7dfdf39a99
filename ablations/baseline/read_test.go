package baseline_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
)

// twoRuns is the text of a baseline of two runs: the first line, and then per run a line
// of its own (3 and 10) and one for each of three queries (5, 7, 9 and 11 to 13). Line 2 is
// what the runs were made with, and 4, 6 and 8 what the queries asked.
func twoRuns(t testing.TB) string {
	d := smallSet()
	return encoded(t, accepted(t, d, fullPass(1, d, "++0 +-+ ++!"), fullPass(2, d, "+++ +++ +++")))
}

func TestReadBaselineErrors(t *testing.T) {
	whole := twoRuns(t)
	lines := strings.SplitAfter(strings.TrimSuffix(whole, "\n"), "\n")
	with := func(line int, old, new string) func() string { // lines count from 1
		return func() string {
			l := slices.Clone(lines)
			if !strings.Contains(l[line-1], old) {
				t.Fatalf("line %d has no %q: %s", line, old, l[line-1])
			}
			l[line-1] = strings.Replace(l[line-1], old, new, 1)
			return strings.Join(l, "")
		}
	}
	without := func(line int) func() string {
		return func() string { return strings.Join(slices.Delete(slices.Clone(lines), line-1, line), "") }
	}
	then := func(more string) func() string { return func() string { return whole + more } }
	for name, c := range map[string]struct {
		text func() string
		want string
	}{
		"empty":              {func() string { return " \n" }, "baseline.jsonl: is empty: restore"},
		"another file":       {func() string { return "# hello\n" }, "baseline.jsonl:1: expected {"},
		"no first line":      {without(1), "baseline.jsonl:1: expected {"},
		"newer schema":       {with(1, "v2", "v9"), `baseline.jsonl:1: its schema is "concur/baseline/v9", and this concur reads concur/baseline/v2: update concur`},
		"another schema":     {with(1, "concur/baseline/v2", "concur/results/v1"), "this is not a baseline"},
		"conflict, ours":     {with(7, "{", "<<<<<<< HEAD\n{"), "baseline.jsonl:7: merge conflict: keep both sides"},
		"conflict, middle":   {with(10, "{", "=======\n{"), "baseline.jsonl:10: merge conflict"},
		"conflict, base":     {with(10, "{", "||||||| 0a0b\n{"), "baseline.jsonl:10: merge conflict"},
		"conflict, theirs":   {then(">>>>>>> branch\n"), "baseline.jsonl:14: merge conflict"},
		"cut":                {func() string { return whole[:len(whole)-20] }, "baseline.jsonl:13: the line cannot be read: unexpected end of JSON input"},
		"cut at a line":      {func() string { return strings.Join(lines[:12], "") }, "baseline.jsonl:10: run 20260302T090000-small-0a0b, configuration default has lines of 2 queries, and was over 3: restore the committed file"},
		"broken inside":      {with(5, `"}`, `"`), "baseline.jsonl:5: the line cannot be read: "},
		"two on a line":      {with(5, "}\n", "}{}\n"), "baseline.jsonl:5: the line cannot be read: "},
		"no object":          {with(5, "{", "[{"), "baseline.jsonl:5: the line cannot be read: "},
		"a number":           {then("7\n"), "baseline.jsonl:14: the line cannot be read: json: cannot unmarshal number"},
		"no kind":            {then("{}\n"), `baseline.jsonl:14: unknown kind "": `},
		"unknown kind":       {with(3, `"run"`, `"rum"`), `baseline.jsonl:3: unknown kind "rum": did you mean "run"?`},
		"unknown field":      {with(3, `"seed"`, `"seeds"`), `baseline.jsonl:3: the line cannot be read: json: unknown field "seeds"; if a newer concur wrote it, update concur`},
		"wrong type":         {with(3, `"k":3`, `"k":"3"`), "baseline.jsonl:3: the line cannot be read: json: cannot unmarshal string"},
		"no UTF-8":           {with(3, "offline", "off\xffline"), "baseline.jsonl:3: the line is not UTF-8"},
		"no time":            {with(3, `"start":"2026`, `"start":"soon`), "baseline.jsonl:3: "},
		"no name":            {with(3, `"configuration":"default"`, `"configuration":""`), "baseline.jsonl:3: a run has no name or configuration"},
		"a trace less":       {with(5, `,{"outcome":"no_answer","verdict":"incorrect"}`, ""), "baseline.jsonl:5: query calc-01 of run 20260301T090000-small-0a0b, configuration default has 2 traces, and 1 passes with k=3 make 3"},
		"no question":        {without(4), "the line with the question of query calc-01, hash "},
		"a query less":       {without(7), "baseline.jsonl:3: run 20260301T090000-small-0a0b, configuration default has lines of 2 queries, and was over 3"},
		"no line of the run": {without(10), "baseline.jsonl:10: run 20260302T090000-small-0a0b, configuration default has no line of its own"},
		"run told twice":     {func() string { return whole + strings.Replace(lines[2], `"correct":3`, `"correct":1`, 1) }, "baseline.jsonl:14: another line about run 20260301T090000-small-0a0b"},
		"query told twice":   {func() string { return whole + strings.Replace(lines[4], `"42"`, `"41"`, 1) }, "baseline.jsonl:14: another line about query calc-01 of run 20260301T090000-small-0a0b"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := baseline.Parse("baseline.jsonl", []byte(c.text()))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestReadBaselineTakes(t *testing.T) {
	whole := twoRuns(t)
	lines := strings.SplitAfter(whole, "\n")
	for name, text := range map[string]string{
		"no last line end":  strings.TrimSuffix(whole, "\n"),
		"Windows line ends": strings.ReplaceAll(whole, "\n", "\r\n"),
		"byte order mark":   "\uFEFF" + whole,
		"blank lines":       strings.ReplaceAll(whole, "\n", "\n\n"),
		"every line twice":  whole + whole,
		"a line re-spaced":  whole + strings.Replace(lines[1], `"k":3`, `"k": 3`, 1),
	} {
		if got := encoded(t, parsed(t, text)); got != whole {
			t.Errorf("%s: read as\n%s", name, got)
		}
	}
}

func TestReadBaselineOfNoFile(t *testing.T) {
	if _, err := baseline.Read(filepath.Join(t.TempDir(), "baseline.jsonl")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "concur baseline add") {
		t.Errorf("no file: %v", err)
	}
}

// Two branches that each append a run merge by keeping both sides.
func TestBranchesMerge(t *testing.T) {
	d := smallSet()
	run := map[int]baseline.Pass{1: fullPass(1, d, "++0 +-+ ++!"), 2: fullPass(2, d, "+++ +++ +++"), 3: fullPass(3, d, "+-+ ++- +++"), 4: fullPass(4, d, "+++ --+ +++")}
	text := func(days ...int) string {
		var passes []baseline.Pass
		for _, day := range days {
			passes = append(passes, run[day])
		}
		return encoded(t, accepted(t, d, passes...))
	}
	base, ours, theirs, want := text(1), text(1, 2, 4), text(1, 3, 4), text(1, 2, 3, 4)
	merges := map[string]string{
		"by hand":                     ours + strings.TrimPrefix(theirs, base),
		"of two new files, all twice": ours + theirs,
	}
	if git, err := exec.LookPath("git"); err == nil {
		dir := t.TempDir()
		for name, content := range map[string]string{"base": base, "ours": ours, "theirs": theirs} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(git, "merge-file", "-p", "--union", "ours", "base", "theirs")
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		merges["by git"] = string(out)
	}
	for name, merged := range merges {
		b := parsed(t, merged)
		if got := encoded(t, b); got != want {
			t.Errorf("%s: the merge is written as\n%s", name, got)
		}
		if got, want := b.Pool("default", 2, 3), parsed(t, want).Pool("default", 2, 3); !slices.EqualFunc(got.Items, want.Items, sameItem) {
			t.Errorf("%s: the pool is %+v, want %+v", name, got.Items, want.Items)
		}
	}
}

func sameItem(a, b gate.Item) bool {
	last := *a.Last == *b.Last
	a.Last, b.Last = nil, nil
	return last && cmp.Equal(a, b)
}

func TestOrderOfLinesIsOfNoMatter(t *testing.T) {
	d := smallSet()
	b := accepted(t, d, fullPass(1, d, "++0 +-+ ++!"), fullPass(2, d, "+++ +++ +++"), fullPass(3, d, "+-+ ++- +++"))
	for _, author := range []string{"ann", "bob"} {
		if err := b.Reset(baseline.Reset{Configuration: "default", Time: onDay(2), Author: author, Reason: "meant"}); err != nil {
			t.Fatal(err)
		}
	}
	whole := encoded(t, b)
	lines := strings.SplitAfter(strings.TrimSuffix(whole, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	rapid.Check(t, func(t *rapid.T) {
		shuffled := lines[0] + strings.Join(rapid.Permutation(lines[1:]).Draw(t, "lines"), "")
		b, err := baseline.Parse("", []byte(shuffled))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := b.Encode(); err != nil || string(got) != whole {
			t.Fatalf("%v\n%s", err, got)
		}
	})
}

func FuzzParseBaseline(f *testing.F) {
	whole := twoRuns(f)
	f.Add([]byte(whole))
	f.Add([]byte(whole[:len(whole)-9]))
	f.Add([]byte(whole + `{"kind":"reset","configuration":"default","time":"2026-03-02T09:00:00Z","author":"a","reason":"b","keep":["20260302T090000-small-0a0b"]}`))
	f.Add([]byte(strings.ReplaceAll(whole, "\n", "\n=======\n")))
	f.Add([]byte(`{"schema":"concur/baseline/v2"}` + "\n" + `{"kind":"run","k":1e9}` + "\n[[[["))
	d := smallSet()
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := baseline.Parse("f", text)
		if err != nil {
			return
		}
		first, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := baseline.Parse("f", first)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first)
		}
		if second, err := again.Encode(); err != nil || string(second) != string(first) {
			t.Fatalf("%v\n%s\n%s", err, first, second)
		}
		for _, c := range b.Configurations() {
			p := b.Pool(c, 0, 3)
			_ = p.Evidence(1, 10)
			if now, _, err := p.Regrade(d); err == nil {
				_ = now.Evidence(1, 10)
			}
		}
	})
}
