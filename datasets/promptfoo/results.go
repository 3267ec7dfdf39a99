package promptfoo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/checks"
)

// ResultTest is a test in the results of promptfoo, in which the defaults of all tests are part of each test.
type ResultTest struct {
	Test json.RawMessage // the test as written in the results (testCase)
	Vars map[string]any  // its variables, filled in
	// Beside is the folder of the results. The files that assertions name are read in it; nil means that none is read.
	Beside fs.FS
}

// Judging is what decides about the outputs of a test.
type Judging struct {
	Checks    []checks.Check // grouped if the test has a threshold
	Condition string         // for the correctness judge; "" without one
	Losses    []Finding      // assertions without a counterpart; they have neither file nor line
	// LeftOut is the reason for which there are neither checks nor a condition, although the test may have assertions
	// with a counterpart; "" without one.
	LeftOut string
}

// Judging converts the assertions of the test as [Read] does. The error says that the test is not JSON.
func (x ResultTest) Judging() (j Judging, err error) {
	var given struct {
		Assert    any `json:"assert"`
		Threshold any `json:"threshold"`
		Scoring   any `json:"assertScoringFunction"`
	}
	decoder := json.NewDecoder(bytes.NewReader(x.Test))
	decoder.UseNumber()
	if err := decoder.Decode(&given); err != nil {
		return j, fmt.Errorf("read the test: %w", err)
	}
	if given.Assert == nil {
		given.Assert = []any{}
	}
	r := &reader{files: &files{within: x.Beside, refuse: x.Beside == nil}, out: &Queries{}, ignored: map[string]bool{},
		seen: map[Finding]bool{}}
	// The other options changed the output before it was recorded.
	t := r.test("", nodeOf(map[string]any{"assert": given.Assert, "threshold": given.Threshold,
		"assertScoringFunction": given.Scoring}))
	if t.wrong != "" {
		return Judging{LeftOut: t.wrong}, nil
	}
	for i := range t.asserts { // losses are listed once for each place
		t.asserts[i].place.line = i + 1
	}
	to, why := r.judged("", t, x.Vars)
	for i := range r.out.Losses {
		r.out.Losses[i].Line = 0
	}
	return Judging{checks.Grouped(to.checks, to.threshold), to.condition, r.out.Losses, why}, nil
}

// nodeOf returns a value of JSON as a node, so that one reader reads configurations and results.
func nodeOf(value any) *yaml.Node {
	scalar := func(tag, text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text} }
	switch v := value.(type) {
	case map[string]any:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			n.Content = append(n.Content, scalar("!!str", name), nodeOf(v[name]))
		}
		return n
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for _, element := range v {
			n.Content = append(n.Content, nodeOf(element))
		}
		return n
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return scalar("!!float", v.String())
		}
		return scalar("!!int", v.String())
	case bool:
		return scalar("!!bool", fmt.Sprint(v))
	case string:
		return scalar("!!str", v)
	}
	return scalar("!!null", "null")
}
