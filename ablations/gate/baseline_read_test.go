package gate_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// twoRuns is the text of a baseline of two runs: the first line, and then per run a line
// of its own (2 and 6) and one for each of three queries.
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
	reset := `{"kind":"reset","configuration":"default","time":"2026-03-02T09:00:00Z","author":"a","reason":"b","keep":[]}`
	for name, c := range map[string]struct {
		text func() string
		want string
	}{
		"empty":               {func() string { return " \n" }, "baseline.jsonl: is empty: put it back"},
		"another file":        {func() string { return "# hello\n" }, "baseline.jsonl:1: expected the line"},
		"no first line":       {without(1), "baseline.jsonl:1: expected the line"},
		"newer schema":        {with(1, "v1", "v2"), `baseline.jsonl:1: its schema is "concur/baseline/v2", and this concur reads concur/baseline/v1: update concur`},
		"another schema":      {with(1, "concur/baseline/v1", "concur/results/v1"), "this is another file"},
		"conflict, ours":      {with(4, "{", "<<<<<<< HEAD\n{"), "baseline.jsonl:4: merge conflict: keep both sides"},
		"conflict, middle":    {with(6, "{", "=======\n{"), "baseline.jsonl:6: merge conflict"},
		"conflict, base":      {with(6, "{", "||||||| 0a0b\n{"), "baseline.jsonl:6: merge conflict"},
		"conflict, theirs":    {then(">>>>>>> branch\n"), "baseline.jsonl:10: merge conflict"},
		"cut":                 {func() string { return whole[:len(whole)-20] }, "baseline.jsonl:9: the last line is cut off"},
		"broken inside":       {with(3, `"}`, `"`), "baseline.jsonl:3: not a JSON object"},
		"two on a line":       {with(3, "}\n", "}{}\n"), "baseline.jsonl:3: not a JSON object"},
		"no object":           {with(3, "{", "[{"), "baseline.jsonl:3: not a JSON object"},
		"a number":            {then("7\n"), "baseline.jsonl:10: expected a JSON object, found a JSON number"},
		"no kind":             {then("{}\n"), "baseline.jsonl:10: the line has no kind"},
		"unknown kind":        {with(2, `"run"`, `"rum"`), `baseline.jsonl:2: kind "rum": did you mean "run"?`},
		"unknown field":       {with(2, `"seed"`, `"seeds"`), `baseline.jsonl:2: unknown field "seeds"`},
		"wrong type":          {with(2, `"k":3`, `"k":"3"`), "baseline.jsonl:2: k: a JSON string does not fit there"},
		"no UTF-8":            {with(2, "offline", "off\xffline"), "baseline.jsonl:2: the line is not UTF-8"},
		"no time":             {with(2, `"start":"2026`, `"start":"soon`), "baseline.jsonl:2: "},
		"no name":             {with(2, `"configuration":"default"`, `"configuration":""`), "baseline.jsonl:2: configuration is missing or empty"},
		"no traces":           {with(2, `"k":3`, `"k":0`), "baseline.jsonl:2: k is 0"},
		"too many right":      {with(2, `"correct":3`, `"correct":4`), "baseline.jsonl:2: correct is 4 of 3 queries"},
		"other passes":        {with(2, `"passes":[{"run":"2026`, `"passes":[{"run":"2025`), "baseline.jsonl:2: passes must begin with the run itself"},
		"regression let in":   {with(2, `"PASS"`, `"REGRESSION"`), "baseline.jsonl:2: its gate said REGRESSION"},
		"unknown decision":    {with(2, `"PASS"`, `"PASSED"`), `baseline.jsonl:2: decision "PASSED" is not known: did you mean "PASS"?`},
		"unknown verdict":     {with(3, `"verdict":"correct"`, `"verdict":"right"`), `baseline.jsonl:3: trace 0 of query calc-01: unknown verdict "right"`},
		"unknown outcome":     {with(3, `"outcome":"answered"`, `"outcome":"won"`), `baseline.jsonl:3: trace 0 of query calc-01: unknown outcome "won"`},
		"answer of none":      {with(3, `"answer":"42"`, `"answer":null`), "baseline.jsonl:3: trace 0 of query calc-01: outcome answered"},
		"scored failure":      {with(5, `"unscored"`, `"correct"`), "baseline.jsonl:5: trace 2 of query safety-01: a failure of the infrastructure has a verdict"},
		"odd expectation":     {with(5, `"refused"`, `"infra"`), `baseline.jsonl:5: query safety-01 expects "infra"`},
		"a trace less":        {with(3, `,{"outcome":"no_answer","answer":null,"verdict":"incorrect"}`, ""), "baseline.jsonl:3: query calc-01 of run 20260301T090000-small-0a0b has 2 traces, and 1 passes with k=3 make 3"},
		"a query less":        {without(4), "baseline.jsonl:2: run 20260301T090000-small-0a0b has lines of 2 queries, and was over 3 (missing: hop-01)"},
		"no line of the run":  {without(6), "baseline.jsonl:6: run 20260302T090000-small-0a0b has no line of its own, only 3 of queries"},
		"run told twice":      {func() string { return whole + strings.Replace(lines[1], `"correct":3`, `"correct":1`, 1) }, "baseline.jsonl:10: line 2 says something else of run 20260301T090000-small-0a0b"},
		"query told twice":    {func() string { return whole + strings.Replace(lines[2], `"42"`, `"41"`, 1) }, "baseline.jsonl:10: line 3 says something else of query calc-01 of run 20260301T090000-small-0a0b"},
		"pass counted twice":  {with(6, `"seed":2}]`, `"seed":2},{"run":"20260301T090000-small-0a0b","seed":1}]`), "baseline.jsonl:6: the pass 20260301T090000-small-0a0b counts already, on line 2"},
		"reset of nothing":    {then(strings.Replace(reset, `"default"`, `""`, 1) + "\n"), "baseline.jsonl:10: configuration is missing or empty"},
		"reset by nobody":     {then(strings.Replace(reset, `"a"`, `" "`, 1) + "\n"), "baseline.jsonl:10: a reset needs an author and a reason"},
		"reset without time":  {then(strings.Replace(reset, `"2026-03-02T09:00:00Z"`, `null`, 1) + "\n"), "baseline.jsonl:10: time is missing"},
		"reset keeps nothing": {then(strings.Replace(reset, `[]`, `["gone"]`, 1) + "\n"), "baseline.jsonl:10: the reset keeps run gone, which is not here"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := gate.ParseBaseline("baseline.jsonl", []byte(c.text()))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s", err, c.want)
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

func TestBaselineIsReplacedWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.jsonl")
	if _, err := gate.ReadBaseline(path); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "concur baseline add") {
		t.Errorf("no file: %v", err)
	}
	b := parsed(t, twoRuns(t))
	if err := b.Write(path); err != nil {
		t.Fatal(err)
	}
	again, err := gate.ReadBaseline(path)
	if err != nil {
		t.Fatal(err)
	}
	if encoded(t, again) != twoRuns(t) {
		t.Error("it is not what was written")
	}
	if err := b.Write(filepath.Join(path, "beneath")); err == nil || !strings.Contains(err.Error(), "write baseline") {
		t.Errorf("no folder: %v", err)
	}
}

