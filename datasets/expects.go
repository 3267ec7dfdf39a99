package datasets

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Expects says which tools an agent should call on a query, whatever its answer.
type Expects struct {
	Tools []ExpectedCall `json:"tools,omitempty"`
	// Order says how the calls must follow one another; "" is OrderAny.
	Order     CallOrder `json:"order,omitempty"`
	Forbidden []string  `json:"forbidden,omitempty"` // tools that must not be called
	None      bool      `json:"none,omitempty"`      // no tool must be called
}

// ExpectedCall is one call that should be made.
type ExpectedCall struct {
	Name string         `json:"name"`
	Args map[string]any `json:"args,omitempty"` // numbers, texts, truth values, lists, objects
	// Match says how the arguments are compared; "" is MatchExact with Args, else MatchIgnore.
	Match ArgMatch `json:"match,omitempty"`
}

// CallOrder is the order of calls.
type CallOrder string

// Calls that are not expected may stand between others, except under OrderExact.
const (
	OrderAny     CallOrder = "any"
	OrderInOrder CallOrder = "in_order" // the expected calls follow one another as listed
	OrderExact   CallOrder = "exact"    // they are all calls, as listed
)

// ArgMatch is how a call's arguments are compared with the expected ones.
type ArgMatch string

const (
	MatchExact    ArgMatch = "exact"
	MatchSubset   ArgMatch = "subset"   // the call has some of the expected arguments, and no others
	MatchSuperset ArgMatch = "superset" // the call has the expected arguments, and maybe others
	MatchIgnore   ArgMatch = "ignore"   // the name is enough
)

// Compared is how the arguments are compared.
func (e ExpectedCall) Compared() ArgMatch {
	switch {
	case e.Match != "":
		return e.Match
	case len(e.Args) == 0:
		return MatchIgnore
	}
	return MatchExact
}

// expectsRecord is the form of a file.
type expectsRecord struct {
	Tools []struct {
		Name  string          `yaml:"name"`
		Args  map[string]any  `yaml:"args"`
		Match string          `yaml:"match"`
		At    strictyaml.Pos  `yaml:",pos"`
		Given strictyaml.Keys `yaml:",keys"`
	} `yaml:"tools"`
	Order     string          `yaml:"order"`
	Forbidden []word          `yaml:"forbidden"`
	None      bool            `yaml:"none"`
	At        strictyaml.Pos  `yaml:",pos"`
	Given     strictyaml.Keys `yaml:",keys"`
}

// expects checks what a record expects of tool calls; nil without it.
func (c *checker) expects(path string, r *expectsRecord) *Expects {
	if r.Given == nil {
		return nil
	}
	e := &Expects{Order: CallOrder(r.Order), Forbidden: texts(r.Forbidden), None: r.None}
	if orders := []string{string(OrderAny), string(OrderInOrder), string(OrderExact)}; r.Order != "" && !slices.Contains(orders, r.Order) {
		c.fail(r.Given["order"], below(path, "order"), "unknown order %.40q (%s)", r.Order, strictyaml.Suggest(r.Order, orders))
	}
	for i, t := range r.Tools {
		at := below(path, fmt.Sprintf("tools[%d]", i))
		if strings.TrimSpace(t.Name) == "" {
			c.fail(t.At, at, "name is missing: which tool should be called?")
		}
		matches := []string{string(MatchExact), string(MatchSubset), string(MatchSuperset), string(MatchIgnore)}
		if t.Match != "" && !slices.Contains(matches, t.Match) {
			c.fail(t.Given["match"], below(at, "match"), "unknown match %.40q (%s)", t.Match, strictyaml.Suggest(t.Match, matches))
		}
		e.Tools = append(e.Tools, ExpectedCall{Name: t.Name, Args: t.Args, Match: ArgMatch(t.Match)})
		if slices.Contains(e.Forbidden, t.Name) {
			c.fail(t.At, at, "%s is expected and forbidden: keep one of them", t.Name)
		}
	}
	switch {
	case e.None && len(e.Tools) > 0:
		c.fail(r.Given["none"], below(path, "none"), "contradicts tools: keep one of them")
	case !e.None && len(e.Tools)+len(e.Forbidden) == 0:
		c.fail(r.At, path, "nothing to check: give tools, forbidden, or none: true")
	}
	return e
}
