package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func readEnum(w keyword) (rule, error) {
	allowed, ok := w.value.([]any)
	if !ok {
		return nil, w.fault("a list")
	}
	var keys, shown []string
	primitive := true
	for _, v := range allowed {
		keys, shown = append(keys, canonical(v)), append(shown, show(v))
		primitive = primitive && isPrimitive(v)
	}
	return func(k *check, value any) {
		switch {
		case slices.Contains(keys, canonical(value)):
		case !primitive:
			k.report("'enum' failed")
		case len(shown) == 1:
			k.report("value must be %s", shown[0])
		default:
			k.report("value must be one of %s", strings.Join(shown, ", "))
		}
	}, nil
}

func readConst(w keyword) (rule, error) {
	key := canonical(w.value)
	return func(k *check, value any) {
		switch {
		case canonical(value) == key:
		case isPrimitive(w.value):
			k.report("value must be %s", show(w.value))
		default:
			k.report("'const' failed")
		}
	}, nil
}

// readLimit reads minimum (side -1) or maximum (side 1). In draft 4, exclusiveMinimum or exclusiveMaximum is
// a boolean, which readLimit reads, too.
func readLimit(name string, side int) func(keyword) (rule, error) {
	exclusive := "exclusive" + strings.ToUpper(name[:1]) + name[1:]
	return func(w keyword) (rule, error) {
		limit, err := w.number()
		if excluded, _ := w.object[exclusive].(bool); excluded {
			return compare(exclusive, side, true, limit), err
		}
		return compare(name, side, false, limit), err
	}
}

func readExclusive(name string, side int) func(keyword) (rule, error) {
	return func(w keyword) (rule, error) {
		if _, ok := w.value.(bool); ok && w.compiler.draft == draft4 {
			return nil, nil // readLimit reads this form
		}
		limit, err := w.number()
		return compare(name, side, true, limit), err
	}
}

func compare(name string, side int, exclusive bool, limit *big.Rat) rule {
	return func(k *check, value any) {
		got := rational(value)
		if got == nil {
			return
		}
		if c := got.Cmp(limit); c == side || exclusive && c == 0 {
			k.report("%s: got %s, want %s", name, decimal(got), decimal(limit))
		}
	}
}

func readMultiple(w keyword) (rule, error) {
	unit, err := w.number()
	if err != nil || unit.Sign() <= 0 {
		return nil, w.fault("a number over 0")
	}
	return func(k *check, value any) {
		if got := rational(value); got != nil && !new(big.Rat).Quo(got, unit).IsInt() {
			k.report("multipleOf: got %s, want %s", decimal(got), decimal(unit))
		}
	}, nil
}

// readSize reads a lower (side -1) or upper (side 1) limit on the length of strings, arrays or objects.
func readSize(name string, side int) func(keyword) (rule, error) {
	return func(w keyword) (rule, error) {
		limit, err := w.count()
		if err != nil {
			return nil, err
		}
		return func(k *check, value any) {
			got := limit
			switch v := value.(type) {
			case string:
				if strings.HasSuffix(name, "Length") {
					got = utf8.RuneCountInString(v)
				}
			case []any:
				if strings.HasSuffix(name, "Items") {
					got = len(v)
				}
			case map[string]any:
				if strings.HasSuffix(name, "Properties") {
					got = len(v)
				}
			}
			if (got-limit)*side > 0 {
				k.report("%s: got %d, want %d", name, got, limit)
			}
		}, nil
	}
}

func readPattern(w keyword) (rule, error) {
	pattern, ok := w.value.(string)
	if !ok {
		return nil, w.fault("a string")
	}
	re, err := w.expression(pattern)
	return func(k *check, value any) {
		if s, ok := value.(string); ok && !re.MatchString(s) {
			k.report("%s does not match pattern %s", quote(s), quote(pattern))
		}
	}, err
}

func readFormat(w keyword) (rule, error) {
	name, ok := w.value.(string)
	if !ok {
		return nil, w.fault("a string")
	}
	f, known := formats[name]
	if !known {
		return nil, nil
	}
	return func(k *check, value any) {
		if s, ok := value.(string); ok && !f.valid(s) {
			k.report("%s is not valid %s: %s", quote(s), name, f.form)
		}
	}, nil
}

// canonical returns a text for a JSON value. Two values are equal if and only if their texts are equal; 1 and
// 1.0 are equal.
func canonical(value any) string {
	switch v := value.(type) {
	case json.Number:
		if r := rational(v); r != nil {
			return r.RatString()
		}
		return v.String()
	case string:
		return strconv.Quote(v)
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = canonical(v[i])
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		parts := make([]string, 0, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, strconv.Quote(name)+":"+canonical(v[name]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return fmt.Sprint(value)
}

func isPrimitive(value any) bool {
	switch value.(type) {
	case []any, map[string]any:
		return false
	}
	return true
}
