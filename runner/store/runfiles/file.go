package runfiles

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"

	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/parts"
	"github.com/seed-5817661a/concur/trace"
)

// Schemas of chat.jsonl and results.jsonl, the names on the first lines of these files.
const (
	ChatSchema    = "concur/chat/v1"
	ResultsSchema = "concur/results/v1"
)

// File is one of the JSONL files. The files are flushed in this order: a line is flushed after the lines of other files
// on which it depends. So trace.jsonl never has the end of a trace whose exchanges are missing, and results.jsonl never
// a record whose traces are missing.
type File int

const (
	Chat File = iota
	Traces
	Results
	Count // the number of files
)

var files = [Count]struct{ name, schema string }{
	Chat:    {"chat.jsonl", ChatSchema},
	Traces:  {"trace.jsonl", trace.Schema},
	Results: {"results.jsonl", ResultsSchema},
}

// Name returns the file's name in a run folder.
func (f File) Name() string { return files[f].name }

// Schema returns the name on the first line of the file.
func (f File) Schema() string { return files[f].schema }

// IsName reports whether a name is that of one of the files.
func IsName(name string) bool {
	for f := range Count {
		if f.Name() == name {
			return true
		}
	}
	return false
}

// Sealed is the content of a file at the end of its run: its size and its hash, with the lines of its parts.
type Sealed struct {
	Bytes  int64  `yaml:"bytes"`
	Lines  int    `yaml:"lines"`
	SHA256 string `yaml:"sha256"`
}

// Digest returns the present size and hash of a file with its parts, in the form of a seal.
func Digest(path string) (Sealed, error) {
	file, err := parts.Open(path, disk.OpenFile)
	if err != nil {
		return Sealed{}, err
	}
	defer file.Close() // closing a file that was only read cannot lose data
	w := newWritten()
	_, err = io.Copy(w, disk.From(file, 0))
	return w.sealed(), err
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
