package accepted_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/ablations/sent"
	"github.com/seed-5817661a/concur/ablations/sent/accepted"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

var ids = []string{"q1", "q2"}

// run writes a run with one request per query.
func run(t testing.TB, dir, name, prompt string) (*store.Run, store.Configuration) {
	t.Helper()
	conf := store.Configuration{Name: "default", Agent: "3f2a", Configuration: config.New()}
	start := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
	w, err := store.Create(dir, store.Manifest{Run: name, Start: start, Configurations: []store.Configuration{conf}})
	must(t, err)
	for _, q := range ids {
		w.Exchange(store.Exchange{
			Identity:        model.Identity{Agent: "3f2a", Query: q, Purpose: model.Agent},
			Messages:        []model.Message{{Role: model.System, Content: prompt}, {Role: model.User, Content: q}},
			RequestSettings: &store.RequestSettings{Model: "test:m"},
		})
	}
	must(t, w.Finish(store.Complete, start.Add(time.Hour)))
	r, err := store.Open(w.Dir())
	must(t, err)
	return r, conf
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func before(file string) accepted.Before {
	return accepted.Before{File: file, Runs: []string{"first", "second"}, Queries: ids}
}

// changed returns the changed lines of the first difference.
func changed(c sent.Comparison) string {
	var out []string
	for _, d := range c.Differences[:min(1, len(c.Differences))] {
		for _, l := range d.Lines {
			if l[0] == '-' || l[0] == '+' {
				out = append(out, l)
			}
		}
	}
	return strings.Join(out, " ")
}

func TestCompare(t *testing.T) {
	here, elsewhere := t.TempDir(), t.TempDir()
	file := accepted.File(filepath.Join(t.TempDir(), "baseline.jsonl"))
	if filepath.Base(file) != "baseline.sent.jsonl" {
		t.Error(file)
	}
	now, conf := run(t, elsewhere, "now", "Answr.")

	got, name := accepted.Compare(now, conf, before(file))
	if want := "what the accepted run second sent is not kept: accept runs with `concur baseline add`, and commit baseline.sent.jsonl, too"; name != "second" || !slices.Equal(got.Missing, []string{want}) || got.Of != 2 {
		t.Errorf("nothing is kept: %s, %+v", name, got)
	}

	first, _ := run(t, here, "first", "Answer first.")
	must(t, accepted.Keep(t.Context(), file, first, conf, ids))
	if got, name := accepted.Compare(now, conf, before(file)); name != "first" || changed(got) != "-Answer first. +Answr." || got.Queries != 2 {
		t.Errorf("an earlier run is kept: %s, %+v", name, got)
	}
	second, _ := run(t, here, "second", "Answer.")
	must(t, accepted.Keep(t.Context(), file, second, conf, ids))
	other := conf
	other.Name = "other"
	must(t, accepted.Keep(t.Context(), file, first, other, ids))
	if got, name := accepted.Compare(now, conf, before(file)); name != "second" || changed(got) != "-Answer. +Answr." {
		t.Errorf("the last run is kept: %s, %+v", name, got)
	}
	raw, err := os.ReadFile(file)
	must(t, err)
	if lines := strings.Count(string(raw), "\n"); lines != 3 { // the schema, and a line for each configuration
		t.Errorf("%d lines:\n%s", lines, raw)
	}

	// A query that is no longer the same is left out.
	fewer := before(file)
	fewer.Queries = ids[1:]
	if got, _ := accepted.Compare(now, conf, fewer); got.Queries != 1 || got.Differences[0].Query != "q2" {
		t.Errorf("one query changed: %+v", got)
	}

	// The recording of the last accepted run is read, if it is beside.
	run(t, elsewhere, "second", "Answer, please.")
	if got, name := accepted.Compare(now, conf, before(file)); name != "second" || changed(got) != "-Answer, please. +Answr." {
		t.Errorf("the run is beside: %s, %+v", name, got)
	}
	outside := before(file)
	outside.Runs = []string{"../" + filepath.Base(here) + "/second"}
	if got, _ := accepted.Compare(now, conf, outside); len(got.Missing) != 1 {
		t.Errorf("a name that leaves the folder: %+v", got)
	}
}

// A damaged file is named, and is not overwritten.
func TestDamagedFile(t *testing.T) {
	dir := t.TempDir()
	now, conf := run(t, dir, "now", "Answer.")
	file := filepath.Join(dir, "baseline.sent.jsonl")
	for name, text := range map[string]string{
		"no JSON":        "<<<<<<< HEAD\n",
		"another schema": `{"schema":"concur/sent/v9"}` + "\n",
		"no schema":      `{"configuration":"default"}` + "\n",
		"no sample":      `{"schema":"concur/sent/v1"}` + "\n" + `{"configuration":"default"}` + "\n",
		"too many":       `{"schema":"concur/sent/v1"}` + "\n" + `{"configuration":"default","sent":{"run":"second","queries":[` + strings.Repeat("{},", 200) + `{}]}}` + "\n",
	} {
		must(t, os.WriteFile(file, []byte(text), 0o600))
		got, _ := accepted.Compare(now, conf, before(file))
		if len(got.Missing) != 1 || !strings.Contains(got.Missing[0], "baseline.sent.jsonl:") || len(got.Differences) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
		if err := accepted.Keep(t.Context(), file, now, conf, ids); err == nil || !strings.Contains(err.Error(), "remove the file, or restore the committed one") {
			t.Errorf("%s: kept, %v", name, err)
		}
		if raw, err := os.ReadFile(file); err != nil || string(raw) != text {
			t.Errorf("%s: the file changed: %v", name, err)
		}
	}
	// Git keeps both sides of a merge: the line of the later run counts.
	must(t, os.Remove(file))
	var lines []string
	for _, r := range []string{"second", "first"} {
		kept, _ := run(t, t.TempDir(), r, "Answer in "+r+".")
		must(t, accepted.Keep(t.Context(), file, kept, conf, ids))
		raw, err := os.ReadFile(file)
		must(t, err)
		lines = append(lines, strings.SplitAfter(string(raw), "\n")...)
	}
	must(t, os.WriteFile(file, []byte(strings.Join(lines, "")), 0o600))
	if got, name := accepted.Compare(now, conf, before(file)); name != "second" || changed(got) != "-Answer in second. +Answer." {
		t.Errorf("merged: %s, %+v", name, got)
	}
}

// The file is small, even if every prompt is large and different; a text that is not kept is no error.
func TestLargeTexts(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "baseline.sent.jsonl")
	kept, conf := run(t, t.TempDir(), "second", strings.Repeat("Answer with one word, and with nothing else.\n", 1000))
	must(t, accepted.Keep(t.Context(), file, kept, conf, ids))
	now, _ := run(t, dir, "now", strings.Repeat("Answer with one word, and with nothing else.\n", 1000)+"Thanks.")
	if got, _ := accepted.Compare(now, conf, before(file)); !strings.Contains(changed(got), "+Thanks.") {
		t.Errorf("a text of 45 KB: %+v", got)
	}
	info, err := os.Stat(file)
	must(t, err)
	if info.Size() > 300<<10 {
		t.Errorf("%d bytes", info.Size())
	}
}

func ExampleFile() {
	fmt.Println(accepted.File("ci/baseline.jsonl"))
	// Output: ci/baseline.sent.jsonl
}
