// Package corpus owns the texts that are searched: reading them from folders and files.
//
// It imports internal/lines and internal/strictyaml.
package corpus

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-5817661a/concur/internal/lines"
)

// Document is one entry of a corpus.
type Document struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Text   string `json:"text"`
	Source string `json:"source"` // may be empty
}

// Corpus is a named list of documents, not empty, in the order of the sorted
// file names and their lines.
type Corpus struct {
	Name      string
	Documents []Document
	Hash      string // "sha256:…" of the content, see Open
}

// Open reads a folder of .jsonl files or one such file. Its name is that of the
// folder or file without extension.
//
// Each line is a JSON object with title and text and, where wanted, id (text or a
// number) and source; further fields are passed over, empty lines too. A document
// without an id is named "file:line". Ids are unique in the corpus, and a line
// has at most 1 MiB.
//
// The hash is independent of how the documents are spread over files: the SHA-256
// of the line {"schema":"concur/corpus/v1"} and of one line of JSON per document,
// sorted by id.
//
// The error lists everything that is wrong, one "file:line: message" per line.
func Open(path string) (*Corpus, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open corpus: %w; give a folder of .jsonl files, one such file, or the name of a built-in corpus", err)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open corpus: %w", err)
	}
	if info.IsDir() {
		return Read(os.DirFS(path), path, filepath.Base(absolute))
	}
	folder, file := filepath.Split(path)
	name, isLines := strings.CutSuffix(file, ".jsonl")
	if !isLines {
		return nil, fmt.Errorf("open corpus %s: a corpus is a folder of .jsonl files or one such file", path)
	}
	return readCorpus(os.DirFS(filepath.Clean(folder)), folder, name, []string{file})
}

// Read reads all .jsonl files that lie in the folder itself, which path names in messages.
func Read(folder fs.FS, path, name string) (*Corpus, error) {
	files, err := fs.Glob(folder, "*.jsonl")
	if err != nil {
		return nil, fmt.Errorf("open corpus %s: %w", path, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("open corpus %s: there is no .jsonl file in the folder; write one, with an object {\"title\": …, \"text\": …} a line", path)
	}
	return readCorpus(folder, path, name, files)
}

func readCorpus(folder fs.FS, path, name string, files []string) (*Corpus, error) {
	r := corpusReader{places: map[string]string{}}
	for _, file := range files {
		r.file(folder, file, filepath.Join(path, file))
	}
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	if len(r.documents) == 0 {
		return nil, fmt.Errorf("open corpus %s: it holds no documents", path)
	}
	return &Corpus{Name: name, Documents: r.documents, Hash: lines.Hash("concur/corpus/v1", r.documents, func(d *Document) string { return d.ID }, func(d *Document) any { return d })}, nil
}
