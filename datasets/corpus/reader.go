package corpus

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

const kinds = ".md, .txt, .html, .jsonl or .csv"

// maxFile is the maximum size, in bytes, of files that are read into memory: all but .jsonl.
const maxFile = 16 << 20

// reader collects the documents and the faults of several files.
type reader struct {
	folder    fs.FS
	path      string // path of the folder, for messages
	documents []Document
	files     int
	skipped   []Skipped
	places    map[string]string // "file:line" of each id so far
	alike     map[string]int    // number of documents after the first with the same name
	errs      strictyaml.Errors
}

func newReader(folder fs.FS, path string) *reader {
	return &reader{folder: folder, path: path, places: map[string]string{}, alike: map[string]int{}}
}

func (r *reader) fail(name string, line int, format string, args ...any) {
	r.errs = append(r.errs, &strictyaml.Error{File: filepath.Join(r.path, name), Line: line,
		Message: fmt.Sprintf(format, args...)})
}

func (r *reader) skip(name, reason string) { r.skipped = append(r.skipped, Skipped{name, reason}) }

func (r *reader) walk() error {
	return fs.WalkDir(r.folder, ".", func(name string, entry fs.DirEntry, err error) error {
		hidden := name != "." && strings.HasPrefix(path.Base(name), ".")
		switch {
		case err != nil:
			r.fail(name, 0, "cannot be read: %v", err)
		case hidden:
			r.skip(name, "its name begins with a dot")
		case !entry.IsDir():
			r.file(name, entry.Type()&fs.ModeSymlink != 0)
		default:
			if _, missing := fs.Stat(r.folder, path.Join(name, "run.yaml")); missing == nil {
				r.skip(name, "a run folder")
				return fs.SkipDir
			}
		}
		if entry != nil && entry.IsDir() && (err != nil || hidden) {
			return fs.SkipDir
		}
		return nil
	})
}

// file reads the documents of one file. link is true if name is a link to the file.
func (r *reader) file(name string, link bool) {
	extension := strings.ToLower(path.Ext(name))
	whole, known := map[string]func(r *reader, name, text string){
		".csv": (*reader).csv, ".md": (*reader).markdown, ".markdown": (*reader).markdown,
		".txt": (*reader).plain, ".html": (*reader).html, ".htm": (*reader).html,
	}[extension]
	if extension == ".pdf" && !r.hasText(name) {
		r.fail(name, 0, "PDF is not read: make a text of it (pdftotext %s), and keep the text beside it or instead of it",
			path.Base(name))
		return
	}
	if !known && extension != ".jsonl" {
		r.skip(name, "its extension is not one of "+kinds)
		return
	}
	info, err := fs.Stat(r.folder, name)
	switch {
	case err != nil && link:
		r.skip(name, "a link out of the folder, or to a missing file")
		return
	case err != nil:
		r.fail(name, 0, "cannot be read: %v", err)
		return
	case !info.Mode().IsRegular():
		r.skip(name, "a link to a folder, or not a regular file")
		return
	}
	f, err := r.folder.Open(name)
	if err != nil {
		r.fail(name, 0, "cannot be opened: %v", err)
		return
	}
	defer f.Close()
	before := len(r.documents) + len(r.errs)
	if !known {
		r.jsonl(name, f)
	} else if text, ok := r.text(name, f); ok {
		whole(r, name, text)
	}
	if len(r.documents)+len(r.errs) == before {
		r.skip(name, "it has no text")
		return
	}
	r.files++
}

// hasText reports whether a text of a file, such as report.txt of report.pdf, is in the same folder.
func (r *reader) hasText(name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	return slices.ContainsFunc([]string{".txt", ".md", ".html"}, func(extension string) bool {
		_, err := fs.Stat(r.folder, stem+extension)
		return err == nil
	})
}

// text reads a whole file. If the file is not text, it reports that and ok is false.
func (r *reader) text(name string, f io.Reader) (text string, ok bool) {
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	data = bytes.TrimPrefix(data, []byte(lines.ByteOrderMark))
	switch broken := brokenLine(data); {
	case err != nil:
		r.fail(name, 0, "cannot be read: %v", err)
	case len(data) > maxFile:
		r.fail(name, 0, "is larger than %d MiB: split it, or put its texts into a .jsonl file, which may have any size",
			maxFile>>20)
	case broken > 0:
		r.fail(name, broken, "this is not UTF-8: save the file as UTF-8, or give it another extension if it is not text")
	default:
		return strings.ReplaceAll(string(data), "\r\n", "\n"), true
	}
	return "", false
}

// brokenLine returns the first line that is not text; 0 if all are.
func brokenLine(data []byte) int {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0 {
			return number
		}
	}
	return 0
}

// add adds a document from a line of a file; line is 0 if the document is the whole file. If the document has
// no id, it gets called, a name from its file, headings or title.
func (r *reader) add(d Document, name string, line int, called string) {
	for _, required := range []struct{ field, value string }{{"title", d.Title}, {"text", d.Text}} {
		if strings.TrimSpace(required.value) == "" {
			r.fail(name, line, "%s is missing or empty (a document needs title and text)", required.field)
			return
		}
	}
	place := name
	if line > 0 {
		place = fmt.Sprintf("%s:%d", name, line)
	}
	if d.ID == "" {
		d.ID = called
		for r.places[d.ID] != "" {
			r.alike[called]++
			d.ID = fmt.Sprintf("%s-%d", called, 1+r.alike[called])
		}
	}
	if first, again := r.places[d.ID]; again {
		r.fail(name, line, "duplicate id %q, first in %s", d.ID, first)
		return
	}
	r.places[d.ID] = place
	r.documents = append(r.documents, d)
}

// slugOf returns a heading or a title as a part of an id.
func slugOf(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "-")
}
