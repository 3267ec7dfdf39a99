package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/jsonnode"
	"github.com/seed-5817661a/concur/datasets/parquet"
	"github.com/seed-5817661a/concur/internal/filekind"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// maxJSON is the maximum size of a JSON file in bytes, because the text is read into memory.
const maxJSON = 1 << 30

// json reads a list of queries, or an object that has such a list in one of its fields. Many datasets are
// published in the second form. In memory it keeps the text of the file and one query.
func (l *loader) json(r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, maxJSON+1))
	switch {
	case err != nil:
		return err
	case len(data) > maxJSON:
		l.fail(strictyaml.Pos{}, "", "the file is larger than %d MiB; write it as JSONL, which may have any size",
			maxJSON>>20)
		return nil
	}
	data = bytes.TrimPrefix(data, []byte(lines.ByteOrderMark))
	b, wrong := jsonnode.NewReader(&l.nodes, data, strictyaml.Pos{Line: 1, Column: 1})
	if wrong != nil {
		wrong.File = l.file
		if strings.Contains(wrong.Message, "follows the end of the value") {
			wrong.Message += "; name a file with one object a line .jsonl"
		}
		l.errs = append(l.errs, wrong)
		return nil
	}
	wanted, rest, _ := strings.Cut(l.steps(), ".")
	switch b.Next() {
	case '[':
		l.jsonList(b, "", l.steps())
	case '{':
		found, schema, names := "", "", []string(nil)
		b.Each(func() {
			name := b.Value().Value
			names = append(names, name)
			switch first, at := b.Next(), b.At; {
			case first != '[' || wanted != "" && (wanted != name || found != ""):
				switch value := b.Value(); {
				case name == "schema":
					schema = value.Value
				case (name == "locale" || name == "now") && found != "":
					l.fail(at, name, "is after the queries; put it before them")
				case name == "locale":
					l.locale = value.Value
				case name == "now":
					l.setNow(value.Value, at)
				}
			case found != "":
				b.Value()
				l.fail(at, name, "a second list, after %s; keep only the list of queries", found)
			default:
				found = name
				l.jsonList(b, name, rest)
			}
		})
		if kind, is := filekind.Of(schema, names, false); wanted == "" && is && kind.What != filekind.Dataset {
			l.kind = kind.Says(l.file)
		}
		if wanted != "" && found == "" {
			l.fail(strictyaml.Pos{}, "", "there is no list %q, from which the mapping takes the records", wanted)
		}
	default:
		l.fail(b.At, "", "expected a list of queries, or an object with such a list")
	}
	return nil
}

// jsonList reads the records of a list that begins here.
func (l *loader) jsonList(b *jsonnode.Reader, path, steps string) {
	i := 0
	b.Each(func() {
		l.nodes.Reset()
		l.within(fmt.Sprintf("%s[%d]", path, i), b.Value(), steps)
		i++
	})
}

// datasetSchema is the optional schema name in the first line of a JSONL file.
const datasetSchema = "concur/dataset/v1"

// jsonl reads one query per line and keeps one line in memory.
func (l *loader) jsonl(r io.Reader) error {
	var failure error
	first := true
	lines.Each(r, func(number int, line []byte, err error) {
		if l.failed != nil {
			return
		}
		start, before := strictyaml.Pos{Line: number, Column: 1}, len(l.errs)
		if err != nil && !errors.Is(err, lines.ErrLong) {
			failure = err
			return
		}
		if err != nil {
			l.fail(strictyaml.Pos{Line: number}, "", "%v; remove it", err)
			l.records++ // counted, so that later ids stay the same when this line is corrected
			l.leave(before)
			return
		}
		l.nodes.Reset()
		n, wrong := jsonnode.ParseInto(&l.nodes, line, start)
		if wrong != nil {
			wrong.File = l.file
			l.errs = append(l.errs, wrong)
			l.records++
			l.leave(before)
			return
		}
		if !first || !l.header(n) {
			l.within("", n, l.steps())
		}
		first = false
	})
	return failure
}

// header checks whether the first line of a file is a header with the name of the schema. It reports whether it
// is.
func (l *loader) header(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 || n.Content[0].Value != "schema" {
		return false
	}
	value := n.Content[1]
	if kind, is := filekind.Of(value.Value, nil, true); is && kind.What != filekind.Dataset {
		l.kind = kind.Says(l.file)
	}
	l.strict = true
	rest := n.Content[2:]
	for ; len(rest) >= 2; rest = rest[2:] {
		value := rest[1]
		if rest[0].Value == "locale" {
			l.locale = value.Value
		} else if rest[0].Value == "now" {
			l.setNow(value.Value, strictyaml.Pos{Line: value.Line, Column: value.Column})
		} else {
			break
		}
	}
	if len(rest) > 0 || value.Value != datasetSchema {
		l.fail(strictyaml.Pos{Line: value.Line, Column: value.Column}, "schema",
			"expected the line {\"schema\":%q} or none", datasetSchema)
	}
	return true
}

// parquet reads one query per row. The places in its errors are rows, counted from 1.
func (l *loader) parquet(r io.Reader) error {
	return parquet.Rows(r, func(number int, row []byte) error {
		n, wrong := jsonnode.Parse(row, strictyaml.Pos{Line: number, Column: 1})
		if wrong != nil {
			return wrong
		}
		l.within("", n, l.steps())
		return nil
	})
}
