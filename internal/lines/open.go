package lines

import (
	"io"
	"os"
)

// Stdin is the name that stands for standard input.
const Stdin = "-"

// Open opens a file, or standard input. shown is what messages call it.
func Open(name string, stdin io.Reader) (r io.ReadCloser, shown string, err error) {
	if name == Stdin {
		return io.NopCloser(stdin), "standard input", nil
	}
	f, err := os.Open(name)
	return f, name, err
}
