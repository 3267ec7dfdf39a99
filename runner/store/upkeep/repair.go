package upkeep

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
)

// Repaired describes the repair of a damaged file of a run.
type Repaired struct {
	File    string   // name in the run folder
	Kept    int      // kept lines, without the first line of the file
	Moved   int      // kept lines that were moved back to their place
	Dropped int      // lines that were damaged, duplicate, of another run, or of an incomplete trace
	Missing int      // lines that were written and are missing, as far as this can be detected
	Backups []string // paths of the old file and its parts, if they had content
}

// Repair keeps the undamaged lines of the run's files, and returns a list of its changes; the list is empty for
// an undamaged run. It moves lines back to their place. It drops lines that are damaged, that occur twice, or
// that belong to another run. If a trace or conversation has lost a line, all its lines are dropped. The old
// version of each changed file is kept in the same folder. If lines were lost, the state of the run becomes
// interrupted, so that a resumption runs the missing parts again.
//
// In runs of older versions, lines have no place. There a file is kept up to its first damaged line.
func Repair(ctx context.Context, r *store.Run) (_ []Repaired, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("repair run %s: %w", r.Dir, err)
		}
	}()
	if err := r.Manifest.CheckSeal(); err != nil {
		return nil, err
	}
	release, err := disk.LockFolder(ctx, r.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, release()) }()
	held, err := store.Options{}.Disk().Open(filepath.Join(r.Dir, runfiles.Traces.Name()), os.O_RDWR)
	if err == nil {
		defer held.Close() // also releases the lock
		if err := disk.Lock(held); err != nil {
			return nil, err
		}
		if runtime.GOOS == "windows" { // Windows cannot rename an open file
			held.Close()
		}
	}
	now, err := store.Open(r.Dir) // another process may have continued the run after r was read
	if err != nil {
		return nil, err
	}
	r.Manifest = now.Manifest
	var out []Repaired
	whole := true
	for f := range runfiles.Count {
		s, err := salvage(r, f)
		if err == nil && s.changed {
			s.Backups, err = s.write()
		}
		err = errors.Join(err, s.close())
		if err != nil {
			return out, err
		}
		whole = whole && s.whole
		if s.changed {
			out = append(out, s.Repaired)
		}
		if err := s.asSealed(); err != nil {
			return out, err
		}
	}
	labels, err := repairLabels(r)
	if err != nil {
		return out, err
	}
	if labels != nil {
		out = append(out, *labels)
	}
	if r.Manifest.State == store.Complete && !whole {
		r.Manifest = r.Manifest.WithFiles(nil)
		r.Manifest.State = store.Interrupted
		err = r.Manifest.Write(new(disk.Disk), r.Dir)
	}
	return out, err
}

// asSealed compares a file of a complete run with its seal. If all its lines are there with correct checksums,
// but the file differs from the seal, it returns an error: another program has then computed checksums for
// other lines.
func (s *salvaged) asSealed() error {
	sealed, is := s.run.Manifest.Files[s.File]
	if !is || !s.whole || s.run.Manifest.State != store.Complete {
		return nil
	}
	if found, err := runfiles.Digest(s.path()); err != nil || found != sealed {
		return errors.Join(err, disk.Damage(fmt.Errorf("another program has written %s with new checksums: "+
			"restore the file from a copy, or begin a new run", s.path())))
	}
	return nil
}

// repairLabels keeps the undamaged labels, in the order in which they were given. It returns nil if no label
// is damaged.
func repairLabels(r *store.Run) (*Repaired, error) {
	path := filepath.Join(r.Dir, store.LabelsFile)
	file, err := disk.OpenFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close() // closing a file that was only read cannot lose data; closed again below
	type label struct {
		number int // number of the line; of the previous line if this one has none
		text   []byte
	}
	var kept []label
	out, last := &Repaired{File: store.LabelsFile}, 0
	seen := map[int]bool{}
	in := disk.NewLineReader(file, 0)
	for n := 1; ; n++ {
		text, err := in.Next()
		if errors.Is(err, io.EOF) && len(text) == 0 {
			break
		}
		var l store.Label
		p, sumErr := r.Manifest.LineSums().Check(text)
		switch {
		case n == 1 && string(text) == linefile.FirstLine(store.LabelsSchema):
			continue
		case err != nil, sumErr != nil && !errors.Is(sumErr, linefile.ErrNoSum), seen[p.Line] && p.Line > 0,
			l.Read(text) != nil:
			if err != nil && !errors.Is(err, disk.ErrLong) && !errors.Is(err, io.EOF) {
				return nil, fmt.Errorf("read %s: %w", path, err)
			}
			out.Dropped++
			continue // skip the rest of the file
		}
		if p.Line > 0 && p.Line < last {
			out.Moved++
		}
		if p.Line > 0 {
			last = p.Line
		}
		seen[p.Line] = true
		kept = append(kept, label{last, bytes.Clone(text)})
	}
	if out.Dropped+out.Moved == 0 {
		return nil, nil
	}
	slices.SortStableFunc(kept, func(a, b label) int { return cmp.Compare(a.number, b.number) })
	text := []byte(linefile.FirstLine(store.LabelsSchema))
	for _, l := range kept {
		text = append(text, l.text...)
	}
	file.Close()
	out.Kept = len(kept)
	backup, err := backUp(path)
	if err != nil {
		return nil, err
	}
	out.Backups = []string{backup}
	return out, new(disk.Disk).Replace(path, text)
}

// write replaces the file by one with the kept lines at their new places. It returns the paths of the old
// file and its parts, if they had content.
func (s *salvaged) write() (backups []string, err error) {
	d, sums := new(disk.Disk), s.run.Manifest.LineSums()
	old, err := disk.OpenFile(s.source)
	if err != nil && len(s.lines) > 0 {
		return nil, err
	}
	defer old.Close() // closing a file that was only read cannot lose data; does nothing if old is nil
	next, err := os.CreateTemp(s.run.Dir, disk.Temporary(s.path())+"*")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, next.Close(), os.Remove(next.Name()))
		}
	}()
	out := bufio.NewWriter(next)
	out.WriteString(linefile.FirstLine(s.file.Schema())) // Flush returns the error
	for i, l := range s.lines {
		text, err := l.read(old)
		if err != nil {
			return nil, err
		}
		if sums.HasPlaces {
			text = append(sums.Add(linefile.WithoutSum(text), linefile.Place{Line: i + 2, OfTrace: l.place.OfTrace}), '\n')
		}
		out.Write(text)
	}
	if err := errors.Join(out.Flush(), d.Sync(next), next.Close()); err != nil {
		return nil, err
	}
	old.Close()
	for _, old := range slices.Backward(append([]string{s.path()}, s.parts...)) {
		info, err := os.Lstat(old)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		backup, err := backUp(old)
		if err != nil {
			return nil, err
		}
		switch {
		case old != s.path():
			backups = slices.Insert(backups, 0, backup)
		case info.Size() > 0 || len(s.parts) == 0:
			backups = append(backups, backup)
		}
	}
	return backups, errors.Join(os.Rename(next.Name(), s.path()), d.SyncDir(s.run.Dir))
}

// damagedSuffix is the end of the names of old files after a repair.
const damagedSuffix = ".damaged"

// backUp renames a file: it adds damagedSuffix to the name, and a number if that name is already used.
func backUp(path string) (string, error) {
	to := path + damagedSuffix
	for n := 2; ; n++ {
		if _, err := os.Lstat(to); err != nil {
			return to, os.Rename(path, to)
		}
		to = fmt.Sprintf("%s%s-%d", path, damagedSuffix, n)
	}
}
