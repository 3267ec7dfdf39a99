package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGoExample builds the agent of examples/go and runs it on two queries.
func TestGoExample(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program and starts processes")
	}
	folder := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "agent"), "../../examples/go")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(folder, "concur.yaml"), []byte("agent: {exec: [./agent]}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("concur", "run", "--query", "retrieval-03,calc-01", "--quiet", "--format", "markdown")
	run.Dir, run.Env = folder, append(os.Environ(), "HOME="+folder)
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "2/2") {
		t.Errorf("%v\n%s", err, out)
	}
}
