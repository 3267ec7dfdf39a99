package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Run is a run folder opened for reading.
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

// Records reads results.jsonl, in the order in which queries were decided, with the labels of
// people over its verdicts. If a query was decided again, the last record counts.
func (r *Run) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		labels, err := r.labels()
		if err != nil {
			yield(Record{}, err)
			return
		}
		for rec, err := range r.Unlabelled() {
			if l, ok := labels[recordKey{rec.Configuration, rec.Query}]; ok && err == nil {
				rec = l.apply(rec)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// Unlabelled reads the records as the harness wrote them, for comparisons of one harness with
// itself: the gate's, and those of a replay, which has no labels.
func (r *Run) Unlabelled() iter.Seq2[Record, error] {
	return lastSession(r, linesOf[Record](r, resultsFile), func(x Record) (recordKey, int) {
		return recordKey{x.Configuration, x.Query}, x.Timing.Session
	})
}

// Events reads trace.jsonl. Events of one trace are in order; traces interleave. If a trace
// was run again, only its last run counts.
func (r *Run) Events() iter.Seq2[trace.Event, error] {
	type key struct {
		trace.ID
		readBy string // the configuration of an Extraction, which follows the end of its trace
	}
	return lastSession(r, linesOf[trace.Event](r, traceFile), func(e trace.Event) (key, int) {
		of := key{ID: e.ID}
		if x, is := e.Body.(trace.Extraction); is {
			of.readBy = "configuration " + x.Configuration
		}
		return of, e.Session
	})
}

// Exchanges reads chat.jsonl. Exchanges of one trace are in order; traces interleave. If a
// trace was run again, only its last run counts.
func (r *Run) Exchanges() iter.Seq2[Exchange, error] {
	return lastSession(r, linesOf[Exchange](r, chatFile), func(x Exchange) (model.Identity, int) {
		return x.OfTrace(), x.Session
	})
}

// lastSession leaves out what a later session replaced. It reads a resumed run twice.
func lastSession[T any, K comparable](r *Run, all iter.Seq2[T, error], of func(T) (K, int)) iter.Seq2[T, error] {
	if len(r.Manifest.Resumed) == 0 {
		return all
	}
	return func(yield func(T, error) bool) {
		last := map[K]int{}
		for v, err := range all {
			if err != nil {
				yield(v, err)
				return
			}
			if key, session := of(v); session > last[key] {
				last[key] = session
			}
		}
		for v, err := range all {
			if key, session := of(v); err == nil && session < last[key] {
				continue
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

// linesOf decodes a JSONL file.
func linesOf[T any](r *Run, f fileIndex) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for line, err := range r.rawLines(f, 0) {
			var v T
			if err == nil {
				if err = json.Unmarshal(line.text, &v); err != nil {
					err = line.error(r.mendable("the line is damaged", err))
				}
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// mendable is an error of a line with the ways out.
func (r *Run) mendable(fact string, cause error) error {
	err := fmt.Errorf("%s: put the file back from a copy; or copy the folder, end the file before this line, write state: interrupted in run.yaml, and run what is missing again with `%s`", fact, ResumeCommand(r.Dir, r.Manifest))
	if cause != nil {
		err = fmt.Errorf("%w (%w)", err, cause)
	}
	return err
}

// rawLine is a line of a JSONL file. Its text is valid until the next line is read.
type rawLine struct {
	path   string
	number int   // 0 if reading did not begin at the start of the file
	offset int64 // of the line in the file
	text   []byte
}

func (l rawLine) error(err error) error {
	if l.number == 0 {
		return fmt.Errorf("read %s at byte %d: %w", l.path, l.offset, err)
	}
	return fmt.Errorf("read %s:%d: %w", l.path, l.number, err)
}

// rawLines reads the lines of a JSONL file, of any length: those after its first, or those from an offset at which a
// line begins. In an incomplete run, a cut last line is ignored; any other unreadable line is an error that names it.
func (r *Run) rawLines(f fileIndex, at int64) iter.Seq2[rawLine, error] {
	var cut error
	if r.Manifest.State == Complete {
		cut = r.mendable("the line is cut off, although the run is complete", nil)
	}
	return linesIn(filepath.Join(r.Dir, jsonl[f].name), jsonl[f].schema, at, cut)
}

// linesIn reads them from a file; cut is the error of a cut last line, which is ignored if nil.
func linesIn(path, schema string, at int64, cut error) iter.Seq2[rawLine, error] {
	return func(yield func(rawLine, error) bool) {
		file, err := openPlain(path)
		if err != nil {
			yield(rawLine{}, fmt.Errorf("read run: %w", err))
			return
		}
		defer file.Close()
		in := bufio.NewReaderSize(from(file, at), 64<<10)
		offset, n := at, 0
		if at == 0 {
			first, err := checkHeader(in, path, schema)
			if err != nil {
				yield(rawLine{}, err)
				return
			}
			offset, n = int64(first), 2
		}
		var long []byte
		for {
			text, err := in.ReadSlice('\n')
			if errors.Is(err, bufio.ErrBufferFull) {
				long = append(long[:0], text...)
				var rest []byte
				rest, err = in.ReadBytes('\n')
				long = append(long, rest...)
				text = long
			}
			line := rawLine{path, n, offset, text}
			offset += int64(len(text))
			if errors.Is(err, io.EOF) {
				if len(bytes.TrimSpace(text)) > 0 && cut != nil {
					yield(line, line.error(cut))
				}
				return
			}
			if err == nil {
				err = checkSum(text)
			}
			if err != nil {
				yield(line, line.error(err))
				return
			}
			if !yield(line, nil) {
				return
			}
			if n > 0 {
				n++
			}
		}
	}
}

// checkHeader reads the first line and returns its length.
func checkHeader(in *bufio.Reader, path, schema string) (int, error) {
	line, err := in.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("read %s:1: %w", path, err)
	}
	if string(line) != firstLine(schema) {
		return 0, fmt.Errorf(`read %s:1: the first line is not {"schema":%q}; this concur cannot read the file`, path, schema)
	}
	return len(line), nil
}
