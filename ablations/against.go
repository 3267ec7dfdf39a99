package ablations

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
)

// DefaultMargin is the difference in pass rate below which two sides count as equivalent.
const DefaultMargin = 0.05

// Options set how sides are compared.
type Options struct {
	// Margin is a difference in pass rate, in (0, 1). Two sides whose rates differ by less than this count as
	// equivalent. 0 means DefaultMargin.
	Margin float64
	// NotWorse allows the call "not worse by the margin or more". Decide this before you see the results.
	NotWorse bool
	Across   []string // names of rules of Hidden in which sides may differ
}

func (o Options) check() (Options, error) {
	if o.Margin == 0 {
		o.Margin = DefaultMargin
	}
	wrong := []error{CheckMargin(o.Margin)}
	for _, name := range o.Across {
		if !slices.Contains(Hidden(), name) {
			wrong = append(wrong, fmt.Errorf("compare across %q: no rule has this name; known: %s", name,
				strings.Join(Hidden(), ", ")))
		}
	}
	return o, errors.Join(wrong...)
}

// CheckMargin returns an error if the margin is outside (0, 1). With a margin of 0, no interval could show that
// two sides are equivalent.
func CheckMargin(margin float64) error {
	if !(margin > 0 && margin < 1) {
		return fmt.Errorf("the margin is %v: give a share between 0 and 1, such as 0.05, or at least 1 point, "+
			"such as 5", margin)
	}
	return nil
}

// Against compares every side with the side named baseline, in the order of sides. A comparison may be refused.
// The other comparisons are one family: their p-values are adjusted together. If there is only one side, there
// are no comparisons, and this is no error. Source: docs/method.md §5.4 to 5.6, §1.1 for unscored queries.
func Against(baseline string, sides []Side, o Options) ([]result.Comparison, error) {
	names := make([]string, len(sides))
	for i, s := range sides {
		if slices.Contains(names[:i], s.Name) {
			return nil, fmt.Errorf("compare with %s: two configurations are named %q; give them different names",
				baseline, s.Name)
		}
		names[i] = s.Name
	}
	base, err := indexOf(names, baseline)
	if err != nil {
		return nil, err
	}
	var pairs [][2]Side
	first := map[string]string{sides[base].Same: baseline} // by agent: the side that is compared
	for i, s := range sides {
		if i == base {
			continue
		}
		if s.Same != "" {
			if s.sentAs = first[s.Same]; s.sentAs == "" {
				first[s.Same] = s.Name
			}
		}
		pairs = append(pairs, [2]Side{sides[base], s})
	}
	return Pairwise(pairs, o)
}

func indexOf(names []string, baseline string) (int, error) {
	at := slices.Index(names, baseline)
	if at < 0 {
		return at, fmt.Errorf("compare with %q: there is no such configuration; known: %s", baseline,
			strings.Join(names, ", "))
	}
	return at, nil
}

// Pairwise compares the second side of each pair with the first side, its baseline. All pairs are one family.
// CompareRuns uses it to compare two runs, configuration by configuration.
func Pairwise(pairs [][2]Side, o Options) ([]result.Comparison, error) {
	o, err := o.check()
	if err != nil {
		return nil, err
	}
	out := make([]result.Comparison, len(pairs))
	var members family
	var single []singles
	var matches []match
	var corrections []correction
	var at []int // for each member of the family, its index in out
	for i, p := range pairs {
		m := newMatch(p[0], p[1])
		out[i] = result.Comparison{Baseline: p[0].Name, Configuration: p[1].Name, Margin: o.Margin,
			Flips: []result.Flip{}, WayFlips: []result.WayFlip{}}
		if why := refusal(p[0], p[1], m, o.Across); why != "" {
			out[i].Refused = &why
			continue
		}
		s, own, right := m.sample(p[0], p[1]), singles{}, m.correction(p[0], p[1])
		t := s.at(bound{})
		describe(&out[i], t)
		if s.paired() {
			out[i].Flips, out[i].WayFlips = m.flips(), m.wayFlips()
			out[i].LeftOut, out[i].Effort = m.leftOut(p[0], p[1]), m.effort()
			out[i].Clusters, own = m.clusters(t), m.singles(o.Margin, right)
			out[i].Singles = own.shown
		}
		right.correct(&out[i], &s, o.Margin)
		corrections = append(corrections, right)
		members, single, matches, at = append(members, s), append(single, own), append(matches, m), append(at, i)
	}
	callSingles(single, o)
	figures := members.at(bound{}, o)
	scored := members.ifScored(figures.calls, o)
	power := newPowers()
	for i, row := range at {
		c := &out[row]
		c.Call, c.CallIfScored = figures.calls[i], scored[i]
		if t := figures.tallies[i]; !t.refused() {
			c.P, c.PHolm, c.PEqual, c.PEqualHolm = &figures.p[i], &figures.adjusted[i], &figures.equal[i],
				&figures.adjustedEqual[i]
			c.PNotWorse, c.PNotWorseHolm = &figures.notWorse[i], &figures.adjustedNotWorse[i]
		}
		if c.CallIfScored != nil {
			c.CallAsCounted, c.Call = &figures.calls[i], result.Undetermined
		}
		if corrections[i].against(*c) {
			c.Call = result.Undetermined
		}
		power.describe(c, matches[i], figures.tallies[i], single[i], corrections[i], len(at))
	}
	return out, nil
}

