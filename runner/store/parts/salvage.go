package parts

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"
)

// maxRatio limits the salvage of a part without a table: after the first maxFrame bytes of text, at most
// maxRatio bytes of text are salvaged for each byte of the part. For traces and chats, the ratio is 5 to 50.
const maxRatio = 200

// Salvage writes all text of a file and its parts that can be read. lost reports whether some text could not be
// read.
func Salvage(w io.Writer, path string, open func(string) (*os.File, error)) (lost bool, err error) {
	names, err := All(path)
	if err != nil {
		return false, err
	}
	var first []byte // first line of the last part
	for _, name := range names {
		out := &firstLine{w: w}
		damaged, err := salvageFile(out, name, open)
		if err != nil {
			return false, err
		}
		first = out.line
		lost = lost || damaged
	}
	rest, err := open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return lost, nil
	}
	if err != nil {
		return false, err
	}
	defer rest.Close() // closing a file that was only read cannot lose data
	start := make([]byte, len(first))
	n, err := rest.ReadAt(start, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if len(first) > 1 && bytes.Equal(start[:n], first) {
		return lost, nil
	}
	_, err = io.Copy(w, rest)
	return lost, err
}

// salvageFile salvages one part.
func salvageFile(w io.Writer, name string, open func(string) (*os.File, error)) (lost bool, err error) {
	file, err := open(name)
	if err != nil {
		return false, err
	}
	defer file.Close() // closing a file that was only read cannot lose data
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	return salvage(w, file, info.Size())
}

// firstLine is a writer that passes everything to another writer and keeps the first line, or its beginning if
// the line is too long.
type firstLine struct {
	w    io.Writer
	line []byte
	done bool
}

func (f *firstLine) Write(text []byte) (int, error) {
	if !f.done {
		end := bytes.IndexByte(text, '\n') + 1
		f.done = end > 0 || len(f.line) > MaxLine
		if end == 0 {
			end = len(text)
		}
		f.line = append(f.line, text[:end]...)
	}
	return f.w.Write(text)
}

// salvage writes the readable text of a damaged part. For each damaged frame, it writes an empty line. If the
// part has no table, it writes the text up to the first damage. lost reports whether something was damaged.
func salvage(w io.Writer, file io.ReaderAt, size int64) (lost bool, err error) {
	p, err := readTable(file, size)
	if errors.Is(err, errTable) {
		return true, salvageStart(w, file, size)
	}
	if err != nil {
		return false, err
	}
	for _, f := range p.frames {
		text, err := p.read(f, nil)
		if err != nil {
			text, lost = []byte{'\n'}, true
		}
		if _, err := w.Write(text); err != nil {
			return lost, err
		}
	}
	return lost, nil
}

// salvageStart writes the text of a part that has no table. It stops at the first damage, or at the largest
// size that a part can have.
func salvageStart(w io.Writer, file io.ReaderAt, size int64) error {
	in, err := zstd.NewReader(io.NewSectionReader(file, 0, size), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(maxFrame), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return err
	}
	defer in.Close()
	buf, last := make([]byte, 64<<10), byte('\n')
	for left := maxFrame + maxRatio*size; left > 0; {
		n, err := in.Read(buf[:min(left, int64(len(buf)))])
		left -= int64(n)
		if _, err := w.Write(buf[:n]); err != nil {
			return err
		}
		if n > 0 {
			last = buf[n-1]
		}
		if err != nil { // the end, or the damage
			break
		}
	}
	if last != '\n' {
		_, err = w.Write([]byte{'\n'})
		return err
	}
	return nil
}
