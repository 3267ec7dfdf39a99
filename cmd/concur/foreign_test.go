package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/store"
)

// A run folder with an event that nobody knows, with the events and exchanges of a sub-agent
// and with a side request is read by trace, report, --replay and --resume.
func TestFolderOfALaterVersion(t *testing.T) {
	runs := t.TempDir()
	if code, _, errs := invoke("run", "--runs-dir", runs, "--quiet", "-k", "1", "--judge", "none", "--query", "retrieval-02,calc-01"); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	run := older(t, newest(t, runs))
	want := records(t, run)

	// Behind the first line of an event or exchange come others of the same trace.
	edit := func(name string, change func(lines []string) []string) {
		t.Helper()
		path := filepath.Join(run.Dir, name)
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := change(strings.SplitAfter(string(raw), "\n"))
		if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	under := func(line string) string { return strings.Replace(line, `"path":""`, `"path":"researcher#1"`, 1) }
	insert := func(lines []string, at int, more ...string) []string {
		return append(append(append([]string{}, lines[:at]...), more...), lines[at:]...)
	}
	edit("trace.jsonl", func(lines []string) []string {
		var first, last string
		for _, line := range lines[1:] {
			switch {
			case first == "" && strings.Contains(line, `"retrieval-02"`):
				first = line
			case strings.Contains(line, `"retrieval-02"`) && strings.Contains(line, `"event":"final"`):
				last = line
			}
		}
		if first == "" || !strings.Contains(last, `"stop_reason":"final"`) {
			t.Fatalf("no events of the query: %q, %q", first, last)
		}
		head, _, _ := strings.Cut(first, `"event":`)
		_, time, _ := strings.Cut(first, `"time":`)
		time, _, _ = strings.Cut(time, ",")
		vision := head + `"event":"vision","session":0,"time":` + time + `,"content":"look again"}` + "\n"
		cancelled := strings.Replace(under(last), `"stop_reason":"final"`, `"stop_reason":"cancelled"`, 1)
		return insert(lines, len(lines)-1, vision, under(first), cancelled)
	})
	edit("chat.jsonl", func(lines []string) []string {
		side := strings.Replace(under(lines[1]), `"task":""`, `"task":"summary"`, 1)
		if side == lines[1] || !strings.Contains(side, `"researcher#1"`) {
			t.Fatalf("an exchange without path and task: %s", lines[1])
		}
		return insert(lines, 1, side)
	})

	code, out, errs := invoke("trace", run.Dir, "retrieval-02")
	if code != exitOK || !strings.Contains(out, "vision") || !strings.Contains(out, "of researcher#1") {
		t.Errorf("trace: exit %d: %s%s", code, out, errs)
	}
	if code, _, errs := invoke("report", run.Dir); code != exitOK {
		t.Errorf("report: exit %d: %s", code, errs)
	}
	if code, _, errs := invoke("run", "--runs-dir", runs, "--quiet", "--replay", run.Dir, "--check"); code != exitOK {
		t.Errorf("replay: exit %d: %s", code, errs)
	}

	// As if it had been killed before its last query was decided.
	edit("results.jsonl", func(lines []string) []string { return lines[:len(lines)-2] })
	edit("run.yaml", func(lines []string) []string {
		return strings.SplitAfter(strings.Replace(strings.Join(lines, ""), "state: complete", "state: running", 1), "\n")
	})
	if code, _, errs := invoke("run", "--runs-dir", runs, "--quiet", "--resume", run.Dir); code != exitOK {
		t.Fatalf("resume: exit %d: %s", code, errs)
	}
	again, err := store.Open(run.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, records(t, again)); diff != "" {
		t.Errorf("resumed (-want +got):\n%s", diff)
	}
	raw, err := os.ReadFile(filepath.Join(run.Dir, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), `"session":1`) {
		t.Error("a trace that had ended was run again")
	}
}
