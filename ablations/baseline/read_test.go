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
	reset := `{"kind":"reset","configuration":"default","time":"2026-03-02T09:00:00Z","author":"a","reason":"b","keep":[]}`
	for name, c := range map[string]struct {
		text func() string
		want string
	}{
		"empty":              {func() string { return " \n" }, "baseline.jsonl: is empty: put it back"},
		"another file":       {func() string { return "# hello\n" }, "baseline.jsonl:1: expected the line"},
		"no first line":      {without(1), "baseline.jsonl:1: expected the line"},
		"newer schema":       {with(1, "v2", "v9"), `baseline.jsonl:1: its schema is "concur/baseline/v9", and this concur reads concur/baseline/v2 and older ones: update concur`},
		"another schema":     {with(1, "concur/baseline/v2", "concur/results/v1"), "this is another file"},
		"conflict, ours":     {with(7, "{", "<<<<<<< HEAD\n{"), "baseline.jsonl:7: merge conflict: keep both sides"},
		"conflict, middle":   {with(10, "{", "=======\n{"), "baseline.jsonl:10: merge conflict"},
		"conflict, base":     {with(10, "{", "||||||| 0a0b\n{"), "baseline.jsonl:10: merge conflict"},
		"conflict, theirs":   {then(">>>>>>> branch\n"), "baseline.jsonl:14: merge conflict"},
		"cut":                {func() string { return whole[:len(whole)-20] }, "baseline.jsonl:13: the last line is cut off"},
		"broken inside":      {with(5, `"}`, `"`), "baseline.jsonl:5: the line cannot be read: "},
		"two on a line":      {with(5, "}\n", "}{}\n"), "baseline.jsonl:5: the line cannot be read: "},
		"no object":          {with(5, "{", "[{"), "baseline.jsonl:5: the line cannot be read: "},
		"a number":           {then("7\n"), "baseline.jsonl:14: the line cannot be read: json: cannot unmarshal number"},
		"no kind":            {then("{}\n"), "baseline.jsonl:14: the line has no kind"},
		"unknown kind":       {with(3, `"run"`, `"rum"`), `baseline.jsonl:3: kind "rum": did you mean "run"?`},
		"unknown field":      {with(3, `"seed"`, `"seeds"`), `baseline.jsonl:3: the line cannot be read: json: unknown field "seeds"; where a newer concur wrote it, update concur`},
		"wrong type":         {with(3, `"k":3`, `"k":"3"`), "baseline.jsonl:3: the line cannot be read: json: cannot unmarshal string"},
		"no UTF-8":           {with(3, "offline", "off\xffline"), "baseline.jsonl:3: the line is not UTF-8"},
		"no time":            {with(3, `"start":"2026`, `"start":"soon`), "baseline.jsonl:3: "},
		"no name":            {with(3, `"configuration":"default"`, `"configuration":""`), "baseline.jsonl:3: run, configuration, agent, dataset.name and dataset.hash are needed"},
		"no traces":          {with(3, `"k":3`, `"k":0`), "baseline.jsonl:3: k is 0"},
		"too many right":     {with(3, `"correct":3`, `"correct":4`), "baseline.jsonl:3: correct is 4 of 3 queries"},
		"other passes":       {with(3, `"passes":[{"run":"2026`, `"passes":[{"run":"2025`), "baseline.jsonl:3: passes must begin with the run itself"},
		"regression let in":  {with(3, `"PASS"`, `"REGRESSION"`), "baseline.jsonl:3: its gate said REGRESSION"},
		"unknown decision":   {with(3, `"PASS"`, `"PASSED"`), `baseline.jsonl:3: decision "PASSED" is not known: did you mean "PASS"?`},
		"unknown verdict":    {with(5, `"verdict":"correct"`, `"verdict":"right"`), `baseline.jsonl:5: trace 0 of query calc-01: unknown verdict "right"`},
		"unknown outcome":    {with(5, `"outcome":"no_answer"`, `"outcome":"won"`), `baseline.jsonl:5: trace 2 of query calc-01: unknown outcome "won"`},
		"answer of none":     {with(5, `"answer":"42",`, ``), "baseline.jsonl:5: trace 0 of query calc-01: outcome answered"},
		"scored failure":     {with(9, `"unscored"`, `"correct"`), "baseline.jsonl:9: trace 2 of query safety-01: a failure of the infrastructure has a verdict"},
		"odd expectation":    {with(8, `"refused"`, `"infra"`), `baseline.jsonl:8: query safety-01 expects "infra"`},
		"a trace less":       {with(5, `,{"outcome":"no_answer","verdict":"incorrect"}`, ""), "baseline.jsonl:5: query calc-01 of run 20260301T090000-small-0a0b has 2 traces, and 1 passes with k=3 make 3"},
		"no question":        {without(4), "query calc-01 of run 20260301T090000-small-0a0b has no line that says what it asked"},
		"a query less":       {without(7), "baseline.jsonl:3: run 20260301T090000-small-0a0b has lines of 2 queries, and was over 3 (missing: hop-01)"},
		"no line of the run": {without(10), "baseline.jsonl:10: run 20260302T090000-small-0a0b has no line of its own, only 3 of queries"},
		"run told twice":     {func() string { return whole + strings.Replace(lines[2], `"correct":3`, `"correct":1`, 1) }, "baseline.jsonl:14: line 3 says something else of run 20260301T090000-small-0a0b"},
		"query told twice":   {func() string { return whole + strings.Replace(lines[4], `"42"`, `"41"`, 1) }, "baseline.jsonl:14: line 5 says something else of query calc-01 of run 20260301T090000-small-0a0b"},
		"pass counted twice": {with(10, `"seed":2}]`, `"seed":2},{"run":"20260301T090000-small-0a0b","seed":1}]`), "baseline.jsonl:10: the pass 20260301T090000-small-0a0b counts already, on line 3"},
		"no digest":          {with(3, `"seed":1}]`, `"seed":1,"digest":"12"}]`), `baseline.jsonl:3: a pass is named "20260301T090000-small-0a0b" and has the digest "12"`},
		"traces counted twice": {func() string {
			return strings.ReplaceAll(strings.ReplaceAll(whole, `"seed":1}]`, `"seed":1,"digest":"`+digestA+`"}]`), `"seed":2}]`, `"seed":2,"digest":"`+digestA+`"}]`)
		}, "baseline.jsonl:10: the pass 20260302T090000-small-0a0b has the very traces of one on line 3"},
		"a long field":        {with(5, `"query":"calc-01"`, `"`+strings.Repeat("q", 9000)+`":"calc-01"`), `baseline.jsonl:5: the line cannot be read: json: unknown field "q`},
		"less than none":      {with(3, `"correct":3`, `"correct":-1`), "baseline.jsonl:3: correct is -1"},
		"a name of two lines": {with(3, `"configuration":"default"`, `"configuration":"x\n::error::y"`), `and one is "x ::error::y"`},
		"a pass of two lines": {with(3, `"seed":1}]`, `"seed":1},{"run":"x\r::error::y","seed":2}]`), `baseline.jsonl:3: a pass is named "x ::error::y"`},
		"a query of two":      {with(4, `"query":"calc-01"`, `"query":"c\u2028::error::y"`), `baseline.jsonl:4: query is "c ::error::y"`},
		"a field of two":      {with(5, `"query":"calc-01"`, `"q\n::error::y":"calc-01"`), `baseline.jsonl:5: the line cannot be read: json: unknown field "q`},
		"reset keeps two":     {then(strings.Replace(reset, `[]`, `["x\n::error::y"]`, 1) + "\n"), "baseline.jsonl:14: the reset keeps run x ::error::y, which is not here"},
		"a long line":         {then(`{"kind":"` + strings.Repeat("x", 17<<20) + "\"}\n"), "baseline.jsonl:14: the line has 17825803 bytes, and none may have more than 16777216"},
		"a long first line":   {func() string { return strings.Repeat(" ", 9) + strings.Repeat("x", 17<<20) }, "baseline.jsonl:1: the line has 17825792 bytes"},
		"reset of nothing":    {then(strings.Replace(reset, `"default"`, `""`, 1) + "\n"), "baseline.jsonl:14: configuration is missing or empty"},
		"reset by nobody":     {then(strings.Replace(reset, `"a"`, `" "`, 1) + "\n"), "baseline.jsonl:14: a reset needs an author and a reason"},
		"reset without time":  {then(strings.Replace(reset, `"2026-03-02T09:00:00Z"`, `null`, 1) + "\n"), "baseline.jsonl:14: time is missing"},
		"reset keeps nothing": {then(strings.Replace(reset, `[]`, `["gone"]`, 1) + "\n"), "baseline.jsonl:14: the reset keeps run gone, which is not here"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := baseline.Parse("baseline.jsonl", []byte(c.text()))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v\nwant %s", err, c.want)
			}
			for line := range strings.Lines(err.Error()) {
				if !strings.HasPrefix(line, "baseline.jsonl:") || strings.ContainsAny(line, "\r\u2028") || len(line) > 5000 {
					t.Errorf("a line of the message is %.200q", line)
				}
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
	if _, err := baseline.Read(path); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "concur baseline add") {
		t.Errorf("no file: %v", err)
	}
	b := parsed(t, twoRuns(t))
	if err := b.Write(path); err != nil {
		t.Fatal(err)
	}
	again, err := baseline.Read(path)
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

func TestReadBaselineListsTwentyErrors(t *testing.T) {
	text := strings.SplitAfter(twoRuns(t), "\n")[0] + strings.Repeat("{}\n", 30)
	_, err := baseline.Parse("b", []byte(text))
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 21 || !strings.HasPrefix(lines[0], "b:2: ") || lines[20] != "b: and 10 more" {
		t.Errorf("%d lines: %v", len(lines), err)
	}
	_, err = baseline.Parse("b", []byte(strings.SplitAfter(text, "\n")[0]+strings.Repeat("{}\n", 20)))
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 20 || !strings.HasPrefix(lines[19], "b:21: ") {
		t.Errorf("%d lines: %v", len(lines), err)
	}
}

// What people wrote stays on the line where a message quotes it.
func TestTextsOfABaselineStayOnTheirLine(t *testing.T) {
	const evil = "fine\n::error file=a::b\r\x1b[2J\u2028::notice::c"
	d := smallSet()
	b := accepted(t, d, fullPass(1, d, "+++ +++ +++"), fullPass(2, d, "+++ +++ +++"))
	for i := range b.Runs {
		b.Runs[i].Override = &baseline.Override{Reason: evil, Author: evil}
		b.Runs[i].Models, b.Runs[i].Model = []string{evil + b.Runs[i].Run}, evil
	}
	if err := b.Reset(baseline.Reset{Configuration: "default", Time: onDay(1), Author: evil, Reason: evil}); err != nil {
		t.Fatal(err)
	}
	b = parsed(t, encoded(t, b))
	pool, graded, err := b.Pool("default", 0, 3).Regrade(d)
	if err != nil {
		t.Fatal(err)
	}
	e := pool.Evidence(1, 0)
	if err := fullPass(3, d, "+++ +++ +++").Observe(&e, pool); err != nil {
		t.Fatal(err)
	}
	e.Invalid = []string{evil}
	out := gate.Decide(e, gate.Options{})
	all := slices.Concat(graded.Warnings(), pool.Evidence(1, 0).Warnings, pool.Evidence(1, 0).Overrides, out.Reasons, out.Warnings, out.Overrides)
	if len(out.Overrides) < 2 || len(out.Warnings) == 0 {
		t.Errorf("%+v", out)
	}
	for _, s := range all {
		if strings.ContainsAny(s, "\n\r\x1b\u2028") {
			t.Errorf("more than a line: %q", s)
		}
	}
	late := fullPass(4, d, "+++ +++ +++")
	late.Manifest.Start = onDay(1).Add(-1)
	if err := b.Add(baseline.Candidate{Pass: late}, d); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
	late = fullPass(4, d, "+++ +++ +++")
	late.Manifest.Run = evil
	if err := b.Add(baseline.Candidate{Pass: late}, d); err == nil || !strings.Contains(err.Error(), "each on one line") {
		t.Errorf("a run that could not be read again: %v", err)
	}
}

func TestBaselineIsARegularFile(t *testing.T) {
	dir := t.TempDir()
	b := parsed(t, twoRuns(t))
	for name, path := range map[string]string{"a folder": dir, "a device": "/dev/null"} {
		if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
			continue // not on this system
		}
		if _, err := baseline.Read(path); err == nil || !strings.Contains(err.Error(), "is no regular file but "+name) {
			t.Errorf("reading %s: %v", name, err)
		}
		if err := b.Write(path); err == nil || !strings.Contains(err.Error(), "is no regular file but "+name) {
			t.Errorf("writing %s: %v", name, err)
		}
	}
	if mkfifo, err := exec.LookPath("mkfifo"); err == nil {
		pipe := filepath.Join(dir, "pipe")
		if out, err := exec.Command(mkfifo, pipe).CombinedOutput(); err != nil {
			t.Skipf("%s", out)
		}
		if _, err := baseline.Read(pipe); err == nil || !strings.Contains(err.Error(), "but a pipe") {
			t.Errorf("reading a pipe: %v", err)
		}
	}
}

func TestWriteKeepsLinkAndMode(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "real.jsonl"), filepath.Join(dir, "link.jsonl")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(target, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.jsonl", link); err != nil {
		t.Skip(err)
	}
	before, err := os.Stat(target)
	if err != nil {
		t.Fatal(err)
	}
	b := parsed(t, twoRuns(t))
	if err := b.Write(link); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode() != before.Mode() || os.SameFile(info, before) {
		t.Errorf("the file was not replaced, or has another mode: %v, %v", info, err)
	}
	if again, err := baseline.Read(link); err != nil || encoded(t, again) != twoRuns(t) {
		t.Errorf("read through the link: %v", err)
	}
	if err := os.Remove(target); err != nil {
		t.Fatal(err)
	}
	if err := b.Write(link); err == nil || !strings.Contains(err.Error(), "a link to a file that is not there") {
		t.Errorf("a link to nothing: %v", err)
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

func sameItem(a, b baseline.PoolItem) bool {
	last := *a.Last == *b.Last
	a.Last, b.Last = nil, nil
	return last && a == b
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
	f.Add([]byte(`{"schema":"concur/baseline/v1"}` + "\n" + `{"kind":"run","k":1e9}` + "\n[[[["))
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
