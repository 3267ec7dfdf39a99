package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/trace"
)

// Run is a run folder that is read.
type Run struct {
	Dir      string
	Manifest Manifest
}

// Open reads the manifest of a run folder.
func Open(dir string) (*Run, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	return &Run{Dir: dir, Manifest: m}, nil
}

// Records reads results.jsonl, in the order in which queries were decided.
func (r *Run) Records() iter.Seq2[Record, error] { return lines[Record](r, resultsFile) }

// Events reads trace.jsonl; events of one trace come in order, traces interleave.
func (r *Run) Events() iter.Seq2[trace.Event, error] { return lines[trace.Event](r, traceFile) }

// Exchanges reads chat.jsonl; exchanges of one trace come in order, traces interleave.
func (r *Run) Exchanges() iter.Seq2[Exchange, error] { return lines[Exchange](r, chatFile) }

// lines reads a JSONL file line by line, however long it is. Of a run that is not
// complete, a torn last line is passed over; anywhere else a line that cannot be read is
// an error that names it.
func lines[T any](r *Run, f fileIndex) iter.Seq2[T, error] {
	path := filepath.Join(r.Dir, jsonl[f].name)
	return func(yield func(T, error) bool) {
		var zero T
		file, err := os.Open(path)
		if err != nil {
			yield(zero, fmt.Errorf("read run: %w", err))
			return
		}
		defer file.Close()
		in := bufio.NewReaderSize(file, 64<<10)
		if err := checkHeader(in, path, jsonl[f].schema); err != nil {
			yield(zero, err)
			return
		}
		for n := 2; ; n++ {
			line, err := in.ReadBytes('\n')
			if errors.Is(err, io.EOF) {
				if len(bytes.TrimSpace(line)) > 0 && r.Manifest.State == Complete {
					yield(zero, fmt.Errorf("read %s:%d: the line is cut off, though the run says that it is complete", path, n))
				}
				return
			}
			if err != nil {
				yield(zero, fmt.Errorf("read %s:%d: %w", path, n, err))
				return
			}
			var v T
			if err := json.Unmarshal(line, &v); err != nil {
				yield(zero, fmt.Errorf("read %s:%d: %w", path, n, err))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

func checkHeader(in *bufio.Reader, path, schema string) error {
	line, err := in.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s:1: %w", path, err)
	}
	var h header
	if err := json.Unmarshal(line, &h); err != nil || h.Schema != schema {
		return fmt.Errorf(`read %s:1: the first line is not {"schema":%q}; this concur cannot read the file`, path, schema)
	}
	return nil
}
