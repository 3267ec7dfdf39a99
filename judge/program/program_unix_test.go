//go:build unix

package program_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/judge/checking"
	"github.com/seed-5817661a/concur/judge/program"
	"github.com/seed-5817661a/concur/trace"
)

func TestMain(m *testing.M) {
	if os.Getenv("CHECK_SERVES") != "" {
		serve()
		syscall.Exit(0) // a return waits for a second under the race detector
	}
	goleak.VerifyTestMain(m)
}

// serve is a program that answers checks, one line each: a message passes if it is long.
func serve() {
	in := json.NewDecoder(os.Stdin)
	for {
		var q program.Question
		if in.Decode(&q) != nil {
			return
		}
		fmt.Printf("{\"call\": %d, \"pass\": %v, \"reason\": \"%s\"}\n", q.Call, len(q.Message) > 3, q.ID)
	}
}

// write writes a script and returns the command that runs it.
func write(t *testing.T, script string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "check.sh")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"sh", path}
}

func env() []string { return []string{"PATH=" + os.Getenv("PATH")} }

func check(command []string, more ...func(*checks.Check)) checks.Check {
	c := checks.Check{Kind: checks.Exec, Exec: checks.Program{Command: command, Timeout: 5 * time.Minute}} // a hang alone takes so long
	for _, by := range more {
		by(&c)
	}
	return c
}

// TestReplies checks what a program's output means. Whatever is wrong with a program decides nothing.
func TestReplies(t *testing.T) {
	soon := func(c *checks.Check) { c.Exec.Timeout = time.Second }
	from7 := func(c *checks.Check) { c.Threshold = 0.7 }
	for _, c := range []struct {
		name, script string
		more         func(*checks.Check)
		pass         string // "true", "false", "" for undecided
		score        float64
		reason       string
	}{
		{"passes", `echo '{"pass": true, "score": 0.8, "reason": "good"}'`, nil, "true", 0.8, "good"},
		{"fails", `echo '{"pass": false, "reason": "bad"}'`, nil, "false", 0, "bad"},
		{"a pass alone", `echo '{"pass": true}'`, nil, "true", 1, "gives no reason"},
		{"lines before the object", "echo loading; echo '{\"pass\": true}'", nil, "true", 1, ""},
		{"an object over several lines", "echo '{'; echo '\"pass\": true}'", nil, "true", 1, ""},
		{"reads its input", `read line; case "$line" in *'"message":"said"'*'"observation":"found"'*'"id":"wiki_1"'*) echo '{"pass": true}';; *) echo "$line" >&2; exit 1;; esac`, nil, "true", 1, ""},
		{"a threshold with a score", `echo '{"score": 0.8}'`, from7, "true", 0.8, ""},
		{"below the threshold", `echo '{"score": 0.6, "reason": "so so"}'`, from7, "false", 0.6, "the score 0.6 is below 0.7; so so"},
		{"fails above the threshold", `echo '{"pass": false, "score": 0.9}'`, from7, "false", 0.9, ""},
		{"a threshold without a score", `echo '{"pass": true}'`, from7, "", 0, `printed no "score"`},
		{"a score alone", `echo '{"score": 1}'`, nil, "", 0, `printed no "pass"`},
		{"prints nothing", `true`, nil, "", 0, "printed nothing"},
		{"prints NaN", `echo '{"pass": true, "score": NaN}'`, nil, "", 0, "printed a number that JSON does not have"},
		{"prints Infinity", `echo '{"pass": true, "score": -Infinity}'`, nil, "", 0, "printed a number that JSON does not have"},
		{"prints a great score", `echo '{"pass": true, "score": 7}'`, nil, "", 0, "printed the score 7"},
		{"prints prose", `echo yes`, nil, "", 0, "printed no JSON object"},
		{"prints a text as pass", `echo '{"pass": "true"}'`, nil, "", 0, `printed pass "true", not true or false`},
		{"prints text after the object", `printf '{"pass": true}\ndone\n'`, nil, "", 0, `printed text after its JSON object: "done"`},
		{"prints null", `echo '{"pass": null}'`, nil, "", 0, `printed no "pass"`},
		{"dies", `echo '{"pass": true}'; echo broken >&2; exit 3`, nil, "", 0, "ended with exit status 3; its standard error ends: broken"},
		{"is killed", `kill -9 $$`, nil, "", 0, "ended with signal: killed"},
		{"hangs", `sleep 600`, soon, "", 0, "gave no reply within 1s"},
		{"replies and hangs", `echo '{"pass": true}'; sleep 600`, soon, "", 0, "gave no reply within 1s"},
		{"floods", `while :; do echo 0123456789012345678901234567890123456789; done`, nil, "", 0, "wrote more than 1 MiB"},
		{"changes its file", `echo '# more' >> "$0"; echo '{"pass": true}'`, nil, "", 0, "changed its own file"},
		{"has no key", `test -z "$OPENAI_API_KEY" && echo '{"pass": true}'`, nil, "true", 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			more := c.more
			if more == nil {
				more = func(*checks.Check) {}
			}
			q := program.Question{ID: "q", Query: "which?", Message: "said"}
			q.Tell([]trace.Event{{Body: trace.Thought{Content: "look"}}, {Body: trace.Action{Name: "search", Input: []byte(`{}`), CallID: "1"}},
				{Body: trace.Observation{CallID: "1", Output: []byte("found"), Documents: []trace.Document{{ID: "wiki_1"}}}}})
			p := &program.Programs{Env: env()}
			got := p.Decide(t.Context(), check(write(t, c.script), more), q)
			pass := ""
			if got.Pass != nil {
				pass = strconv.FormatBool(*got.Pass)
			}
			if pass != c.pass || got.Score != c.score || !strings.Contains(got.Reason, c.reason) || got.Unsteady || len(got.Reason) > 2000 {
				t.Errorf("%+v, pass %q; want %q, score %v because of %s", got, pass, c.pass, c.score, c.reason)
			}
		})
	}
}

