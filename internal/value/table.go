package value

import (
	"embed"
	"fmt"
	"math/big"
	"strings"
)

//go:embed *.tsv
var tables embed.FS

// row is a line of a table.
type row struct {
	place string // file:line
	cells []string
}

// readRows gives the lines of a table that are neither empty nor comments, each with that
// many cells; cells that a line leaves out at its end are empty.
func readRows(file, content string, cells int) ([]row, error) {
	var rows []row
	number := 0
	for line := range strings.Lines(content) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r := row{fmt.Sprintf("%s:%d", file, number), strings.Split(line, "\t")}
		if len(r.cells) > cells {
			return nil, fmt.Errorf("%s: %d cells, want at most %d", r.place, len(r.cells), cells)
		}
		for len(r.cells) < cells {
			r.cells = append(r.cells, "")
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// forms splits a cell of alternatives.
func (r row) forms(cell int) []string {
	if r.cells[cell] == "" {
		return nil
	}
	return strings.Split(r.cells[cell], "|")
}

// rational reads a cell as an exact number: 3.5, 1/3 or 1e6.
func (r row) rational(cell int) (*big.Rat, error) {
	n, ok := new(big.Rat).SetString(r.cells[cell])
	if !ok {
		return nil, fmt.Errorf("%s: %q is no number", r.place, r.cells[cell])
	}
	return n, nil
}

// once remembers where each entry of a table stands, to refuse a second one.
type once map[string]string

func (o once) add(entry string, r row) error {
	if before, again := o[entry]; again {
		return fmt.Errorf("%s: %q stands in %s too", r.place, entry, before)
	}
	o[entry] = r.place
	return nil
}

// load reads an embedded table. A table that cannot be read is a mistake of the build,
// found by the tests of this package.
func load[T any](file string, read func(file, content string) (T, error)) T {
	content, err := tables.ReadFile(file)
	if err == nil {
		var t T
		if t, err = read(file, string(content)); err == nil {
			return t
		}
	}
	panic("value: read table: " + err.Error())
}
