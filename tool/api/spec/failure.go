package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Kinds lists the kinds of failures that a file can name.
var Kinds = []string{"auth", "quota", "rate_limited", "captcha_blocked", "bad_request", "not_found", "upstream",
	"malformed", "timeout"}

// Statuses are the statuses for which a failure is looked for. The zero value is 2xx.
type Statuses struct {
	any   bool
	exact []int
	of    []int // hundreds: 5 for 5xx
}

// UnmarshalNode reads 429, 5xx, any, or a list of such.
func (s *Statuses) UnmarshalNode(n *yaml.Node) error {
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	if len(nodes) == 0 {
		return strictyaml.Errorf(n, "the list is empty: name a status, or leave the key out")
	}
	for _, one := range nodes {
		number, err := strconv.Atoi(one.Value)
		switch {
		case one.Kind != yaml.ScalarNode:
			return strictyaml.Errorf(one, "expected a status such as 429 or 5xx, found %s", strictyaml.Describe(one))
		case one.Value == "any":
			s.any = true
		case err == nil && number >= 100 && number <= 599:
			s.exact = append(s.exact, number)
		case len(one.Value) == 3 && one.Value[1:] == "xx" && one.Value[0] >= '1' && one.Value[0] <= '5':
			s.of = append(s.of, int(one.Value[0]-'0'))
		default:
			return strictyaml.Errorf(one, "%q is no status: write 429, 5xx or any", one.Value)
		}
	}
	return nil
}

// Has reports whether a failure is looked for in a reply of a status.
func (s *Statuses) Has(status int) bool {
	if !s.any && s.exact == nil && s.of == nil {
		return status/100 == 2
	}
	return s.any || slices.Contains(s.exact, status) || slices.Contains(s.of, status/100)
}

// maxPause is the longest pause between two tries, in seconds.
const maxPause = 600

// UnmarshalNode reads a failure.
func (f *Failure) UnmarshalNode(n *yaml.Node) error {
	type plain Failure
	if err := strictyaml.DecodeNode(n, (*plain)(f)); err != nil {
		return err
	}
	_, hasStatus := f.Given["status"]
	switch {
	case !hasStatus && f.When == nil:
		return strictyaml.Errorf(n, "a failure wants status, when, or both")
	case f.Kind == "":
		return strictyaml.Errorf(n, "kind is missing: one of %s", strings.Join(Kinds, ", "))
	case !slices.Contains(Kinds, f.Kind):
		return strictyaml.Errorf(n, "%s", unknownKind(f.Kind))
	case slices.ContainsFunc(f.Retry, func(s float64) bool { return s < 0 || s > maxPause }):
		return strictyaml.Errorf(n, "retry has pauses of 0 to %d seconds", maxPause)
	case len(f.Retry) > 5:
		return strictyaml.Errorf(n, "retry has %d pauses, and 5 are the most", len(f.Retry))
	}
	return nil
}

func unknownKind(kind string) string {
	return fmt.Sprintf("kind %q is none of %s", kind, strings.Join(Kinds, ", "))
}
