package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/trace"
)

// TestRecordIsWrittenAfterItsTraces stops the disk at each write. A record that is larger than the buffer is
// written to the file directly. It must still come after the events of its traces, which are smaller and wait
// in their buffer.
func TestRecordIsWrittenAfterItsTraces(t *testing.T) {
	for stop := 1; ; stop++ {
		dir, writes := t.TempDir(), 0
		d := &disk.Disk{Buffer: 4096, Fault: func(boundary string) error {
			if strings.HasPrefix(boundary, "write ") && strings.HasSuffix(boundary, ".jsonl") {
				writes++
			}
			if writes >= stop {
				return os.ErrDeadlineExceeded
			}
			return nil
		}}
		failed := writeOneRecord(t, d, dir)
		record, event := holds(t, dir, "results.jsonl", "q1"), holds(t, dir, "trace.jsonl", `"thought"`)
		if record && !event {
			t.Fatalf("stopped at write %d: the record is there without the events of its traces", stop)
		}
		if !failed {
			if !record {
				t.Fatal("nothing failed, and the record is not there")
			}
			if stop < 4 {
				t.Fatalf("the disk was stopped at %d writes only", stop-1)
			}
			return
		}
	}
}

// writeOneRecord writes an event and a record that is larger than the buffer. It returns true if the disk
// failed.
func writeOneRecord(t *testing.T, d *disk.Disk, dir string) bool {
	t.Helper()
	files, err := runfiles.Open(d, dir, os.O_CREATE, linefile.Sums{})
	if err != nil {
		t.Fatal(err)
	}
	if files.Begin() != nil {
		return true
	}
	log, err := openLog(d, dir)
	if err != nil {
		return true
	}
	w, err := newWriter(dir, d, Manifest{Schema: ManifestSchema, Run: "r1"}, log)
	if err != nil {
		t.Fatal(err)
	}
	go w.write(files)
	w.Event(trace.Event{Body: trace.Thought{}})
	w.Record(Record{Query: "q1", Question: strings.Repeat("long ", 1000)})
	return w.Finish(Complete, time.Now()) != nil
}

// holds reports whether a file of the folder contains a text.
func holds(t *testing.T, dir, name, text string) bool {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Contains(string(raw), text)
}

// The output of a tool is read back byte for byte, because it is a part of the requests to judges of a
// resumed run.
func TestOutputIsReadBackUnchanged(t *testing.T) {
	const output = `{"steps":["a > b & <c> \u00e9 é"]}`
	w, err := Create(t.TempDir(), Manifest{Run: "r1"})
	if err != nil {
		t.Fatal(err)
	}
	w.Event(trace.Event{Body: trace.Observation{Output: []byte(output)}})
	if err := w.Finish(Complete, time.Now()); err != nil {
		t.Fatal(err)
	}
	run, err := Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if got := string(e.Body.(trace.Observation).Output); got != output {
			t.Errorf("%s became %s", output, got)
		}
	}
}
