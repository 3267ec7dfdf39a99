package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/runner/store/upkeep"
)

// The shards of a run, merged, are the whole run: its records, events and exchanges, and its table.
func TestShardsAreTheRun(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector, which it is not about")
	}
	commands := map[string][]string{
		"run":    {"run", "--category", "calculation", "-k", "3", "--quiet", "--seed", "5"},
		"ablate": {"ablate", "offline", "--category", "safety", "--quiet", "--seed", "5"},
	}
	for name, command := range commands {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			whole := runInto(t, filepath.Join(folder, "whole"), command)
			for _, of := range []int{1, 3, 7, 16} {
				shards := filepath.Join(folder, fmt.Sprint(of))
				for i := 1; i <= of; i++ {
					runInto(t, shards, append(slices.Clone(command), "--shard", fmt.Sprintf("%d/%d", i, of)))
				}
				merged := mergedOf(t, filepath.Join(folder, "runs", fmt.Sprintf("of-%d-shards", of)), shards)
				if merged.Manifest.State != store.Complete {
					t.Fatalf("%d shards: %+v", of, merged.Manifest)
				}
				sameRuns(t, whole, merged)
			}
		})
	}
}

// A shard that was killed is finished and merged, or merged and finished: both are the whole run.
func TestKilledShard(t *testing.T) {
	if testing.Short() {
		t.Skip("processes of their own")
	}
	folder := t.TempDir() // one trace after the other takes seconds, of which the first is enough for the kill
	command := []string{"run", "--category", "calculation", "--model", "offline:reader?latency=100ms", "-k", "3", "--quiet"}
	whole := runInto(t, filepath.Join(folder, "whole"), command)
	shards := filepath.Join(folder, "shards")
	for _, part := range []string{"1/3", "3/3"} {
		runInto(t, shards, append(slices.Clone(command), "--shard", part))
	}
	killed := filepath.Join(folder, "killed")
	process := exec.Command("concur", append(slices.Clone(command), "--shard", "2/3", "--runs-dir", killed, "--concurrency", "1")...)
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		logs, _ := filepath.Glob(filepath.Join(killed, "*", "run.log"))
		if raw, _ := os.ReadFile(strings.Join(logs, "")); strings.Contains(string(raw), "  trace  ") {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := errors.Join(process.Process.Kill()); err != nil {
		t.Fatal(err)
	}
	process.Wait() // it was killed
	shard := newest(t, killed)
	if err := os.Rename(shard.Dir, filepath.Join(shards, "killed")); err != nil {
		t.Fatal(err)
	}

	code, out, errs := merging(filepath.Join(folder, "runs", "unfinished"), foldersIn(t, shards))
	if code != exitOK || !strings.Contains(out, "(state: interrupted)\nunfinished: shard 2/3 in") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	unfinished := openedRun(t, filepath.Join(folder, "runs", "unfinished"))
	if code, _, errs := invoke("run", "--quiet", "--resume", unfinished.Dir); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	sameRuns(t, whole, openedRun(t, unfinished.Dir))

	if code, _, errs := invoke("run", "--quiet", "--resume", filepath.Join(shards, "killed")); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	sameRuns(t, whole, mergedOf(t, filepath.Join(folder, "runs", "finished"), shards))
}

// A run of some shards is finished by resuming it.
func TestMergeSomeShards(t *testing.T) {
	folder := t.TempDir()
	command := []string{"run", "--category", "calculation", "--quiet"}
	whole := runInto(t, filepath.Join(folder, "whole"), command)
	for _, part := range []string{"1/4", "3/4"} {
		runInto(t, filepath.Join(folder, "shards"), append(slices.Clone(command), "--shard", part))
	}
	code, out, errs := merging(filepath.Join(folder, "some"), foldersIn(t, filepath.Join(folder, "shards")))
	if code != exitOK || !strings.Contains(out, "2 of 4 shards") || !strings.Contains(out, "missing: shards 2/4, 4/4") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	some := filepath.Join(folder, "some")
	code, _, errs = invoke("report", some)
	if code != exitUsage || !strings.Contains(errs, "is not complete (state: interrupted)") {
		t.Errorf("report: exit %d: %s", code, errs)
	}
	if code, _, errs := invoke("run", "--quiet", "--resume", some); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	sameRuns(t, whole, openedRun(t, some))
}

// runInto runs a command into a folder of runs, and returns the run that it made.
func runInto(t *testing.T, runs string, command []string) *store.Run {
	t.Helper()
	before, _, err := runlist.List(runs)
	if err != nil {
		t.Fatal(err)
	}
	if code, _, errs := invoke(append(slices.Clone(command), "--runs-dir", runs)...); code != exitOK {
		t.Fatalf("%v: exit %d: %s", command, code, errs)
	}
	known := map[string]bool{}
	for _, r := range before {
		known[r.Dir] = true
	}
	after, _, err := runlist.List(runs)
	made := slices.DeleteFunc(after, func(r *store.Run) bool { return known[r.Dir] })
	if err != nil || len(made) != 1 {
		t.Fatalf("%d new runs, %v", len(made), err)
	}
	return made[0]
}

func foldersIn(t *testing.T, dir string) []string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return folders
}

