package tests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/sandbox/runners"
	"github.com/seed-5817661a/concur/internal/text"
)

// maxCases is the most tests of a file.
const maxCases = 10_000

// name is the form of names of functions. It keeps code out of names.
var name = lazy.Compile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`)

// IsCases reports whether tests are lines of JSON, and not a program.
func IsCases(tests string) bool { return strings.HasPrefix(strings.TrimSpace(tests), "{") }

// ReadCases reads tests, one a line. An error names the line.
func ReadCases(tests string) (cases []Case, err error) {
	for i, line := range strings.Split(tests, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var c Case
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err = d.Decode(&c); err == nil {
			err = c.check()
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		cases = append(cases, c)
	}
	switch {
	case len(cases) == 0:
		return nil, errNoTests
	case len(cases) > maxCases:
		return nil, fmt.Errorf("there are %d tests, and %d is the most: leave some out", len(cases), maxCases)
	}
	return cases, nil
}

func (c Case) check() error {
	args := bytes.TrimSpace(c.Args)
	switch {
	case !name.MatchString(c.Call.Call):
		return fmt.Errorf("call is %q: give the name of a function", text.Head(c.Call.Call, 40))
	case len(args) > 0 && args[0] != '[' && args[0] != '{':
		return errors.New("args is neither a list nor an object")
	case (c.Want == nil) == (c.Raises == ""):
		return errors.New("give want, the expected value, or raises, the name of an exception")
	case c.Tolerance < 0:
		return fmt.Errorf("tolerance is %v: give at least 0", c.Tolerance)
	}
	return nil
}

// String returns the call for a reason.
func (c Case) String() string {
	args := strings.TrimSpace(string(c.Args))
	if strings.HasPrefix(args, "[") {
		args = args[1 : len(args)-1]
	}
	return text.Clip(fmt.Sprintf("%s(%s)", c.Call.Call, args), 100)
}

// fails says why a reply is not what the case wants; "" if it is.
func (c Case) fails(r runners.Reply) string {
	short := func(s string) string { return text.Clip(s, maxReason) }
	raised, _, _ := strings.Cut(r.Error, ":")
	switch {
	case c.Raises != "" && r.Error == "":
		return fmt.Sprintf("%s, want the exception %s", short(string(r.Result)), c.Raises)
	case c.Raises != "" && raised != c.Raises:
		return fmt.Sprintf("%s, want the exception %s", short(r.Error), c.Raises)
	case c.Raises != "":
		return ""
	case r.Error != "":
		return short(r.Error)
	case len(r.Result) == 0:
		return "no value"
	}
	got, err := decode(r.Result)
	if err != nil {
		return "a value that is not JSON"
	}
	want, err := decode(c.Want)
	if err != nil {
		return "want is not JSON"
	}
	if !equal(got, want, c.Tolerance) {
		return fmt.Sprintf("%s, want %s", short(string(r.Result)), short(string(c.Want)))
	}
	return ""
}

func decode(raw []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return value, d.Decode(&value)
}

// equal compares values of JSON: numbers by value, so that 1 and 1.0 are equal, and objects without the order of
// their keys. Types are not converted: true is not 1.
func equal(a, b any, tolerance float64) bool {
	switch x := a.(type) {
	case map[string]any:
		y, is := b.(map[string]any)
		if !is || len(x) != len(y) {
			return false
		}
		for key, value := range x {
			other, has := y[key]
			if !has || !equal(value, other, tolerance) {
				return false
			}
		}
		return true
	case []any:
		y, is := b.([]any)
		if !is || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !equal(x[i], y[i], tolerance) {
				return false
			}
		}
		return true
	case json.Number:
		y, is := b.(json.Number)
		return is && equalNumbers(string(x), string(y), tolerance)
	}
	return a == b
}

// maxDigits is the length of the longest integer that is compared exactly.
const maxDigits = 100_000

func equalNumbers(a, b string, tolerance float64) bool {
	if a == b {
		return true
	}
	whole := func(s string) bool { return !strings.ContainsAny(s, ".eE") && len(s) <= maxDigits }
	if whole(a) && whole(b) && tolerance == 0 {
		x, _ := new(big.Int).SetString(a, 10)
		y, _ := new(big.Int).SetString(b, 10)
		return x != nil && y != nil && x.Cmp(y) == 0
	}
	x, errX := json.Number(a).Float64()
	y, errY := json.Number(b).Float64()
	return errX == nil && errY == nil && (x == y || math.Abs(x-y) <= tolerance)
}
