package datasets

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// csv reads a header and then one query per row, and holds one row at a time. A
// cell that is blank stands for a field that is not given; rows of blank cells are
// passed over.
func (l *loader) csv(r io.Reader) error {
	l.flat = true
	if l.remap == nil {
		l.remap = newRemapper(Mapping{})
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

// broken reports where a file ceases to be CSV. What follows cannot be told apart,
// so it is the last finding.
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