func merging(into string, shards []string) (code int, stdout, stderr string) {
	return invoke(append([]string{"merge", "--into", into}, shards...)...)
}

// mergedOf merges the runs of a folder, last first, and verifies the result.
func mergedOf(t *testing.T, into, shards string) *store.Run {
	t.Helper()
	folders := foldersIn(t, shards)
	slices.Reverse(folders)
	if code, _, errs := merging(into, folders); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	run := openedRun(t, into)
	if wrong := upkeep.Verify(t.Context(), run); len(wrong) > 0 {
		t.Fatal(errors.Join(wrong...))
	}
	return run
}

// sameRuns compares two runs of the same, but for what differs between equal runs.
func sameRuns(t *testing.T, whole, merged *store.Run) {
	t.Helper()
	for what, lines := range map[string]func(*testing.T, *store.Run) []string{
		"records": func(t *testing.T, r *store.Run) []string { return plainLines(t, r.Records()) },
		"events":  func(t *testing.T, r *store.Run) []string { return plainLines(t, r.Events()) },
		"exchanges": func(t *testing.T, r *store.Run) []string {
			return plainLines(t, withSettings(r.Exchanges()))
		},
	} {
		want, got := lines(t, whole), lines(t, merged)
		if len(want) == 0 {
			t.Errorf("the whole run has no %s", what)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-whole +merged): %.3000s", what, diff)
		}
	}
	a, b := whole.Manifest, merged.Manifest
	a.Run, a.Start, a.End, a.Resumed, a.PausedS = b.Run, b.Start, b.End, b.Resumed, b.PausedS
	a.Files, a.Seal = b.Files, b.Seal
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("manifests (-whole +merged):\n%s", diff)
	}
	if diff := cmp.Diff(tableOf(t, whole), tableOf(t, merged)); diff != "" {
		t.Errorf("tables (-whole +merged):\n%s", diff)
	}
}

// withSettings gives every exchange its settings, which are written once.
func withSettings(all iter.Seq2[store.Exchange, error]) iter.Seq2[store.Exchange, error] {
	return func(yield func(store.Exchange, error) bool) {
		known := map[string]*store.RequestSettings{}
		for x, err := range all {
			if x.RequestSettings != nil {
				known[x.Settings] = x.RequestSettings
			}
			x.RequestSettings = known[x.Settings]
			if !yield(x, err) {
				return
			}
		}
	}
}

// plainLines are lines without times and sessions, sorted by their text.
func plainLines[T any](t *testing.T, all iter.Seq2[T, error]) []string {
	t.Helper()
	var out []string
	for v, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(raw, &tree); err != nil {
			t.Fatal(err)
		}
		if raw, err = json.Marshal(timeless(tree)); err != nil {
			t.Fatal(err)
		}
		out = append(out, string(raw))
	}
	slices.Sort(out)
	return out
}

func timeless(tree any) any {
	switch v := tree.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(key string, _ any) bool {
			return slices.Contains([]string{"time", "timing", "latency", "duration_ms", "session"}, key)
		})
		for key, value := range v {
			v[key] = timeless(value)
		}
	case []any:
		for i, value := range v {
			v[i] = timeless(value)
		}
	}
	return tree
}

