package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/parts"
)

// partBytes is the size in bytes of a plain file at which its lines are moved into a compressed part.
const partBytes = 64 << 20

// closePart compresses the lines of the plain file into a part, and empties the plain file. The part gets its
// final name when it is complete and on the disk. If the process then dies before the plain file is empty,
// readers ignore the plain file, and the next writer empties it.
func (fs *files) closePart(f fileIndex) error {
	out := fs.out[f]
	if err := fs.flush(); err != nil {
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

// readWritten reads the content of a file and its parts. It empties the plain file if the last part already
// has its lines.
func (fs *files) readWritten(f fileIndex) error {
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

// Compress compresses all lines of trace.jsonl and chat.jsonl of a complete run into parts, and returns the
// number of saved bytes. The run and its seal stay the same. A file that differs from its seal is an error.
func (r *Run) Compress() (saved int64, err error) { return Options{}.Compress(r) }

func (o Options) Compress(r *Run) (saved int64, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("compress run %s: %w", r.Dir, err)
		}
	}()
	before, err := r.Size()
	if err != nil {
		return 0, err
	}
	d := o.disk()
	out, err := openFiles(d, r.Dir, 0, r.Manifest.sums())
	if err != nil {
		return 0, err
	}
	defer out.abandon()
	m, err := readManifest(r.Dir)
	switch {
	case err != nil:
		return 0, err
	case m.State != Complete:
		return 0, fmt.Errorf("it is not complete (state: %s): finish it with `%s`", m.State, ResumeCommand(r.Dir, m))
	case !m.sums().HasPlaces || m.Files == nil:
		return 0, errors.New("an older version wrote it, without the checksums that parts need: leave it unchanged")
	}
	for _, f := range []fileIndex{chatFile, traceFile} {
		if err := out.readWritten(f); err != nil {
			return 0, linefile.File{Mend: r.mendable}.PartError(err)
		}
		if name := jsonl[f].name; out.written[f].sealed() != m.Files[name] {
			return 0, r.mendable(filepath.Join(r.Dir, name)+" differs from the file at the end of the run", nil)
		}
	}
	for _, f := range []fileIndex{chatFile, traceFile} {
		if out.rest[f] == 0 {
			continue
		}
		info, err := out.out[f].Stat()
		if err == nil {
			err = out.closePart(f)
		}
		if err == nil { // the index and the length of a pause depend on this time
			err = os.Chtimes(out.out[f].Name(), info.ModTime(), info.ModTime())
		}
		if err != nil {
			return 0, err
		}
	}
	if err := d.Remove(filepath.Join(r.Dir, oldChats)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	after, err := r.Size()
	return before - after, err
}

// oldChats is a file that older versions made from chat.jsonl.
const oldChats = "chat.md"
