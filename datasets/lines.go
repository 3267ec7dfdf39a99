package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine is the longest line of a JSONL file, in bytes with its end, and about
// the longest row of a CSV file.
const maxLine = 1 << 20

const byteOrderMark = "\uFEFF"

// errLongLine is what eachLine says of a line over maxLine.
var errLongLine = errors.New("the line is longer than 1 MiB")

// eachLine visits the lines of r that are not blank, counted from 1, and holds one
// at a time. A line that is too long is visited without its text and with
// errLongLine; so is the line on which reading fails, which is the last.
func eachLine(r io.Reader, visit func(number int, line []byte, err error)) {
	lines := bufio.NewReaderSize(r, maxLine)
	for number := 1; ; number++ {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			visit(number, nil, errLongLine)
			line = nil
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = lines.ReadSlice('\n')
			}
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
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
