// Package corpus reads the texts for the offline search: from folders and files, with long texts cut into
// passages and a digest of the content.
package corpus

import (
	"crypto/sha256"
	"encoding/hex"
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

// Corpus is a named, non-empty list of documents, in the order of the sorted file names and of their lines.
type Corpus struct {
	Name      string
	Documents []Document
	Hash      string // "sha256:…" of the content, see Open
	Files     int    // number of files that were read
	Skipped   []Skipped
}

// Skipped is a file or a folder that was not read.
type Skipped struct{ Path, Reason string }

// Open reads a file, or a folder with its subfolders. The corpus has the name of the folder or of the file
// without its extension. The extension decides how a file is read:
//
//   - a .jsonl file has one JSON object a line, of at most 1 MiB, with title and text and,
//     optionally, id (text or a number) and source; further fields are ignored;
//   - a .csv file has a header with these columns; if title or text is missing, the first
//     columns with other names are used;
//   - a .md, .txt or .html file is one document whose source is its path. Its title is its
//     only top heading, the title of the HTML page or the name of the file. If it is longer
//     than MaxPassage bytes, its sections become documents, and so on for long sections.
//     Of HTML, the text that a browser would show is read.
//
// A document without an id is named by its file and its headings or title: "guide/vpn.md",
// "guide/vpn.md#access/keys", "terms.csv#refund". The second of one name is "terms.csv#refund-2", so that an
// edit elsewhere does not change it. Ids are unique.
//
// Files of other kinds, names that begin with a dot, run folders, links to folders and out of the folder, and
// files without text are skipped; so is a PDF with a text of the same name beside it. Another PDF is a fault. The
// hash does not depend on the order of documents: see lines.Hash, schema concur/corpus/v1.
//
// The error lists all faults, one "file:line: message" per line.
func Open(path string) (*Corpus, error) {
	info, err := stat(path)
	if err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open corpus: %w", err)
	}
	name := filepath.Base(absolute)
	if !info.IsDir() {
		r := newReader(os.DirFS(filepath.Dir(absolute)), filepath.Dir(path))
		r.file(name, false)
		return r.corpus(path, strings.TrimSuffix(name, filepath.Ext(name)))
	}
	root, err := os.OpenRoot(path) // links cannot lead out of a root
	if err != nil {
		return nil, fmt.Errorf("open corpus: %w", err)
	}
	defer root.Close()
	return Read(root.FS(), path, name)
}

// Check returns the error of Open if there is no file or folder of this name.
func Check(path string) error {
	_, err := stat(path)
	return err
}

func stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open corpus: %w; give a folder or a file of %s, or the name of a built-in corpus", err,
			kinds)
	}
	return info, nil
}

// Read reads a folder as Open does; path is its name in messages.
func Read(folder fs.FS, path, name string) (*Corpus, error) {
	r := newReader(folder, path)
	if err := r.walk(); err != nil {
		return nil, fmt.Errorf("open corpus %s: %w", path, err)
	}
	return r.corpus(path, name)
}

// Digests returns one line for each document, "digest id\ttitle" with the digest of its content, as a manifest
// has it. It returns nil for more than 100,000 documents.
func (c *Corpus) Digests() []string {
	if len(c.Documents) > 100_000 {
		return nil
	}
	out := make([]string, len(c.Documents))
	for i, d := range c.Documents {
		sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", d.Title, d.Text, d.Source))
		out[i] = hex.EncodeToString(sum[:6]) + " " + d.ID + "\t" + d.Title
	}
	return out
}

// corpus returns the documents that were read, or the error.
func (r *reader) corpus(path, name string) (*Corpus, error) {
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	if len(r.documents) == 0 {
		why := ""
		for _, s := range r.skipped[:min(len(r.skipped), 5)] {
			why += fmt.Sprintf("; %s: %s", s.Path, s.Reason)
		}
		return nil, fmt.Errorf("open corpus %s: it has no documents; add files of %s%s", path, kinds, why)
	}
	hash := lines.Hash("concur/corpus/v1", r.documents, func(d *Document) string { return d.ID },
		func(d *Document) any { return d })
	return &Corpus{Name: name, Documents: r.documents, Hash: hash, Files: r.files, Skipped: r.skipped}, nil
}
