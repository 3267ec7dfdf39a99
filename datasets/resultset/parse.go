package resultset

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// errNone is the error for a text that is no table.
var errNone = errors.New("not a table: write rows as JSON ([[1, \"a\"], [2, null]]), a Markdown table, or CSV")

// Parse reads a text that is a table and nothing else, in one of these forms:
//
//   - JSON: a list of rows, which are lists or objects; a list of values, each a row of one column; or an object with
//     rows and maybe columns, such as Table.JSON writes. The columns of objects have the order of the first object.
//   - a Markdown table
//   - CSV with commas, semicolons or tabs, of at least two lines and two columns; the first line has the names of
//     the columns, unless it has a number
//
// The text may be in a fence of Markdown.
func Parse(s string) (Table, error) {
	s = strings.TrimSpace(s)
	language, inner, fenced := cutFence(s)
	if fenced {
		s = strings.TrimSpace(inner)
	}
	if s == "" {
		return Table{}, errNone
	}
	if s[0] == '[' || s[0] == '{' {
		if t, n, err := readJSON(s, true); err == nil && strings.TrimSpace(s[n:]) == "" {
			return t, nil
		} else if err != nil && !errors.Is(err, errNone) {
			return Table{}, err
		}
	}
	if t, n, ok := readMarkdown(strings.Split(s, "\n")); ok && n == strings.Count(s, "\n")+1 {
		return t, nil
	}
	return readCSV(s, language == "csv" || language == "tsv")
}

// fenceLine matches the first line of a block of code in Markdown.
var fenceLine = lazy.Compile("^ {0,3}(`{3,}|~{3,}) *([A-Za-z0-9_+-]*) *$")

// cutFence removes a fence around a whole text.
func cutFence(s string) (language, inner string, ok bool) {
	all := strings.Split(s, "\n")
	begin := fenceLine.FindStringSubmatch(strings.TrimRight(all[0], "\r"))
	if begin == nil || len(all) < 2 || !closes(all[len(all)-1], begin[1]) {
		return "", "", false
	}
	return strings.ToLower(begin[2]), strings.Join(all[1:len(all)-1], "\n"), true
}

func closes(line, mark string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= len(mark) && strings.Trim(line, mark[:1]) == ""
}

// Bounds of a table that is read.
const (
	maxRows    = 100_000
	maxColumns = 2000
)

// readJSON reads a table from the beginning of a text, and returns the length of the JSON. flat allows a list of
// values, each of which is a row. The error is errNone if the JSON is no table at all.
func readJSON(s string, flat bool) (t Table, n int, err error) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var raw json.RawMessage
	if d.Decode(&raw) != nil {
		return t, 0, errNone
	}
	n = int(d.InputOffset())
	if raw[0] == '{' {
		t, err = ofObject(raw)
	} else {
		t, err = ofList(raw, nil, flat)
	}
	return t, n, err
}

// rowFields are the fields of an object that may have the rows.
var rowFields = []string{"rows", "data", "result", "results", "answer"}

// ofObject reads an object with rows.
func ofObject(raw json.RawMessage) (t Table, err error) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return t, errNone
	}
	at := slices.IndexFunc(rowFields, func(name string) bool {
		value := bytes.TrimSpace(fields[name])
		return len(value) > 0 && value[0] == '['
	})
	if at < 0 {
		return t, errNone
	}
	var columns []string
	if names := fields["columns"]; names != nil && json.Unmarshal(names, &columns) != nil {
		return t, errNone
	}
	if t, err = ofList(fields[rowFields[at]], columns, rowFields[at] == "rows"); err != nil {
		return t, err
	}
	var flags struct{ Cut, Plain json.RawMessage }
	if json.Unmarshal(raw, &flags) == nil {
		t.Cut, t.Plain = string(flags.Cut) == "true", string(flags.Plain) == "true"
	}
	return t, nil
}

// ofList reads a list of rows.
func ofList(raw json.RawMessage, columns []string, flat bool) (t Table, err error) {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil || len(items) > maxRows {
		return t, errNone
	}
	rows := make([][]any, len(items))
	for i, item := range items {
		switch item = bytes.TrimSpace(item); {
		case item[0] == '[':
			err = decode(item, &rows[i])
		case item[0] == '{' && (i == 0 && columns == nil || columns != nil):
			if columns == nil {
				columns = namesOf(item)
			}
			rows[i], err = ofFields(item, columns)
		case flat:
			rows[i] = make([]any, 1)
			err = decode(item, &rows[i][0])
		default:
			err = errNone
		}
		if err != nil || len(rows[i]) > maxColumns {
			return t, errNone
		}
	}
	return Of(columns, rows)
}

