package reports

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/ablations/result"
)

// writeCSV writes what programs read of some figures, a row per r: numbers in full
// precision, empty where undefined.
func writeCSV[R any](w io.Writer, figures []figure[R], rows []R) error {
	lines := make([][]string, 1, len(rows)+1)
	for _, f := range figures {
		for _, name := range f.names {
			lines[0] = append(lines[0], Sheet(name))
		}
	}
	for _, r := range rows {
		var cells []string
		for _, f := range figures {
			if f.names == nil {
				continue
			}
			for _, v := range f.values(r) {
				cell, words := exact(v)
				if words {
					cell = Sheet(cell)
				}
				cells = append(cells, cell)
			}
		}
		lines = append(lines, cells)
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		return fmt.Errorf("encode CSV: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// object is what programs read of r, as a JSON object with the names in their order.
func object[R any](figures []figure[R], r R) (json.RawMessage, error) {
	var b bytes.Buffer
	for _, f := range figures {
		for i, name := range f.names {
			value, err := json.Marshal(f.values(r)[i])
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, ",%q:%s", name, value)
		}
	}
	return append(append([]byte("{"), bytes.TrimPrefix(b.Bytes(), []byte(","))...), '}'), nil
}

// exact is a value in full precision, and whether it is text; "" for a nil pointer.
func exact(v any) (text string, words bool) {
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

// ends are those of an interval.
func ends(ci *result.Interval) []any {
	if ci == nil {
		return []any{nil, nil}
	}
	return []any{ci.Low, ci.High}
}

var plainNumber = regexp.MustCompile(`^[-+]?\d+(\.\d+)?$`)

// Sheet makes text of others safe for a spreadsheet, which would take some of it for a
// formula, and for a terminal. A number is left as it is.
func Sheet(text string) string {
	if plainNumber.MatchString(text) {
		return text
	}
	if start, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " \n")); strings.ContainsRune("=+-@\t\r＝＋－＠", start) {
		text = "'" + text
	}
	return Printable(text)
}
