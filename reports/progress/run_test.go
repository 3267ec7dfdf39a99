package progress_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// began is a run that is shown on a console, of 20 queries and these configurations.
func began(t *testing.T, c progress.Console, names ...string) (*progress.Run, *store.Writer) {
	t.Helper()
	var draft runner.Draft
	rivers := &datasets.Dataset{Name: "rivers"}
	for i := range 20 {
		rivers.Queries = append(rivers.Queries, datasets.Query{ID: fmt.Sprint("q", i)})
	}
	plan := runner.Plan{Dataset: queries.Of(rivers)}
	for _, name := range names {
		conf := config.New()
		conf.Name = name
		plan.Arms = append(plan.Arms, runner.Arm{Configuration: conf, AgentHash: name})
		draft.Manifest.Configurations = append(draft.Manifest.Configurations, store.Configuration{Name: name, Configuration: conf})
	}
	draft.Manifest.Run, draft.Manifest.Start = "r1", time.Now()
	out, err := store.Create(t.TempDir(), draft.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	return progress.Start(c, out, draft, plan, nil), out
}

// state is that of a configuration after some queries, every fourth of which is wrong.
func state(name string, decided int) runner.Progress {
	p := runner.Progress{Configuration: name, Queries: 20, InFlight: 3}
	p.Correct, p.Incorrect, p.Tokens = decided-decided/4, decided/4, 1000*decided
	if decided > 0 {
		p.PassRate = &runner.RateSoFar{Value: 0.75, Low: 0.5, High: 0.9}
	}
	return p
}

// end ends a run, and gives its run.log.
func end(t *testing.T, r *progress.Run, out *store.Writer, cause error) string {
	t.Helper()
	r.End(cause)
	if err := out.Finish(store.Interrupted, time.Now()); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(out.Dir() + "/run.log")
	if err != nil {
		t.Fatal(err)
	}
	return string(log)
}

// The state of the workers is a line below the table, and follows each printed line without a terminal.
func TestMachines(t *testing.T) {
	const want = "hub: 2 workers with 8 places, 1 trace in flight there, 31 a minute"
	for where, size := range map[string]func() (int, int){"elsewhere": nil, "on a terminal": func() (int, int) { return 100, 50 }} {
		var w lockedText
		r, out := began(t, progress.Console{W: &w, Size: size}, "default")
		r.ShowMachines(func() progress.Machines { return progress.Machines{Workers: 2, Places: 8, Running: 1, PerMinute: 30.6} })
		r.Progress(state("default", 0))
		r.Progress(state("default", 10))
		r.Warn("a text that is printed above the lines")
		end(t, r, out, nil)
		if w.Lock(); !strings.Contains(w.String(), want) {
			t.Errorf("%s: %q lacks %q", where, w.String(), want)
		}
		w.Unlock()
	}
	if got := (progress.Machines{}).String(); got != "hub: no worker is there; start one with `concur work URL`" {
		t.Errorf("without workers: %q", got)
	}
}

// TestLines: without a terminal there is a line for each tenth of the queries, or for each
// quarter if there are several configurations.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  int
	}{{[]string{"default"}, 10}, {[]string{"full", "k=1"}, 8}} {
		var w strings.Builder
		r, out := began(t, progress.Console{W: &w}, c.names...)
		for decided := range 21 {
			for _, name := range c.names {
				r.Progress(state(name, decided))
				r.Progress(state(name, decided)) // a trace began, or ended
			}
		}
		log := end(t, r, out, fmt.Errorf("the disk is full"))
		lines := strings.Split(strings.TrimSuffix(w.String(), "\n"), "\n")
		if len(lines) != c.want+1 || !strings.HasPrefix(lines[0], "run: 20 queries of rivers, ") || !strings.HasSuffix(lines[0], "into "+out.Dir()) {
			t.Errorf("%v: %d lines, want %d:\n%s", c.names, len(lines), c.want+1, w.String())
		}
		title := c.names[len(c.names)-1]
		if title == "default" {
			title = "offline:reader"
		}
		last := title + ": done 20/20, right so far 75 % [50, 90], wrong 5, in flight 3, tokens 20k"
		if got := lines[len(lines)-1]; got != last {
			t.Errorf("the last line is %q, want %q", got, last)
		}
		if want := "ERROR  end: 15 correct, 5 incorrect, 0 unscored of 20 queries  error=\"the disk is full\""; len(c.names) == 1 && !strings.Contains(log, want) {
			t.Errorf("run.log has no %q:\n%s", want, log)
		}
	}
}

// TestResumedRunSaysNothingOld: the first state is where an earlier session ended.
func TestResumedRunSaysNothingOld(t *testing.T) {
	var w strings.Builder
	r, out := began(t, progress.Console{W: &w}, "default")
	r.Progress(state("default", 7))
	r.Progress(state("default", 8))
	end(t, r, out, nil)
	if got := strings.Split(w.String(), "\n")[1:]; len(got) != 2 || !strings.HasPrefix(got[0], "offline:reader: done 8/20") {
		t.Errorf("%q", got)
	}
}

// TestQuiet: only what cannot wait is printed.
func TestQuiet(t *testing.T) {
	var w strings.Builder
	r, out := began(t, progress.Console{W: &w, Quiet: true}, "default")
	r.Progress(state("default", 0))
	r.Progress(state("default", 20))
	r.Wait("the server is slow")
	r.Warn("interrupted")
	log := end(t, r, out, nil)
	if diff := cmp.Diff("concur: interrupted\n", w.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, want := range []string{"WARN  the server is slow", "WARN  interrupted", "configuration default: K=3"} {
		if !strings.Contains(log, want) {
			t.Errorf("run.log has no %q:\n%s", want, log)
		}
	}
}

// A wait says off a terminal that it begins, and how long it takes.
func TestCountdown(t *testing.T) {
	var out strings.Builder
	progress.Console{W: &out}.Countdown("the gate waits", time.Now().Add(90*time.Second))()
	if got := out.String(); !strings.HasPrefix(got, "concur: the gate waits: 1m30s, until ") || !strings.HasSuffix(got, " UTC\n") {
		t.Errorf("it shows %q", got)
	}
	out.Reset()
	quiet := progress.Console{W: &out, Quiet: true}
	if quiet.Countdown("the gate waits", time.Now())(); out.Len() > 0 {
		t.Errorf("quiet it shows %q", out.String())
	}
}
