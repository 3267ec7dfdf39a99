//go:build unix

package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
)

// A run folder can come from another person. Every reader refuses files in it that are not plain files, and
// none waits for the other end of a FIFO.
func TestRunFolderWithLinksAndFIFOs(t *testing.T) {
	for kind, replace := range map[string]func(path string) error{
		"FIFO": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"link": func(path string) error { return os.Symlink("/etc/passwd", path) },
	} {
		for _, file := range []string{"run.yaml", "results.jsonl", "trace.jsonl", "chat.jsonl"} {
			w := create(t, "r1")
			w.Record(record("q1"))
			run := finish(t, w, store.Complete)
			path := filepath.Join(run.Dir, file)
			if err := errors.Join(os.Remove(path), replace(path)); err != nil {
				t.Fatal(err)
			}
			wantError(t, readAll(run.Dir), file, "is a "+kind+" and not a plain file")
			_, _, err := run.Resume(time.Now(), store.Scope{})
			wantError(t, err, file, "is a "+kind+" and not a plain file")
		}
	}
}

func readAll(dir string) error {
	run, err := store.Open(dir)
	if err != nil {
		return err
	}
	_, records := collect(run.Records())
	_, events := collect(run.Events())
	_, exchanges := collect(run.Exchanges())
	return errors.Join(records, events, exchanges)
}
