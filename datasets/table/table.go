// Package table reads tables as programs write them: CSV with commas, semicolons or tabs, with or without a
// byte order mark, as UTF-8 or UTF-16. It detects the form, and returns each row with the places of its
// cells. Commas finds out whether a column has decimal commas. Package datasets interprets the cells.
package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Form describes how the cells of a table are written.
type Form struct {
	Separator rune   // ',', ';' or '\t'
	Encoding  string // "UTF-16", or "" for UTF-8
	Unquoted  bool   // quotes are part of the cells, without a meaning
}

// String lists the differences from standard CSV (RFC 4180), such as "semicolons between cells, UTF-16".
func (f Form) String() string {
	var parts []string
	if name := map[rune]string{';': "semicolons between cells", '\t': "tabs between cells"}[f.Separator]; name != "" {
		parts = append(parts, name)
	}
	if f.Unquoted {
		parts = append(parts, "quotes as text")
	}
	if f.Encoding != "" {
		parts = append(parts, f.Encoding)
	}
	return strings.Join(parts, ", ")
}

// Reader reads a table row by row, and keeps one row in memory.
type Reader struct {
	Form
	text  *bufio.Reader
	rows  *csv.Reader // nil if Unquoted
	limit *rowLimit
	line  int // number of lines before the rows of csv.Reader, or before the next row if Unquoted
	last  int // the line of csv.Reader on which its last row ended
}

// New detects the form of a table from its beginning. known reports whether a name is usual for a column. If
// the text is not a table, the error is an *strictyaml.Error without a file.
func New(r io.Reader, known func(name string) bool) (*Reader, error) {
	t := &Reader{limit: &rowLimit{left: lines.Max}}
	raw := bufio.NewReaderSize(r, sampleBytes)
	start, _ := raw.Peek(sampleBytes)
	if wrong := noTable(start); wrong != "" {
		return nil, &strictyaml.Error{Message: wrong}
	}
	t.limit.from = raw
	if decoder := utf16Of(start); decoder != nil {
		t.Encoding, t.limit.from = "UTF-16", decoder.Reader(raw)
	}
	t.text = bufio.NewReaderSize(t.limit, sampleBytes)
	if start, _ = t.text.Peek(len(lines.ByteOrderMark)); string(start) == lines.ByteOrderMark {
		t.text.Discard(len(lines.ByteOrderMark)) // no error: Peek returned these bytes
	}
	sample, err := t.text.Peek(sampleBytes)
	whole := errors.Is(err, io.EOF)
	if named := sepLine.FindSubmatch(sample); named != nil {
		t.Separator, _ = utf8.DecodeRune(named[1])
		t.text.Discard(len(named[0])) // no error: Peek returned these bytes
		sample, t.line = sample[len(named[0]):], 1
	} else {
		t.Separator = separator(sample, whole, known)
	}
	t.limit.left = lines.Max
	if t.Separator == '\t' && !quotesAreUsual(sample, whole) {
		t.Unquoted = true
		return t, nil
	}
	t.rows = newCSV(t.text, t.Separator)
	return t, nil
}

func newCSV(r io.Reader, separator rune) *csv.Reader {
	rows := csv.NewReader(r)
	rows.Comma, rows.FieldsPerRecord = separator, -1
	return rows
}

// Row returns the next row with the places of its cells; io.EOF after the last. If a row cannot be read, the
// error is an *strictyaml.Error without a file, and it is the last result, because the beginning of the next
// row is unknown.
func (t *Reader) Row() (cells []string, at []strictyaml.Pos, err error) {
	defer func() { t.limit.left = lines.Max }()
	if t.Unquoted {
		return t.unquoted()
	}
	cells, err = t.rows.Read()
	if err != nil {
		return nil, nil, t.broken(err)
	}
	at = t.places(cells)
	t.last = at[len(at)-1].Line - t.line + strings.Count(cells[len(cells)-1], "\n")
	return cells, at, nil
}

// unquoted returns a line as a row.
func (t *Reader) unquoted() (cells []string, at []strictyaml.Pos, err error) {
	for {
		line, err := t.text.ReadString('\n')
		t.line++
		if errors.Is(err, errLongRow) {
			return nil, nil, &strictyaml.Error{Line: t.line, Message: err.Error()}
		}
		if err != nil && (line == "" || !errors.Is(err, io.EOF)) {
			return nil, nil, err
		}
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			continue
		}
		column := 1
		for cell := range strings.SplitSeq(line, "\t") {
			cells, at = append(cells, cell), append(at, strictyaml.Pos{Line: t.line, Column: column})
			column += utf8.RuneCountInString(cell) + 1
		}
		return cells, at, nil
	}
}

// broken returns the error for a file in which the rest is not a table.
func (t *Reader) broken(err error) error {
	var syntax *csv.ParseError
	line, _ := 0, 0
	switch {
	case errors.Is(err, errLongRow):
		line = t.last + 1
	case errors.As(err, &syntax) && errors.Is(err, csv.ErrBareQuote):
		line = syntax.Line
		err = errors.New("a cell without quotes around it contains a quote; quote the whole cell and double the quotes in " +
			"it")
	case errors.As(err, &syntax):
		line = syntax.StartLine
		err = errors.New("a quoted cell does not end with a quote; double the quotes in it, " +
			"and put the separator or the end of the line after it")
	default:
		return err
	}
	return &strictyaml.Error{Line: line + t.line, Message: err.Error()}
}

// places returns the places where the cells of the last row begin. The library counts bytes; places count
// characters.
func (t *Reader) places(row []string) []strictyaml.Pos {
	list := make([]strictyaml.Pos, len(row))
	surplus := 0 // bytes before the cell, on its line, that do not begin a character
	for i, cell := range row {
		line, column := t.rows.FieldPos(i)
		list[i] = strictyaml.Pos{Line: line + t.line, Column: column - surplus}
		if end := strings.LastIndexByte(cell, '\n'); end >= 0 {
			cell, surplus = cell[end+1:], 0
		}
		surplus += len(cell) - utf8.RuneCountInString(cell)
	}
	return list
}

var errLongRow = errors.New("the row is longer than 1 MiB; shorten it, or close an open quote")

// rowLimit prevents an unclosed quote from bringing a whole file into memory: reading fails when the bytes left
// for a row are used up.
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

// noTable returns an error text if a file's first bytes cannot be text; else "".
func noTable(start []byte) string {
	switch {
	case bytes.HasPrefix(start, []byte("PK\x03\x04")), bytes.HasPrefix(start, []byte("\xD0\xCF\x11\xE0")):
		return "this is a workbook of a spreadsheet program; save it as CSV (UTF-8)"
	case bytes.HasPrefix(start, []byte("%PDF")), bytes.HasPrefix(start, []byte("PAR1")):
		return "this is not text; save it as CSV (UTF-8)"
	}
	return ""
}
