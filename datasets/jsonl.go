package datasets

import (
	"errors"
	"io"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

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
