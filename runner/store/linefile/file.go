package linefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/parts"
)

// Line is a line of a JSONL file. Its text is valid until the next line is read.
type Line struct {
	Path    string
	Number  int   // number in the file; the first line is 1
	Offset  int64 // offset of the line in the file
	Text    []byte
	OfTrace int  // number among the events of its trace in one session; 0 if it has none
	Checked bool // the line has its place, and so its checksum
}

// Whole reports whether a line is one object from its first byte to its last. If the checksum of the line was
// verified, the line is as concur wrote it, and so whole.
func (l Line) Whole() bool { return l.Checked || Whole(l.Text) }

// Wrap adds the file and the number of the line to an error.
func (l Line) Wrap(err error) error { return fmt.Errorf("read %s:%d: %w", l.Path, l.Number, err) }

// Position is the place where reading continues: a byte offset, and the number of the last line before it.
type Position struct {
	Offset int64
	Line   int
}

// Start is the position before the first line of a file.
var Start Position

// File is a file of lines.
type File struct {
	Path, Schema string
	Sums         Sums
	Optional     bool                                 // the file may be missing, and its lines need no checksum
	Whole        bool                                 // a last line that is cut off is an error
	Sealed       *Size                                // nil if the file is not sealed
	Mend         func(fact string, cause error) error // adds advice on the repair of the file
}

// Size is the size of a file at the end of its run: bytes and lines, with the lines of its parts.
type Size struct {
	Bytes int64
	Lines int
}

// Lines reads the lines of the file.
func (l File) Lines(from Position) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		file, err := parts.Open(l.Path, disk.OpenFile)
		if err != nil {
			yield(Line{}, fmt.Errorf("read run: %w", l.PartError(err)))
			return
		}
		defer file.Close()
		in := disk.NewLineReader(file, from.Offset)
		if from == Start {
			if err := l.header(in, file); err != nil {
				yield(Line{}, err)
				return
			}
			from = Position{in.Offset, 2}
		}
		for n := from.Line; ; n++ {
			line := Line{Path: l.Path, Number: n, Offset: in.Offset}
			line.Text, err = in.Next()
			if errors.Is(err, io.EOF) {
				if err := l.end(line, in.Offset, file); err != nil {
					yield(line, line.Wrap(err))
				}
				return
			}
			if err == nil {
				err = l.check(&line)
			}
			if err != nil {
				yield(line, line.Wrap(l.PartError(err)))
				return
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// PartError adds advice to an error about a missing file or a damaged part: how to repair the file.
func (l File) PartError(err error) error {
	if l.Mend == nil {
		return err
	}
	if d, damaged := errors.AsType[parts.Damage](err); damaged {
		return l.Mend(d.Error(), nil)
	}
	if missing, is := errors.AsType[*fs.PathError](err); is && !l.Optional &&
		errors.Is(err, fs.ErrNotExist) {
		return absent{l.Mend(missing.Path+" is missing", nil)}
	}
	return err
}

// absent is an error about a missing file. It also matches fs.ErrNotExist.
type absent struct{ error }

func (absent) Is(target error) bool { return target == fs.ErrNotExist }

func (a absent) Unwrap() error { return a.error }

// check verifies the checksum of a line and its place.
func (l File) check(line *Line) error {
	written, err := l.Sums.Check(line.Text)
	if errors.Is(err, ErrNoSum) && l.Optional {
		return nil
	}
	if err == nil && written.Line != 0 && written.Line != line.Number && !l.Optional {
		err = Misplaced(written.Line, line.Number)
	}
	if err != nil {
		return l.Mend(err.Error(), nil)
	}
	line.OfTrace, line.Checked = written.OfTrace, written.Line > 0
	return nil
}

// end checks the end of a file. rest is the text after its last line end, and size is its number of bytes.
func (l File) end(rest Line, size int64, file *parts.File) error {
	switch {
	case l.Whole && len(bytes.TrimSpace(rest.Text)) > 0:
		return l.Mend("the line is cut off, although the run is complete", nil)
	case l.Sealed != nil && size != l.Sealed.Bytes:
		return l.Mend(fmt.Sprintf("the file has the wrong length: the complete run had %d lines and "+
			"%d bytes, not %d and %d%s",
			l.Sealed.Lines, l.Sealed.Bytes, rest.Number-1, size, l.missing(size, file)), nil)
	}
	return nil
}

// missing names the part that is missing at the end of a file, if its plain file is empty.
func (l File) missing(size int64, file *parts.File) string {
	if size > file.From() || size >= l.Sealed.Bytes {
		return ""
	}
	return fmt.Sprintf("; the part %s is missing", filepath.Base(parts.Name(l.Path, file.Parts()+1)))
}

// header reads the first line of a file.
func (l File) header(in *disk.LineReader, file *parts.File) error {
	line, err := in.Next()
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s:1: %w", l.Path, l.PartError(err))
	}
	empty := len(line) == 0 && l.Sealed != nil && l.Sealed.Bytes > 0
	if _, p, _ := Split(line); (p.Line > 2 || empty) && l.Mend != nil {
		fact := "the file is empty"
		if !empty {
			fact = Misplaced(p.Line, 1).Error()
		}
		if file.Parts() == 0 {
			fact += fmt.Sprintf("; the part %s is missing", filepath.Base(parts.Name(l.Path, 1)))
		}
		return fmt.Errorf("read %s:1: %w", l.Path, l.Mend(fact, nil))
	}
	if string(line) != FirstLine(l.Schema) {
		return disk.Damage(fmt.Errorf(`read %s:1: the first line is not {"schema":%q}; this concur cannot read the file`,
			l.Path, l.Schema))
	}
	return nil
}

// FirstLine returns the first line of a JSONL file.
func FirstLine(schema string) string { return fmt.Sprintf("{\"schema\":%q}\n", schema) }
