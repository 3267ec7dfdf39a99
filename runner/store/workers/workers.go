package workers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/trace"
)

// File is the name of the file in a run folder.
const File = "workers.jsonl"

// Worker is the part that a worker had in a run.
type Worker struct {
	Version string `yaml:"version"` // of concur there; "" if the worker was not heard
	Traces  int    `yaml:"traces"`  // results of the worker that the run used
}

// line is a line of the file. If a trace has several lines, because it was made again, the last one counts.
type line struct {
	trace.ID
	Worker  string `json:"worker"`
	Version string `json:"version"`
}

// Log adds lines to the file. It is not safe for concurrent use.
type Log struct{ file *os.File }

// Open opens the file of a run folder for adding lines, and creates it if it is missing.
func Open(dir string) (*Log, error) {
	file, err := disk.AppendFile(filepath.Join(dir, File))
	if err != nil {
		return nil, fmt.Errorf("open the list of workers: %w", err)
	}
	at, err := file.Stat()
	if err == nil && at.Size() > 0 {
		_, err = file.WriteString("\n") // a killed process may have left a part of a line; an empty line does no harm
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("write the list of workers: %w", err), file.Close())
	}
	return &Log{file}, nil
}

// Add notes that a worker made a trace.
func (l *Log) Add(id trace.ID, worker, version string) error {
	raw, err := json.Marshal(line{id, worker, version})
	if err != nil {
		return err
	}
	if _, err = l.file.Write(append(raw, '\n')); err != nil {
		return fmt.Errorf("write the list of workers: %w", err)
	}
	return nil
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

// maxWorkers is the maximum number of workers that Sums returns. Anybody with the token of the hub can invent names.
const maxWorkers = 10_000

// Sums returns how many traces each worker made, by the names of the workers. Without the file it returns nil.
func Sums(dir string) (map[string]Worker, error) {
	var out map[string]Worker
	err := each(dir, func(l line) {
		w, known := out[l.Worker]
		if !known && len(out) >= maxWorkers {
			return
		}
		if out == nil {
			out = map[string]Worker{}
		}
		out[l.Worker] = Worker{cmp.Or(l.Version, w.Version), w.Traces + 1}
	})
	return out, err
}

// Of returns the names of the workers that made the traces of a query. A trace that was made without a hub is missing.
func Of(dir, query string) (map[trace.ID]string, error) {
	out := map[trace.ID]string{}
	err := each(dir, func(l line) {
		if l.Query == query {
			out[l.ID] = l.Worker
		}
	})
	return out, err
}

// each reads the lines of the file. It skips those that cannot be read, such as one that a killed process left.
func each(dir string, do func(line)) error {
	file, err := disk.OpenFile(filepath.Join(dir, File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the list of workers: %w", err)
	}
	defer file.Close() // closing a file that was only read cannot lose data
	for lines := disk.NewLineReader(file, 0); ; {
		raw, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the list of workers: %w", err)
		}
		var l line
		if len(bytes.TrimSpace(raw)) > 0 && json.Unmarshal(raw, &l) == nil && l.Worker != "" {
			do(l)
		}
	}
}
