//go:build data

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// caseTime bounds a runner of these cases. On an idle machine the longest takes a minute.
const caseTime = 10 * time.Minute

// built is the command as users have it.
func built(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "concur")
	build := exec.CommandContext(t.Context(), "go", "build", "-tags", "urfave_cli_no_docs", "-o", name, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return name
}

// recordingIn is a folder of $CONCUR_DATA with a runner of cases; a test without it is skipped.
func recordingIn(t *testing.T, folder, runner string) string {
	t.Helper()
	data := os.Getenv("CONCUR_DATA")
	if data == "" {
		t.Skip("CONCUR_DATA is not set: name the folder of recordings")
	}
	dir := filepath.Join(data, folder)
	if _, err := os.Stat(filepath.Join(dir, runner)); errors.Is(err, os.ErrNotExist) {
		t.Skipf("%s has no %s", dir, runner)
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed, and the runners of cases are written in it")
	}
	return dir
}

// runCases runs a runner of cases and gives what it printed.
func runCases(t *testing.T, binary, dir, program string, arguments ...string) (string, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, arguments...)
	c.Dir, c.WaitDelay = dir, time.Second
	c.Env = append(os.Environ(), "CONCUR="+binary, "PYTHONDONTWRITEBYTECODE=1")
	timer := time.AfterFunc(caseTime, func() { _ = c.Process.Kill() })
	defer timer.Stop()
	out, err := c.CombinedOutput()
	return string(out), err
}

var allRight = regexp.MustCompile(`(?m)^(\d+) of (\d+) right$`)

// TestRecordedDataEndpoints runs the faults of model servers, tools and agents, controls included.
func TestRecordedDataEndpoints(t *testing.T) {
	dir := recordingIn(t, "endpoints", "run.py")
	out, err := runCases(t, built(t), dir, "python3", "run.py", "cases.jsonl")
	t.Log(out)
	if m := allRight.FindStringSubmatch(out); err != nil || m == nil || m[1] != m[2] || m[1] == "0" {
		t.Errorf("not every case is right: %v", err)
	}
}

// TestRecordedDataAgents runs external agents with each fault: a right answer is right, however it is dressed.
func TestRecordedDataAgents(t *testing.T) {
	dir := recordingIn(t, "endpoints", filepath.Join("agents", "run.py"))
	modes := strings.Fields("plain bom crlf ansi progress-cr pretty evidence-odd nan number usage-float extra hang-after slow-start")
	binary := built(t)
	out, err := runCases(t, binary, dir, "python3", append([]string{filepath.Join("agents", "run.py"), binary}, modes...)...)
	t.Log(out)
	if n := strings.Count(out, " correct "); err != nil || n != len(modes) {
		t.Errorf("%d of %d agents are right: %v", n, len(modes), err)
	}
}

// TestRecordedDataVerifier runs a verifier that says yes in several forms.
func TestRecordedDataVerifier(t *testing.T) {
	dir := recordingIn(t, "endpoints", "verifier.py")
	out, err := runCases(t, built(t), dir, "python3", "verifier.py")
	t.Log(out)
	if right := strings.Count(out, "\nok ") + 1; err != nil || !strings.HasPrefix(out, "ok ") || right != strings.Count(out, "\n") {
		t.Errorf("not every form is read: %v", err)
	}
}

// TestRecordedDataAnswers runs final messages of agents and what a careful reader finds in them.
func TestRecordedDataAnswers(t *testing.T) {
	dir := recordingIn(t, "answers", "run.py")
	out, err := runCases(t, built(t), dir, "python3", "run.py", "cases.jsonl", "--show")
	t.Log(out)
	if err != nil {
		t.Errorf("not every case is right: %v", err)
	}
}
