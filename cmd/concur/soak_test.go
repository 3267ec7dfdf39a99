//go:build soak && unix

package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"
)

// moments is the number of times that a run is killed.
const moments = 30

// TestKillAndResume kills real runs with SIGKILL at moments spread over their whole time,
// resumes each, and compares it with a run that was left alone.
func TestKillAndResume(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "concur")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	for _, strategy := range []string{config.StrategyReact, config.StrategyPlan} {
		t.Run(strategy, func(t *testing.T) { killAndResume(t, bin, "--strategy", strategy) })
	}
}

func killAndResume(t *testing.T, bin string, settings ...string) {
	args := slices.Concat([]string{"run"}, settings, []string{"--model", "offline:reader?latency=20ms", "--concurrency", "3", "--format", "json", "--quiet"})
	start := time.Now()
	whole := runs(t, bin, t.TempDir(), args...)
	took := time.Since(start)

	sessions, kept := 0, 0
	for i := range moments {
		dir := t.TempDir()
		// From before the folder is there to about the end, and anywhere between.
		delay := time.Duration((float64(i) + rand.Float64()) / moments * float64(took))
		cmd := exec.Command(bin, args...)
		cmd.Dir = dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(delay)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() // killed, or done by then

		run, err := runlist.Find(filepath.Join(dir, "runs"), runlist.Latest)
		if err != nil {
			t.Logf("after %s nothing had begun", delay)
			continue
		}
		before := ended(t, run)
		resumed := runs(t, bin, dir, "run", "--resume", "latest", "--format", "json", "--quiet")
		if diff := cmp.Diff(whole, resumed); diff != "" {
			t.Errorf("killed after %s and resumed, the summary differs (-whole +resumed):\n%s", delay, diff)
		}
		if run, err = store.Open(run.Dir); err != nil {
			t.Fatal(err)
		}
		after := ended(t, run)
		for id, line := range before {
			if !bytes.Equal(line, after[id]) {
				t.Errorf("killed after %s: trace %v had ended and was not kept", delay, id)
			}
		}
		sessions, kept = sessions+1, kept+len(before)
		if len(after) != 87 {
			t.Errorf("killed after %s: %d traces in the end, want 87", delay, len(after))
		}
	}
	t.Logf("%d of %d kills hit a run; %d finished traces were kept", sessions, moments, kept)
	if sessions < moments/2 || kept == 0 {
		t.Errorf("only %d kills hit a run, with %d traces finished: the test shows little", sessions, kept)
	}
}

// runs runs concur and gives its summary, less what may differ.
func runs(t *testing.T, bin, dir string, args ...string) map[string]any {
	t.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, stderr.String())
	}
	written, err := os.ReadFile(filepath.Join(find(t, dir), "summary.json"))
	if err != nil || !bytes.Equal(out, written) {
		t.Errorf("summary.json is not what was printed (%v)", err)
	}
	var summary map[string]any
	if err := json.Unmarshal(out, &summary); err != nil {
		t.Fatal(err)
	}
	delete(summary, "run")
	for _, c := range summary["configurations"].([]any) {
		configuration := c.(map[string]any)
		delete(configuration, "timing")
		if tools, has := configuration["tools"].(map[string]any); has {
			for _, t := range tools {
				delete(t.(map[string]any), "seconds")
			}
		}
	}
	return summary
}

func find(t *testing.T, dir string) string {
	t.Helper()
	run, err := runlist.Find(filepath.Join(dir, "runs"), runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	return run.Dir
}

// ended gives the conclusion of every trace that has ended, as it counts now.
func ended(t *testing.T, run *store.Run) map[trace.ID]json.RawMessage {
	t.Helper()
	out := map[trace.ID]json.RawMessage{}
	for e, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if _, last := e.Body.(trace.Conclusion); last {
			raw, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			out[e.ID] = raw
		}
	}
	return out
}
