package table

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// sampleBytes is the size of the sample, in bytes, from which the form of a table is detected.
const sampleBytes = 64 << 10

// sepLine matches a first line that names the separator, as spreadsheet programs write it.
var sepLine = lazy.Compile(`^(?i:sep)=([,;\t])\r?\n`)

// utf16Of returns the decoder of a text in UTF-16; nil for other texts. UTF-16 is detected by a byte order mark
// or, in mostly ASCII text, by zeros in every other byte.
func utf16Of(start []byte) *encoding.Decoder {
	little := bytes.HasPrefix(start, []byte{0xFF, 0xFE})
	if !little && !bytes.HasPrefix(start, []byte{0xFE, 0xFF}) {
		var zeros [2]int
		for i, b := range start {
			if b == 0 {
				zeros[i%2]++
			}
		}
		most := max(zeros[0], zeros[1])
		if most < 4 || 4*most < len(start) || min(zeros[0], zeros[1]) > 0 {
			return nil
		}
		little = zeros[1] > 0
	}
	order := unicode.BigEndian
	if little {
		order = unicode.LittleEndian
	}
	return unicode.UTF16(order, unicode.UseBOM).NewDecoder()
}

// separator returns the separator with which most rows of the sample have as many cells as the header, which
// must have at least two. If several separators are equal, it prefers the one with more known names in the
// header, then the one with more columns, then the first of comma, semicolon and tab. A table without
// separators has one column, and separator returns a comma.
func separator(sample []byte, whole bool, known func(string) bool) rune {
	best, bestShape := ',', shape{}
	for _, s := range []rune{',', ';', '\t'} {
		if got := shapeOf(sample, whole, s, known); got.columns > 1 && got.compare(bestShape) > 0 {
			best, bestShape = s, got
		}
	}
	return best
}

// shape describes a sample that is split by one separator.
type shape struct {
	share   float64 // share of the rows with as many cells as the header
	known   int     // number of known names in the header
	columns int     // number of columns in the header
}

func (s shape) compare(t shape) int {
	return cmp.Or(cmp.Compare(s.share, t.share), cmp.Compare(s.known, t.known), cmp.Compare(s.columns, t.columns))
}

func shapeOf(sample []byte, whole bool, separator rune, known func(string) bool) shape {
	rows := newCSV(bytes.NewReader(sample), separator)
	rows.LazyQuotes = true
	var all [][]string
	for {
		row, err := rows.Read()
		if err != nil {
			break
		}
		all = append(all, row)
	}
	if !whole && len(all) > 1 {
		all = all[:len(all)-1] // the last row may be cut off
	}
	if len(all) == 0 {
		return shape{}
	}
	s := shape{columns: len(all[0])}
	for _, name := range all[0] {
		if known(name) {
			s.known++
		}
	}
	equal := 0
	for _, row := range all {
		if len(row) == s.columns {
			equal++
		}
	}
	s.share = float64(equal) / float64(len(all))
	return s
}

// quotesAreUsual reports whether the quotes in a table with tabs surround whole cells. Many programs write
// cells between tabs unchanged, so that quotes are part of the text.
func quotesAreUsual(sample []byte, whole bool) bool {
	rows := newCSV(bytes.NewReader(sample), '\t')
	for {
		_, err := rows.Read()
		switch {
		case errors.Is(err, io.EOF):
			return true
		case errors.Is(err, csv.ErrBareQuote):
			return false
		case err != nil: // a cell that the sample cuts off has a wrong end too
			return !whole && rows.InputOffset() >= int64(len(sample))
		}
	}
}
