package promptfoo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/datasets/checks"
	tables "github.com/seed-5817661a/concur/datasets/table"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// special are the columns of promptfoo that are no variables, beside __expected and those with a colon.
const special = "__"

// csv reads a table: a column is a variable, unless its name begins with __.
func (r *reader) csv(path string, data []byte) error {
	fail := func(err error) error {
		if found, is := errors.AsType[*strictyaml.Error](err); is {
			found.File = path
		}
		return err
	}
	t, err := tables.New(bytes.NewReader(data), func(name string) bool { return strings.HasPrefix(name, special) })
	if err != nil {
		return fail(err)
	}
	var header []string
	for {
		cells, at, err := t.Row()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fail(err)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if header == nil {
			header = cells
			continue
		}
		if len(cells) != len(header) {
			return &strictyaml.Error{File: path, Line: at[0].Line, Column: at[0].Column, Message: "the row has " +
				strconv.Itoa(len(cells)) + " cells and the header " + strconv.Itoa(len(header)) + ": quote cells with commas"}
		}
		r.tests = append(r.tests, r.row(place{path, at[0].Line}, header, cells).over(r.base))
	}
}

// row reads a row of a table.
func (r *reader) row(at place, header, cells []string) test {
	t := test{place: at, vars: map[string]any{}, meta: map[string]string{}}
	thresholds := map[int]float64{}
	for i, name := range header {
		value := cells[i]
		switch key, of := strings.CutPrefix(name, "__metadata:"); {
		case strings.HasPrefix(name, Expected):
			if value != "" {
				a := cell(value)
				a.place = at
				t.asserts = append(t.asserts, a)
			}
		case name == "__prefix":
			t.prefix = value
		case name == "__suffix":
			t.suffix = value
		case name == "__description":
			t.description = value
		case name == "__threshold":
			if given, err := strconv.ParseFloat(value, 64); err == nil && !math.IsNaN(given) && !math.IsInf(given, 0) {
				t.threshold = &given
			}
		case of:
			if value != "" {
				t.meta[strings.TrimSuffix(key, "[]")] = value
			}
		case strings.HasPrefix(name, "__config:"):
			which, is := assertionOf(name)
			given, err := strconv.ParseFloat(value, 64)
			if !is || err != nil {
				t.wrong = "the column " + name + " is not the threshold of an assertion"
			}
			thresholds[which] = given
		case name == "__providerOutput", name == "__metric", name == "__metadata":
			r.ignore(name)
		default:
			t.names = append(t.names, name)
			t.vars[name] = value
		}
	}
	for i, given := range thresholds {
		if i < len(t.asserts) {
			t.asserts[i].threshold = &given
		}
	}
	return t
}

// Row returns the checks and the condition of a row of a table with a column [Expected], if the row itself is read as
// a query. list is grouped if the row has a threshold. The error names an assertion without a counterpart, or a
// column that only the conversion of the whole file can read.
func Row(header, cells []string) (list []checks.Check, condition string, err error) {
	r := &reader{files: &files{refuse: true}, out: &Queries{}, ignored: map[string]bool{}, seen: map[Finding]bool{}}
	trimmed := make([]string, len(cells))
	for i, value := range cells {
		trimmed[i] = strings.TrimSpace(value)
	}
	t := r.row(place{}, header, trimmed)
	if t.prefix+t.suffix != "" {
		t.wrong = "__prefix and __suffix belong to a prompt"
	}
	if t.wrong != "" {
		return nil, "", errors.New(t.wrong)
	}
	c := converter{vars: renderAll(t.vars), files: r.files, lose: func(_ place, what, why string) {
		if err == nil {
			err = errors.New(what + ": " + why)
		}
	}}
	list, _ = c.list(t.asserts, t.threshold != nil, false)
	switch {
	case err != nil:
		return nil, "", err
	case t.threshold == nil:
		return list, c.condition, nil
	case *t.threshold <= 0 || *t.threshold > 1:
		return nil, "", fmt.Errorf("the threshold is %v: give one above 0 and at most 1", *t.threshold)
	}
	return checks.Grouped(list, *t.threshold), c.condition, nil
}

// assertionOf returns the position of the assertion whose threshold a column gives: __config:__expected2:threshold.
func assertionOf(column string) (position int, is bool) {
	of, is := strings.CutSuffix(strings.TrimPrefix(column, "__config:"), ":threshold")
	number, expected := strings.CutPrefix(of, Expected)
	if !is || !expected {
		return 0, false
	}
	if number == "" {
		return 0, true
	}
	n, err := strconv.Atoi(number)
	return n - 1, err == nil && n > 0
}
