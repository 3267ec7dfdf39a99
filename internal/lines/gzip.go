package lines

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
)

// Decompressed reads through gzip if the text begins as gzip does.
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

// failing is a reader that only has an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
