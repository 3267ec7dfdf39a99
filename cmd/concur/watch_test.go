package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// watched is a command that watches, with the model that it asks.
type watched struct {
	t         *testing.T
	dir       string
	out, errs *lockedText

	mu        sync.Mutex
	questions []string // the questions that the model got
}

// lockedText is a text that a process writes and a test reads.
type lockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (w *watched) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []struct{ Role, Content string }
	}
	_ = json.NewDecoder(r.Body).Decode(&request)
	for _, m := range request.Messages {
		if m.Role == "user" {
			w.mu.Lock()
			w.questions = append(w.questions, m.Content)
			w.mu.Unlock()
		}
	}
	_, _ = fmt.Fprint(out, `{"choices": [{"message": {"role": "assistant", "content": "Answer: 42"}, "finish_reason": "stop"}]}`)
}

// until waits for a text on standard error or output, n times.
func (w *watched) until(what string, n int) {
	w.t.Helper()
	for strings.Count(w.out.String()+w.errs.String(), what) < n {
		if w.t.Context().Err() != nil {
			w.t.Fatalf("waiting for %q: %s%s", what, w.out, w.errs)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// took returns the questions since the last call, sorted.
func (w *watched) took() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.questions
	w.questions = nil
	slices.Sort(out)
	return out
}

func (w *watched) start(variables []string, args ...string) *exec.Cmd {
	w.t.Helper()
	c := exec.Command("concur", args...)
	w.out, w.errs = &lockedText{}, &lockedText{}
	c.Dir, c.Stdout, c.Stderr = w.dir, w.out, w.errs
	c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.dir}, variables...)
	if err := c.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = c.Process.Kill() })
	return c
}

func (w *watched) edit(name, from, to string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	raw, err := os.ReadFile(path)
	if err == nil && !strings.Contains(string(raw), from) {
		w.t.Fatalf("%s lacks %q", name, from)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.put(name, strings.Replace(string(raw), from, to, 1))
}

// put replaces a file at once, so that no half of it is seen.
func (w *watched) put(name, text string) {
	w.t.Helper()
	beside := filepath.Join(w.t.TempDir(), "new")
	write(w.t, beside, text)
	if err := os.Rename(beside, filepath.Join(w.dir, name)); err != nil {
		w.t.Fatal(err)
	}
}

// TestWatchGoesOn removes the configuration, the dataset and a file of the agent, which are reported.
func TestWatchGoesOn(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("whole processes, which end by a signal")
	}
	w := &watched{t: t, dir: t.TempDir()}
	at := func(name string) string { return filepath.Join(w.dir, name) }
	const answers = "cat >/dev/null\necho Answer: 42\n"
	for name, text := range map[string]string{
		"concur.yaml": "k: 1\ndataset: q.yaml\nagent: {exec: [sh, agent.sh], output: text, files: [st]}\n",
		"q.yaml":      "queries:\n  - {id: a, category: c, query: one, gold: {type: integer, answer: \"42\"}}\n",
		"agent.sh":    answers,
		"st":          "1",
	} {
		write(t, at(name), text)
	}
	run := w.start(nil, "run", "--watch", "--all")
	w.until("waiting for changes of files", 1)
	for _, gone := range []struct{ name, reported string }{
		{"st", `agent.files: "st" matches no file`},
		{"concur.yaml", "open concur.yaml: no such file"},
		{"q.yaml", "open q.yaml: no such file"},
	} {
		runs := strings.Count(w.out.String(), "right answers")
		if err := os.Rename(at(gone.name), at("away")); err != nil {
			t.Fatal(err)
		}
		w.until(gone.reported, 1)
		if err := os.Rename(at("away"), at(gone.name)); err != nil {
			t.Fatal(err)
		}
		w.edit("agent.sh", answers, answers+"# "+gone.name+"\n")
		w.until("right answers", runs+1)
	}
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _ = run.Wait(); run.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("exit %d: %s", run.ProcessState.ExitCode(), w.errs)
	}
	if text := w.out.String() + w.errs.String(); strings.Contains(text, "of gold29") {
		t.Errorf("the default dataset ran: %s", text)
	}
}

