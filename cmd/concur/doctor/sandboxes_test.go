package doctor

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/sandboxtest"
	"github.com/seed-5817661a/concur/reports/listing"
)

func TestSandboxes(t *testing.T) {
	sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	var d Examination
	d.Sandboxes(context.Background(), os.Getenv, t.TempDir())
	states := map[string]listing.CheckState{}
	for _, c := range d.Checks {
		states[c.Name] = c.State
		if c.State == listing.Fails {
			t.Errorf("%+v", c)
		}
	}
	for _, name := range []string{"bwrap python", "bwrap: files of the host", "bwrap: processes", "bwrap: no process is left"} {
		if states[name] != listing.Works {
			t.Errorf("%s: %q, want %q; there are %v", name, states[name], listing.Works, states)
		}
	}
}

// open is a sandbox without bounds: each job gets what an open machine would give it.
type open struct{ sandbox.Engine }

func (open) Run(_ context.Context, job sandbox.Job) (sandbox.Ended, error) {
	switch script := string(job.Script); {
	case strings.HasPrefix(script, "# Tries to reach"):
		return sandbox.Ended{Result: []byte(`{"files of the host": ["/etc/passwd"]}`)}, nil
	case strings.HasPrefix(script, "# Starts 100"):
		return sandbox.Ended{Result: []byte("100")}, nil
	case strings.HasPrefix(script, "# Fills the working folder"):
		return sandbox.Ended{Result: []byte("16777216")}, nil
	case strings.HasPrefix(script, "# Leaves"):
		return sandbox.Ended{Result: []byte("left")}, nil
	}
	return sandbox.Ended{Result: []byte("full")}, nil
}

func (open) Name() string { return "open" }

// Bounds that do not hold are failures that are needed.
func TestOpenSandbox(t *testing.T) {
	var d Examination
	d.attack(context.Background(), open{}, t.TempDir())
	failed := map[string]string{}
	for _, c := range d.Checks {
		if c.State == listing.Fails {
			failed[c.Name] = c.Detail
		}
	}
	for name, detail := range map[string]string{
		"open: files of the host": "a program passed this bound: /etc/passwd", "open: processes": "100 of 100 started",
		"open: memory of one process": "256 MiB were used", "open: memory of 8 processes": "256 MiB were used",
		"open: size of files": "16384 KiB were written", "open: number of files": "20000 files were made",
	} {
		if !strings.Contains(failed[name], detail) {
			t.Errorf("%s: %q, want %q", name, failed[name], detail)
		}
	}
	if !d.Failed() {
		t.Error("doctor does not fail")
	}
}
