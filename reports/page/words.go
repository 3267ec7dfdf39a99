package page

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
)

// inWords says what a result comes to: what was shown, what was not shown either
// way, and which drop could have been seen.
func (p Page) inWords(rows []row) string {
	byCall := map[result.Call][]string{}
	var refused []string
	baseline := ""
	for _, r := range rows {
		switch a := r.against; {
		case a == nil:
		case a.Refused != nil:
			refused = append(refused, r.Name)
		default:
			baseline = a.Baseline
			byCall[a.Call] = append(byCall[a.Call], r.Name)
		}
	}
	var out []string
	for _, c := range []struct {
		call result.Call
		is   string
	}{{result.Worse, "worse than"}, {result.Better, "better than"}, {result.Equivalent, "as good as"}} {
		if names := byCall[c.call]; names != nil {
			out = append(out, fmt.Sprintf("Shown: %s %s %s.", list(names), verb(names)+" "+c.is, baseline))
		}
	}
	if names := byCall[result.Undetermined]; names != nil {
		out = append(out, fmt.Sprintf("Not shown either way: %s; that is no proof that they make no difference.", list(names)))
		if size := p.smallestDrop(rows); size != nil {
			out = append(out, fmt.Sprintf("A drop of %.0f points would be shown in four of five such tables, a smaller one less often.", *size*100))
		}
	}
	if refused != nil {
		out = append(out, "Not compared: "+strings.Join(refused, ", ")+".")
	}
	if len(out) == 0 && len(rows) == 1 {
		return alone(rows[0])
	}
	return strings.Join(out, " ")
}

// smallestDrop is the smallest drop that the comparisons can be relied on to show; nil where there
// is none, and where they differ in it.
func (p Page) smallestDrop(rows []row) *float64 {
	if f := p.Result.Family; f != nil && f.Comparisons > 1 {
		return f.MDE
	}
	var size *float64
	for _, r := range rows {
		if r.against == nil {
			continue
		}
		if size != nil {
			return nil
		}
		size = r.against.MDE
	}
	return size
}

func list(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func verb(names []string) string {
	if len(names) == 1 {
		return "is"
	}
	return "are"
}

// alone sums up a configuration that is compared with nothing.
func alone(r row) string {
	c := r.Counts
	switch {
	case c.Unscored > 0:
		return fmt.Sprintf("%s is right on %d to %d of %d queries: of the others nobody knows.", r.Name, c.Correct, c.Correct+c.Unscored, c.Queries)
	case r.CI == nil:
		return ""
	}
	return fmt.Sprintf("%s is right on %d of %d queries. Of many queries like these it would have %.0f to %.0f %% right; %d cannot tell it more closely (95 %%).",
		r.Name, c.Correct, c.Queries, r.CI.Low*100, r.CI.High*100, c.Queries)
}