// TestWatch changes queries, a gold, a prompt and the configuration while a run is watched.
func TestWatch(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("whole processes, which end by a signal")
	}
	w := &watched{t: t, dir: t.TempDir()}
	server := httptest.NewServer(w)
	defer server.Close()
	for name, text := range map[string]string{
		"concur.yaml": "k: 1\nmodel: openai:m\nagent: {strategy: direct, prompts: {user: ask.txt}}\ntests:\n" +
			"  - {id: a, query: one, gold: {type: integer, answer: \"42\"}}\n  - {id: b, query: two, gold: {type: integer, answer: \"43\"}}\n",
		"ask.txt": "Say {{question}}.",
	} {
		write(t, filepath.Join(w.dir, name), text)
	}
	run := w.start([]string{"OPENAI_BASE_URL=" + server.URL}, "run", "--watch", "--all")
	const waits = "waiting for changes of files"
	w.until(waits, 1)
	want := func(what string, questions ...string) {
		t.Helper()
		if got := w.took(); !slices.Equal(got, questions) {
			t.Errorf("%s: the model got %q, want %q\n%s", what, got, questions, w.errs)
		}
	}
	want("the first run", "Say one.", "Say two.")
	w.edit("concur.yaml", "query: two", "query: three")
	w.until(waits, 2)
	want("a query", "Say three.")
	w.edit("concur.yaml", `"43"`, `"42"`)
	w.until(waits, 3)
	want("a gold")
	w.edit("ask.txt", "Say", "Tell")
	w.until(waits, 4)
	want("a prompt", "Tell one.", "Tell three.")
	w.edit("concur.yaml", "k: 1", "kk: 1")
	w.until(waits, 5)
	w.edit("concur.yaml", "kk: 1", "k: 1")
	w.until(waits, 6)
	want("a mistake that is corrected")
	w.put(".env", "A=1\n")
	w.until(waits, 7)
	want("a file of variables", "Tell one.", "Tell three.")
	w.put(".env", "A='1\n")
	w.until(waits, 8)
	w.until(".env:1: A: the quote ", 1)
	want("a mistake in the variables")
	w.put(".env", "A='1'\n")
	w.until(waits, 9)
	want("variables that are corrected", "Tell one.", "Tell three.")
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _ = run.Wait(); run.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("exit %d", run.ProcessState.ExitCode())
	}
	for _, text := range []string{"changed: concur.yaml", "1 of 2 queries run again; the others have the replies of run",
		"0 of 2 queries run again", "changed: ask.txt", `concur.yaml:1:1: kk: unknown field "kk"`, "until a signal ends it"} {
		w.until(text, 1)
	}
	if got := strings.Count(w.out.String(), "2/2"); got != 2*5 { // each row has it twice
		t.Errorf("%d of the runs are right, want those after the gold was changed:\n%s", got, w.out)
	}

	// compare sees the next run.
	compare := w.start(nil, "compare", "latest", "watched-next", "--watch")
	if err := compare.Wait(); err == nil || !strings.Contains(w.errs.String(), "watched-next") {
		t.Errorf("a run that is not there: %v, %s", err, w.errs)
	}
	again := func(name string) {
		t.Helper()
		c := w.start([]string{"OPENAI_BASE_URL=" + server.URL}, "run", "--name", name, "--quiet")
		if err := c.Wait(); err != nil {
			t.Fatalf("%v: %s", err, w.errs)
		}
	}
	again("before")
	again("after")
	compare = w.start(nil, "compare", "before", "after", "--watch")
	w.until("right answers", 1)
	out, errs := w.out, w.errs
	w.until("right answers", 1)
	again("after")
	w.out, w.errs = out, errs
	w.until("right answers", 2)
	if err := compare.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _ = compare.Wait(); compare.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("exit %d: %s", compare.ProcessState.ExitCode(), w.errs)
	}
}