// Two branches that each append a run merge by keeping both sides.
func TestBranchesMerge(t *testing.T) {
	d := smallSet()
	run := map[int]gate.RunPass{1: fullPass(1, d, "++0 +-+ ++!"), 2: fullPass(2, d, "+++ +++ +++"), 3: fullPass(3, d, "+-+ ++- +++"), 4: fullPass(4, d, "+++ --+ +++")}
	text := func(days ...int) string {
		var passes []gate.RunPass
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
		if got, want := b.Pool("default", 2), parsed(t, want).Pool("default", 2); !slices.EqualFunc(got.Items, want.Items, sameItem) {
			t.Errorf("%s: the pool is %+v, want %+v", name, got.Items, want.Items)
		}
	}
}

func sameItem(a, b gate.PoolItem) bool {
	last := *a.Last == *b.Last
	a.Last, b.Last = nil, nil
	return last && a == b
}

func TestOrderOfLinesIsOfNoMatter(t *testing.T) {
	d := smallSet()
	b := accepted(t, d, fullPass(1, d, "++0 +-+ ++!"), fullPass(2, d, "+++ +++ +++"), fullPass(3, d, "+-+ ++- +++"))
	for _, author := range []string{"ann", "bob"} {
		if err := b.Reset(gate.Reset{Configuration: "default", Time: onDay(2), Author: author, Reason: "meant"}); err != nil {
			t.Fatal(err)
		}
	}
	whole := encoded(t, b)
	lines := strings.SplitAfter(strings.TrimSuffix(whole, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	rapid.Check(t, func(t *rapid.T) {
		shuffled := lines[0] + strings.Join(rapid.Permutation(lines[1:]).Draw(t, "lines"), "")
		b, err := gate.ParseBaseline("", []byte(shuffled))
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
	f.Add([]byte(`{"schema":"concur/baseline/v1"}` + "\n" + `{"kind":"run","k":1e9}` + "\n[[[["))
	d := smallSet()
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := gate.ParseBaseline("f", text)
		if err != nil {
			return
		}
		first, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := gate.ParseBaseline("f", first)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first)
		}
		if second, err := again.Encode(); err != nil || string(second) != string(first) {
			t.Fatalf("%v\n%s\n%s", err, first, second)
		}
		for _, c := range b.Configurations() {
			p := b.Pool(c, 0)
			_ = p.Evidence(1, 10)
			if now, _, err := p.Regrade(d); err == nil {
				_ = now.Evidence(1, 10)
			}
		}
	})
}