// TestAskedOnce: one message of a query is checked twice; equal checks are not asked again, and neither are recorded
// ones. A changed program is asked.
func TestAskedOnce(t *testing.T) {
	count := filepath.Join(t.TempDir(), "count")
	command := write(t, `echo x >> `+count+`; echo '{"pass": true}'`)
	calls := func() int {
		raw, _ := os.ReadFile(count)
		return strings.Count(string(raw), "x")
	}
	p := &program.Programs{Env: env()}
	ask := func(p *program.Programs, id, message string) checking.Result {
		return p.Decide(t.Context(), check(command), program.Question{ID: id, Message: message})
	}
	first := ask(p, "a", "one")
	for _, step := range []struct {
		id, message string
		calls       int
	}{{"a", "one", 2}, {"a", "two", 3}, {"a", "two", 3}, {"b", "one", 5}, {"b", "three", 6}} {
		if r := ask(p, step.id, step.message); r.Pass == nil || calls() != step.calls {
			t.Errorf("%s, %s: %+v after %d calls, want %d", step.id, step.message, r, calls(), step.calls)
		}
	}
	again := &program.Programs{Env: env(), Known: map[string]checking.Result{first.Key: first}}
	if r := ask(again, "a", "one"); r.Key != first.Key || calls() != 6 {
		t.Errorf("recorded: %+v after %d calls", r, calls())
	}
	if err := os.WriteFile(command[1], []byte(`echo '{"pass": false}'`), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := ask(again, "a", "one"); r.Pass == nil || *r.Pass || r.Key == first.Key {
		t.Errorf("changed program: %+v", r)
	}
}

// TestUnsteady: a program that says yes and no to the same message decides nothing, and is marked.
func TestUnsteady(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	for _, c := range []struct {
		script, reason string
		decided        bool
	}{
		{`if test -e STATE; then echo '{"pass": false, "reason": "no"}'; else touch STATE; echo '{"pass": true, "reason": "yes"}'; fi`,
			"the program answers the same message differently: first pass (yes), then fail (no)", false},
		{`if test -e STATE; then echo '{"pass": true, "score": 0.5}'; else touch STATE; echo '{"pass": true, "score": 0.9}'; fi`, "", true},
		{`if test -e STATE; then exit 1; else touch STATE; echo '{"pass": true}'; fi`, "the second time, for the same message", false},
	} {
		_ = os.Remove(state)
		p := &program.Programs{Env: env()}
		command := write(t, strings.ReplaceAll(c.script, "STATE", state))
		got := p.Decide(t.Context(), check(command), program.Question{ID: "q", Message: "m"})
		if !got.Unsteady || (got.Pass != nil) != c.decided || !strings.Contains(got.Reason, c.reason) {
			t.Errorf("%s:\n%+v", c.script, got)
		}
		again := p.Decide(t.Context(), check(command), program.Question{ID: "q", Message: "m"})
		if again.Reason != got.Reason || !again.Unsteady {
			t.Errorf("%s: the same message is decided otherwise later: %+v", c.script, again)
		}
	}
}

// TestServe: one process answers many checks; one that misbehaves is ended, and the next check starts another.
func TestServe(t *testing.T) {
	serves := func(c *checks.Check) { c.Exec.Serve = true }
	p := &program.Programs{Env: append(env(), "CHECK_SERVES=1")}
	defer p.Close()
	self := check([]string{os.Args[0]}, serves)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			message := strings.Repeat("x", i%7)
			r := p.Decide(t.Context(), self, program.Question{ID: fmt.Sprint(i), Message: message})
			if r.Pass == nil || *r.Pass != (len(message) > 3) || r.Reason != fmt.Sprint(i) {
				t.Errorf("%d: %+v", i, r)
			}
		})
	}
	all.Wait()
	for script, reason := range map[string]string{
		`read line; echo '{"pass": true}'`:                                    `printed a reply without "call"`,
		`read line; exit 0`:                                                   "ended before its reply",
		`read line; echo '{"call": 1, "pass": NaN}'`:                          "printed a number that JSON does not have",
		`read line; while :; do printf 0123456789012345678901234567890; done`: "wrote more than 1 MiB",
		`read line; while :; do echo x; done`:                                 "wrote 1000 lines before its reply",
		`sleep 600`:                                                           "gave no reply within 500ms",
	} {
		c := check(write(t, script), serves, func(c *checks.Check) {
			if c.Exec.Timeout = time.Minute; strings.HasPrefix(script, "sleep") {
				c.Exec.Timeout = 500 * time.Millisecond
			}
		})
		if r := p.Decide(t.Context(), c, program.Question{ID: script}); r.Pass != nil || !strings.Contains(r.Reason, reason) {
			t.Errorf("%s: %+v, want %s", script, r, reason)
		}
	}
}

func TestEndsWithItsContext(t *testing.T) {
	ctx, end := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer end()
	p := &program.Programs{Env: env()}
	start := time.Now()
	if r := p.Decide(ctx, check(write(t, "sleep 600")), program.Question{}); r.Pass != nil || time.Since(start) > 5*time.Minute {
		t.Errorf("%+v after %s", r, time.Since(start))
	}
	if r := p.Decide(t.Context(), check([]string{"/no/such/program"}), program.Question{}); r.Pass != nil || !strings.Contains(r.Reason, "cannot be started") {
		t.Errorf("%+v", r)
	}
}

// A program that serves takes more than 1,000 checks a second.
func BenchmarkServe(b *testing.B) {
	p := &program.Programs{Env: append(env(), "CHECK_SERVES=1")}
	defer p.Close()
	c := checks.Check{Kind: checks.Exec, Exec: checks.Program{Command: []string{os.Args[0]}, Serve: true}}
	n := 0
	for b.Loop() {
		n++
		if r := p.Decide(b.Context(), c, program.Question{ID: "q", Message: strconv.Itoa(n)}); r.Pass == nil {
			b.Fatal(r)
		}
	}
}
