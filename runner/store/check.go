// Package store owns the run folder (DESIGN.md §7): its manifest, the JSONL files that one
// goroutine appends to, the lock against a second writer, resuming a stopped run, and
// reading.
//
// It may import runner/config, runner/trace, runner/model, consensus and judge.
package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Check reports whether runs can be stored in a folder, which need not exist yet: whether
// files can be written and locked there. It leaves no files behind.
func Check(runsDir string) (err error) {
	at := runsDir
	for !exists(at) && filepath.Dir(at) != at {
		at = filepath.Dir(at)
	}
	f, err := os.CreateTemp(at, ".concur-check-*")
	if err != nil {
		return fmt.Errorf("%w; choose another folder with --runs-dir", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	if _, err := f.WriteString("concur"); err != nil {
		return fmt.Errorf("%w; free some space, or choose another folder with --runs-dir", err)
	}
	return lock(f)
}
