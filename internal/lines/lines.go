// Package lines reads files line by line, encodes and decodes lines of JSON, and hashes their content independently of
// the order of lines.
package lines

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
)

// Max is the maximum length of a line of a JSONL file, in bytes with its end, and approximately of a row of a
// CSV file.
const Max = 1 << 20

// ByteOrderMark may be at the beginning of a file.
const ByteOrderMark = "\uFEFF"

// ErrLong is the error of Each for a line longer than Max.
var ErrLong = errors.New("the line is longer than 1 MiB")

// Each calls visit for each line of r that is not blank, with its number from 1. It keeps one line in memory.
// For a line that is too long, the text is nil and err is ErrLong. If reading fails, the last call has the
// error.
func Each(r io.Reader, visit func(number int, line []byte, err error)) {
	lines := bufio.NewReaderSize(r, Max)
	for number := 1; ; number++ {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			visit(number, nil, ErrLong)
			line = nil
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = lines.ReadSlice('\n')
			}
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte(ByteOrderMark))
		}
		if len(bytes.TrimSpace(line)) > 0 {
			visit(number, line, nil)
		}
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			visit(number, nil, err)
			return
		}
	}
}

// Decompressed returns a reader of the decompressed text if r is compressed with gzip, else of r.
func Decompressed(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	if magic, _ := b.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return b
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return failing{err}
	}
	return z
}

// failing is a reader that always returns an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Stdin is the file name that means standard input.
const Stdin = "-"

// Open opens a file, or standard input. shown is its name for messages.
func Open(name string, stdin io.Reader) (r io.ReadCloser, shown string, err error) {
	if name == Stdin {
		return io.NopCloser(stdin), "standard input", nil
	}
	f, err := os.Open(name)
	return f, name, err
}
