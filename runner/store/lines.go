package store

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

// rawLine is a line of a JSONL file. Its text is valid until the next line is read.
type rawLine struct {
	path    string
	number  int   // number in the file; the first line is 1
	offset  int64 // offset of the line in the file
	text    []byte
	ofTrace int  // number among the events of its trace in one session; 0 if it has none
	checked bool // the line has its place, and so its checksum
}

// whole reports whether a line is one object from its first byte to its last. If the checksum of the line was
// verified, the line is as concur wrote it, and so whole.
func (l rawLine) whole() bool { return l.checked || whole(l.text) }

func (l rawLine) error(err error) error { return fmt.Errorf("read %s:%d: %w", l.path, l.number, err) }

// position is the place where reading continues: a byte offset, and the number of the last line before it.
type position struct {
	offset int64
	line   int
}

// start is the position before the first line of a file.
var start position

// rawLines reads the lines of a JSONL file from a position; from start it reads all lines except the header. If
// the run is incomplete and the last line is cut off, it ignores this line. For any other line that cannot be
// read, it returns an error with the line's number. If the run is complete and sealed, it also returns an error
// if the file's end differs from the seal.
func (r *Run) rawLines(f fileIndex, from position) iter.Seq2[rawLine, error] {
	of := lineFile{path: filepath.Join(r.Dir, jsonl[f].name), schema: jsonl[f].schema, sums: r.Manifest.sums(),
		mend: r.mendable}
	if r.Manifest.State == Complete {
		of.whole = true
		if sealed, is := r.Manifest.Files[jsonl[f].name]; is && of.sums.hasPlaces {
			of.sealed = &sealed
		}
	}
	return of.lines(from)
}

// lineFile is a file of lines.
type lineFile struct {
	path, schema string
	sums         sums
	optional     bool                                 // the file may be missing, and its lines need no checksum
	whole        bool                                 // a last line that is cut off is an error
	sealed       *Sealed                              // nil if the file is not sealed
	mend         func(fact string, cause error) error // adds advice on the repair of the file
}

// lines reads the lines of the file.
func (l lineFile) lines(from position) iter.Seq2[rawLine, error] {
	return func(yield func(rawLine, error) bool) {
		file, err := parts.Open(l.path, disk.OpenFile)
		if err != nil {
			yield(rawLine{}, fmt.Errorf("read run: %w", l.partError(err)))
			return
		}
		defer file.Close()
		in := disk.NewLineReader(file, from.offset)
		if from == start {
			if err := l.header(in, file); err != nil {
				yield(rawLine{}, err)
				return
			}
			from = position{in.Offset, 2}
		}
		for n := from.line; ; n++ {
			line := rawLine{path: l.path, number: n, offset: in.Offset}
			line.text, err = in.Next()
			if errors.Is(err, io.EOF) {
				if err := l.end(line, in.Offset, file); err != nil {
					yield(line, line.error(err))
				}
				return
			}
			if err == nil {
				err = l.check(&line)
			}
			if err != nil {
				yield(line, line.error(l.partError(err)))
				return
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// partError adds advice to an error about a missing file or a damaged part: how to repair the file.
func (l lineFile) partError(err error) error {
	if l.mend == nil {
		return err
	}
	if d, damaged := errors.AsType[parts.Damage](err); damaged {
		return l.mend(d.Error(), nil)
	}
	if missing, is := errors.AsType[*fs.PathError](err); is && !l.optional &&
		errors.Is(err, fs.ErrNotExist) {
		return absent{l.mend(missing.Path+" is missing", nil)}
	}
	return err
}

// absent is an error about a missing file. It also matches fs.ErrNotExist.
type absent struct{ error }

func (absent) Is(target error) bool { return target == fs.ErrNotExist }

func (a absent) Unwrap() error { return a.error }

// check verifies the checksum of a line and its place.
func (l lineFile) check(line *rawLine) error {
	written, err := l.sums.check(line.text)
	if errors.Is(err, errNoSum) && l.optional {
		return nil
	}
	if err == nil && written.line != 0 && written.line != line.number && !l.optional {
		err = misplaced(written.line, line.number)
	}
	if err != nil {
		return l.mend(err.Error(), nil)
	}
	line.ofTrace, line.checked = written.ofTrace, written.line > 0
	return nil
}

// end checks the end of a file. rest is the text after its last line end, and size is its number of bytes.
func (l lineFile) end(rest rawLine, size int64, file *parts.File) error {
	switch {
	case l.whole && len(bytes.TrimSpace(rest.text)) > 0:
		return l.mend("the line is cut off, although the run is complete", nil)
	case l.sealed != nil && size != l.sealed.Bytes:
		return l.mend(fmt.Sprintf("the file has the wrong length: the complete run had %d lines and "+
			"%d bytes, not %d and %d%s",
			l.sealed.Lines, l.sealed.Bytes, rest.number-1, size, l.missing(size, file)), nil)
	}
	return nil
}

// missing names the part that is missing at the end of a file, if its plain file is empty.
func (l lineFile) missing(size int64, file *parts.File) string {
	if size > file.From() || size >= l.sealed.Bytes {
		return ""
	}
	return fmt.Sprintf("; the part %s is missing", filepath.Base(parts.Name(l.path, file.Parts()+1)))
}

// header reads the first line of a file.
func (l lineFile) header(in *disk.LineReader, file *parts.File) error {
	line, err := in.Next()
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s:1: %w", l.path, l.partError(err))
	}
	empty := len(line) == 0 && l.sealed != nil && l.sealed.Bytes > 0
	if _, p, _ := split(line); (p.line > 2 || empty) && l.mend != nil {
		fact := "the file is empty"
		if !empty {
			fact = misplaced(p.line, 1).Error()
		}
		if file.Parts() == 0 {
			fact += fmt.Sprintf("; the part %s is missing", filepath.Base(parts.Name(l.path, 1)))
		}
		return fmt.Errorf("read %s:1: %w", l.path, l.mend(fact, nil))
	}
	if string(line) != firstLine(l.schema) {
		return disk.Damage(fmt.Errorf(`read %s:1: the first line is not {"schema":%q}; this concur cannot read the file`,
			l.path, l.schema))
	}
	return nil
}
