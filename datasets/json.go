package datasets

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// json reads a list of queries, or an object with one list among its fields, as many sets are
// published. It holds one query at a time.
func (l *loader) json(r io.Reader) error {
	limit := &rowLimit{from: r, left: lines.Max}
	f := &jsonFile{offsets: &offsets{from: limit}, limit: limit}
	f.Decoder = json.NewDecoder(f.offsets)
	err := l.jsonValue(f, "")
	if err == nil {
		if _, more := f.Token(); !errors.Is(more, io.EOF) {
			l.fail(f.place(), "", "there is more behind the end; for one object a line, name the file .jsonl")
		}
	}
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, errLongRow):
		l.fail(f.place(), "", "a value is longer than 1 MiB; a query has no need of it")
	case errors.As(err, &syntax):
		l.fail(f.place(), "", "what begins here is not JSON: %v", err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		l.fail(f.place(), "", "the JSON ends too early; copy the file again")
	default:
		return err
	}
	return nil
}

// jsonFile is a file of which one value at a time is read.
type jsonFile struct {
	*json.Decoder
	*offsets
	limit *rowLimit
}

// place is that of the next value.
func (f *jsonFile) place() strictyaml.Pos {
	offset := f.InputOffset()
	rest := bufio.NewReader(f.Buffered())
	for {
		c, err := rest.ReadByte()
		if err != nil || !bytes.ContainsRune([]byte(" \t\r\n,:"), rune(c)) {
			return f.at(offset)
		}
		offset++
	}
}

func (l *loader) jsonValue(f *jsonFile, found string) error {
	start, err := f.Token()
	switch {
	case err != nil:
		return err
	case start == json.Delim('['):
		return l.jsonQueries(f, "", l.steps())
	case start != json.Delim('{'):
		l.fail(f.place(), "", "expected a list of queries, or an object that holds one")
		return nil
	}
	wanted, rest, _ := strings.Cut(l.steps(), ".")
	for f.More() {
		key, err := f.Token()
		if err != nil {
			return err
		}
		name := fmt.Sprint(key)
		value, err := f.Token()
		switch {
		case err != nil:
			return err
		case value == json.Delim('[') && found == "" && (wanted == "" || wanted == name):
			found = name
			err = l.jsonQueries(f, name, rest)
		case value == json.Delim('[') && wanted == "":
			l.fail(f.place(), name, "a second list, after %s; keep the one that holds the queries", found)
			err = f.skip()
		case value == json.Delim('{'), value == json.Delim('['):
			err = f.skip()
		}
		if err != nil {
			return err
		}
	}
	if wanted != "" && found == "" {
		l.fail(strictyaml.Pos{}, "", "there is no list %q, which the mapping takes the records from", wanted)
	}
	_, err = f.Token()
	return err
}

// jsonQueries reads a list from behind its bracket to its end.
func (l *loader) jsonQueries(f *jsonFile, path, steps string) error {
	for i := 0; f.More(); i++ {
		f.limit.left = lines.Max
		var raw json.RawMessage
		if err := f.Decode(&raw); err != nil {
			return err
		}
		n, wrong := parseJSON(raw, f.at(f.InputOffset()-int64(len(raw))))
		if wrong != nil {
			wrong.File = l.file
			l.errs = append(l.errs, wrong)
			continue
		}
		l.within(fmt.Sprintf("%s[%d]", path, i), n, steps)
	}
	_, err := f.Token()
	return err
}

// skip reads to the end of the list or object that has begun.
func (f *jsonFile) skip() error {
	for depth := 1; depth > 0; {
		f.limit.left = lines.Max
		switch t, err := f.Token(); {
		case err != nil:
			return err
		case t == json.Delim('['), t == json.Delim('{'):
			depth++
		case t == json.Delim(']'), t == json.Delim('}'):
			depth--
		}
	}
	return nil
}

// offsets remembers where lines end that were read and not yet passed.
type offsets struct {
	from  io.Reader
	read  int64
	ends  []int64 // of lines, behind the start
	line  int     // lines passed
	start int64   // of the line after them
}

func (p *offsets) Read(b []byte) (int, error) {
	n, err := p.from.Read(b)
	for i, c := range b[:n] {
		if c == '\n' {
			p.ends = append(p.ends, p.read+int64(i))
		}
	}
	p.read += int64(n)
	return n, err
}

// at is the place of an offset that is not before the last one; the column counts bytes.
func (p *offsets) at(offset int64) strictyaml.Pos {
	passed := 0
	for passed < len(p.ends) && p.ends[passed] < offset {
		p.start = p.ends[passed] + 1
		passed++
	}
	p.ends, p.line = p.ends[passed:], p.line+passed
	return strictyaml.Pos{Line: p.line + 1, Column: int(offset-p.start) + 1}
}

// datasetSchema may stand in the first line of a JSONL file.
const datasetSchema = "concur/dataset/v1"

// jsonl reads one query per line and holds one line at a time.
func (l *loader) jsonl(r io.Reader) error {
	var failure error
	first := true
	lines.Each(r, func(number int, line []byte, err error) {
		start := strictyaml.Pos{Line: number, Column: 1}
		if err != nil && !errors.Is(err, lines.ErrLong) {
			failure = err
			return
		}
		if err != nil {
			l.fail(strictyaml.Pos{Line: number}, "", "%v; a query has no need of it", err)
			return
		}
		n, wrong := parseJSON(line, start)
		if wrong != nil {
			wrong.File = l.file
			l.errs = append(l.errs, wrong)
			return
		}
		if !first || !l.header(n) {
			l.within("", n, l.steps())
		}
		first = false
	})
	return failure
}

// header takes a first line that names the schema.
func (l *loader) header(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 || n.Content[0].Value != "schema" {
		return false
	}
	value := n.Content[1]
	if len(n.Content) > 2 || value.Value != datasetSchema {
		l.fail(strictyaml.Pos{Line: value.Line, Column: value.Column}, "schema",
			"expected the line {\"schema\":%q} or none", datasetSchema)
	}
	return true
}
