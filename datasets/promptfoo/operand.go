package promptfoo

import (
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// value returns the value of an assertion with its variables filled in: a text, a list of texts, or for equals any
// value.
func (c *converter) value(base string, value any) (any, string) {
	switch v := value.(type) {
	case nil:
		return nil, "has no value"
	case string:
		filled, err := c.text(v)
		if err != nil {
			return nil, err.Error()
		}
		value = filled
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = element
			if from, is := element.(string); is {
				filled, err := c.text(from)
				if err != nil {
					return nil, err.Error()
				}
				list[i] = filled
			}
		}
		value = list
	}
	t, plain := text(value)
	list, isList := value.([]any)
	several := strings.HasSuffix(base, "-any") || strings.HasSuffix(base, "-all")
	switch {
	case several && !isList:
		from, is := value.(string)
		if !is {
			return nil, "has no list of texts"
		}
		var err error
		if list, err = listed(from); err != nil {
			return nil, err.Error()
		}
		fallthrough
	case several, isList && strings.HasPrefix(base, "similar"):
		return texts(list)
	case base == "regex":
		if _, is := value.(string); !is {
			return nil, "has no text"
		}
		return value, foreign(t)
	case plain:
		return t, ""
	case base == "equals":
		return value, ""
	}
	return nil, "has no text"
}

func texts(list []any) (any, string) {
	out := make([]any, len(list))
	for i, element := range list {
		t, plain := text(element)
		if !plain || strings.TrimSpace(t) == "" {
			return nil, "has an element that is no text, or empty"
		}
		out[i] = t
	}
	if len(out) == 0 {
		return nil, "has an empty list"
	}
	return out, ""
}

var foreignEscape = regexp.MustCompile(`^(?:[^\\]|\\[^AzZQEaCpPk])*\\[AzZQEaCpPk]|^\(\?[imsU]|\[\[:`)

// foreign says why an expression may mean something else in RE2 than in JavaScript; "" if it does not.
func foreign(expression string) string {
	if foreignEscape.MatchString(expression) {
		return "is an expression that RE2 and JavaScript read in two ways: write a regex by hand"
	}
	return ""
}

// similar fills a check for a text, or for a list of texts of which one is enough.
func similar(entry map[string]any, key string, value any, threshold *float64) (why string) {
	limit := checks.DefaultSimilar
	if threshold != nil {
		limit = *threshold
	}
	list, several := value.([]any)
	if !several {
		entry[key], entry["threshold"] = value, limit
		return ""
	}
	if key != "similar" {
		return "is negated and has several texts: give each a not-similar of its own"
	}
	parts := make([]any, len(list))
	for i, element := range list {
		parts[i] = map[string]any{key: element, "threshold": limit}
	}
	entry["any"] = parts
	return ""
}

// schema fills a check for JSON. The schema is an object, YAML in a text, or a file.
func (c *converter) schema(entry map[string]any, key string, value any) (why string) {
	if t, is := value.(string); is {
		from := t
		if strings.HasPrefix(t, "file://") {
			read, err := c.files.reference(t)
			if err != nil {
				return err.Error()
			}
			from = read
		} else {
			var err error
			if from, err = render(t, c.vars); err != nil {
				return err.Error()
			}
		}
		value = nil
		if strings.TrimSpace(from) != "" {
			var n yaml.Node
			if err := strictyaml.Decode("", []byte(from), &n); err != nil {
				return "has a schema that cannot be read"
			}
			value = plain(&n)
		}
	}
	switch v := value.(type) {
	case nil:
		entry[key] = true
	case bool:
		if entry[key] = true; !v {
			return "has the schema false, which no JSON meets"
		}
	case map[string]any:
		entry[key] = v
	default:
		return "has no JSON Schema"
	}
	return ""
}

// text fills the variables of a text, or reads the file that it names.
func (c *converter) text(from string) (string, error) {
	if strings.HasPrefix(from, "file://") {
		return c.files.reference(from)
	}
	return render(from, c.vars)
}
