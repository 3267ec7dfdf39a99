package datasets

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// csv reads a header and then one query per row, and holds one row at a time. A cell that is blank stands for a field
// that is not given; rows of blank cells are passed over.
func (l *loader) csv(r io.Reader) error {
	l.flat = true
	if l.remap == nil {
		l.remap, _ = newRemapper(Mapping{}) // it has nothing that could be wrong
	}
	limit := &rowLimit{from: r, left: lines.Max}
	text := bufio.NewReader(limit)
	switch start, _ := text.Peek(len(lines.ByteOrderMark)); {
	case bytes.HasPrefix(start, []byte{0xFF, 0xFE}), bytes.HasPrefix(start, []byte{0xFE, 0xFF}):
		l.fail(strictyaml.Pos{}, "", "the file is UTF-16; save it as UTF-8")
		return nil
	case string(start) == lines.ByteOrderMark:
		text.Discard(len(lines.ByteOrderMark)) // cannot fail: they were peeked at
	}
	rows := csv.NewReader(text)
	rows.FieldsPerRecord = -1 // counted below, with a message of our own
	var header []string
	for {
		row, err := rows.Read()
		limit.left = lines.Max
		switch {
		case errors.Is(err, io.EOF):
			if header == nil {
				l.fail(strictyaml.Pos{}, "", "the file is empty; it needs a row with the names of the columns")
			}
			return nil
		case err != nil:
			return l.broken(rows, err)
		case header == nil:
			header = row
			if !l.columns(header, places(rows, row)) {
				return nil
			}
		default:
			l.row(header, row, places(rows, row))
		}
	}
}

// broken reports where a file ceases to be CSV. What follows cannot be told apart, so it is the last finding.
func (l *loader) broken(rows *csv.Reader, err error) error {
	var syntax *csv.ParseError
	switch {
	case errors.Is(err, errLongRow):
		line, _ := rows.FieldPos(0)
		l.fail(strictyaml.Pos{Line: line}, "", "%v", err)
	case errors.As(err, &syntax) && errors.Is(err, csv.ErrBareQuote):
		l.fail(strictyaml.Pos{Line: syntax.Line}, "", "a quote stands in a cell that is not quoted; quote the whole cell and double the quotes in it")
	case errors.As(err, &syntax):
		l.fail(strictyaml.Pos{Line: syntax.StartLine}, "", "a quoted cell does not end as it should; double the quotes in it, and put a comma or the end of the line behind it")
	default:
		return err
	}
	return nil
}

var errLongRow = errors.New("the row is longer than 1 MiB; if it is not meant to be, a quote is not closed")

// rowLimit keeps a quote that is never closed from bringing a whole file into
// memory: it fails where left, which each row renews, is used up.
type rowLimit struct {
	from io.Reader
	left int
}

func (r *rowLimit) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errLongRow
	}
	n, err := r.from.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}

// columns checks the header, and is false where the rows cannot be read by it.
func (l *loader) columns(header []string, at []strictyaml.Pos) bool {
	before := len(l.errs)
	foreign := l.remap.foreign
	l.remap.header(header)
	for i, name := range header {
		first := slices.Index(header, name)
		switch {
		case !utf8.ValidString(name):
			l.fail(at[i], "", "this is not UTF-8; save the file as UTF-8")
		case name == "" && foreign: // an index that some programs write
		case name == "":
			l.fail(at[i], "", "column %d has no name", i+1)
		case first < i:
			l.fail(at[i], "", "duplicate column %.60q, first is column %d", name, first+1)
		case len(header) == 1 && strings.ContainsAny(name, ";\t"):
			l.fail(at[i], "", "there is one column, %.60q; save the file with commas between the cells", name)
			return false
		case !foreign && !slices.Contains(fieldNames(), name):
			l.fail(at[i], "", "unknown column %.60q (%s)", name, strictyaml.Suggest(name, fieldNames()))
		}
	}
	if missing := l.remap.missing(header); len(missing) > 0 && !foreign {
		l.fail(at[0], "", "missing columns: %s (a dataset needs id, category, query and at least one of the gold)", strings.Join(missing, ", "))
	}
	return len(l.errs) == before
}

// row makes a record of the cells that are not blank.
func (l *loader) row(header, row []string, at []strictyaml.Pos) {
	if len(row) != len(header) {
		l.fail(at[0], "", "the row has %d cells and the header %d; quote cells with commas in them", len(row), len(header))
		return
	}
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: at[0].Line, Column: at[0].Column}
	for i, cell := range row {
		switch {
		case !utf8.ValidString(cell):
			l.fail(at[i], header[i], "this is not UTF-8; save the file as UTF-8")
			return
		case strings.TrimSpace(cell) == "" || header[i] == "":
			continue
		}
		n.Content = append(n.Content, textNode(header[i], at[i]), cellNode(header[i], textNode(cell, at[i])))
	}
	if len(n.Content) > 0 {
		l.record("", n)
	}
}

// text is a node that holds text, whatever it looks like.
func textNode(s string, at strictyaml.Pos) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Line: at.Line, Column: at.Column}
}

// places returns where the cells of the row that was just read begin. The reader
// counts bytes; columns count characters.
func places(rows *csv.Reader, row []string) []strictyaml.Pos {
	list := make([]strictyaml.Pos, len(row))
	surplus := 0 // bytes before the cell, on its line, that begin no character
	for i, cell := range row {
		line, column := rows.FieldPos(i)
		list[i] = strictyaml.Pos{Line: line, Column: column - surplus}
		if end := strings.LastIndexByte(cell, '\n'); end >= 0 {
			cell, surplus = cell[end+1:], 0
		}
		surplus += len(cell) - utf8.RuneCountInString(cell)
	}
	return list
}
