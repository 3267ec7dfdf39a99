package store

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/parts"
	"github.com/seed-5817661a/concur/trace"
)

// fileIndex names one of the JSONL files. The files are flushed in this order: a line is flushed after the
// lines of other files on which it depends. So trace.jsonl never has the end of a trace whose exchanges are
// missing, and results.jsonl never a record whose traces are missing.
type fileIndex int

const (
	chatFile fileIndex = iota
	traceFile
	resultsFile
)

// jsonl lists the names and schemas of the JSONL files.
var jsonl = [...]struct{ name, schema string }{
	chatFile:    {"chat.jsonl", ChatSchema},
	traceFile:   {"trace.jsonl", trace.Schema},
	resultsFile: {"results.jsonl", ResultsSchema},
}

// files are the open JSONL files of a run, used only by the writing goroutine.
type files struct {
	disk     *disk.Disk
	out      [len(jsonl)]*os.File
	buf      [len(jsonl)]*bufio.Writer
	dirty    bool
	settings map[string]bool // request settings that this session has written in full
	sums     linefile.Sums
	written  [len(jsonl)]*written
	parts    [len(jsonl)]int        // number of parts that were made
	rest     [len(jsonl)]int64      // bytes that are not in a part
	part     int64                  // bytes of lines in a part
	ofTrace  map[linefile.Group]int // lines of each unfinished trace, and of conversations with verifier or judges
	index    *indexer               // nil except for a new run
}

// written has the size and the hash of the content that a file must have: the content that it had when it was
// opened, and everything written since then.
type written struct {
	bytes int64
	lines int
	hash  hash.Hash
}

func newWritten() *written { return &written{hash: sha256.New()} }

func (w *written) Write(p []byte) (int, error) {
	w.bytes += int64(len(p))
	w.lines += bytes.Count(p, []byte{'\n'})
	return w.hash.Write(p)
}

func (w *written) sealed() Sealed {
	return Sealed{Bytes: w.bytes, Lines: w.lines, SHA256: hex.EncodeToString(w.hash.Sum(nil))}
}

// openFiles opens the files for appending; flags may create them. It locks the file of traces, because that
// file is never replaced. If it returns an error, no file is open.
func openFiles(d *disk.Disk, dir string, flags int, s linefile.Sums) (*files, error) {
	fs := &files{disk: d, settings: map[string]bool{}, sums: s, ofTrace: map[linefile.Group]int{},
		part: cmp.Or(d.Part, partBytes)}
	for i, f := range jsonl {
		out, err := d.Open(filepath.Join(dir, f.name), os.O_RDWR|flags)
		if err == nil && fileIndex(i) == traceFile {
			err = disk.Lock(out)
		}
		if err != nil {
			out.Close() // does nothing if nil
			fs.abandon()
			return nil, err
		}
		fs.written[i], fs.parts[i] = newWritten(), parts.Count(out.Name())
		fs.out[i], fs.buf[i] = out, bufio.NewWriterSize(disk.Appender{Disk: d, File: out}, d.Buffer)
	}
	return fs, nil
}

// begin writes the first line of every empty file, and reads the content of the other files.
func (fs *files) begin() error {
	for i, f := range jsonl {
		if err := fs.readWritten(fileIndex(i)); err != nil {
			return err
		}
		if fs.written[i].bytes > 0 {
			continue
		}
		if err := fs.write(fileIndex(i), []byte(linefile.FirstLine(f.schema))); err != nil {
			return err
		}
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
	var of linefile.Head
	switch x := i.value.(type) {
	case trace.Event:
		of = linefile.Head{Event: x.Name(), Session: x.Session,
			Identity: model.Identity{Agent: x.Agent, Query: x.Query, Trace: x.Trace, Path: x.Path}}
	case Exchange:
		of = linefile.Head{Identity: x.Identity, Session: x.Session}
	}
	fs.index.add(i, line, fs.written[i.file].bytes)
	if i.flush { // first write the lines on which this line depends
		if err := fs.flush(); err != nil {
			return err
		}
	}
	if err := fs.put(i.file, line, of); err != nil {
		return err
	}
	if i.flush {
		return fs.flush()
	}
	return nil
}

// put writes an object as one line with its checksum. The lines of a trace are numbered until the trace ends.
func (fs *files) put(f fileIndex, object []byte, of linefile.Head) error {
	if fs.sums.HasPlaces || f == resultsFile {
		p := linefile.Place{Line: fs.written[f].lines + 1}
		if g, is := of.Group(); is {
			fs.ofTrace[g]++
			p.OfTrace = fs.ofTrace[g]
		}
		if of.Ends() {
			for _, g := range of.Ended() {
				delete(fs.ofTrace, g)
			}
		}
		object = fs.sums.Add(object, p)
	}
	if err := fs.write(f, append(object, '\n')); err != nil {
		return err
	}
	if fs.rest[f] < fs.part || f == resultsFile || !fs.sums.HasPlaces {
		return nil
	}
	return fs.closePart(f)
}

// write adds bytes to a file's buffer.
func (fs *files) write(f fileIndex, line []byte) error {
	fs.dirty = true
	if _, err := fs.buf[f].Write(line); err != nil {
		return err
	}
	fs.rest[f] += int64(len(line))
	_, err := fs.written[f].Write(line)
	return err
}

// nameSettings replaces the settings of an exchange by a name, except when they occur for the first time. So a
// trace of T turns needs only O(T) bytes.
func (fs *files) nameSettings(x Exchange) Exchange {
	raw, err := json.Marshal(x.RequestSettings)
	if err != nil || x.RequestSettings == nil { // encoding the exchange reports the error
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

// flush writes the buffers in order. It stops at the first file that fails, because later files depend on it.
func (fs *files) flush() error {
	for _, b := range fs.buf {
		if err := b.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// sync writes all appended lines to the disk, and checks that the files still exist.
func (fs *files) sync() error {
	if !fs.dirty {
		return nil
	}
	fs.dirty = false
	if err := fs.flush(); err != nil {
		return err
	}
	for _, f := range fs.out {
		if err := fs.disk.Sync(f); err != nil {
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

// stillThere returns an error if a file was moved or removed. It is needed because writing to an open file does
// not fail in that case.
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

// sealed returns the size and hash that each file must have.
func (fs *files) sealed() map[string]Sealed {
	out := map[string]Sealed{}
	for i, f := range jsonl {
		out[f.name] = fs.written[i].sealed()
	}
	return out
}

// ErrChanged means that another program changed a file of the run while concur wrote it.
var ErrChanged = errors.New("was changed by another program during the run, perhaps by the agent")

// unchanged returns an error if a file differs from the written content.
func (fs *files) unchanged() error {
	for i, f := range fs.out {
		if err := stillThere(f); err != nil {
			return err
		}
		found, err := digestOf(f.Name())
		if _, damaged := errors.AsType[parts.Damage](err); err != nil && !damaged {
			return err
		}
		if found != fs.written[i].sealed() {
			return fmt.Errorf("%s %w", f.Name(), ErrChanged)
		}
	}
	return nil
}

// close writes the buffered lines, and checks that the files have the written content.
func (fs *files) close() error {
	err := fs.sync()
	if err == nil {
		err = fs.unchanged()
	}
	for _, f := range fs.out {
		err = errors.Join(err, f.Close())
	}
	return err
}

// abandon closes the open files after an error.
func (fs *files) abandon() {
	for _, f := range fs.out {
		f.Close() // does nothing if f is nil
	}
}