// describe sets the figures that do not depend on other comparisons of the family.
func describe(c *result.Comparison, t tally) {
	c.Pairing, c.Method, c.Queries = result.Unpaired, "fisher", t.n
	if t.paired {
		c.Pairing, c.Method = result.Paired, "mcnemar-midp"
		c.Losses, c.Gains = &t.losses, &t.gains
	}
	if t.clustered != nil {
		c.Method = "sign-flip"
	}
	if d, ok := t.difference(); ok {
		c.Difference, c.CorrectBefore, c.CorrectNow = &d, &t.xBase, &t.x
	}
	c.CI, c.CI90 = t.interval(result.Level), t.interval(equivalenceLevel)
}

// alpha is the maximum probability of a false "better" or "worse" in a family.
const alpha = 0.05

// equivalenceLevel is the confidence level of the interval. An interval of this level that is inside the margin
// is equivalent to two one-sided tests at alpha.
const equivalenceLevel = 1 - 2*alpha

type family []sample

// familyFigures holds the figures of a family's members, in order.
type familyFigures struct {
	tallies                    []tally
	p, adjusted                []float64
	equal, adjustedEqual       []float64
	notWorse, adjustedNotWorse []float64
	calls                      []result.Call
}

// at returns the figures if unscored queries are counted as c says.
func (f family) at(c bound, o Options) familyFigures {
	var out familyFigures
	for _, s := range f {
		t := s.at(c)
		notWorse, equal := t.within(o.Margin)
		out.tallies, out.p = append(out.tallies, t), append(out.p, t.p())
		out.equal, out.notWorse = append(out.equal, equal), append(out.notWorse, notWorse)
	}
	out.adjusted, _ = stats.Holm(out.p)
	out.adjustedEqual, _ = stats.Holm(out.equal)
	out.adjustedNotWorse, _ = stats.Holm(out.notWorse)
	for i, t := range out.tallies {
		d, _ := t.difference()
		out.calls = append(out.calls, o.call(out.adjusted[i], out.adjustedEqual[i], out.adjustedNotWorse[i], d))
	}
	return out
}

// call returns the call on a difference, from its adjusted p-values.
func (o Options) call(adjusted, equal, notWorse, difference float64) result.Call {
	switch {
	case adjusted <= alpha && difference > 0:
		return result.Better
	case adjusted <= alpha && difference < 0:
		return result.Worse
	case equal <= alpha:
		return result.Equivalent
	case o.NotWorse && notWorse <= alpha:
		return result.NotWorse
	}
	return result.Undetermined
}

// ifScored returns, for each member of the family, another call that is possible if all queries were scored. It
// is nil if the member's call is certain. The call of a member can also depend on the unscored queries of other
// members. The case that all unscored queries are right is tried first.
func (f family) ifScored(calls []result.Call, o Options) []*result.Call {
	out := make([]*result.Call, len(f))
	if !slices.ContainsFunc(f, sample.unscored) {
		return out
	}
	for _, c := range []bound{{true, true}, {false, true}, {true, false}} {
		for i, call := range f.at(c, o).calls {
			if out[i] == nil && call != calls[i] {
				out[i] = &call
			}
		}
	}
	return out
}

func (s sample) unscored() bool {
	is := func(q Query) bool { return q.Verdict == judge.Unscored }
	if !s.paired() {
		return slices.ContainsFunc(s.sides[0], is) || slices.ContainsFunc(s.sides[1], is)
	}
	return slices.ContainsFunc(s.pairs, func(p [2]*Query) bool { return is(*p[0]) || is(*p[1]) })
}

// FamilyOf says what one comparison needs to be called better or worse after the adjustment over all
// comparisons of a table. It returns nil if all comparisons were refused. Source: docs/method.md §5.5 and §5.6.
func FamilyOf(comparisons []result.Comparison) *result.Family {
	f := &result.Family{}
	pairs := 0
	for _, c := range comparisons {
		if c.Refused != nil {
			continue
		}
		f.Comparisons++
		if c.Pairing == result.Paired {
			pairs = max(pairs, c.Queries)
		}
	}
	if f.Comparisons == 0 {
		return nil
	}
	f.FirstLevel = alpha / float64(f.Comparisons)
	f.LeastLosses = leastLosses(pairs, f.FirstLevel)
	for _, c := range comparisons {
		if c.Refused != nil || c.Pairing != result.Paired {
			continue
		}
		_, votes := c.Effects()
		f.MDE, f.MDEAtMost = least(f.MDE, votes), f.MDEAtMost || c.MDEAtMost
		if c.Singles != nil {
			_, traces := c.Singles.Effects()
			f.SinglesMDE = least(f.SinglesMDE, traces)
		}
	}
	return f
}

// leastLosses returns the smallest number of losses, without any gain, for which the p-value is at most level.
// It returns nil if even a loss in all pairs is not enough.
func leastLosses(pairs int, level float64) *int {
	for losses := 1; losses <= pairs; losses++ {
		if p, ok := stats.McNemar(losses, 0, stats.MidP); ok && p <= level {
			return &losses
		}
	}
	return nil
}

// least returns the smaller of two figures, each of which may be nil.
func least(a, b *float64) *float64 {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}
