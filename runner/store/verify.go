package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-5817661a/concur/runner/store/parts"
)

// Verify makes all checks that the readers of a run make, at once, and changes nothing: the kinds of its
// files, the seal of run.yaml, every line with its place and checksum, the ends of the files, one record of
// each query, whether the traces of the records exist, labels and outputs. It returns the problems: none for
// an undamaged run. For a run in progress it checks the lines that have been written so far.
func (r *Run) Verify(ctx context.Context) []error {
	wrong := r.specialFiles()
	if err := r.Manifest.CheckSeal(); err != nil {
		wrong = append(wrong, fmt.Errorf("read %s: %w", filepath.Join(r.Dir, manifestFile), err))
	}
	before := len(wrong)
	for i := range jsonl {
		if err := r.verifyLines(ctx, fileIndex(i)); err != nil {
			wrong = append(wrong, err)
		}
	}
	if len(wrong) == before { // otherwise the traces would repeat the errors
		if err := r.verifyTraces(); err != nil {
			wrong = append(wrong, err)
		}
	}
	if _, err := r.Labels(); err != nil {
		wrong = append(wrong, err)
	}
	return append(wrong, r.verifyOutputs()...)
}

// specialFiles returns an error for each file of the folder that is not a plain file.
func (r *Run) specialFiles() (wrong []error) {
	entries, err := os.ReadDir(r.Dir)
	if err != nil {
		return []error{fmt.Errorf("read run: %w", err)}
	}
	for _, e := range entries {
		ours := !e.IsDir() || besides.MatchString(e.Name())
		if path := filepath.Join(r.Dir, e.Name()); ours && !isJSONL(e.Name()) &&
			!strings.Contains(e.Name(), damagedSuffix) {
			if err := checkPlain(path); err != nil {
				wrong = append(wrong, fmt.Errorf("read run: %w", err))
			}
		}
	}
	return wrong
}

func isJSONL(name string) bool {
	for _, f := range jsonl {
		if f.name == name {
			return true
		}
	}
	return false
}

// verifyLines reads a JSONL file to its end.
func (r *Run) verifyLines(ctx context.Context, f fileIndex) error {
	into := map[fileIndex]func(line []byte) error{
		chatFile:    func(line []byte) error { return json.Unmarshal(line, new(Exchange)) },
		resultsFile: func(line []byte) error { return json.Unmarshal(line, new(Record)) },
		traceFile:   func(line []byte) error { var h lineHead; return decodeHead(line, &h) },
	}
	for line, err := range r.rawLines(f, start) {
		if err == nil {
			if err = into[f](line.text); err != nil {
				err = line.error(r.mendable("the line is damaged", err))
			}
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
	if f == resultsFile {
		for _, err := range r.Unlabelled() {
			if err != nil {
				return err
			}
		}
	}
	sealed, is := r.Manifest.Files[jsonl[f].name]
	if !is || r.Manifest.State != Complete {
		return nil
	}
	path := filepath.Join(r.Dir, jsonl[f].name)
	if found, err := digestOf(path); err != nil || found != sealed {
		if err == nil {
			err = r.mendable(path+" is not the file with which the run ended, its checksum differs", nil)
		}
		return err
	}
	return nil
}

// digestOf returns the size and hash of a file with its parts, as it would be sealed now.
func digestOf(path string) (Sealed, error) {
	file, err := parts.Open(path, OpenFile)
	if err != nil {
		return Sealed{}, err
	}
	defer file.Close() // only read
	w := newWritten()
	_, err = io.Copy(w, from(file, 0))
	return w.sealed(), err
}

// verifyTraces looks for records of a complete run whose traces are missing.
func (r *Run) verifyTraces() error {
	if r.Manifest.State != Complete {
		return nil
	}
	p, err := r.Prior(Scope{Ends: true})
	if err == nil && p.outdated > 0 {
		err = r.mendable(fmt.Sprintf("read run: %d records of the complete run rest on traces or exchanges that are not "+
			"there", p.outdated), nil)
	}
	return err
}

// verifyOutputs checks the files that are computed from the other files.
func (r *Run) verifyOutputs() (wrong []error) {
	entries, _ := os.ReadDir(r.Dir) // specialFiles reports the error
	for _, e := range entries {
		name := e.Name()
		decision := strings.HasPrefix(name, "gate")
		if !e.Type().IsRegular() || name != "summary.json" && !(decision && strings.Contains(name, ".json")) {
			continue
		}
		path := filepath.Join(r.Dir, name)
		raw, err := ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && !validJSON(raw, strings.HasSuffix(name, "l")) {
			err = damage{fmt.Errorf("%s is damaged: put it back from a copy, or remove it and have it written again",
				path)}
		}
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	return wrong
}

// validJSON reports whether a file is a JSON document, or with asLines a list of lines that are.
func validJSON(raw []byte, asLines bool) bool {
	if !asLines {
		return json.Valid(raw)
	}
	for line := range strings.Lines(string(raw)) {
		if !json.Valid([]byte(line)) {
			return false
		}
	}
	return true
}
