package copying

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
)

// Line names a line that Join copies.
type Line struct {
	Part int // index of the line's run
	// Identity is the identity of an exchange or an event. An event has no purpose, and a record only the
	// query.
	model.Identity
	Configuration string // configuration of a record; "" for other lines
}

// Join makes a run folder from the lines of several runs, one run after another. It calls take for every line,
// and copies the line if take returns true. If take returns an error, Join ends. It also copies labels, logs
// and playbooks. Only one line is in memory at a time.
//
// While Join writes the folder, the folder has a hidden name, and runlist.List skips it. At the end it gets the name
// dir. Join never replaces an existing folder. m is the manifest of the new run, with its state. If another
// process is writing one of the runs, Join returns an error.
func Join(o store.Options, dir string, m store.Manifest, runs []*store.Run, take func(Line) (bool, error)) (
	_ *store.Run, err error) {
	d := o.Disk()
	if _, err := os.Lstat(dir); err == nil {
		return nil, fmt.Errorf("join runs into %s: %w: name another folder", dir, fs.ErrExist)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return nil, fmt.Errorf("join runs: %w", err)
	}
	hidden := &store.Run{Dir: filepath.Join(filepath.Dir(dir), hiddenPrefix+filepath.Base(dir)), Manifest: m}
	if err := hidden.Remove(); err != nil { // remove the folder that a killed process left
		return nil, fmt.Errorf("join runs into %s: %w", dir, err)
	}
	if err := d.Mkdir(hidden.Dir); err != nil {
		return nil, fmt.Errorf("join runs: %w", err)
	}
	defer func() {
		if err != nil && d.Dead == nil {
			err = errors.Join(fmt.Errorf("join runs into %s: %w", dir, err), os.RemoveAll(hidden.Dir))
		}
	}()
	hidden.Manifest.Schema, hidden.Manifest.Sums = store.ManifestSchema, 1
	sealed, err := joinFiles(d, hidden, runs, take)
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if err := copyLabels(r, hidden); err != nil {
			return nil, err
		}
	}
	if m.State != store.Complete {
		sealed = nil
	}
	if err := hidden.Manifest.WithFiles(sealed).Write(d, hidden.Dir); err != nil {
		return nil, err
	}
	if err := d.Do("rename", dir, func() error { return os.Rename(hidden.Dir, dir) }); err != nil {
		return nil, err
	}
	if err := d.SyncDir(filepath.Dir(dir)); err != nil {
		return nil, err
	}
	return store.Open(dir)
}

// hiddenPrefix is the beginning of the name of an incomplete folder; runlist.List skips such folders.
const hiddenPrefix = ".merging-"

// joinFiles writes the files of a joined run, and returns their sizes and hashes.
func joinFiles(d *disk.Disk, r *store.Run, runs []*store.Run, take func(Line) (bool, error)) (
	map[string]runfiles.Sealed, error) {
	out, err := runfiles.Open(d, r.Dir, os.O_CREATE|os.O_EXCL, r.Manifest.LineSums())
	if err != nil {
		return nil, err
	}
	defer out.Abandon() // does nothing after close
	if err := out.Begin(); err != nil {
		return nil, err
	}
	for i, part := range runs {
		held, err := disk.OpenFile(filepath.Join(part.Dir, runfiles.Traces.Name()))
		if err == nil && errors.Is(disk.TryLock(held), disk.ErrHeld) { // on a system without locks, we can still read
			err = fmt.Errorf("run %s: %w", part.Dir, disk.ErrHeld)
		}
		if err == nil {
			err = errors.Join(joinLines(part, out, i, take), copyBeside(part, d, r.Dir))
		}
		held.Close() // closing a file that was only read cannot lose data; does nothing if held is nil
		if err != nil {
			return nil, err
		}
	}
	return out.Sealed(), out.Close()
}

// joinLines copies the lines of a run that take accepts. They keep their numbers within their traces.
func joinLines(r *store.Run, out *runfiles.Set, part int, take func(Line) (bool, error)) error {
	for f := range runfiles.Count {
		for line, err := range r.Lines(f, linefile.Start) {
			if err != nil {
				return err
			}
			of := Line{Part: part}
			if f == runfiles.Results {
				var head linefile.RecordHead
				if err = head.Read(line); err != nil {
					err = linefile.Damaged(err)
				}
				of.Query, of.Configuration = head.Query, head.Configuration
			} else {
				err = linefile.DecodeHead(line.Text, &of.Identity)
			}
			keep := false
			if err == nil {
				keep, err = take(of)
			}
			if err != nil {
				return line.Wrap(err)
			}
			if !keep {
				continue
			}
			if err := out.Copy(f, line); err != nil {
				return err
			}
		}
	}
	return nil
}
