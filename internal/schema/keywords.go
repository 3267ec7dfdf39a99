package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// keyword is a keyword of a schema and its value.
type keyword struct {
	compiler *compiler
	object   map[string]any // the schema that has the keyword
	value    any
	at       string // the place of the schema
	place    string // the place of the value
}

type reader struct {
	name  string
	since draft
	read  func(keyword) (rule, error)
}

// keywords returns the readers of the keywords that decide which values are valid, in the order of their
// checks. Keywords of unevaluated parts are last, because the others determine which parts are evaluated.
func keywords() []reader {
	return []reader{
		{"$ref", draft4, readReference}, {"$dynamicRef", draft2020, refuse}, {"$recursiveRef", draft2019, refuse},
		{"type", draft4, readType}, {"enum", draft4, readEnum}, {"const", draft6, readConst}, {"format", draft4, readFormat},
		{"minimum", draft4, readLimit("minimum", -1)}, {"maximum", draft4, readLimit("maximum", 1)},
		{"exclusiveMinimum", draft4, readExclusive("exclusiveMinimum", -1)},
		{"exclusiveMaximum", draft4, readExclusive("exclusiveMaximum", 1)}, {"multipleOf", draft4, readMultiple},
		{"minLength", draft4, readSize("minLength", -1)}, {"maxLength", draft4, readSize("maxLength", 1)},
		{"minItems", draft4, readSize("minItems", -1)}, {"maxItems", draft4, readSize("maxItems", 1)},
		{"minProperties", draft4, readSize("minProperties", -1)}, {"maxProperties", draft4, readSize("maxProperties", 1)},
		{"pattern", draft4, readPattern}, {"uniqueItems", draft4, readUnique}, {"required", draft4, readRequired},
		{"properties", draft4, readProperties}, {"patternProperties", draft4, readPatternProperties},
		{"additionalProperties", draft4, readAdditionalProperties}, {"propertyNames", draft6, readPropertyNames},
		{"dependencies", draft4, readDependencies}, {"dependentRequired", draft2019, readDependencies},
		{"dependentSchemas", draft2019, readDependencies},
		{"prefixItems", draft2020, readPrefix}, {"items", draft4, readItems}, {"contains", draft6, readContains},
		{"allOf", draft4, readAll}, {"anyOf", draft4, readAny}, {"oneOf", draft4, readOne}, {"not", draft4, readNot},
		{"if", draft7, readIf},
		{"unevaluatedProperties", draft2019, readUnevaluatedProperties},
		{"unevaluatedItems", draft2019, readUnevaluatedItems},
	}
}

func (w keyword) fault(must string) error {
	return fmt.Errorf("at #%s: the value must be %s", w.place, must)
}

// schema compiles the value as a schema.
func (w keyword) schema() (*Schema, error) { return w.compiler.schemaAt(w.place) }

// schemas compiles the value as a list of schemas.
func (w keyword) schemas() ([]*Schema, error) {
	list, ok := w.value.([]any)
	if !ok || len(list) == 0 {
		return nil, w.fault("a list of schemas")
	}
	out := make([]*Schema, len(list))
	for i := range list {
		var err error
		if out[i], err = w.compiler.schemaAt(w.place + "/" + strconv.Itoa(i)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// named compiles the value as an object whose values are schemas.
func (w keyword) named() (map[string]*Schema, error) {
	object, ok := w.value.(map[string]any)
	if !ok {
		return nil, w.fault("an object of schemas")
	}
	out := make(map[string]*Schema, len(object))
	for name := range object {
		var err error
		if out[name], err = w.compiler.schemaAt(w.place + "/" + escape(name)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// beside compiles another keyword of the same schema; nil if the schema does not have this keyword.
func (w keyword) beside(name string) (*Schema, error) {
	if w.object[name] == nil {
		return nil, nil
	}
	return w.compiler.schemaAt(w.at + "/" + name)
}

func (w keyword) strings() ([]string, error) {
	list, ok := w.value.([]any)
	if !ok {
		return nil, w.fault("a list of strings")
	}
	out := make([]string, 0, len(list))
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			return nil, w.fault("a list of strings")
		}
		out = append(out, s)
	}
	return out, nil
}

func (w keyword) number() (*big.Rat, error) {
	if r := rational(w.value); r != nil {
		return r, nil
	}
	return nil, w.fault("a number")
}

func (w keyword) count() (int, error) {
	if r := rational(w.value); r != nil && r.IsInt() && r.Sign() >= 0 && r.Num().IsInt64() {
		return int(r.Num().Int64()), nil
	}
	return 0, w.fault("a whole number that is not negative")
}

func (w keyword) expression(pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("at #%s: %w", w.place, err)
	}
	return re, nil
}

// maxExponent limits the exponents of numbers, and their length. The largest exponent of a float64 is 308.
const maxExponent = 400

// rational returns the value of a JSON number. It returns nil for another value, and for a number beyond
// maxExponent, because computing with such a number is slow.
func rational(value any) *big.Rat {
	n, ok := value.(json.Number)
	if !ok || len(n) > maxExponent {
		return nil
	}
	if i := strings.IndexAny(string(n), "eE"); i >= 0 {
		if e, err := strconv.Atoi(string(n[i+1:])); err != nil || e > maxExponent || e < -maxExponent {
			return nil
		}
	}
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		return nil
	}
	return r
}

// isShort reports whether a number has only digits and a sign, and few of them. For such a number no arithmetic is
// needed to find that it is whole, and within the range.
func isShort(value any) bool {
	n, ok := value.(json.Number)
	return ok && len(n) > 0 && len(n) < 20 && strings.Trim(strings.TrimPrefix(string(n), "-"), "0123456789") == ""
}

func isWhole(value any) bool {
	if isShort(value) {
		return true
	}
	r := rational(value)
	return r != nil && r.IsInt()
}

// typeNames are the possible values of "type".
var typeNames = []string{"null", "boolean", "object", "array", "number", "integer", "string"}

func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

func readType(w keyword) (rule, error) {
	wanted, err := w.strings()
	if one, ok := w.value.(string); ok {
		wanted, err = []string{one}, nil
	}
	if err != nil || slices.ContainsFunc(wanted, func(t string) bool { return !slices.Contains(typeNames, t) }) {
		return nil, w.fault("the name of a type, or a list of them")
	}
	return func(k *check, value any) {
		got := typeOf(value)
		if slices.Contains(wanted, got) || got == "number" && slices.Contains(wanted, "integer") && isWhole(value) {
			return
		}
		k.report("got %s, want %s", got, strings.Join(wanted, " or "))
	}, nil
}

func refuse(w keyword) (rule, error) {
	return nil, fmt.Errorf("at #%s: this keyword is not supported: use $ref", w.place)
}

func readReference(w keyword) (rule, error) {
	reference, ok := w.value.(string)
	if !ok {
		return nil, w.fault("a string")
	}
	at, err := w.compiler.place(reference, w.at)
	if err != nil {
		return nil, err
	}
	target, err := w.compiler.schemaAt(at)
	if err != nil {
		return nil, err
	}
	return func(k *check, value any) { k.require(target, value) }, nil
}
