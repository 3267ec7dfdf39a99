package pick

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// readJSON reads one JSON value. Control characters in texts, which JSON forbids, become spaces.
func readJSON(source string, hide func(string) string) (any, error) {
	if strings.TrimSpace(source) == "" {
		return nil, errors.New("it is empty")
	}
	if strings.IndexFunc(source, isControl) >= 0 {
		source = strings.Map(func(r rune) rune {
			if isControl(r) {
				return ' '
			}
			return r
		}, source)
	}
	decoder := json.NewDecoder(strings.NewReader(source))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, errors.New("it is not JSON, or it is incomplete")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("it has something behind its JSON value")
	}
	return clean(v, hide), nil
}

func isControl(r rune) bool { return r < ' ' }

// clean returns a decoded value in the types of jq, with texts of at most MaxText bytes.
func clean(v any, hide func(string) string) any {
	switch v := v.(type) {
	case string:
		return cut(v, hide)
	case json.Number:
		return Number(v.String())
	case []any:
		for i := range v {
			v[i] = clean(v[i], hide)
		}
	case map[string]any:
		for key, inner := range v {
			switch inner.(type) {
			case nil, bool:
			default:
				v[key] = clean(inner, hide)
			}
		}
	}
	return v
}

// maxDigits limits exact numbers; a longer one is a floating-point number.
const maxDigits = 1000

// Number returns a number of JSON as jq has it: an int or a *big.Int; or a json.Number, which is printed as it was
// written, such as 29.0.
func Number(s string) any {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	if len(s) <= maxDigits && !strings.ContainsAny(s, ".eE") {
		if n, ok := new(big.Int).SetString(s, 10); ok {
			return n
		}
	}
	if x, err := strconv.ParseFloat(s, 64); err != nil || len(s) > maxDigits { // beyond the range it is infinite
		return max(-math.MaxFloat64, min(math.MaxFloat64, x))
	}
	return json.Number(s)
}

// cut returns a text of at most MaxText bytes.
func cut(s string, hide func(string) string) string {
	if len(s) <= MaxText {
		return s
	}
	return text.Head(hide(s), MaxText)
}
