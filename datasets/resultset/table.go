package resultset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// Table is a result set, or a table in a message. All rows have the same number of values.
type Table struct {
	Columns []string // names of the columns; nil if they have none
	Rows    [][]Value
	Plain   bool // the values were written without types, as in Markdown and CSV
	Cut     bool // the result set has more rows than these
}

// Value is one value of a table. The zero value is NULL.
type Value struct {
	kind kind
	text string // of a number its canonical form
}

type kind byte

const (
	null kind = iota
	number
	words
)

// Number returns a number; ok is false if s is not a number in the form of JSON.
func Number(s string) (v Value, ok bool) {
	if !numeral.MatchString(s) {
		return Value{}, false
	}
	return Value{number, canonical(s)}, true
}

// Text returns a text.
func Text(s string) Value { return Value{words, norm.NFC.String(strings.ToValidUTF8(s, "\uFFFD"))} }

// untyped reads a cell without a type: NULL, a number or a text.
func untyped(cell string) Value {
	cell = strings.TrimSpace(cell)
	switch strings.ToLower(cell) {
	case "", "null":
		return Value{}
	case "true":
		return Value{number, "1"}
	case "false":
		return Value{number, "0"}
	}
	if grouped.MatchString(cell) {
		cell = strings.ReplaceAll(cell, ",", "")
	}
	if v, ok := Number(cell); ok {
		return v
	}
	return Text(cell)
}

// String writes the value as JSON.
func (v Value) String() string {
	switch v.kind {
	case null:
		return "null"
	case number:
		return v.text
	}
	return quoted(v.text)
}

// quoted writes a text as JSON, on one line.
func quoted(s string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a text can always be written into memory
	return strings.TrimSuffix(out.String(), "\n")
}

// Of returns the table of rows as encoding/json reads them with UseNumber, and of rows of package tool/sql: texts,
// numbers, truth values and nil. It returns an error for a row of another length than the first, and for a value that
// is a list or an object.
func Of(columns []string, rows [][]any) (Table, error) {
	t := Table{Columns: columns, Rows: make([][]Value, len(rows))}
	for i, row := range rows {
		t.Rows[i] = make([]Value, len(row))
		for j, value := range row {
			v, ok := valueOf(value)
			if !ok {
				return Table{}, fmt.Errorf("row %d has a value that is neither text, number, truth value nor null", i+1)
			}
			t.Rows[i][j] = v
		}
	}
	return t, t.check()
}

// check returns an error if rows differ in length.
func (t Table) check() error {
	for i, row := range t.Rows {
		want, of := len(t.Rows[0]), "the first row"
		if t.Columns != nil {
			want, of = len(t.Columns), "the list of columns"
		}
		if len(row) != want {
			return fmt.Errorf("row %d has %d values, and %s has %d", i+1, len(row), of, want)
		}
	}
	if len(t.Rows) > 0 && len(t.Rows[0]) == 0 {
		return fmt.Errorf("the rows are empty")
	}
	return nil
}

// valueOf returns a value of JSON. A truth value is the number 1 or 0, as in SQLite and as in Python, in which Spider
// and BIRD compare.
func valueOf(value any) (v Value, ok bool) {
	switch value := value.(type) {
	case nil:
		return Value{}, true
	case string:
		return Text(value), true
	case bool:
		if value {
			return Value{number, "1"}, true
		}
		return Value{number, "0"}, true
	case json.Number:
		return Number(value.String())
	case float64:
		raw, err := json.Marshal(value)
		if err != nil {
			return Text(fmt.Sprint(value)), true // infinite
		}
		return Number(string(raw))
	}
	return Value{}, false
}

// Width returns the number of columns; 0 for a table without rows and without names of columns.
func (t Table) Width() int {
	if len(t.Rows) > 0 {
		return len(t.Rows[0])
	}
	return len(t.Columns)
}

// JSON writes the table as a JSON object with the names of the columns and the rows, each on the same line. Parse
// reads it.
func (t Table) JSON() string {
	var out strings.Builder
	out.WriteString("{")
	if t.Columns != nil {
		names := make([]string, len(t.Columns))
		for i, name := range t.Columns {
			names[i] = quoted(name)
		}
		out.WriteString(`"columns":[` + strings.Join(names, ",") + `],`)
	}
	out.WriteString(`"rows":[` + strings.Join(lines(t.Rows), ",") + "]")
	for _, flag := range []struct {
		name string
		set  bool
	}{{"cut", t.Cut}, {"plain", t.Plain}} {
		if flag.set {
			out.WriteString(`,"` + flag.name + `":true`)
		}
	}
	out.WriteString("}")
	return out.String()
}

// lines writes each row as JSON.
func lines(rows [][]Value) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		values := make([]string, len(row))
		for j, v := range row {
			values[j] = v.String()
		}
		out[i] = "[" + strings.Join(values, ",") + "]"
	}
	return out
}

// maxKey is the length in bytes from which a key has a hash instead of the rows.
const maxKey = 400

// Key returns a text that two tables have in common exactly if they have the same rows, in the same order if ordered
// is true. The text of a small table has its rows. A table that was cut has another key than any that was not.
func (t Table) Key(ordered bool) string {
	rows := lines(t.Rows)
	if !ordered {
		slices.Sort(rows)
	}
	key := "[" + strings.Join(rows, ",") + "]"
	if len(key) > maxKey {
		sum := sha256.Sum256([]byte(key))
		key = fmt.Sprintf("%d rows of %d:sha256:%s", len(t.Rows), t.Width(), hex.EncodeToString(sum[:]))
	}
	if t.Cut {
		key += "…"
	}
	return key
}

// withoutTypes returns the table as if it were written without types.
func (t Table) withoutTypes() Table {
	if t.Plain {
		return t
	}
	rows := make([][]Value, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = slices.Clone(row)
		for j, v := range row {
			if v.kind == words {
				rows[i][j] = untyped(v.text)
			}
		}
	}
	t.Rows, t.Plain = rows, true
	return t
}

// blob matches what package tool/sql returns for a blob: its size.
var blob = lazy.Compile(`^\[blob of [0-9]+ bytes\]$`)

// HasBlob reports whether a value is the size of a blob instead of its bytes.
func (t Table) HasBlob() bool {
	isBlob := func(v Value) bool { return v.kind == words && blob.MatchString(v.text) }
	return slices.ContainsFunc(t.Rows, func(row []Value) bool { return slices.ContainsFunc(row, isBlob) })
}
