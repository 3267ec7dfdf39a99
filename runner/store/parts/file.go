package parts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// Name returns the path of the n-th part of a file, counted from 1.
func Name(path string, n int) string {
	base, end := strings.TrimSuffix(path, filepath.Ext(path)), filepath.Ext(path)
	return fmt.Sprintf("%s.%04d%s.zst", base, n, end)
}

// Is matches the names of the parts of .jsonl files.
var Is = regexp.MustCompile(`^(\w+)\.\d{4,9}\.jsonl\.zst$`)

// Count returns the number of a file's parts, up to the first number without a part.
func Count(path string) int {
	n := 0
	for {
		if _, err := os.Lstat(Name(path, n+1)); err != nil {
			return n
		}
		n++
	}
}

// Damage wraps an error about a part whose content is damaged. Errors of reading from the disk are not wrapped.
type Damage struct{ error }

func (d Damage) Unwrap() error { return d.error }

// File is an open file of lines. It is safe for concurrent use. Another process may compress the rest into a
// new part at the same time.
type File struct {
	path string
	open func(path string) (*os.File, error)

	mu    sync.RWMutex
	files []*os.File
	parts []placed
	rest  *os.File
	from  int64 // offset at which the rest begins
	cache cache
	stale bool // all lines of the rest are in the last part, because the process died before it emptied the rest
}

// placed is a part and the offset at which it begins.
type placed struct {
	*part
	from int64
}

// Open opens a file with its parts. open opens one file for reading.
func Open(path string, open func(string) (*os.File, error)) (*File, error) {
	f := &File{path: path, open: open}
	err := f.reopen()
	if err == nil {
		err = f.gap()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// gap returns an error if the numbers of the parts do not begin at 1, or have a gap.
func (f *File) gap() error {
	names, err := All(f.path)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for n := range f.parts {
		known[filepath.Base(Name(f.path, n+1))] = true
	}
	next := Name(f.path, len(f.parts)+1)
	for _, name := range names {
		if known[filepath.Base(name)] {
			continue
		}
		if _, err := os.Lstat(next); err == nil {
			return nil // another process has since made new parts
		}
		return Damage{fmt.Errorf("read %s: the part %s before it is missing, or it does not belong to this run", name,
			filepath.Base(next))}
	}
	return nil
}

// reopen opens the parts that were made since the file was opened, and the rest.
func (f *File) reopen() error {
	for n := len(f.parts) + 1; ; n++ {
		name := Name(f.path, n)
		file, err := f.open(name)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return err
		}
		f.files = append(f.files, file)
		info, err := file.Stat()
		if err != nil {
			return err
		}
		p, err := openPart(file, info.Size())
		if err != nil {
			return Damage{fmt.Errorf("read %s: %w", name, err)}
		}
		f.parts = append(f.parts, placed{p, f.from})
		f.from += p.size
	}
	if f.rest == nil {
		rest, err := f.open(f.path)
		if err != nil {
			return err
		}
		f.rest, f.files = rest, append(f.files, rest)
	}
	var err error
	f.stale, err = f.isStale()
	return err
}

// isStale reports whether the rest begins with the first line of the last part. Lines are numbered, so no two
// lines are equal.
func (f *File) isStale() (bool, error) {
	if len(f.parts) == 0 {
		return false, nil
	}
	last := f.parts[len(f.parts)-1]
	text, err := last.read(last.frames[0], nil)
	if err != nil {
		return false, Damage{fmt.Errorf("read %s: %w", Name(f.path, len(f.parts)), err)}
	}
	line := text[:bytes.IndexByte(text, '\n')+1]
	got := make([]byte, len(line))
	n, err := f.rest.ReadAt(got, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return n > 0 && bytes.Equal(got, line), nil
}

// Path returns the path of the rest, which is the path of the file.
func (f *File) Path() string { return f.path }

// Parts returns the number of parts.
func (f *File) Parts() int { return len(f.parts) }

// Stale reports whether the last part already has all lines of the rest.
func (f *File) Stale() bool { return f.stale }

// From returns the offset of the rest.
func (f *File) From() int64 { return f.from }

// Size returns the number of bytes of all lines.
func (f *File) Size() (int64, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.stale {
		return f.from, nil
	}
	info, err := f.rest.Stat()
	if err != nil {
		return 0, err
	}
	return f.from + info.Size(), nil
}

// Rest describes the plain file.
func (f *File) Rest() (os.FileInfo, error) { return f.rest.Stat() }

// ReadAt reads lines at an offset.
func (f *File) ReadAt(into []byte, offset int64) (n int, err error) {
	for n < len(into) {
		m, err := f.read(into[n:], offset+int64(n))
		n += m
		if errors.Is(err, errMoved) {
			f.mu.Lock()
			err = f.reopen()
			f.mu.Unlock()
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// errMoved means that the rest became a part during a read.
var errMoved = errors.New("the rest became a part")

// read reads from one part, or from the rest.
func (f *File) read(into []byte, offset int64) (int, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	for i := len(f.parts) - 1; i >= 0 && offset < f.from; i-- {
		if p := f.parts[i]; offset >= p.from {
			n, err := p.readAt(into, offset-p.from, &f.cache)
			if err != nil {
				err = Damage{fmt.Errorf("read %s: %w", Name(f.path, i+1), err)}
			}
			return n, err
		}
	}
	if f.stale {
		return f.ended(io.EOF, 0)
	}
	n, err := f.rest.ReadAt(into, offset-f.from)
	return f.ended(err, n)
}

// ended returns the result of a read from the rest, or errMoved if the rest has become a part before the read.
// It can detect this, because a part gets its name before the rest is emptied.
func (f *File) ended(err error, n int) (int, error) {
	if _, there := os.Lstat(Name(f.path, len(f.parts)+1)); there == nil {
		return 0, errMoved
	}
	return n, err
}

// Close closes the files.
func (f *File) Close() (err error) {
	for _, file := range f.files {
		err = errors.Join(err, file.Close())
	}
	return err
}

// All returns the paths of all parts of a file, including parts after a missing one.
func All(path string) (names []string, err error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for _, e := range entries { // sorted by name
		if m := Is.FindStringSubmatch(e.Name()); m != nil && m[1] == stem {
			names = append(names, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return names, err
}
