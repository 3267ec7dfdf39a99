package store

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/runner/trace"
)

// fileIndex names one of the JSONL files, in the order of flushing: a line reaches its file after the lines that it
// depends on. The file never has a trace's end without its exchanges, nor a record without its traces.
type fileIndex int

const (
	chatFile fileIndex = iota
	traceFile
	resultsFile
)

// jsonl gives names and schemas of the JSONL files.
var jsonl = [...]struct{ name, schema string }{
	chatFile:    {"chat.jsonl", ChatSchema},
	traceFile:   {"trace.jsonl", trace.Schema},
	resultsFile: {"results.jsonl", ResultsSchema},
}

// files are the open JSONL files of a run, used only by the writing goroutine.
type files struct {
	disk     *disk
	out      [len(jsonl)]*os.File
	buf      [len(jsonl)]*bufio.Writer
	dirty    bool
	settings map[string]bool // request settings that this session has written in full
}

// firstLine is that of every JSONL file.
func firstLine(schema string) string { return fmt.Sprintf("{\"schema\":%q}\n", schema) }

// appender writes a file's buffer to the disk.
type appender struct {
	disk *disk
	file *os.File
}

func (a appender) Write(p []byte) (int, error) { return a.disk.write(a.file, p) }

// openFiles opens the files for appending; flags may create them. The lock is on the file
// of traces, which is never replaced. After an error no file stays open.
func openFiles(d *disk, dir string, flags int) (*files, error) {
	fs := &files{disk: d, settings: map[string]bool{}}
	for i, f := range jsonl {
		out, err := d.open(filepath.Join(dir, f.name), os.O_RDWR|flags)
		if err == nil && fileIndex(i) == traceFile {
			err = lock(out)
		}
		if err != nil {
			out.Close() // does nothing if nil
			fs.abandon()
			return nil, err
		}
		fs.out[i], fs.buf[i] = out, bufio.NewWriterSize(appender{d, out}, d.buffer)
	}
	return fs, nil
}

// begin writes the first line of every empty file.
func (fs *files) begin() error {
	for i, f := range jsonl {
		info, err := fs.out[i].Stat()
		if err != nil {
			return err
		}
		if info.Size() > 0 {
			continue
		}
		if _, err := fs.buf[i].WriteString(firstLine(f.schema)); err != nil {
			return err
		}
		fs.dirty = true
	}
	return fs.sync()
}

// append writes one complete line.
func (fs *files) append(i item) error {
	if x, ok := i.value.(Exchange); ok {
		i.value = fs.nameSettings(x)
	}
	line, err := lines.Encode(i.value)
	if err != nil {
		return fmt.Errorf("encode a line of %s: %w", jsonl[i.file].name, err)
	}
	if i.file == resultsFile {
		line = withSum(line)
	}
	if i.flush { // first the lines that this one depends on
		if err := fs.flush(); err != nil {
			return err
		}
	}
	if _, err := fs.buf[i.file].Write(append(line, '\n')); err != nil {
		return err
	}
	fs.dirty = true
	if i.flush {
		return fs.flush()
	}
	return nil
}

// nameSettings names the settings of an exchange and keeps them in full only the first
// time, so that T turns of a trace take O(T) space.
func (fs *files) nameSettings(x Exchange) Exchange {
	raw, err := json.Marshal(x.RequestSettings)
	if err != nil { // reported when the exchange is encoded
		return x
	}
	sum := sha256.Sum256(raw)
	x.Settings = hex.EncodeToString(sum[:6])
	if fs.settings[x.Settings] {
		x.RequestSettings = nil
	}
	fs.settings[x.Settings] = true
	return x
}

// flush stops at the first file that fails, because later files depend on it.
func (fs *files) flush() error {
	for _, b := range fs.buf {
		if err := b.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// sync forces appended lines to the disk, and checks that the files are still in place.
func (fs *files) sync() error {
	if !fs.dirty {
		return nil
	}
	fs.dirty = false
	if err := fs.flush(); err != nil {
		return err
	}
	for _, f := range fs.out {
		if err := fs.disk.sync(f); err != nil {
			return err
		}
		if err := stillThere(f); err != nil {
			return err
		}
	}
	return nil
}

// ErrVanished means that a file of the run was moved, replaced or removed.
var ErrVanished = errors.New("is no longer there: the folder was moved, replaced or removed while it was written")

// stillThere reports a file that was moved or removed, which writing to it does not.
func stillThere(f *os.File) error {
	open, err := f.Stat()
	if err != nil {
		return err
	}
	if named, err := os.Stat(f.Name()); err != nil || !os.SameFile(open, named) {
		return fmt.Errorf("%s %w", f.Name(), ErrVanished)
	}
	return nil
}

func (fs *files) close() error {
	err := fs.sync()
	for _, f := range fs.out {
		err = errors.Join(err, f.Close())
	}
	return err
}

// abandon closes the open files after an error.
func (fs *files) abandon() {
	for _, f := range fs.out {
		f.Close() // does nothing if nil
	}
}
