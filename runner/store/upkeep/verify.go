package upkeep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
)

// Verify makes all checks that the readers of a run make. It changes nothing. It checks
//
//   - the kinds of the run's files, and the seal of run.yaml;
//   - the place and checksum of every line, and the ends of the files;
//   - that each query has one record, and that the traces of the records exist;
//   - labels and outputs.
//
// It returns a list of the problems; the list is empty for an undamaged run. For a run in progress it checks
// the lines that have been written so far.
func Verify(ctx context.Context, r *store.Run) []error {
	wrong := specialFiles(r)
	if err := r.Manifest.CheckSeal(); err != nil {
		wrong = append(wrong, fmt.Errorf("read %s: %w", filepath.Join(r.Dir, store.ManifestFile), err))
	}
	before := len(wrong)
	for f := range runfiles.Count {
		if err := verifyLines(ctx, r, f); err != nil {
			wrong = append(wrong, err)
		}
	}
	if len(wrong) == before { // after an error in a file, the check of traces would report it again
		if err := verifyTraces(r); err != nil {
			wrong = append(wrong, err)
		}
	}
	if _, err := r.Labels(); err != nil {
		wrong = append(wrong, err)
	}
	return append(wrong, verifyOutputs(r)...)
}

// specialFiles returns an error for each file of the folder that is not a plain file.
func specialFiles(r *store.Run) (wrong []error) {
	entries, err := os.ReadDir(r.Dir)
	if err != nil {
		return []error{fmt.Errorf("read run: %w", err)}
	}
	for _, e := range entries {
		ours := !e.IsDir() || runfiles.IsBeside(e.Name())
		if path := filepath.Join(r.Dir, e.Name()); ours && !runfiles.IsName(e.Name()) &&
			!strings.Contains(e.Name(), damagedSuffix) {
			if err := disk.CheckPlain(path); err != nil {
				wrong = append(wrong, fmt.Errorf("read run: %w", err))
			}
		}
	}
	return wrong
}

// verifyLines reads all lines of a JSONL file.
func verifyLines(ctx context.Context, r *store.Run, f runfiles.File) error {
	into := map[runfiles.File]func(line []byte) error{
		runfiles.Chat:    func(line []byte) error { return json.Unmarshal(line, new(store.Exchange)) },
		runfiles.Results: func(line []byte) error { return json.Unmarshal(line, new(store.Record)) },
		runfiles.Traces:  func(line []byte) error { var h linefile.Head; return linefile.DecodeHead(line, &h) },
	}
	for line, err := range r.Lines(f, linefile.Start) {
		if err == nil {
			if err = into[f](line.Text); err != nil {
				err = line.Wrap(r.Mendable("the line is damaged", err))
			}
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
	if f == runfiles.Results {
		for _, err := range r.Unlabelled() {
			if err != nil {
				return err
			}
		}
	}
	sealed, is := r.Manifest.Files[f.Name()]
	if !is || r.Manifest.State != store.Complete {
		return nil
	}
	path := filepath.Join(r.Dir, f.Name())
	if found, err := runfiles.Digest(path); err != nil || found != sealed {
		if err == nil {
			err = r.Mendable(path+" differs from the file at the end of the run: its hash is different", nil)
		}
		return err
	}
	return nil
}

// verifyTraces returns an error if traces of a complete run's records are missing.
func verifyTraces(r *store.Run) error {
	if r.Manifest.State != store.Complete {
		return nil
	}
	p, err := r.Prior(store.Scope{Ends: true})
	if err == nil && p.Outdated() > 0 {
		err = r.Mendable(fmt.Sprintf("read run: %d records of the complete run depend on traces or exchanges that are not "+
			"there", p.Outdated()), nil)
	}
	return err
}

// verifyOutputs checks the files that are computed from other files of the run.
func verifyOutputs(r *store.Run) (wrong []error) {
	entries, _ := os.ReadDir(r.Dir) // specialFiles reports the error
	for _, e := range entries {
		name := e.Name()
		decision := strings.HasPrefix(name, "gate")
		if !e.Type().IsRegular() || name != "summary.json" && !(decision && strings.Contains(name, ".json")) {
			continue
		}
		path := filepath.Join(r.Dir, name)
		raw, err := disk.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && !validJSON(raw, strings.HasSuffix(name, "l")) {
			err = disk.Damage(fmt.Errorf("%s is damaged: restore it from a copy, or remove it, and it is written again",
				path))
		}
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	return wrong
}

// validJSON reports whether a file is a JSON document. If asLines is true, it reports whether each line is one.
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
