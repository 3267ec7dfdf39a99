package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Resume opens the run's folder for writing again, so that what is missing can be added. It
// takes the lock, cuts off last lines that have no end, and says in the manifest that the
// run goes on. Prior tells what is there already.
//
// It fails, and no line is lost, while another process writes the folder, where the
// manifest was edited, and where a file is damaged elsewhere than at its end.
func (r *Run) Resume(now time.Time, of Scope) (*Writer, *Prior, error) {
	return Options{}.Resume(r, now, of)
}

// Resume is Run.Resume with options.
func (o Options) Resume(r *Run, now time.Time, of Scope) (*Writer, *Prior, error) {
	w, prior, err := r.resume(now, of, o.disk())
	if err != nil {
		return nil, nil, fmt.Errorf("resume run %s: %w; what it holds is kept", r.Dir, err)
	}
	return w, prior, nil
}

func (r *Run) resume(now time.Time, of Scope, d *disk) (_ *Writer, _ *Prior, err error) {
	files, err := openFiles(d, r.Dir, 0)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: copy the file back, or begin a new run", err)
	}
	if err != nil {
		return nil, nil, err
	}
	var log *os.File
	defer func() {
		if err != nil {
			files.abandon()
			log.Close()
		}
	}()
	// Another process may have gone on with the run since r was read.
	m, err := readManifest(r.Dir)
	if err == nil {
		err = m.CheckSeal()
	}
	if err != nil {
		return nil, nil, err
	}
	m.State = Running // a last line that has no end is no reason to refuse any more
	r.Manifest = m
	if log, err = openLog(d, r.Dir); err != nil {
		return nil, nil, err
	}
	still, err := files.lastChange()
	if err != nil {
		return nil, nil, err
	}
	for _, mend := range []func() error{files.cutTails, files.begin} {
		if err := mend(); err != nil {
			return nil, nil, err
		}
	}
	prior, err := r.Prior(of)
	if err != nil {
		return nil, nil, err
	}
	m.End = nil
	m.Resumed = append(slices.Clone(m.Resumed), now)
	m.PausedS += max(0, now.Sub(still).Seconds())
	if err := errors.Join(removeDerived(d, r.Dir), m.write(d, r.Dir)); err != nil {
		return nil, nil, err
	}
	r.Manifest = m
	w := newWriter(r.Dir, d, m, log)
	go w.write(files)
	return w, prior, nil
}

// lastChange is when the files were last appended to.
func (fs *files) lastChange() (time.Time, error) {
	var last time.Time
	for _, f := range fs.out {
		info, err := f.Stat()
		if err != nil {
			return last, err
		}
		if info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last, nil
}

// derived are the files that are made from the others once a run is complete.
var derived = []string{"summary.json", "chat.md", "gate.json"}

// derivedPrefix begins the names of those that a run of several configurations has one each
// of.
const derivedPrefix = "gate-"

// removeDerived takes away what a run that goes on no longer comes to, and what a process
// left that died while it replaced a file.
func removeDerived(d *disk, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !isDerived(e.Name()) {
			continue
		}
		if err := d.remove(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// isDerived reports whether a file of a run is one of these, or was to become one.
func isDerived(name string) bool {
	left := slices.ContainsFunc(append([]string{manifestFile}, derived...), func(of string) bool {
		return strings.HasPrefix(name, temporary(of))
	})
	one, isJSON := strings.CutSuffix(name, ".json")
	return left || slices.Contains(derived, name) ||
		isJSON && strings.HasPrefix(one, derivedPrefix) || strings.HasPrefix(name, "."+derivedPrefix)
}

// cutTails cuts off the last line of each file where it has no end.
func (fs *files) cutTails() error {
	for i, f := range fs.out {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		whole, err := wholeLines(f, info.Size())
		if err != nil {
			return err
		}
		if whole == info.Size() {
			continue
		}
		if whole == 0 && !beginsLike(f, jsonl[i].schema) {
			return fmt.Errorf("read %s:1: %w", f.Name(), errDamaged)
		}
		if err := fs.disk.truncate(f, whole); err != nil {
			return err
		}
	}
	return nil
}

// wholeLines is the number of bytes up to and with the last line end, found from behind.
func wholeLines(f io.ReaderAt, size int64) (int64, error) {
	block := make([]byte, 64<<10)
	for end := size; end > 0; {
		from := max(0, end-int64(len(block)))
		part := block[:end-from]
		if _, err := f.ReadAt(part, from); err != nil {
			return 0, err
		}
		for i := len(part) - 1; i >= 0; i-- {
			if part[i] == '\n' {
				return from + int64(i) + 1, nil
			}
		}
		end = from
	}
	return 0, nil
}

// beginsLike reports whether a file without any line end is what a power cut left of a
// first line: a part of it, or zeros.
func beginsLike(f io.ReaderAt, schema string) bool {
	first, err := json.Marshal(header{schema})
	if err != nil {
		return false
	}
	there := make([]byte, len(first))
	n, err := f.ReadAt(there, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	there = bytes.TrimRight(there[:n], "\x00")
	return bytes.HasPrefix(first, there)
}
