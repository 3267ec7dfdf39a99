// Package lines reads files line by line and hashes what they say independently of its
// order.
package lines

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Max is the longest line of a JSONL file, in bytes with its end, and about
// the longest row of a CSV file.
const Max = 1 << 20

// ByteOrderMark may stand at the beginning of a file.
const ByteOrderMark = "\uFEFF"

// ErrLong is what Each says of a line over Max.
var ErrLong = errors.New("the line is longer than 1 MiB")

// Each visits the lines of r that are not blank, counted from 1, and holds one
// at a time. A line that is too long is visited without its text and with
// ErrLong; so is the line on which reading fails, which is the last.
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
