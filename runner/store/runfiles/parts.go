package runfiles

import (
	"bufio"
	"io"
	"os"

	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/parts"
)

// partBytes is the size in bytes of a plain file at which its lines are moved into a compressed part.
const partBytes = 64 << 20

// closePart compresses the lines of the plain file into a part, and empties the plain file. The part gets its
// final name when it is complete and on the disk. If the process then dies before the plain file is empty,
// readers ignore the plain file, and the next writer empties it.
func (fs *Set) closePart(f File) error {
	out := fs.out[f]
	if err := fs.Flush(); err != nil {
		return err
	}
	if err := fs.disk.Sync(out); err != nil {
		return err
	}
	err := fs.disk.ReplaceWith(parts.Name(out.Name(), fs.parts[f]+1), func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 1<<20)
		if err := parts.Write(buffered, disk.From(out, 0)); err != nil {
			return err
		}
		return buffered.Flush()
	})
	if err == nil {
		err = fs.disk.Truncate(out, 0)
	}
	if err == nil {
		err = fs.disk.Sync(out)
	}
	fs.parts[f], fs.rest[f] = fs.parts[f]+1, 0
	return err
}

// Compress moves the lines of the plain file, if it has any, into a part. The plain file keeps its time, because the
// index and the length of a pause depend on it. Call Compress after Read.
func (fs *Set) Compress(f File) error {
	if fs.rest[f] == 0 {
		return nil
	}
	info, err := fs.out[f].Stat()
	if err == nil {
		err = fs.closePart(f)
	}
	if err == nil {
		err = os.Chtimes(fs.out[f].Name(), info.ModTime(), info.ModTime())
	}
	return err
}

// Read reads the content of a file and its parts, for Size and Sealed. It empties the plain file if the last part
// already has its lines.
func (fs *Set) Read(f File) error {
	file, err := parts.Open(fs.out[f].Name(), disk.OpenFile)
	if err != nil {
		return err
	}
	defer file.Close() // closing a file that was only read cannot lose data
	if file.Stale() {
		if err := fs.disk.Truncate(fs.out[f], 0); err != nil {
			return err
		}
	}
	if _, err := io.Copy(fs.written[f], disk.From(file, 0)); err != nil {
		return err
	}
	fs.rest[f] = fs.written[f].bytes - file.From()
	return nil
}
