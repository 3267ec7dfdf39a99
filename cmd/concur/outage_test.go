package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-5817661a/concur/runner/offline"
	"github.com/seed-5817661a/concur/runner/serve"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"
)

// TestDeadSearchEndsARun: where every search fails, no further trace begins, those in flight
// end tool_backend, and the run can be finished with another search, which it says.
func TestDeadSearchEndsARun(t *testing.T) {
	dir := t.TempDir()
	conf := filepath.Join(dir, "concur.yaml")
	write(t, conf, "search: {cascade: [wikipedia], allow_private: true, urls: {wikipedia: \"http://"+nobody+"\"}}\n")
	args := []string{"run", "--runs-dir", dir, "--quiet", "--concurrency", "4", "--limit", "6"}
	code, _, errs := invoke(append(args, "--config", conf)...)
	for _, want := range []string{"every call of web_search fails, 10 consecutive times", nobody, "refused",
		"--corpus offline", "--retry-failed"} {
		if code != exitInvalid || !strings.Contains(errs, want) {
			t.Errorf("exit %d, want %q in: %s", code, want, errs)
		}
	}
	run, err := runlist.Find(dir, runlist.Latest)
	if err != nil || run.Manifest.State != store.Interrupted {
		t.Fatalf("%+v, %v", run, err)
	}
	ends := map[trace.StopReason]int{}
	for e, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if c, is := e.Body.(trace.Conclusion); is {
			ends[c.StopReason]++
		}
	}
	if ends[trace.ToolBackend] == 0 || ends[trace.Cancelled] > 0 {
		t.Errorf("traces ended %v", ends)
	}

	resume := []string{"run", "--runs-dir", dir, "--quiet", "--resume", "latest", "--corpus", "offline"}
	if code, _, errs := invoke(resume...); code != exitUsage || !strings.Contains(errs, "search.") {
		t.Errorf("another search for what is missing alone: exit %d: %s", code, errs)
	}
	code, out, errs := invoke(append(resume, "--retry-failed")...)
	if code != exitOK || !strings.Contains(errs, "search otherwise") || !strings.Contains(errs, "search.cascade") || strings.Contains(out, "no valid trace") {
		t.Errorf("exit %d: %s\n%s", code, out, errs)
	}
	raw, err := os.ReadFile(filepath.Join(run.Dir, "run.log"))
	if err != nil || !strings.Contains(string(raw), "search otherwise") {
		t.Errorf("the log does not say so: %v", err)
	}
}

// TestDeadSearchOfAnAblation: it too can be finished with another search, in all rows that
// had the one that is down. One after another, so that the row whose search works stands between
// the failures of the others always, or never: which of the two messages ends it is not timing.
func TestDeadSearchOfAnAblation(t *testing.T) {
	dir := t.TempDir()
	spec := filepath.Join(dir, "spec.yaml")
	write(t, spec, "name: down\ndataset: gold29\nbase: {k: 1, search: {cascade: [wikipedia], allow_private: true, urls: {wikipedia: \"http://"+nobody+"\"}}}\n"+
		"configurations:\n  - {name: native}\n  - {name: text, set: {agent.protocol: text}}\n  - {name: alone, set: {search.cascade: [corpus]}}\n")
	code, _, errs := invoke("ablate", spec, "--runs-dir", dir, "--quiet", "--limit", "2", "--concurrency", "1")
	if code != exitInvalid || !strings.Contains(errs, "the calls of web_search failed") {
		t.Fatalf("exit %d: %s", code, errs)
	}
	resume := []string{"ablate", "--runs-dir", dir, "--resume", "latest", "--quiet", "--corpus", "offline"}
	if code, _, errs := invoke(resume...); code != exitUsage || !strings.Contains(errs, "leave --corpus out") {
		t.Errorf("another search for what is missing alone: exit %d: %s", code, errs)
	}
	code, out, errs := invoke(append(resume, "--retry-failed")...)
	if code != exitOK || !strings.Contains(errs, "search otherwise") || !strings.Contains(errs, "search.cascade") || strings.Contains(out, "no valid trace") {
		t.Errorf("exit %d: %s\n%s", code, out, errs)
	}
}

// TestEndpointThatOnlySays429: it ends the run as one that is down does, with the command to go on, and that finishes
// the run once there are turns again.
func TestEndpointThatOnlySays429(t *testing.T) {
	var busy atomic.Bool
	busy.Store(true)
	m, err := offline.New("reader", offline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	works := serve.Handler(m, "offline:reader")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !busy.Load() {
			works.ServeHTTP(w, r)
			return
		}
		http.Error(w, `{"error":{"message":"slow down","type":"rate_limit_exceeded","code":"rate_limit_exceeded"}}`, http.StatusTooManyRequests)
	}))
	defer server.Close()
	dir := t.TempDir()
	conf := filepath.Join(dir, "concur.yaml")
	write(t, conf, "model: openai:offline:reader\nlimits: {give_up: 500ms}\nsearch: {cascade: [corpus]}\n")
	t.Setenv("OPENAI_API_KEY", "a-key-for-the-loopback")
	t.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
	code, _, errs := invoke("run", "--runs-dir", dir, "--quiet", "--config", conf, "--limit", "4", "--concurrency", "8")
	for _, want := range []string{"429", "given up after", "--resume", "--retry-failed"} {
		if code != exitInvalid || !strings.Contains(errs, want) {
			t.Errorf("exit %d, want %q in: %s", code, want, errs)
		}
	}
	busy.Store(false)
	if code, out, errs := invoke("run", "--runs-dir", dir, "--quiet", "--resume", "latest", "--retry-failed"); code != exitOK {
		t.Errorf("gone on: exit %d: %s\n%s", code, out, errs)
	}
}