func decode(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// namesOf returns the names of an object's fields in their order.
func namesOf(raw json.RawMessage) (names []string) {
	d := json.NewDecoder(bytes.NewReader(raw))
	_, _ = d.Token() // {
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return names
		}
		names = append(names, name.(string))
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return names
		}
	}
	return names
}

// ofFields returns the values of an object in the order of the columns. A missing field is NULL; a field that is no
// column is an error.
func ofFields(raw json.RawMessage, columns []string) ([]any, error) {
	var fields map[string]any
	if err := decode(raw, &fields); err != nil {
		return nil, err
	}
	row := make([]any, len(columns))
	for i, name := range columns {
		row[i] = fields[name]
		delete(fields, name)
	}
	if len(fields) > 0 {
		return nil, errNone
	}
	return row, nil
}

// divider matches the second line of a Markdown table.
var divider = lazy.Compile(`^\|? *:?-+:? *(?:\| *:?-+:? *)*\|?$`)

// readMarkdown reads a Markdown table from the first of some lines, and returns the number of its lines; 0 if no table
// begins there. A row that is shorter than the heading is filled up with NULL, as in Markdown. ok is false if a row is
// longer: Markdown would not show its last cells.
func readMarkdown(all []string) (t Table, n int, ok bool) {
	line := func(i int) string { return strings.TrimSpace(all[i]) }
	if len(all) < 2 || !strings.Contains(line(0), "|") || !strings.Contains(line(1), "|") ||
		!divider.MatchString(line(1)) {
		return t, 0, false
	}
	t.Plain = true
	t.Columns = cells(line(0))
	if len(t.Columns) != len(cells(line(1))) || len(t.Columns) > maxColumns {
		return t, 0, false
	}
	for n = 2; n < len(all) && strings.Contains(line(n), "|") && n < maxRows; n++ {
		row := make([]Value, len(t.Columns))
		given := cells(line(n))
		if len(given) > len(row) {
			return Table{}, n + 1, false
		}
		for i, cell := range given {
			row[i] = untyped(bare(cell))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, n, true
}

// cells returns the cells of a row in Markdown. \| is a stroke inside a cell.
func cells(line string) []string {
	line = strings.TrimPrefix(line, "|")
	if strings.HasSuffix(line, "|") && !strings.HasSuffix(line, `\|`) {
		line = strings.TrimSuffix(line, "|")
	}
	var out []string
	from := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			out, from = append(out, line[from:i]), i+1
		}
	}
	out = append(out, line[from:])
	for i, cell := range out {
		out[i] = strings.TrimSpace(strings.ReplaceAll(cell, `\|`, "|"))
	}
	return out
}

// bare removes the marks of emphasis or code around a whole cell.
func bare(cell string) string {
	for _, mark := range []string{"**", "__", "`", "*"} {
		if len(cell) > 2*len(mark) && strings.HasPrefix(cell, mark) && strings.HasSuffix(cell, mark) &&
			!strings.Contains(cell[len(mark):len(cell)-len(mark)], mark) {
			return strings.TrimSpace(cell[len(mark) : len(cell)-len(mark)])
		}
	}
	return cell
}

// readCSV reads CSV with the separator that the first line has most often. one allows a table of one column.
func readCSV(s string, one bool) (t Table, err error) {
	first, _, several := strings.Cut(s, "\n")
	separator := ','
	for _, other := range "\t;" {
		if strings.Count(first, string(other)) > strings.Count(first, string(separator)) {
			separator = other
		}
	}
	if !several || !one && !strings.ContainsRune(first, separator) {
		return t, errNone
	}
	r := csv.NewReader(strings.NewReader(s))
	r.Comma, r.TrimLeadingSpace = separator, separator != '\t'
	t.Plain = true
	for {
		record, err := r.Read() // it refuses rows of different lengths
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || len(record) > maxColumns || len(t.Rows) > maxRows {
			return Table{}, errNone
		}
		row := make([]Value, len(record))
		for i, cell := range record {
			row[i] = untyped(cell)
		}
		isNumber := func(v Value) bool { return v.kind == number }
		if t.Columns == nil && len(t.Rows) == 0 && !slices.ContainsFunc(row, isNumber) {
			t.Columns = record
			continue
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}