var durations = regexp.MustCompile(` +[\d.]+ (ms|s|min)\b`)

// tableOf is the report on a run, without its name and durations.
func tableOf(t *testing.T, run *store.Run) []string {
	t.Helper()
	code, out, errs := invoke("report", "--wide", "--all", "--k-curve", "--confidence", run.Dir)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(out, run.Manifest.Run, "RUN")) {
		if line = durations.ReplaceAllString(line, ""); !strings.Contains(line, "time") && !strings.Contains(line, "──") {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
	}
	return lines
}

// What are no shards of one run is refused, with the difference and the folders, and nothing is left behind.
func TestMergeRefuses(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "data.yaml")
	queries := "- {id: a, category: c, query: \"What is 1 + 2?\", gold: {type: integer, answer: \"3\"}}\n" +
		"- {id: b, category: c, query: \"What is 2 + 2?\", gold: {type: integer, answer: \"4\"}}\n" +
		"- {id: c, category: c, query: \"What is 3 + 2?\", gold: {type: integer, answer: \"5\"}}\n"
	write(t, data, queries)
	shard := func(name string, args ...string) string {
		dir := filepath.Join(folder, name)
		made := runInto(t, filepath.Join(folder, "made"), append([]string{"run", data, "--quiet"}, args...))
		if err := os.Rename(made.Dir, dir); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	one, two := shard("one", "--shard", "1/2"), shard("two", "--shard", "2/2")
	seed := shard("seed", "--shard", "2/2", "--seed", "9")
	third := shard("third", "--shard", "2/3")
	settings := shard("settings", "--shard", "2/2", "-k", "2", "--temperature", "0.1")
	single, again := shard("single"), shard("again", "--shard", "1/2")
	write(t, data, strings.Replace(queries, "3 + 2", "4 + 1", 1))
	other := shard("other", "--shard", "2/2")
	copied := func(name, of string, change func(text string) string) string {
		dir := filepath.Join(folder, name)
		if err := os.CopyFS(dir, os.DirFS(of)); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "run.yaml")
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, path, change(string(raw)))
		return dir
	}
	edited := copied("edited", two, func(s string) string { return strings.Replace(s, "\nseed: 1", "\nseed: 2", 1) })
	cut := copied("cut", two, func(s string) string { return s })
	if err := os.Truncate(filepath.Join(cut, "chat.jsonl"), 700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		runs []string
		want []string
		code int
	}{
		"another seed":     {[]string{one, seed}, []string{one, seed, "seed is 1 and 9"}, exitUsage},
		"another number":   {[]string{one, third}, []string{one, third, "number of shards is 2 and 3"}, exitUsage},
		"other settings":   {[]string{one, settings}, []string{"agent.temperature is 0.7 and 0.1; k is 3 and 2"}, exitUsage},
		"other queries":    {[]string{one, other}, []string{one, other, "hash of all queries is sha256:"}, exitUsage},
		"twice":            {[]string{one, two, one}, []string{"shard 1/2 is given twice, as " + one + " and "}, exitUsage},
		"made twice":       {[]string{one, two, again}, []string{"shard 1/2 is given twice", one, again}, exitUsage},
		"a whole run":      {[]string{single}, []string{single + " is not a shard (kind: run)"}, exitUsage},
		"a whole run, too": {[]string{one, single}, []string{single + " is not a shard (kind: run)"}, exitUsage},
		"an edited run":    {[]string{one, edited}, []string{edited, "run.yaml was changed"}, exitInvalid},
		"a cut file":       {[]string{one, cut}, []string{cut, "chat.jsonl", "concur runs repair"}, exitInvalid},
		"no run":           {[]string{one, folder + "/nothing"}, []string{"nothing"}, exitUsage},
	} {
		t.Run(name, func(t *testing.T) {
			into := filepath.Join(folder, "runs", "merged")
			code, out, errs := merging(into, c.runs)
			if code != c.code || out != "" {
				t.Errorf("exit %d: %s%s", code, out, errs)
			}
			flat := strings.Join(strings.Fields(errs), " ")
			for _, want := range c.want {
				if !strings.Contains(flat, want) {
					t.Errorf("%q is not in: %s", want, flat)
				}
			}
			if left, err := os.ReadDir(filepath.Dir(into)); err != nil && !errors.Is(err, fs.ErrNotExist) || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
	for name, into := range map[string]string{"a run": single, "a folder": t.TempDir(), "a file": data} {
		code, _, errs := invoke("merge", "--into", into, one, two)
		if code != exitUsage || !strings.Contains(errs, "file already exists: name another folder") {
			t.Errorf("into %s: exit %d: %s", name, code, errs)
		}
	}
	for _, into := range []string{".hidden", "latest", "x/latest-ask"} {
		code, _, errs := merging(into, []string{one, two})
		if code != exitUsage || !strings.Contains(errs, "does not begin with") {
			t.Errorf("into %s: exit %d: %s", into, code, errs)
		}
	}
}

// What is asked of a shard that cannot be is refused before anything runs.
func TestShardRefuses(t *testing.T) {
	runs := t.TempDir()
	made := runInto(t, runs, []string{"run", "--quiet", "--limit", "3", "--shard", "1/2"})
	for _, c := range []struct {
		variables map[string]string
		args      []string
		want      string
	}{
		{nil, []string{"run", "--shard", "0/4"}, "--shard 0/4: there is no shard 0 of 4"},
		{nil, []string{"ablate", "--shard", "5/4"}, "--shard 5/4: there is no shard 5 of 4"},
		{nil, []string{"run", "--shard", "1/0"}, "--shard 1/0: 0 shards: a run has 1 to 1000"},
		{nil, []string{"run", "--shard", "1/1001"}, "--shard 1/1001: 1001 shards: a run has 1 to 1000"},
		{nil, []string{"run", "--shard", "a/b"}, "--shard a/b: write I/N"},
		{nil, []string{"run", "--shard", ""}, "--shard is empty"},
		{nil, []string{"run", "--shard", "auto"}, "--shard auto: none of SLURM_ARRAY_TASK_ID"},
		{map[string]string{"CI_NODE_INDEX": "1", "JOB_COMPLETION_INDEX": "0"}, []string{"run", "--shard", "auto/2"},
			"CI_NODE_INDEX (GitLab) and JOB_COMPLETION_INDEX (Kubernetes) are set at once"},
		{nil, []string{"run", "--shard", "1/3", "--model", "openai:gpt-4o"}, "add --seed 4711, or another number, to every"},
		{nil, []string{"run", "--shard", "1/3", "--rpm", "2"}, "limits.rpm is 2, for all of 3 shards"},
		{nil, []string{"run", "--shard", "1/3", "--resume", made.Dir}, "--shard is for a new run"},
		{nil, []string{"run", "--shard", "1/3", "--replay", made.Dir}, "--shard is for a new run"},
		{nil, []string{"report", "latest"}, "there are only shards"},
		{nil, []string{"gate", "latest-shard"}, "it is shard 1/2 of a run"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			for name, value := range c.variables {
				t.Setenv(name, value)
			}
			code, _, errs := invoke(append(slices.Clone(c.args), "--runs-dir", runs)...)
			if flat := strings.Join(strings.Fields(errs), " "); code != exitUsage || !strings.Contains(flat, c.want) {
				t.Errorf("exit %d: %s", code, errs)
			}
		})
	}
	if all, _, err := runlist.List(runs); err != nil || len(all) != 1 {
		t.Errorf("%d runs, %v", len(all), err)
	}
	_, _, errs := invoke("run", "--limit", "3", "--shard", "2/2", "--rpm", "7", "--budget-usd", "3", "--dry-run",
		"--runs-dir", runs)
	if want := "16 of 32 traces in flight, 4 of 7 requests a minute, $1.5 of $3"; !strings.Contains(errs, want) {
		t.Errorf("%q is not in: %s", want, errs)
	}
	// A shard is replayed, judged again and resumed as other runs are, on its own queries.
	for _, args := range [][]string{
		{"run", "--replay", made.Dir}, {"rejudge", made.Dir, "--quorum", "none"}, {"run", "--resume", made.Dir},
	} {
		if code, _, errs := invoke(append(args, "--quiet", "--runs-dir", runs)...); code != exitOK {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
}
