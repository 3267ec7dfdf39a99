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

// fileIndex names one of the JSONL files.
type fileIndex int

const (
	traceFile fileIndex = iota
	chatFile
	resultsFile
)

// jsonl describes the JSONL files: name, and the schema on the first line.
var jsonl = [...]struct{ name, schema string }{
	traceFile:   {"trace.jsonl", trace.Schema},
	chatFile:    {"chat.jsonl", ChatSchema},
	resultsFile: {"results.jsonl", ResultsSchema},
}

// files are the open JSONL files of a run. Only the writing goroutine touches them.
type files struct {
	out   [len(jsonl)]*os.File
	buf   [len(jsonl)]*bufio.Writer
	dirty bool
	named map[string]bool // request settings that chat.jsonl has spelled out
}

// header is the first line of every JSONL file.
type header struct {
	Schema string `json:"schema"`
}

func createFiles(dir string) (*files, error) {
	fs := &files{named: map[string]bool{}}
	if err := fs.create(dir); err != nil {
		fs.abandon()
		return nil, err
	}
	return fs, nil
}

func (fs *files) create(dir string) error {
	for i, f := range jsonl {
		out, err := os.OpenFile(filepath.Join(dir, f.name), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return err
		}
		fs.out[i], fs.buf[i] = out, bufio.NewWriterSize(out, 64<<10)
		if err := fs.append(item{file: fileIndex(i), value: header{f.schema}}); err != nil {
			return err
		}
	}
	return fs.flush()
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

func (fs *files) flush() error {
	var err error
	for _, b := range fs.buf { // one that fails keeps nothing back from the others
		err = errors.Join(err, b.Flush())
	}
	return err
}

// sync forces what was appended to the disk.
func (fs *files) sync() error {
	if !fs.dirty {
		return nil
	}
	fs.dirty = false
	err := fs.flush()
	for _, f := range fs.out {
		err = errors.Join(err, f.Sync())
	}
	return err
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
