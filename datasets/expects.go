package datasets

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/filekind"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Expects lists the tools that an agent should call on a query. The rule is independent of the answer.
type Expects struct {
	Tools []ExpectedCall `json:"tools,omitempty"`
	// Order is the required order of the calls; "" means OrderAny.
	Order     CallOrder `json:"order,omitempty"`
	Forbidden []string  `json:"forbidden,omitempty"` // tools that must not be called
	None      bool      `json:"none,omitempty"`      // no tool must be called
}

// ExpectedCall is one call that should be made.
type ExpectedCall struct {
	Name string         `json:"name"`
	Args map[string]any `json:"args,omitempty"` // numbers, texts, truth values, lists, objects
	// Match selects how the arguments are compared. If it is "", this is MatchExact if Args is set, and
	// otherwise MatchIgnore.
	Match ArgMatch `json:"match,omitempty"`
}

// CallOrder is the order of calls.
type CallOrder string

// These are the orders in which calls may come. Except with OrderExact, other calls may be between the expected
// calls.
const (
	OrderAny     CallOrder = "any"
	OrderInOrder CallOrder = "in_order" // the expected calls are made in the order of the list
	OrderExact   CallOrder = "exact"    // the calls are exactly the expected ones, in the order of the list
)

// ArgMatch selects how a call's arguments are compared with the expected ones.
type ArgMatch string

const (
	MatchExact    ArgMatch = "exact"
	MatchSubset   ArgMatch = "subset"   // the call has some of the expected arguments, and no others
	MatchSuperset ArgMatch = "superset" // the call has the expected arguments, and maybe others
	MatchIgnore   ArgMatch = "ignore"   // only the name of the tool is compared
)

// Compared returns Match, or its default.
func (e ExpectedCall) Compared() ArgMatch {
	switch {
	case e.Match != "":
		return e.Match
	case len(e.Args) == 0:
		return MatchIgnore
	}
	return MatchExact
}

// expectsRecord is Expects as written in a file.
type expectsRecord struct {
	Tools []struct {
		Name  string          `yaml:"name"`
		Args  map[string]any  `yaml:"args"`
		Match ArgMatch        `yaml:"match"`
		At    strictyaml.Pos  `yaml:",pos"`
		Given strictyaml.Keys `yaml:",keys"`
	} `yaml:"tools"`
	Order     CallOrder       `yaml:"order"`
	Forbidden []word          `yaml:"forbidden"`
	None      bool            `yaml:"none"`
	At        strictyaml.Pos  `yaml:",pos"`
	Given     strictyaml.Keys `yaml:",keys"`
}

