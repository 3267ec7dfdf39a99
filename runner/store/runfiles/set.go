package runfiles

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/parts"
)

// Set has the open JSONL files of a run. Only one goroutine may use it.
type Set struct {
	// Sums computes the checksums of the lines.
	Sums linefile.Sums

	disk    *disk.Disk
	out     [Count]*os.File
	buf     [Count]*bufio.Writer
	dirty   bool
	written [Count]*written
	parts   [Count]int             // number of parts that were made
	rest    [Count]int64           // bytes that are not in a part
	part    int64                  // bytes of lines in a part
	ofTrace map[linefile.Group]int // lines of each unfinished trace, and of conversations with verifier or judges
}

// Open opens the files for appending; flags may create them. It locks the file of traces, because that file is never
// replaced. If it returns an error, no file is open.
func Open(d *disk.Disk, dir string, flags int, s linefile.Sums) (*Set, error) {
	fs := &Set{disk: d, Sums: s, ofTrace: map[linefile.Group]int{}, part: cmp.Or(d.Part, partBytes)}
	for f := range Count {
		out, err := d.Open(filepath.Join(dir, f.Name()), os.O_RDWR|flags)
		if err == nil && f == Traces {
			err = disk.Lock(out)
		}
		if err != nil {
			out.Close() // does nothing if nil
			fs.Abandon()
			return nil, err
		}
		fs.written[f], fs.parts[f] = newWritten(), parts.Count(out.Name())
		fs.out[f], fs.buf[f] = out, bufio.NewWriterSize(disk.Appender{Disk: d, File: out}, d.Buffer)
	}
	return fs, nil
}

// Begin writes the first line of every empty file, and reads the content of the other files.
func (fs *Set) Begin() error {
	for f := range Count {
		if err := fs.Read(f); err != nil {
			return err
		}
		if fs.written[f].bytes > 0 {
			continue
		}
		if err := fs.write(f, []byte(linefile.FirstLine(f.Schema()))); err != nil {
			return err
		}
	}
	return fs.Sync()
}

// Size returns the number of bytes of a file, with its parts and with the lines that are not flushed. Call it after
// Begin.
func (fs *Set) Size(f File) int64 { return fs.written[f].bytes }

// Put writes an object as one line with its checksum. of has the first fields of the object; it is empty for a record.
// The lines of a trace are numbered until the trace ends.
func (fs *Set) Put(f File, object []byte, of linefile.Head) error {
	if fs.Sums.HasPlaces || f == Results {
		p := linefile.Place{Line: fs.written[f].lines + 1}
		if g, is := of.Group(); is {
			fs.ofTrace[g]++
			p.OfTrace = fs.ofTrace[g]
		}
		if of.Ends() {
			for _, g := range of.Ended() {
				delete(fs.ofTrace, g)
			}
		}
		object = fs.Sums.Add(object, p)
	}
	if err := fs.write(f, append(object, '\n')); err != nil {
		return err
	}
	if fs.rest[f] < fs.part || f == Results || !fs.Sums.HasPlaces {
		return nil
	}
	return fs.closePart(f)
}

// Copy writes a line of another run, which keeps its number within its trace.
func (fs *Set) Copy(f File, line linefile.Line) error {
	at := linefile.Place{Line: fs.written[f].lines + 1, OfTrace: line.OfTrace}
	return fs.write(f, append(fs.Sums.Add(linefile.WithoutSum(line.Text), at), '\n'))
}

// write adds bytes to a file's buffer.
func (fs *Set) write(f File, line []byte) error {
	fs.dirty = true
	if _, err := fs.buf[f].Write(line); err != nil {
		return err
	}
	fs.rest[f] += int64(len(line))
	_, err := fs.written[f].Write(line)
	return err
}

// Flush writes the buffers in order. It stops at the first file that fails, because later files depend on it.
func (fs *Set) Flush() error {
	for _, b := range fs.buf {
		if err := b.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// Sync writes all appended lines to the disk, and checks that the files still exist.
func (fs *Set) Sync() error {
	if !fs.dirty {
		return nil
	}
	fs.dirty = false
	if err := fs.Flush(); err != nil {
		return err
	}
	for _, f := range fs.out {
		if err := fs.disk.Sync(f); err != nil {
			return err
		}
		if err := stillThere(f); err != nil {
			return err
		}
	}
	return nil
}

// ErrVanished means that a file of the run was moved, replaced or removed.
var ErrVanished = errors.New("is no longer there: the folder was moved, replaced or removed while it was written")

// stillThere returns an error if a file was moved or removed. It is needed because writing to an open file does
// not fail in that case.
func stillThere(f *os.File) error {
	open, err := f.Stat()
	if err != nil {
		return err
	}
	if named, err := os.Stat(f.Name()); err != nil || !os.SameFile(open, named) {
		return fmt.Errorf("%s %w", f.Name(), ErrVanished)
	}
	return nil
}

// Sealed returns the size and hash that each file must have, by its name.
func (fs *Set) Sealed() map[string]Sealed {
	out := map[string]Sealed{}
	for f := range Count {
		out[f.Name()] = fs.written[f].sealed()
	}
	return out
}

// ErrChanged means that another program changed a file of the run while concur wrote it.
var ErrChanged = errors.New("was changed by another program during the run, perhaps by the agent")

// unchanged returns an error if a file differs from the written content.
func (fs *Set) unchanged() error {
	for i, f := range fs.out {
		if err := stillThere(f); err != nil {
			return err
		}
		found, err := Digest(f.Name())
		if _, damaged := errors.AsType[parts.Damage](err); err != nil && !damaged {
			return err
		}
		if found != fs.written[i].sealed() {
			return fmt.Errorf("%s %w", f.Name(), ErrChanged)
		}
	}
	return nil
}

// LastChange returns the time of the last append.
func (fs *Set) LastChange() (time.Time, error) {
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

// Close writes the buffered lines, and checks that the files have the written content.
func (fs *Set) Close() error {
	err := fs.Sync()
	if err == nil {
		err = fs.unchanged()
	}
	for _, f := range fs.out {
		err = errors.Join(err, f.Close())
	}
	return err
}

// Abandon closes the open files after an error. After Close it does nothing.
func (fs *Set) Abandon() {
	for _, f := range fs.out {
		f.Close() // does nothing if f is nil
	}
}
