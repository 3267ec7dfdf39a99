package view_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
)

// events opens a stream. The returned function is the next event with its data.
func (s site) events(path string) func() (event, data string) {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), http.MethodGet, s.base+s.root+path, nil)
	if err != nil {
		s.Fatal(err)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { reply.Body.Close() })
	if kind := reply.Header.Get("Content-Type"); reply.StatusCode != http.StatusOK || kind != "text/event-stream" {
		s.Fatalf("%s: status %d, %s", path, reply.StatusCode, kind)
	}
	lines := bufio.NewScanner(reply.Body)
	return func() (event, data string) {
		s.Helper()
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				event = value
			case "data", "data:":
				data = value
			case "":
				return event, data
			}
		}
		s.Fatalf("%s: the stream ended: %v", path, lines.Err())
		return "", ""
	}
}

// until reads figures until they have all that is wanted.
func until(t *testing.T, next func() (string, string), want map[string]string) {
	t.Helper()
	for {
		event, data := next()
		if event != "figures" {
			t.Fatalf("the event %s comes before the figures %v", event, want)
		}
		var got map[string]string
		if err := json.Unmarshal([]byte(data), &got); err != nil {
			t.Fatal(err)
		}
		fits := maps.Clone(got)
		maps.DeleteFunc(fits, func(key, value string) bool { return want[key] != value })
		if len(fits) == len(want) {
			return
		}
	}
}

func TestRunThatGoesOn(t *testing.T) {
	dir := t.TempDir()
	m := manifest("run-1", 3, start)
	w := created(t, dir, m)
	solve(w, m, threeQueries[0], true)
	s := served(t, dir)
	s.has("/", "run-1", "running")
	next, list := s.events("/run/run-1/events"), s.events("/events")
	second := s.events("/run/run-1/events")
	until(t, next, map[string]string{"/0/done": "1 of 3", "/0/rate": "100 % (21–100 %)", "flight": "0", "ended": "1 answered"})
	until(t, list, map[string]string{"run-1/0/done": "1 of 3"})
	converse(w, m, threeQueries[1])
	converse(w, m, threeQueries[2])
	conclude(w, m, threeQueries[1], false)
	until(t, next, map[string]string{"/0/done": "2 of 3", "/0/rate": "50 % (9–91 %)", "/0/wrong": "1", "flight": "1", "ended": "2 answered", "state": "running"})
	until(t, second, map[string]string{"/0/done": "2 of 3", "flight": "1"})
	until(t, list, map[string]string{"run-1/0/done": "2 of 3", "run-1/0/rate": "50 % (9–91 %)"})
	s.has("/run/run-1/", "2 of 3", "50 % (9–91 %)", "Queries that are decided")
	s.has("/run/run-1/queries", "What is the second?")
	s.has("/run/run-1/?partial", "This run is not complete ( running )", "Right answers")
	s.has(traceOf("run-1", "q3"), "The query is not decided yet", "I think about a text on three")
	conclude(w, m, threeQueries[2], true)
	completed(t, w)
	until(t, next, map[string]string{"/0/done": "3 of 3", "state": "complete"})
	if event, data := next(); event != "end" || data != "complete" {
		t.Errorf("a complete run ends with %s %s", event, data)
	}
	for event := ""; event != "changed"; { // the state of a run is part of the list
		event, _ = list()
	}
	s.has("/run/run-1/", "offline:reader is right on 2 of 3 queries")
}

// A run that is deleted while somebody looks on ends the stream, and the page is loaded again.
func TestRunDeletedWhileItGoesOn(t *testing.T) {
	dir := t.TempDir()
	m := manifest("run-1", 3, start)
	w := created(t, dir, m)
	solve(w, m, threeQueries[0], true)
	s := served(t, dir)
	next, list := s.events("/run/run-1/events"), s.events("/events")
	until(t, next, map[string]string{"/0/done": "1 of 3"})
	until(t, list, map[string]string{"run-1/0/done": "1 of 3"})
	if err := os.RemoveAll(w.Dir()); err != nil {
		t.Fatal(err)
	}
	_ = w.Finish(store.Interrupted, start) // which fails, since the folder is gone
	var seen []string
	for event := ""; event != "end"; {
		data := ""
		if event, data = next(); event != "figures" {
			seen = append(seen, event+" "+data)
		}
	}
	if got := strings.Join(seen, ", "); got != "changed , end failed" {
		t.Errorf("the stream ends with %s", got)
	}
	for event := ""; event != "changed"; {
		event, _ = list()
	}
}

// Pages show what a run has after it was resumed.
func TestResumedRun(t *testing.T) {
	dir := t.TempDir()
	m := manifest("run-1", 4, start)
	w := created(t, dir, m)
	for _, q := range threeQueries {
		solve(w, m, q, true)
	}
	if err := w.Finish(store.Interrupted, start); err != nil {
		t.Fatal(err)
	}
	s := served(t, dir)
	s.has(traceOf("run-1", "q1"), "a text on one")

	run, err := store.Open(filepath.Join(dir, "run-1"))
	if err != nil {
		t.Fatal(err)
	}
	if w, _, err = run.Resume(start.Add(2*time.Hour), store.Scope{}); err != nil {
		t.Fatal(err)
	}
	solve(w, m, sentence{"q4", "What is the fourth?", "four", "a text on four"}, true)
	completed(t, w)
	s.has(traceOf("run-1", "q4"), "a text on four")
}
