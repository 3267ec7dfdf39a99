package table_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/seed-5817661a/concur/datasets/table"
	"github.com/seed-5817661a/concur/internal/lines"
)

func known(name string) bool { return name == "q" || name == "w" }

// read gives the form of a table, and its rows with the places of their first cells.
func read(text string) string {
	r, err := table.New(strings.NewReader(text), known)
	if err != nil {
		return err.Error()
	}
	out := fmt.Sprintf("%q %s\n", r.Separator, r.Form)
	for {
		row, at, err := r.Row()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			return out + err.Error()
		}
		out += fmt.Sprintf("%d:%d %q\n", at[0].Line, at[len(at)-1].Column, row)
	}
}

// utf16Text is a text in UTF-16 with its low byte first, or last.
func utf16Text(s string, low bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if low {
			b = append(b, byte(u), byte(u>>8))
		} else {
			b = append(b, byte(u>>8), byte(u))
		}
	}
	return string(b)
}

func TestForms(t *testing.T) {
	rows := "2:3 [\"a\" \"1\"]\n"
	for name, c := range map[string]struct{ text, want string }{
		"commas":                {"q,w\na,1\n", "',' \n1:3 [\"q\" \"w\"]\n" + rows},
		"semicolons":            {"q;w\na;1\n", "';' semicolons between cells\n1:3 [\"q\" \"w\"]\n" + rows},
		"tabs":                  {"q\tw\na\t1\n", "'\\t' tabs between cells\n1:3 [\"q\" \"w\"]\n" + rows},
		"a mark, Windows' ends": {lines.ByteOrderMark + "q;w\r\na;1\r\n", "';' semicolons between cells\n1:3 [\"q\" \"w\"]\n" + rows},
		"UTF-16, low first":     {utf16Text(lines.ByteOrderMark+"q\tw\r\na\t1\r\n", true), "'\\t' tabs between cells, UTF-16\n1:3 [\"q\" \"w\"]\n" + rows},
		"UTF-16, high first":    {utf16Text(lines.ByteOrderMark+"q,w\na,1\n", false), "',' UTF-16\n1:3 [\"q\" \"w\"]\n" + rows},
		"UTF-16 without a mark": {utf16Text("q,w\na,1\n", true), "',' UTF-16\n1:3 [\"q\" \"w\"]\n" + rows},
		"a named separator":     {"sep=;\r\nq;w\r\na,b;1\r\n", "';' semicolons between cells\n2:3 [\"q\" \"w\"]\n3:5 [\"a,b\" \"1\"]\n"},
		"commas in cells":       {"q;w\na, b;1\nc, d, e;2\n", "';' semicolons between cells\n1:3 [\"q\" \"w\"]\n2:6 [\"a, b\" \"1\"]\n3:9 [\"c, d, e\" \"2\"]\n"},
		"decimal commas":        {"q;w;x,y\na;1;5,2\n", "';' semicolons between cells\n1:5 [\"q\" \"w\" \"x,y\"]\n2:5 [\"a\" \"1\" \"5,2\"]\n"},
		"one column":            {"q\na\n", "',' \n1:1 [\"q\"]\n2:1 [\"a\"]\n"},
		"a line in a cell":      {"q;w\n\"ä\nb\";1\nc;2\n", "';' semicolons between cells\n1:3 [\"q\" \"w\"]\n2:4 [\"ä\\nb\" \"1\"]\n4:3 [\"c\" \"2\"]\n"},
		"quotes as text":        {"q\tw\nthe \"x\"\t1\n\n\"\t2\n", "'\\t' tabs between cells, quotes as text\n1:3 [\"q\" \"w\"]\n2:9 [\"the \\\"x\\\"\" \"1\"]\n4:3 [\"\\\"\" \"2\"]\n"},
		"quotes around cells":   {"q\tw\n\"a\tb\"\t1\n", "'\\t' tabs between cells\n1:3 [\"q\" \"w\"]\n2:7 [\"a\\tb\" \"1\"]\n"},
		"empty":                 {"", "',' \n"},
		"a workbook":            {"PK\x03\x04rest", "this is a workbook of a spreadsheet program; save it as CSV (UTF-8)"},
		"an old workbook":       {"\xD0\xCF\x11\xE0", "this is a workbook of a spreadsheet program; save it as CSV (UTF-8)"},
		"Parquet":               {"PAR1", "this is not text; save it as CSV (UTF-8)"},
		"a quote in a cell":     {"q,w\na \"b\" c,1\n", "',' \n1:3 [\"q\" \"w\"]\n2: a cell without quotes around it contains a quote; quote the whole cell and double the quotes in it"},
		"a quote not closed":    {"sep=,\nq,w\n\"a,1\n", "',' \n2:3 [\"q\" \"w\"]\n3: a quoted cell does not end with a quote; double the quotes in it, and put the separator or the end of the line after it"},
	} {
		if got := read(c.text); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// counter is a reader that tells how much was read.
type counter struct {
	from io.Reader
	n    int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += n
	return n, err
}

// A quote that is never closed must not bring the rest of the file into memory, nor a line without an end.
func TestLongRows(t *testing.T) {
	for name, start := range map[string]string{"a quote": "a,b\nc,\"", "a first cell": "a,b\n\"", "a line": "a\tb\nc\"d\te\n"} {
		rest := "x,y\n"
		if name == "a line" {
			rest = "xyz "
		}
		file := &counter{from: io.MultiReader(strings.NewReader(start), strings.NewReader(strings.Repeat(rest, 4*lines.Max)))}
		r, err := table.New(file, known)
		for err == nil {
			_, _, err = r.Row()
		}
		if !strings.Contains(err.Error(), "the row is longer than 1 MiB") || file.n > 2*lines.Max {
			t.Errorf("%s: %d bytes were read, error %v", name, file.n, err)
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, seed := range []string{"q,w\na,1\n", "q\tw\n\"\t1\n", "sep=;\nq;w\n", "\xff\xfeq\x00", "\"a\nb\",c\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := table.New(strings.NewReader(string(data)), known)
		line := 0
		for err == nil {
			row, places, wrong := r.Row()
			if err = wrong; err == nil {
				if len(row) == 0 || len(places) != len(row) || places[0].Line <= line && line > 0 {
					t.Fatalf("row %q at %v, after line %d", row, places, line)
				}
				line = places[0].Line
			}
		}
	})
}
