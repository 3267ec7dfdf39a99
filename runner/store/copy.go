package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/model"
)

// CopyTraces makes a new run folder with the traces of the run, their exchanges and the labels
// of people, but without its records and without what verifier and judges were asked: so they
// can decide again. The manifest is that of the new run, which is interrupted until it is
// resumed. The folder gets its name when it is whole; until then it is hidden, so that one that was
// killed is no damaged run.
func (r *Run) CopyTraces(runsDir string, m Manifest) (_ *Run, err error) {
	dir := filepath.Join(runsDir, hidden+r.Manifest.Run)
	d := Options{}.disk()
	if err := d.mkdir(dir); errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("copy the traces of run %s: another process does so now, or was killed while it did: wait for it, or remove %s", r.Dir, dir)
	} else if err != nil {
		return nil, fmt.Errorf("create run folder: %w; choose another place with --runs-dir", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("copy the traces of run %s: %w", r.Dir, err), os.RemoveAll(dir))
		}
	}()
	if err := r.copyLines(d, dir); err != nil {
		return nil, err
	}
	labels, err := os.ReadFile(filepath.Join(r.Dir, labelsFile))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, labelsFile), labels, 0o600)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	m.Schema, m.State, m.Resumed, m.PausedS, m.End = ManifestSchema, Interrupted, r.Manifest.Resumed, 0, nil
	m.Seal = m.seal()
	if err := m.write(d, dir); err != nil {
		return nil, err
	}
	named := filepath.Join(runsDir, m.Run)
	if err := os.Rename(dir, named); err != nil {
		return nil, err
	}
	return Open(named)
}

// hidden begins the name of a folder that is not a run yet.
const hidden = ".copy-of-"

// copyLines copies the lines of traces: all events, the agent's exchanges, and no records.
func (r *Run) copyLines(d *disk, dir string) error {
	out, err := openFiles(d, dir, os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	defer out.abandon() // a second time where all went well
	if err := out.begin(); err != nil {
		return err
	}
	out.dirty = true
	for _, f := range []fileIndex{chatFile, traceFile} {
		for line, err := range r.rawLines(f, 0) {
			var x struct {
				Purpose model.Purpose `json:"purpose"`
			}
			if err == nil && f == chatFile {
				err = json.Unmarshal(line.text, &x)
			}
			if err == nil && (f == traceFile || x.Purpose == model.Agent) {
				_, err = out.buf[f].Write(line.text)
			}
			if err != nil {
				return err
			}
		}
	}
	return out.close()
}
