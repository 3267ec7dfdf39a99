package runner_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/outputtest"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/trace"
)

// memory is an output that keeps everything as text. It has no lock, so that the race detector can find
// concurrent calls.
type memory struct {
	text     strings.Builder
	decided  map[string]int // by the last record
	progress func(format string, args ...any)
}

func (m *memory) keep(call any) {
	for range 20 { // gives others the opportunity to call
		runtime.Gosched()
	}
	m.text.WriteString(jsonLine(call))
}

func (m *memory) Exchange(x store.Exchange) { m.keep(x) }
func (m *memory) Event(e trace.Event)       { m.keep(e) }
func (m *memory) Record(r store.Record)     { m.keep(r); m.decided[r.Configuration]++ }
func (m *memory) Progress(p runner.Progress) {
	if n := p.Decided(); n > m.decided[p.Configuration] {
		m.progress("%s: told of %d decided queries after %d records", p.Configuration, n, m.decided[p.Configuration])
	}
}

func jsonLine(call any) string {
	raw, err := json.Marshal(call)
	if err != nil {
		return err.Error() + "\n"
	}
	return string(raw) + "\n"
}

func TestOutputInMemory(t *testing.T) {
	outputtest.Test(t, func(t testing.TB, run outputtest.Run) outputtest.Subject {
		m := &memory{decided: map[string]int{}, progress: t.Errorf}
		if run.Prior != nil {
			m.decided["default"] = run.Prior.Queries()
		}
		return outputtest.Subject{Output: m, Keeps: jsonLine, Kept: func(testing.TB) string { return m.text.String() }}
	})
}

// TestRunFolderAsOutput checks that each of the three files has the calls in their order.
func TestRunFolderAsOutput(t *testing.T) {
	for file, keeps := range map[string]func(any) string{
		"chat": func(call any) string {
			if x, is := call.(store.Exchange); is {
				return fmt.Sprintln(x.Identity, x.Response.Content)
			}
			return ""
		},
		"trace": func(call any) string {
			if e, is := call.(trace.Event); is {
				return fmt.Sprintln(e.ID, e.Path, e.Step, e.Name())
			}
			return ""
		},
		"results": func(call any) string {
			if r, is := call.(store.Record); is {
				return fmt.Sprintln(r.Query, r.Configuration, *r.Consensus.Answer, len(r.Answers), r.Verdict)
			}
			return ""
		},
	} {
		t.Run(file, func(t *testing.T) {
			outputtest.Test(t, func(t testing.TB, run outputtest.Run) outputtest.Subject {
				return folderSubject(t, run, file, keeps)
			})
		})
	}
}

// folderSubject is a second folder of the run, of which the test reads one file.
func folderSubject(t testing.TB, run outputtest.Run, file string, keeps func(any) string) outputtest.Subject {
	t.Helper()
	var broken atomic.Bool
	m := run.Draft.Manifest
	m.Run = "second"
	w, err := store.Options{Buffer: 64, Fault: func(boundary string) error {
		if broken.Load() && strings.HasPrefix(boundary, "write "+file) {
			return disk.ErrTorn
		}
		return nil
	}}.Create(t.TempDir(), m)
	if err != nil {
		t.Fatal(err)
	}
	return outputtest.Subject{Output: w, Keeps: keeps, Break: func() { broken.Store(true) },
		Kept: func(t testing.TB) string {
			if err := w.Finish(store.Interrupted, time.Now()); (err != nil) != broken.Load() {
				t.Errorf("broken %t, and it ends with %v", broken.Load(), err)
			}
			kept, err := store.Open(w.Dir())
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			r := contentsInOrder(t, kept)
			for _, call := range r {
				text.WriteString(keeps(call))
			}
			return text.String()
		}}
}

// contentsInOrder reads all files of a run. It reads a file that was cut up to the cut.
func contentsInOrder(t testing.TB, run *store.Run) (out []any) {
	t.Helper()
	for x, err := range run.Exchanges() {
		if err != nil {
			break
		}
		out = append(out, x)
	}
	for e, err := range run.Events() {
		if err != nil {
			break
		}
		out = append(out, e)
	}
	for r, err := range run.Records() {
		if err != nil {
			break
		}
		out = append(out, r)
	}
	return out
}

// TestEndOfARunThatDidNotBegin checks that End is also called for a plan that is refused, because a display
// must be closed.
func TestEndOfARunThatDidNotBegin(t *testing.T) {
	var ends ended
	r := execute(t, t.Context(), runner.Plan{Dataset: newPlan(1, 1, 1, nil).Dataset}, listening(&ends))
	if r.err == nil || len(ends.with) != 1 || ends.with[0] != r.err {
		t.Errorf("the run ended with %v, and the output with %v", r.err, ends.with)
	}
}

type ended struct {
	runner.NoOutput
	with []error
}

func (e *ended) End(err error) { e.with = append(e.with, err) }
