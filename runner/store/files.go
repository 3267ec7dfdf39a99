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

	"github.com/seed-5817661a/concur/runner/trace"
)

// fileIndex names one of the JSONL files, in the order in which they are flushed: what a
// line rests on reaches its file before the line does. A trace's end is never there
// without its exchanges, nor a record without its traces.
type fileIndex int

const (
	chatFile fileIndex = iota
	traceFile
	resultsFile
)

// jsonl describes the JSONL files: name, and the schema on the first line.
var jsonl = [...]struct{ name, schema string }{
	chatFile:    {"chat.jsonl", ChatSchema},
	traceFile:   {"trace.jsonl", trace.Schema},
	resultsFile: {"results.jsonl", ResultsSchema},
}

// files are the open JSONL files of a run. Only the writing goroutine touches them.
type files struct {
	disk  *disk
	out   [len(jsonl)]*os.File
	buf   [len(jsonl)]*bufio.Writer
	dirty bool
	named map[string]bool // request settings that this session has spelled out
}

// header is the first line of every JSONL file.
type header struct {
	Schema string `json:"schema"`
}

// appender is a file as its buffer sees it.
type appender struct {
	disk *disk
	file *os.File
}

func (a appender) Write(p []byte) (int, error) { return a.disk.write(a.file, p) }

// openFiles opens the files for appending; flags may ask for new ones. The lock is on
// the file of traces, which is never replaced. After an error nothing stays open.
func openFiles(d *disk, dir string, flags int) (*files, error) {
	fs := &files{disk: d, named: map[string]bool{}}
	for i, f := range jsonl {
		out, err := d.open(filepath.Join(dir, f.name), os.O_RDWR|flags)
		if err == nil && fileIndex(i) == traceFile {
			err = lock(out)
		}
		if err != nil {
			out.Close() // nil where it was not opened, which is an error and does nothing
			fs.abandon()
			return nil, err
		}
		fs.out[i], fs.buf[i] = out, bufio.NewWriterSize(appender{d, out}, d.buffer)
	}
	return fs, nil
}

// begin writes the first line of every file that is empty.
func (fs *files) begin() error {
	for i, f := range jsonl {
		info, err := fs.out[i].Stat()
		if err != nil {
			return err
		}
		if info.Size() > 0 {
			continue
		}
		if err := fs.append(item{file: fileIndex(i), value: header{f.schema}}); err != nil {
			return err
		}
	}
	return fs.sync()
}

// append writes one whole line.
func (fs *files) append(i item) error {
	if x, ok := i.value.(Exchange); ok {
		i.value = fs.nameSettings(x)
	}
	line, err := json.Marshal(i.value)
	if err != nil {
		return fmt.Errorf("encode a line of %s: %w", jsonl[i.file].name, err)
	}
	if i.file == resultsFile {
		if _, isHeader := i.value.(header); !isHeader {
			line = withSum(line)
		}
	}
	if i.flush { // a full buffer would let the line overtake what it rests on
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

// nameSettings gives an exchange the name of its settings and keeps them spelled out
// only the first time, so that T turns of a trace cost O(T).
func (fs *files) nameSettings(x Exchange) Exchange {
	raw, err := json.Marshal(x.RequestSettings)
	if err != nil { // Marshal of the whole exchange reports it
		return x
	}
	sum := sha256.Sum256(raw)
	x.Settings = hex.EncodeToString(sum[:6])
	if fs.named[x.Settings] {
		x.RequestSettings = nil
	}
	fs.named[x.Settings] = true
	return x
}

// flush stops at the first file that fails: what rests on it must not be there alone.
func (fs *files) flush() error {
	for _, b := range fs.buf {
		if err := b.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// sync forces what was appended to the disk, and finds out whether that is still the
// folder that others see.
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

// ErrVanished says that a file of the run is no longer where it was: there is nothing at
// that place to go on with.
var ErrVanished = errors.New("is no longer there: the folder was moved, replaced or removed while it was written")

// stillThere notices that a file was moved or removed, which writing to it does not.
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

// abandon closes what was opened of files that are of no use.
func (fs *files) abandon() {
	for _, f := range fs.out {
		f.Close() // nil for one that was not opened, which is an error and does nothing
	}
}
