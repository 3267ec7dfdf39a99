package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/trace"
)

// TestADiskThatTakesNothingMore closes a file while the writer has it open, which fails like a full disk or a
// lost network share. It does this for each file. Lines in other files that depend on the closed file must
// not be written.
func TestADiskThatTakesNothingMore(t *testing.T) {
	for broken := range jsonl {
		t.Run(jsonl[broken].name, func(t *testing.T) {
			dir := t.TempDir()
			d := new(disk.Disk)
			files, err := openFiles(d, dir, os.O_CREATE, linefile.Sums{})
			if err != nil {
				t.Fatal(err)
			}
			log, err := openLog(d, dir)
			if err == nil {
				err = files.begin()
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := files.out[broken].Close(); err != nil {
				t.Fatal(err)
			}
			w, err := newWriter(dir, d, Manifest{Schema: ManifestSchema, Run: "r1", Seal: "x"}, log)
			if err != nil {
				t.Fatal(err)
			}
			go w.write(files)
			w.Exchange(Exchange{})
			w.Event(trace.Event{Body: trace.Thought{}})
			w.Record(Record{Query: "q1"}) // a record is flushed
			<-w.Failed()
			err = w.Finish(Complete, time.Now())
			if !errors.Is(err, os.ErrClosed) {
				t.Errorf("Finish gives %v, want the error of the file", err)
			}
			run, err := Open(dir)
			if err != nil || run.Manifest.State != Failed {
				t.Fatalf("state %v, %v; want failed", run, err)
			}
			for i, f := range jsonl {
				raw, err := os.ReadFile(filepath.Join(dir, f.name))
				want := len(`{"schema":""}`) + len(f.schema) + 1
				if wrote := len(raw) > want; err != nil || wrote != (i < broken) {
					t.Errorf("%s was appended to: %t, want %t (%v)", f.name, wrote, i < broken, err)
				}
			}
		})
	}
}
