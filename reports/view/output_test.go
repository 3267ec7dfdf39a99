package view_test

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/outputtest"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/trace"
)

var number = regexp.MustCompile(`^\d+|, \d+`)

// TestFiguresAsOutput: the viewer, another process, sees a run by its folder, which is an output. The live figures count
// the traces and the queries whose ends and records the folder got.
func TestFiguresAsOutput(t *testing.T) {
	for figure, keeps := range map[string]func(any) string{
		"ended": func(call any) string {
			if e, is := call.(trace.Event); is {
				if _, ends := e.End(); ends {
					return "."
				}
			}
			return ""
		},
		"/0/done": func(call any) string {
			if _, is := call.(store.Record); is {
				return "."
			}
			return ""
		},
	} {
		t.Run(figure, func(t *testing.T) {
			outputtest.Test(t, func(t testing.TB, run outputtest.Run) outputtest.Subject {
				return watchedFolder(t, run, figure, keeps)
			})
		})
	}
}

// watchedFolder is a folder whose output is seen through a figure of the viewer, as so many points.
func watchedFolder(t testing.TB, run outputtest.Run, figure string, keeps func(any) string) outputtest.Subject {
	t.Helper()
	var broken atomic.Bool
	dir, m := t.TempDir(), run.Draft.Manifest
	m.Run = "run-1"
	w, err := store.Options{Buffer: 64, Fault: func(boundary string) error {
		if broken.Load() && strings.HasPrefix(boundary, "write") {
			return disk.ErrTorn
		}
		return nil
	}}.Create(dir, m)
	if err != nil {
		t.Fatal(err)
	}
	return outputtest.Subject{Output: w, Break: func() { broken.Store(true) }, Keeps: keeps, Kept: func(t testing.TB) string {
		if err := w.Finish(store.Interrupted, time.Now()); (err != nil) != broken.Load() {
			t.Errorf("broken %t, and the folder ends with %v", broken.Load(), err)
		}
		event, data := served(t, dir).events("/run/run-1/events")()
		if event != "figures" {
			t.Fatalf("the first event is %s %s", event, data)
		}
		var figures map[string]string
		if err := json.Unmarshal([]byte(data), &figures); err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, digits := range number.FindAllString(figures[figure], -1) {
			n, err := strconv.Atoi(strings.TrimPrefix(digits, ", "))
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		return strings.Repeat(".", sum)
	}}
}
