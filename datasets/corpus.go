package datasets

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// OfflineCorpus is the name of the built-in corpus that no dataset brings.
const OfflineCorpus = "offline"

// IsBuiltinCorpus reports whether a built-in corpus has this name: OfflineCorpus, or that of
// a built-in dataset with a corpus of its own.
func IsBuiltinCorpus(name string) bool { return builtinFolder(name) != "" }

// builtinFolder is where the documents of a built-in corpus are, "" where there is none of
// that name.
func builtinFolder(name string) string {
	folder := "builtin/" + name + "-corpus"
	if name == OfflineCorpus {
		folder = "builtin/corpus"
	}
	if _, err := fs.Stat(builtin, folder); err != nil {
		return ""
	}
	return folder
}

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
	Hash      string // "sha256:…" of the content, see OpenCorpus
}

// OpenCorpus returns the built-in corpus of that name (see IsBuiltinCorpus), and
// else reads a folder of .jsonl files or one such file. Its name is that of the
// folder or file without extension. A folder named offline is opened as
// "./offline".
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
func OpenCorpus(nameOrDir string) (*Corpus, error) {
	if path := builtinFolder(nameOrDir); path != "" {
		folder, err := fs.Sub(builtin, path)
		if err != nil {
			return nil, fmt.Errorf("open built-in corpus: %w", err)
		}
		return readFolder(folder, nameOrDir, nameOrDir)
	}
	info, err := os.Stat(nameOrDir)
	if err != nil {
		return nil, fmt.Errorf("open corpus: %w; give a folder of .jsonl files, one such file, or %q for the built-in corpus", err, OfflineCorpus)
	}
	absolute, err := filepath.Abs(nameOrDir)
	if err != nil {
		return nil, fmt.Errorf("open corpus: %w", err)
	}
	if info.IsDir() {
		return readFolder(os.DirFS(nameOrDir), nameOrDir, filepath.Base(absolute))
	}
	folder, file := filepath.Split(nameOrDir)
	name, isLines := strings.CutSuffix(file, ".jsonl")
	if !isLines {
		return nil, fmt.Errorf("open corpus %s: a corpus is a folder of .jsonl files or one such file", nameOrDir)
	}
	return readCorpus(os.DirFS(filepath.Clean(folder)), folder, name, []string{file})
}

// readFolder reads all .jsonl files that lie in the folder itself.
func readFolder(folder fs.FS, path, name string) (*Corpus, error) {
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
	return &Corpus{Name: name, Documents: r.documents, Hash: hashDocuments(r.documents)}, nil
}
