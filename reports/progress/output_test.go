package progress_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/runner/outputtest"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// failing is a writer to a disk that becomes full.
type failing struct {
	io.Writer
	full atomic.Bool
}

func (f *failing) Write(p []byte) (int, error) {
	if f.full.Load() {
		return 0, errors.New("the disk is full")
	}
	return f.Writer.Write(p)
}

// logged is the line of run.log about a call, without its time and level.
func logged(call any) string {
	switch c := call.(type) {
	case trace.Event:
		if t, ends := c.End(); ends {
			return fmt.Sprintf("trace  %s/%d  %s", t.Query, t.Trace, t.Outcome) + "\n"
		}
	case store.Record:
		return fmt.Sprintf("query  %s  %s", c.Query, c.Consensus.Method) + "\n"
	}
	return ""
}

// ofCalls are the lines of a log that are about calls, with as many words as logged gives.
func ofCalls(log string) string {
	var b strings.Builder
	for line := range strings.Lines(log) {
		for _, about := range []string{"trace  ", "query  "} {
			if _, rest, is := strings.Cut(line, about); is {
				words := strings.Fields(rest)
				fmt.Fprintf(&b, "%s%s  %s\n", about, words[0], strings.TrimSuffix(words[1], ","))
			}
		}
	}
	return b.String()
}

func TestLogAsOutput(t *testing.T) {
	outputtest.Test(t, func(testing.TB, outputtest.Run) outputtest.Subject {
		var log strings.Builder
		w := &failing{Writer: &log}
		return outputtest.Subject{Output: &progress.Log{W: w}, Keeps: logged, Break: func() { w.full.Store(true) },
			Kept: func(testing.TB) string { return ofCalls(log.String()) }}
	})
}

// TestRunAsOutput: run.log has all, even if the console is closed.
func TestRunAsOutput(t *testing.T) {
	outputtest.Test(t, func(t testing.TB, run outputtest.Run) outputtest.Subject {
		var console strings.Builder
		w := &failing{Writer: &console}
		shown := progress.Start(progress.Console{W: w}, run.Folder, run.Draft, run.Plan, run.Prior)
		return outputtest.Subject{Output: shown, Keeps: logged, Break: func() { w.full.Store(true) },
			Kept: func(t testing.TB) string {
				raw, err := os.ReadFile(run.Folder.Dir() + "/run.log")
				if err != nil {
					t.Fatal(err)
				}
				_, log, _ := strings.Cut(string(raw), "configuration default")
				lines := strings.Split(strings.TrimSpace(log), "\n")
				if last := lines[len(lines)-1]; !strings.Contains(last, "  end: ") {
					t.Errorf("the last line is %q", last)
				}
				return ofCalls(log)
			}}
	})
}
