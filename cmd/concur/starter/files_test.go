package starter

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAddLine(t *testing.T) {
	for _, c := range []struct {
		before, after string
	}{
		{"", "runs/\n"},
		{"*.log\n", "*.log\nruns/\n"},
		{"*.log", "*.log\nruns/\n"},
		{"bin/\r\nruns/\r\n", "bin/\r\nruns/\r\n"},
		{"# runs/\nold-runs/\n", "# runs/\nold-runs/\nruns/\n"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, ".gitignore")
		if err := os.WriteFile(path, []byte(c.before), 0o600); err != nil {
			t.Fatal(err)
		}
		err := addLine(dir, ignoreFile, ignoreRuns)
		after, readErr := os.ReadFile(path)
		if err != nil || readErr != nil || string(after) != c.after {
			t.Errorf("%q became %q (%v, %v); want %q", c.before, after, err, readErr, c.after)
		}
	}
	dir := t.TempDir()
	if err := addLine(dir, ignoreFile, ignoreRuns); err != nil {
		t.Errorf("a file is not made where there is none: %v", err)
	}
}
