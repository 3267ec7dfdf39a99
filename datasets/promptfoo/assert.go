package promptfoo

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// assertion is one assertion of a test, as promptfoo has it.
type assertion struct {
	kind      string // with not-
	value     any    // a value of JSON; nil without one
	threshold *float64
	weight    *float64
	parts     []assertion // of an assert-set
	wrong     string      // the reason for which the assertion cannot be converted; "" without one
	place     place
}

// place is a line of a file.
type place struct {
	file string
	line int
}

// converter turns the assertions of one test into checks and a condition.
type converter struct {
	vars      map[string]any
	files     *files
	lose      func(at place, what, why string)
	condition string
}

// list converts the assertions of a test or of an assert-set. whole means that all of them are needed, because there
// is a threshold for their mean; complete is false if one of them was lost.
func (c *converter) list(all []assertion, whole, nested bool) (out []checks.Check, complete bool) {
	complete = true
	for _, a := range all {
		check, why := c.one(a, whole, nested)
		switch {
		case why != "":
			c.lose(a.place, a.kind, why)
			complete = false
		case check != nil:
			out = append(out, *check)
		}
	}
	return out, complete
}

// one converts an assertion. why is the reason for which it cannot; the check is nil if the assertion became the
// condition.
func (c *converter) one(a assertion, whole, nested bool) (check *checks.Check, why string) {
	base, negated := strings.CutPrefix(a.kind, "not-")
	to, known := types()[base]
	switch {
	case !known && a.wrong != "":
		return nil, a.wrong
	case !known:
		return nil, "is no type that concur knows: write a check by hand"
	case to.check == "":
		return nil, to.text
	case a.wrong != "":
		return nil, a.wrong
	case to.check == "condition":
		return nil, c.judged(a, to, whole || nested || negated)
	case to.check == "all":
		return c.set(a, negated)
	case whole && to.check == "similar":
		return nil, "counts the similarity itself in a mean: give it a test of its own"
	}
	entry := map[string]any{}
	key := to.check
	if negated {
		key = "not_" + key
	}
	if a.weight != nil {
		entry["weight"] = *a.weight
	}
	if why := c.fill(entry, key, base, a); why != "" {
		return nil, why
	}
	return made(entry)
}

// made reads an entry as a check.
func made(entry map[string]any) (*checks.Check, string) {
	var n yaml.Node
	if err := n.Encode(entry); err != nil {
		return nil, err.Error()
	}
	var check checks.Check
	if err := check.UnmarshalNode(&n); err != nil {
		if found, is := err.(strictyaml.Errors); is {
			return nil, found[0].Message
		}
		return nil, err.Error()
	}
	return &check, ""
}

// judged makes an assertion that a model decides the condition of the gold.
func (c *converter) judged(a assertion, to counterpart, bound bool) (why string) {
	value, is := a.value.(string)
	if is {
		var err error
		if value, err = c.text(value); err != nil {
			return err.Error()
		}
	}
	switch {
	case bound, a.weight != nil, a.threshold != nil:
		return "has a weight, a threshold or not-, or is in a group, and a condition has none: give it a test of its own"
	case !is || strings.TrimSpace(value) == "":
		return "has no text: write a gold with a condition"
	case c.condition != "":
		return "is the second that a model decides, and a gold has one condition: put both into one"
	}
	c.condition = strings.ReplaceAll(to.text, "{value}", strings.TrimSpace(value))
	return ""
}

// set converts an assert-set.
func (c *converter) set(a assertion, negated bool) (*checks.Check, string) {
	if negated {
		return nil, "cannot be negated"
	}
	whole := a.threshold != nil
	parts, complete := c.list(a.parts, whole, true)
	switch {
	case len(parts) == 0:
		return nil, "has no assertion left that has a counterpart"
	case !checks.Decide(parts):
		return nil, "has no assertion left with a weight above 0, so every output reaches it"
	case whole && !complete:
		return nil, "has a threshold for the mean of all its assertions, and some have no counterpart"
	case whole && *a.threshold <= 0:
		return nil, "has the threshold 0, which every output reaches"
	}
	check := &checks.Check{Kind: checks.All, Parts: parts, Weight: a.weight}
	if whole {
		check.Threshold = *a.threshold
	}
	raw, err := check.MarshalJSON()
	if err != nil {
		return nil, err.Error()
	}
	var entry map[string]any
	if err := yaml.Unmarshal(raw, &entry); err != nil { // JSON is YAML
		return nil, err.Error()
	}
	return made(entry)
}

// fill sets the value and the threshold of a check.
func (c *converter) fill(entry map[string]any, key, base string, a assertion) (why string) {
	switch base {
	case "latency", "cost":
		if a.threshold == nil {
			return "has no threshold"
		}
		limit := *a.threshold
		if base == "latency" {
			limit /= 1000 // milliseconds
		}
		entry[key] = limit
		return ""
	case "is-json":
		return c.schema(entry, key, a.value)
	}
	value, why := c.value(base, a.value)
	if why != "" {
		return why
	}
	if base == "similar" || base == "similar:cosine" {
		return similar(entry, key, value, a.threshold)
	}
	if t, is := value.(string); is && strings.TrimSpace(t) == "" {
		return "has an empty text, which no check can have"
	}
	entry[key] = value
	return ""
}
