package promptfoo

import (
	"cmp"
	"fmt"

	"github.com/seed-5817661a/concur/datasets/checks"
)

// judged is what decides about the outputs of a test.
type judged struct {
	checks    []checks.Check
	threshold float64 // for the mean of the scores of all checks; 0 without one
	condition string  // for the correctness judge; "" without one
}

// judged converts the assertions of a test, and notes those without a counterpart. why says why the test cannot be
// judged; "" if it can.
func (r *reader) judged(id string, t test, vars map[string]any) (j judged, why string) {
	missing := ""
	c := converter{vars: vars, files: r.files, lose: func(at place, what, why string) {
		missing = cmp.Or(missing, what)
		r.lose(id, at, what, why)
	}}
	whole := t.threshold != nil
	list, complete := c.list(t.asserts, whole, false)
	switch {
	case len(t.asserts) == 0:
		return j, "has no assertions: a query needs at least one"
	case whole && !complete:
		return j, "has a threshold for the mean of all its assertions, and " + missing +
			" has no counterpart: remove one of the two"
	case whole && (*t.threshold <= 0 || *t.threshold > 1):
		return j, fmt.Sprintf("has the threshold %v: give one above 0 and at most 1", *t.threshold)
	case len(list) == 0 && c.condition == "":
		return j, "has no assertion with a counterpart"
	case c.condition == "" && !checks.Decide(list):
		return j, "has no assertion left with a weight above 0, so every output passes"
	case len(list) > checks.MaxChecks:
		return j, fmt.Sprintf("has %d assertions, and %d is the most", len(list), checks.MaxChecks)
	}
	j = judged{checks: list, condition: c.condition}
	if whole {
		j.threshold = *t.threshold
	}
	return j, ""
}
