package datasets

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/columns"
	"github.com/seed-5817661a/concur/datasets/jsonnode"
	"github.com/seed-5817661a/concur/internal/filekind"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Load reads a dataset from a file: YAML (.yaml or .yml, at most 64 MiB), JSON (at most 1 GiB), JSONL, CSV or
// TSV (any number of lines or rows, each at most 1 MiB). The file may be compressed with gzip; its name must
// then end in .gz. The dataset's name is the file's name without the extension. If the file is a configuration
// of concur, the queries under its key tests are read.
//
// The hash depends only on the content, not on the form of the file, its layout, comments or the order of keys
// and queries: it is the SHA-256 of the line {"schema":"concur/dataset/v1"} and of one line of JSON per query,
// with all fields, sorted by id. In all texts, lines end in \n and outer white space is removed.
//
// The error lists all faults of the file, one "file:line:column: path: message" per line.
func Load(path string) (*Dataset, error) { return newLoader(path).open(path) }

// Parse reads a dataset of a given form from r, as Load reads a file. name becomes the dataset's name.
func Parse(r io.Reader, f Format, name string) (*Dataset, error) {
	return newLoader(name).load(r, f, name)
}

// loader reads the queries of one file.
type loader struct {
	checker
	remap   *remapper                     // applied to each record before it is read; may be nil
	seen    func(*record, *Query)         // called with every query and its record; may be nil
	table   bool                          // the file is a table
	strict  bool                          // the file has concur's own form: unknown names are errors
	layouts map[string][]columns.Column   // by the names of a record; nil if question or answer is missing
	kind    string                        // if the file is not a dataset: a sentence with its kind and the command for it
	each    func(*Query) error            // if set, receives each query, which is then not kept in queries
	bad     func(strictyaml.Errors) error // if set, receives the errors of a record, which are then not kept in errs
	failed  error                         // the error of each or bad, or errEnough: reading ends
	mapping string                        // the built-in mapping that reads such files; "" if not known
	records int                           // number of records so far
	first   int                           // number of records when the first error was found; 0 if there was no error
	current record                        // the record being read
	parsed  Query                         // its query
	nodes   jsonnode.Nodes                // its nodes, if the file is JSON
	queries []Query
	tools   []Tool

	size, read int64 // bytes of the file (0 if unknown), and bytes read so far
}

func newLoader(file string) *loader {
	return &loader{
		checker: checker{file: file, reported: map[strictyaml.Pos]bool{}, ids: &lines.IDs{}},
		layouts: map[string][]columns.Column{},
	}
}

// open reads the file at a path.
func (l *loader) open(path string) (*Dataset, error) {
	unpacked := strings.TrimSuffix(path, ".gz")
	format, err := FormatOf(unpacked)
	if info, wrong := os.Stat(path); err != nil && wrong == nil && info.IsDir() {
		return nil, fmt.Errorf("load dataset: %s", folder(path))
	}
	if err != nil {
		return nil, fmt.Errorf("load dataset: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("load dataset: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && unpacked == path {
		l.size = info.Size()
	}
	return l.load(f, format, strings.TrimSuffix(filepath.Base(unpacked), filepath.Ext(unpacked)))
}

// folder returns the error text for a user who gives a folder instead of a dataset.
func folder(path string) string {
	if _, err := os.Stat(filepath.Join(path, "run.yaml")); err == nil {
		return fmt.Sprintf("%s is the folder of a run; `concur report %s` shows it, `concur run --resume %s` continues it",
			path, path, path)
	}
	return path + " is a folder; name a dataset's file in it"
}

func (l *loader) load(r io.Reader, format Format, name string) (*Dataset, error) {
	if format != Parquet { // a Parquet file is read from its end
		r = counted{lines.Decompressed(r), l}
	}
	read, known := map[Format]func(io.Reader) error{JSONL: l.jsonl, CSV: l.csv, JSON: l.json,
		Parquet: l.parquet}[format]
	if !known {
		read = l.yaml
	}
	if err := read(r); err != nil {
		return nil, fmt.Errorf("load dataset %s: %w", l.file, err)
	}
	if err := l.recognised(); err != nil {
		return nil, err
	}
	if l.failed != nil {
		return nil, l.failed
	}
	if l.kind != "" && (len(l.errs) > 0 || l.records == 0) {
		return nil, &strictyaml.Error{File: l.file, Message: l.kind}
	}
	if l.records == 0 && len(l.errs) == 0 {
		l.fail(strictyaml.Pos{}, "", "there are no queries; a dataset needs at least one")
	}
	if err := l.errs.Err(); err != nil {
		return nil, err
	}
	d := &Dataset{Name: name, Queries: l.queries, Tools: l.tools, Notes: l.notes.Lines(l.file, false)}
	if l.each == nil {
		d.Hash = hashWith(l.tools, l.queries)
	}
	return d, nil
}

// yaml reads a list of queries.
func (l *loader) yaml(r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, strictyaml.MaxBytes+1)) // one byte more than Decode accepts
	if err != nil {
		return err
	}
	if len(data) > strictyaml.MaxBytes {
		l.fail(strictyaml.Pos{}, "", "the file is larger than %d MiB; write it as JSONL, which may have any size",
			strictyaml.MaxBytes>>20)
		return nil
	}
	if l.steps() != "" {
		var whole yaml.Node
		if err := strictyaml.Decode(l.file, data, &whole); err != nil {
			return err
		}
		l.within("", &whole, l.steps())
		return nil
	}
	list := ""
	nodes, tests, err := l.withTests(data)
	switch {
	case tests:
		list = "tests"
	case toolsFirst.Match(data):
		nodes, err = l.withTools(data)
	default:
		err = strictyaml.Decode(l.file, data, &nodes)
	}
	found, _ := errors.AsType[strictyaml.Errors](err) // Decode returns no other errors
	l.errs = append(l.errs, found...)
	if err != nil && !tests {
		if kind, is := filekind.OfYAML(data); is && kind.What != filekind.Dataset {
			l.kind = kind.Says(l.file)
		}
	}
	for _, e := range found {
		if e.Path == "" && strings.HasPrefix(e.Message, "expected a list, found a mapping") {
			e.Message += `; begin each query with "- ", or put the list under queries:`
		}
	}
	for i := range nodes {
		l.record(fmt.Sprintf("%s[%d]", list, i), &nodes[i])
	}
	return nil
}

