package document

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strconv"
)

// WriteCSV writes the columns for programs, one row for each r: numbers in full precision, empty if undefined.
func WriteCSV[R any](w io.Writer, columns []Column[R], rows iter.Seq2[R, error]) error {
	columns = slices.DeleteFunc(slices.Clone(columns), func(c Column[R]) bool { return c.Name == "" })
	out := csv.NewWriter(w)
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = SheetCell(c.Name)
	}
	_ = out.Write(cells) // out keeps an error until the end
	for r, err := range rows {
		if err != nil {
			return err
		}
		for i, c := range columns {
			text, words := FormatExact(c.Value(r))
			if words {
				text = SheetCell(text)
			}
			cells[i] = text
		}
		_ = out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// Sequence yields the elements of a list, without errors.
func Sequence[R any](rows []R) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// EncodeObject encodes the values for programs as a JSON object, in the order of the columns.
func EncodeObject[R any](columns []Column[R], r R) (json.RawMessage, error) {
	var b bytes.Buffer
	for _, c := range columns {
		if c.Name == "" {
			continue
		}
		value, err := json.Marshal(c.Value(r))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, ",%q:%s", c.Name, value)
	}
	return append(append([]byte("{"), bytes.TrimPrefix(b.Bytes(), []byte(","))...), '}'), nil
}

// FormatExact formats a value in full precision; "" for a nil pointer. words reports whether the value is text.
func FormatExact(v any) (text string, words bool) {
	x := reflect.ValueOf(v)
	if x.Kind() == reflect.Pointer {
		x = x.Elem()
	}
	switch x.Kind() {
	case reflect.Int:
		return strconv.FormatInt(x.Int(), 10), false
	case reflect.Float64:
		return strconv.FormatFloat(x.Float(), 'g', -1, 64), false
	case reflect.String:
		return x.String(), true
	}
	return "", false
}
