package copying

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/runner/store/workers"
	"github.com/seed-5817661a/concur/trace"
)

// Traces makes a new run folder with the run's traces, their exchanges and the labels of people, so that
// concur can decide and judge them again. It does not copy the records, or the exchanges of verifier and
// judges. m is the manifest of the new run. The state of the new run is interrupted until it is resumed.
func Traces(r *store.Run, runsDir string, m store.Manifest) (_ *store.Run, err error) {
	dir, d := filepath.Join(runsDir, m.Run), store.Options{}.Disk()
	if err := os.MkdirAll(runsDir, 0o700); err != nil {
		return nil, fmt.Errorf("create runs folder: %w; choose another with --runs-dir", err)
	}
	if err := d.Mkdir(dir); err != nil {
		return nil, fmt.Errorf("create run folder: %w; choose another place with --runs-dir", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("copy the traces of run %s: %w", r.Dir, err), os.RemoveAll(dir))
		}
	}()
	m.Schema, m.State, m.Resumed = store.ManifestSchema, store.Interrupted, r.Manifest.Resumed
	m.PausedS, m.End, m.Sums, m.Telemetry = 0, nil, 1, nil
	m = m.WithFiles(nil)
	copied := &store.Run{Dir: dir, Manifest: m}
	if err := copyLines(r, d, copied); err != nil {
		return nil, err
	}
	if err := copyLabels(r, copied); err != nil {
		return nil, err
	}
	if disk.Exists(filepath.Join(r.Dir, workers.File)) {
		if err := copyFile(r, d, workers.File, dir); err != nil {
			return nil, err
		}
	}
	if err := m.Write(d, dir); err != nil {
		return nil, err
	}
	return store.Open(dir)
}

// copyLines copies the lines that belong to traces: all events except extractions, and the agent's exchanges.
// It copies no records.
func copyLines(r *store.Run, d *disk.Disk, to *store.Run) error {
	out, err := runfiles.Open(d, to.Dir, os.O_CREATE|os.O_EXCL, to.Manifest.LineSums())
	if err != nil {
		return err
	}
	defer out.Abandon() // does nothing after close
	if err := out.Begin(); err != nil {
		return err
	}
	for _, f := range []runfiles.File{runfiles.Chat, runfiles.Traces} {
		for line, err := range r.Lines(f, linefile.Start) {
			var x linefile.Head
			if err == nil {
				err = linefile.DecodeHead(line.Text, &x)
			}
			if err == nil && (x.Event != "" && x.Event != trace.ExtractionEvent || x.Purpose == model.Agent) {
				err = out.Put(f, linefile.WithoutSum(line.Text), x)
			}
			if err != nil {
				return err
			}
		}
	}
	return out.Close()
}
