package datasets

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

const oneLine = `{"id":"a","category":"c","query":"q","gold":{"outcome":"refused"},"source":"…"}`

func TestJSONLLongLines(t *testing.T) {
	fits := strings.Replace(oneLine, "…", strings.Repeat("x", lines.Max-len(oneLine)+len("…")-1), 1) + "\n"
	if len(fits) != lines.Max {
		t.Fatalf("the line has %d bytes", len(fits))
	}
	if _, err := newLoader("f").load(strings.NewReader(fits), JSONL, "f"); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	long := strings.Replace(fits, "x", "xx", 1) + "wrong\n" + strings.Repeat(" ", 3*lines.Max) + "\n" + oneLine
	_, err := newLoader("f").load(strings.NewReader(long), JSONL, "f")
	want := "f:1: the line is longer than 1 MiB; remove it\n" +
		"f:2:1: not JSON: \"w\" is in the place of a value: write text in double quotes, and no comma before ] or }\n" +
		"f:3: the line is longer than 1 MiB; remove it"
	if fmt.Sprint(err) != want {
		t.Errorf("error:\n got %v\nwant %s", err, want)
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

// A quote that is never closed must not bring the rest of the file into memory.
func TestCSVLongRows(t *testing.T) {
	header := "id,category,query,outcome\na,c,q,refused\nb,c,\""
	file := &counter{from: io.MultiReader(strings.NewReader(header), strings.NewReader(strings.Repeat("x,y\n", 4*lines.Max)))}
	_, err := newLoader("f").load(file, CSV, "f")
	if want := "f:3: the row is longer than 1 MiB; shorten it, or close an open quote"; fmt.Sprint(err) != want {
		t.Errorf("error:\n got %v\nwant %s", err, want)
	}
	if file.n > 2*lines.Max {
		t.Errorf("%d bytes were read", file.n)
	}
}

func TestManyLongRows(t *testing.T) {
	text := "id,category,query,outcome\n"
	for i := range 5 {
		text += fmt.Sprintf("a%d,c,%s,refused\n", i, strings.Repeat("x", lines.Max/2))
	}
	d, err := newLoader("f").load(strings.NewReader(text), CSV, "f")
	if err != nil || len(d.Queries) != 5 {
		t.Errorf("dataset %v, error %v", d, err)
	}
}

type brokenDisk struct{}

func (brokenDisk) Read([]byte) (int, error) { return 0, errors.New("disk broken") }

func TestLoadReadErrors(t *testing.T) {
	for format, start := range map[Format]string{YAML: "- id: a\n", JSONL: oneLine + "\n", CSV: "id,category,query,outcome\na,c,q,refused\n"} {
		d, err := newLoader("f").load(io.MultiReader(strings.NewReader(start), brokenDisk{}), format, "f")
		if d != nil || fmt.Sprint(err) != "load dataset f: disk broken" {
			t.Errorf("%s: dataset %v, error %v", format, d, err)
		}
	}
}

// Only one line or row is held at a time: a query is complete before the next is
// read.
func TestFormsStream(t *testing.T) {
	big := strings.Repeat("x", 100_000)
	for format, form := range map[Format]struct{ header, line string }{
		JSONL: {"", strings.Replace(oneLine, `"a"`, `"a%d"`, 1)},
		CSV:   {"id,category,source,query,outcome\n", "a%d,c,…,q,refused"},
	} {
		text := strings.Builder{}
		text.WriteString(form.header)
		for i := range 100 {
			text.WriteString(strings.Replace(fmt.Sprintf(form.line, i), "…", big, 1) + "\n")
		}
		file := &counter{from: strings.NewReader(text.String())}
		l := newLoader("f")
		ahead := 0
		l.seen = func(*record, *Query) { ahead = max(ahead, file.n-l.records*len(big)) }
		if _, err := l.load(file, format, "f"); err != nil || l.records != 100 {
			t.Fatalf("%s: %d records, error %v", format, l.records, err)
		}
		if ahead > 3*lines.Max/2 {
			t.Errorf("%s: %d bytes are read ahead", format, ahead)
		}
	}
}

func TestCells(t *testing.T) {
	for cell, want := range map[string]string{
		`a`: `[a]`, `a|b`: `[a b]`, `a\|b|c`: `[a|b c]`, `a\\|b`: `[a\ b]`, `a\b`: `[a\b]`, `a\`: `[a\]`, `|`: `[ ]`, `a;b`: `[a;b]`, `a\;b`: `[a;b]`,
	} {
		var got []string
		for _, n := range cellNode("aliases", textNode(cell, strictyaml.Pos{})).Content {
			got = append(got, n.Value)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s is read as %v, want %s", cell, got, want)
		}
	}
	var got [][]string
	for _, group := range cellNode("all_of", textNode(`a;b|c\;d;e`, strictyaml.Pos{})).Content {
		var words []string
		for _, n := range group.Content {
			words = append(words, n.Value)
		}
		got = append(got, words)
	}
	if want := "[[a] [b c;d] [e]]"; fmt.Sprint(got) != want {
		t.Errorf("groups are read as %v, want %s", got, want)
	}
}
