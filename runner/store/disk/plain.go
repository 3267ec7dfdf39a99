package disk

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"sync"

	"github.com/seed-5817661a/concur/runner/store/parts"
)

// MaxFile is the maximum size in bytes of a file that is read as a whole, such as summary.json. Files of
// lines may be larger, because they are read line by line; each line has at most MaxLine bytes.
const (
	MaxFile = 256 << 20
	MaxLine = parts.MaxLine
)

// OpenFile opens a regular file of a run folder for reading, and returns an error for any other kind of file
// without opening it. Reason: a run folder can come from another person, for example as an artifact of a CI
// job. In such a folder, a link may lead out of the folder, a device may have no end, and opening a FIFO may
// block.
func OpenFile(path string) (*os.File, error) { return openPlain(path, os.O_RDONLY) }

// AppendFile opens a file of a run folder for appending, and creates it if it is missing. It makes the same
// checks as OpenFile.
func AppendFile(path string) (*os.File, error) {
	return openPlain(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
}

// ReadFile reads a file of a run folder, with the checks of OpenFile. It returns an error for a file of more
// than MaxFile bytes.
func ReadFile(path string) ([]byte, error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // closing a file that was only read cannot lose data
	raw, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err == nil && len(raw) > MaxFile {
		err = damage{fmt.Errorf("%s has more than %d MiB, and concur writes no such file: restore it from a copy, "+
			"or remove it",
			path, MaxFile>>20)}
	}
	return raw, err
}

// Exists reports whether there is a file or folder with this path.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// openPlain opens a regular file. If the path becomes another kind of file between the check and the opening,
// openPlain does not follow it or wait for it, and returns an error.
func openPlain(path string, flags int) (*os.File, error) {
	if err := CheckPlain(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, flags|notFollowed, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notPlain(path, info.Mode())
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// CheckPlain returns an error for a file that is not regular.
func CheckPlain(path string) error {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return notPlain(path, info.Mode())
	}
	return err
}

func notPlain(path string, mode fs.FileMode) error {
	return damage{fmt.Errorf("%s is a %s and not a plain file, so it is not opened: copy the run with the files "+
		"to which its links lead",
		path, kindOf(mode))}
}

func kindOf(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "link"
	case m&fs.ModeNamedPipe != 0:
		return "FIFO"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	case m.IsDir():
		return "folder"
	}
	return "special file"
}

// ErrLong is the error of a line that has more than MaxLine bytes.
var ErrLong error = damage{fmt.Errorf("the line has more than %d MiB, and concur writes no such line",
	MaxLine>>20)}

// LineReader reads lines of at most MaxLine bytes.
type LineReader struct {
	in     *bufio.Reader
	Offset int64 // offset of the next line
	long   []byte
}

// NewLineReader reads the lines of a file from an offset.
func NewLineReader(file io.ReaderAt, offset int64) *LineReader {
	return &LineReader{in: bufio.NewReaderSize(From(file, offset), 64<<10), Offset: offset}
}

// lineReaders caches readers of single lines.
var lineReaders = sync.Pool{New: func() any { return &LineReader{in: bufio.NewReaderSize(nil, 8<<10)} }}

// ReadLine calls use with the line at an offset. use must not keep the line.
func ReadLine(file io.ReaderAt, offset int64, use func(line []byte) error) error {
	in := lineReaders.Get().(*LineReader)
	defer func() {
		in.in.Reset(nil)
		if cap(in.long) > 1<<20 {
			in.long = nil
		}
		lineReaders.Put(in)
	}()
	in.in.Reset(From(file, offset))
	in.Offset = offset
	line, err := in.Next()
	if err != nil {
		return err
	}
	return use(line)
}

// Next reads a line with its line end; the text is valid until the next call. At the end of the file the error
// is io.EOF, and the text is the rest after the last line end.
func (l *LineReader) Next() ([]byte, error) {
	text, err := l.in.ReadSlice('\n')
	l.Offset += int64(len(text))
	if !errors.Is(err, bufio.ErrBufferFull) {
		return text, err
	}
	l.long = l.long[:0]
	for errors.Is(err, bufio.ErrBufferFull) {
		if l.long = append(l.long, text...); len(l.long) > MaxLine {
			return nil, ErrLong
		}
		text, err = l.in.ReadSlice('\n')
		l.Offset += int64(len(text))
	}
	l.long = append(l.long, text...)
	return l.long, err
}

// From returns a reader of a file that begins at an offset. Several such readers of a file do not affect each
// other.
func From(file io.ReaderAt, offset int64) io.Reader {
	return io.NewSectionReader(file, offset, math.MaxInt64-offset)
}

// WholeLines returns the size of the part of a file that consists of complete lines: the number of bytes up to
// the last line end. It searches from the end of the file.
func WholeLines(f io.ReaderAt, size int64) (int64, error) {
	block := make([]byte, 64<<10)
	for end := size; end > 0; {
		from := max(0, end-int64(len(block)))
		part := block[:end-from]
		if _, err := f.ReadAt(part, from); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		end = from
	}
	return 0, nil
}
