package ablations

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
)

// DefaultMargin is the difference in pass rate below which two sides count as equivalent.
const DefaultMargin = 0.05

// Options set how sides are compared.
type Options struct {
	// Margin is the difference in pass rate within which sides count as equivalent, in (0, 1); DefaultMargin if 0.
	Margin float64
	Across []string // rules of Hidden in which sides may differ
}

func (o Options) check() (Options, error) {
	if o.Margin == 0 {
		o.Margin = DefaultMargin
	}
	wrong := []error{CheckMargin(o.Margin)}
	for _, name := range o.Across {
		if !slices.Contains(Hidden(), name) {
			wrong = append(wrong, fmt.Errorf("compare across %q: no rule has this name; known: %s", name, strings.Join(Hidden(), ", ")))
		}
	}
	return o, errors.Join(wrong...)
}

// CheckMargin refuses a margin outside (0, 1). No interval fits within a margin of 0.
func CheckMargin(margin float64) error {
	if !(margin > 0 && margin < 1) {
		return fmt.Errorf("the margin is %v: give a share between 0 and 1, such as 0.05 for five points", margin)
	}
	return nil
}

// Against compares every side with the side named baseline, in the order of sides, as one family: p-values
// are adjusted over all comparisons that are not refused. A single side gives no comparison and no error.
//
// Source: methods.md §5.4 to 5.6, §1.1 for unscored queries.
func Against(baseline string, sides []Side, o Options) ([]result.Comparison, error) {
	names := make([]string, len(sides))
	for i, s := range sides {
		if slices.ContainsFunc(names[:i], func(name string) bool { return SameName(name, s.Name) }) {
			return nil, fmt.Errorf("compare with %s: two configurations are named %q; give each a name of its own", baseline, s.Name)
		}
		names[i] = s.Name
	}
	base, err := find(names, baseline)
	if err != nil {
		return nil, err
	}
	var pairs [][2]Side
	for i, s := range sides {
		if i != base {
			pairs = append(pairs, [2]Side{sides[base], s})
		}
	}
	return Pairwise(pairs, o)
}

// find gives the place of the configuration that is the baseline.
func find(names []string, baseline string) (int, error) {
	at := slices.IndexFunc(names, func(name string) bool { return SameName(name, baseline) })
	if at < 0 {
		return at, fmt.Errorf("compare with %q: there is no such configuration; known: %s", baseline, strings.Join(names, ", "))
	}
	return at, nil
}

// Pairwise compares the second side of each pair with the first, the baseline, as one
// family. It serves the comparison of two runs, configuration by configuration.
func Pairwise(pairs [][2]Side, o Options) ([]result.Comparison, error) {
	o, err := o.check()
	if err != nil {
		return nil, err
	}
	out := make([]result.Comparison, len(pairs))
	var members family
	known := mdes{}
	var at []int // index in out of each member
	for i, p := range pairs {
		m := newMatch(p[0], p[1], slices.Contains(o.Across, datasetRule))
		out[i] = result.Comparison{Baseline: p[0].Name, Configuration: p[1].Name, Margin: o.Margin, Flips: []result.Flip{}, WayFlips: []result.WayFlip{}}
		if why := refusal(p[0], p[1], m, o.Across); why != "" {
			out[i].Refused = &why
			continue
		}
		s := m.sample(p[0], p[1])
		t := s.at(bound{})
		describe(&out[i], t)
		out[i].MDE = known.at(alpha, t)
		if s.paired {
			out[i].Flips, out[i].WayFlips = m.flips(), m.wayFlips()
			out[i].LeftOut, out[i].Effort = m.leftOut(p[0], p[1]), m.effort()
		}
		members, at = append(members, s), append(at, i)
	}
	p, adjusted, calls := members.at(bound{}, o.Margin)
	scored := members.ifScored(calls, o.Margin)
	for i, row := range at {
		c := &out[row]
		c.P, c.PHolm, c.Call, c.CallIfScored = &p[i], &adjusted[i], calls[i], scored[i]
		if c.CallIfScored != nil {
			c.CallAsCounted, c.Call = &calls[i], result.Undetermined
		}
	}
	return out, nil
}

// describe fills in the figures that do not depend on the other comparisons of the family.
func describe(c *result.Comparison, t tally) {
	c.Pairing, c.Method, c.Queries = result.Unpaired, "fisher", t.n
	if t.paired {
		c.Pairing, c.Method = result.Paired, "mcnemar-midp"
		c.Losses, c.Gains = &t.losses, &t.gains
	}
	if d, ok := t.difference(); ok {
		c.Difference, c.CorrectBefore, c.CorrectNow = &d, &t.xBase, &t.x
	}
	c.CI, c.CI90 = t.interval(result.Level), t.interval(equivalenceLevel)
}