// record reads the next record of the file; path names it in messages.
func (l *loader) record(path string, n *yaml.Node) {
	if l.failed != nil {
		return
	}
	l.records++
	before := len(l.errs)
	if !l.table {
		l.recognise(n)
	}
	open := l.isOpen(n)
	if open && !l.table {
		at := strictyaml.Pos{Line: n.Line, Column: n.Column}
		if n = l.translate(n); n == nil {
			if l.bad != nil && len(l.errs) == before {
				l.fail(at, path, "cannot be read, because its fields have the names of an earlier record with this error")
			}
			l.leave(before)
			return
		}
	}
	l.flat = l.table || open
	switch {
	case l.remap != nil:
		n = l.remap.apply(&l.checker, n)
	case l.flat:
		n = nested(n)
	}
	r := &l.current
	*r = record{}
	whole := l.decode(path, n, r)
	r.tidy()
	l.complement(r)
	q := &l.parsed
	l.query(path, r, !whole, q)
	switch {
	case len(l.errs) > before:
		l.leave(before)
	case len(l.errs) > 0: // all errors are reported together
		l.refuse()
	case l.each != nil:
		l.failed = l.each(q)
	default:
		l.keep(*q)
	}
	if l.seen != nil && l.failed == nil && len(l.errs) == 0 {
		l.seen(r, q)
	}
}

// complement sets a missing id, from the position of the query, and a missing category.
func (l *loader) complement(r *record) {
	if r.At.Line == 0 { // not a record
		return
	}
	if _, given := r.Given["id"]; !given {
		r.ID, r.Given["id"], r.idByPlace = fmt.Sprintf("q-%04d", l.records), r.At, true
		l.notes.IDByPlace(r.ID)
	}
	if _, given := r.Given["category"]; !given {
		r.Category, r.Given["category"] = noCategory, r.At
		l.notes.Uncategorised()
	}
}

// noCategory is the category of queries without one.
const noCategory = "all"

// Format is the form of a dataset's file. All forms can express the same queries.
type Format string

// The formats.
const (
	YAML  Format = "yaml"  // a list of queries, see the package documentation
	JSONL Format = "jsonl" // one query object per line, with the keys of YAML
	CSV   Format = "csv"   // one query per row, with the gold's fields as columns; the separator is detected
	JSON  Format = "json"  // a list of query objects, or an object with such a list; only for reading
	// Parquet has one query per row. It is only for reading, and only if concur was built with the tag parquet.
	Parquet Format = "parquet"
)

// FormatOf returns the format of a file by the extension of its name. The error lists the known extensions.
func FormatOf(path string) (Format, error) {
	extension := strings.ToLower(filepath.Ext(path))
	format, known := map[string]Format{
		".yaml": YAML, ".yml": YAML, ".jsonl": JSONL, ".csv": CSV, ".tsv": CSV, ".json": JSON, ".parquet": Parquet,
	}[extension]
	switch {
	case slices.Contains([]string{".xlsx", ".xlsm", ".xls", ".ods", ".numbers"}, extension):
		return "", fmt.Errorf("%s is a workbook of a spreadsheet program; save it as CSV (UTF-8)", path)
	case !known:
		return "", fmt.Errorf("the extension of %s is %q; datasets are .yaml, .yml, .jsonl, .csv, .tsv, .json or "+
			".parquet files; rename a table to .csv", path, extension)
	}
	return format, nil
}