// expects checks the expected tool calls of a record. If the record expects no calls, it returns nil.
func (c *checker) expects(path string, r *expectsRecord) *Expects {
	if r.Given == nil {
		return nil
	}
	e := &Expects{Order: r.Order, Forbidden: texts(r.Forbidden), None: r.None}
	if e.Order != "" {
		oneOf(c, r.Given["order"], path, "order", e.Order, OrderAny, OrderInOrder, OrderExact)
	}
	for i, t := range r.Tools {
		at := below(path, fmt.Sprintf("tools[%d]", i))
		if strings.TrimSpace(t.Name) == "" {
			c.fail(t.At, at, "name is missing: name the tool to call")
		}
		if t.Match != "" {
			oneOf(c, t.Given["match"], at, "match", t.Match, MatchExact, MatchSubset, MatchSuperset, MatchIgnore)
		}
		e.Tools = append(e.Tools, ExpectedCall{Name: t.Name, Args: t.Args, Match: t.Match})
		if slices.Contains(e.Forbidden, t.Name) {
			c.fail(t.At, at, "%s is both expected and forbidden: keep one of them", t.Name)
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

// Tool is a table in a dataset that agents can use as a tool. A call gives an entry, and the tool returns the
// value in the row of this entry.
type Tool struct {
	Name        string            `yaml:"name" json:"name"`
	Description string            `yaml:"description" json:"description"`
	Entry       string            `yaml:"entry" json:"entry"` // describes the entries to the model
	Rows        map[string]string `yaml:"rows" json:"rows"`   // value by entry; case and spaces of entries do not count
}

// toolsFirst matches a file that is a mapping with the key tools, locale, now or queries. Other files are a list of
// queries.
var toolsFirst = lazy.Compile(`(?m)^(?:tools|queries|locale|now):`)

// testsInside matches a file that has a key for tests. A configuration of concur may have such a key.
var testsInside = lazy.Compile(`(?m)^["']?tests["']?[ \t]*:`)

// withTests reads the queries of a configuration of concur. found is false if the file is of another kind.
func (l *loader) withTests(data []byte) (nodes []yaml.Node, found bool, err error) {
	if !testsInside.Match(data) {
		return nil, false, nil
	}
	var whole map[string]yaml.Node
	if err := strictyaml.Decode(l.file, data, &whole); err != nil {
		return nil, filekind.IsConfiguration(data), err
	}
	if !filekind.IsConfiguration(data) {
		return nil, false, nil
	}
	tests := whole["tests"]
	if path := tests.Value; tests.Kind == yaml.ScalarNode && path != "" {
		l.fail(strictyaml.Pos{Line: tests.Line, Column: tests.Column}, "tests",
			"expected a list of queries, found a text; for queries in a file write dataset: %s", path)
		return nil, true, nil
	}
	if found := strictyaml.DecodeAt(l.file, "tests", &tests, &nodes); found != nil {
		return nil, true, found.Err()
	}
	return nodes, true, nil
}

// withTools reads a mapping with tools and queries. nodes are the queries.
func (l *loader) withTools(data []byte) (nodes []yaml.Node, err error) {
	var whole struct {
		Tools   []yaml.Node     `yaml:"tools"`
		Queries []yaml.Node     `yaml:"queries"`
		Locale  string          `yaml:"locale"`
		Now     string          `yaml:"now"`
		Given   strictyaml.Keys `yaml:",keys"`
	}
	if err := strictyaml.Decode(l.file, data, &whole); err != nil {
		return nil, err
	}
	l.strict, l.locale = len(whole.Tools) > 0, whole.Locale
	l.setNow(whole.Now, whole.Given["now"])
	seen := map[string]bool{}
	for i := range whole.Tools {
		n := &whole.Tools[i]
		at, path := strictyaml.Pos{Line: n.Line, Column: n.Column}, fmt.Sprintf("tools[%d]", i)
		var t Tool
		if found := strictyaml.DecodeAt(l.file, path, n, &t); found != nil {
			l.errs = append(l.errs, found...)
			continue
		}
		switch {
		case !toolName.MatchString(t.Name):
			l.fail(at, path+".name", "%q is not a valid tool name: use 1 to 64 letters, digits, _ or -, a letter first, "+
				"without __", t.Name)
		case seen[t.Name]:
			l.fail(at, path+".name", "%q is the name of an earlier tool: choose another", t.Name)
		case t.Description == "":
			l.fail(at, path+".description", "is missing: describe the table to the model")
		case len(t.Rows) == 0:
			l.fail(at, path+".rows", "is empty: write at least one entry: value")
		}
		seen[t.Name] = true
		folded := map[string]string{}
		for _, entry := range slices.Sorted(maps.Keys(t.Rows)) {
			if other, again := folded[FoldEntry(entry)]; again {
				l.fail(at, path+".rows", "the entries %q and %q differ only in case and spaces: remove one", other,
					entry)
			}
			folded[FoldEntry(entry)] = entry
		}
		l.tools = append(l.tools, t)
	}
	return whole.Queries, nil
}

var toolName = lazy.Compile(`^[A-Za-z](?:[A-Za-z0-9-]|_(?:[A-Za-z0-9-]|$)){0,63}$`)

// hashWith returns the hash of queries and tools. If there are no tools, it is the hash of the queries alone.
func hashWith(tools []Tool, queries []Query) string {
	return hashWithTools(hashQueries(queries), tools)
}

// hashWithTools returns the hash of a dataset from the hash of its queries and from its tools.
func hashWithTools(hash string, tools []Tool) string {
	if len(tools) == 0 {
		return hash
	}
	raw, _ := json.Marshal(tools) // maps are encoded with sorted keys
	sum := sha256.Sum256(append([]byte(hash+"\n"), raw...))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// FoldEntry returns an entry in lower case with single spaces.
func FoldEntry(entry string) string { return strings.ToLower(strings.Join(strings.Fields(entry), " ")) }

// ToolNames returns the names of the tools of a dataset.
func ToolNames(tools []Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Name)
	}
	return out
}

// writeTools writes the tools, and then the key under which the queries follow.
func writeTools(w io.Writer, tools []Tool) error {
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	err := cmp.Or(enc.Encode(map[string][]Tool{"tools": tools}), enc.Close())
	if err == nil {
		_, err = io.WriteString(w, "\nqueries:\n")
	}
	return err
}
