package strictyaml

import (
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// scalar reads text, numbers, booleans and durations.
func (d *decoder) scalar(n *yaml.Node, path string, out reflect.Value) {
	expect := func(what string) { d.fail(n, path, "expected %s, found %s", what, Describe(n)) }
	outOfRange := func() { d.fail(n, path, "%s is out of range", n.Value) }
	switch kind := out.Kind(); {
	case out.Type() == reflect.TypeFor[time.Duration]():
		v, err := time.ParseDuration(n.Value)
		if n.Kind != yaml.ScalarNode || err != nil {
			expect("a duration such as 30s or 5m")
			return
		}
		out.SetInt(int64(v))
	case kind == reflect.String:
		if n.Kind != yaml.ScalarNode || isNull(n) {
			expect("text (in quotes if it is empty or the word null)")
			return
		}
		out.SetString(n.Value)
	case kind == reflect.Bool:
		v, ok := boolean(n)
		if !ok {
			expect("true or false")
			return
		}
		out.SetBool(v)
	case out.CanInt():
		v, err := strconv.ParseInt(whole(n), 0, 64)
		switch {
		case errors.Is(err, strconv.ErrRange) || err == nil && out.OverflowInt(v):
			outOfRange()
		case err != nil:
			expect("a whole number")
		default:
			out.SetInt(v)
		}
	case out.CanFloat():
		v, ok := number(n)
		switch {
		case !ok:
			expect("a number")
		case out.OverflowFloat(v):
			outOfRange()
		default:
			out.SetFloat(v)
		}
	default:
		d.fail(n, path, "cannot be read: Go type %s is not supported", out.Type())
	}
}

func boolean(n *yaml.Node) (value, ok bool) {
	value = strings.EqualFold(n.Value, "true")
	return value, n.Kind == yaml.ScalarNode && n.ShortTag() == "!!bool" &&
		(value || strings.EqualFold(n.Value, "false"))
}

// whole returns a whole number as written, for strconv with base 0; "" if the text is not a whole number.
func whole(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || leadingZero(n.Value) {
		return ""
	}
	return n.Value
}

func number(n *yaml.Node) (float64, bool) {
	if n.Kind != yaml.ScalarNode || leadingZero(n.Value) {
		return 0, false
	}
	switch n.ShortTag() {
	case "!!int":
		if i, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return float64(i), true
		}
	case "!!float":
	default:
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// leadingZero reports numbers such as 010, which is 8 in YAML 1.1 and 10 in 1.2.
func leadingZero(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return len(s) > 1 && s[0] == '0' && (s[1] >= '0' && s[1] <= '9' || s[1] == '_')
}
