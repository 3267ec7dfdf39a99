package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/result"
)

// adjustment says what Holm's adjustment asks of the first comparison. One alone has
// nothing to adjust.
func adjustment(f *result.Family, made []row) []line {
	if len(made) < 2 {
		return nil
	}
	if f == nil {
		return []line{plain(fmt.Sprintf("p is adjusted (Holm) over %d comparisons, and calls rest on it", len(made)))}
	}
	text := fmt.Sprintf("p is adjusted (Holm) over %d comparisons: the smallest must be at most %s", f.Comparisons, threshold(f.FirstLevel))
	if f.LeastLosses != nil {
		text += fmt.Sprintf(", which takes %s without a gain", counted(*f.LeastLosses, "loss", "losses"))
	}
	rest := "calls rest on the adjusted p"
	if f.MDE != nil {
		rest += fmt.Sprintf("; at that level a drop below %s points would be missed in more than one of five runs", mde(f.MDE))
	}
	return []line{plain(text), plain(rest)}
}

// threshold is one of p, never rounded to one that would let more pass.
func threshold(p float64) string {
	if milli := math.Round(p * 1000); math.Abs(p*1000-milli) < 1e-9 {
		return strconv.FormatFloat(milli/1000, 'f', 3, 64)
	}
	return strconv.FormatFloat(p, 'g', 3, 64)
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// power says which effects could not have been found: once where it is the same for all
// rows, else for each group of them.
func power(rows []row) []line {
	made := compared(rows)
	var order []string
	names := map[string][]line{}
	for _, r := range made {
		s := limit(r, rows)
		if s == "" {
			continue
		}
		if names[s] == nil {
			order = append(order, s)
		}
		names[s] = append(names[s], quoted(r.Name))
	}
	var out []line
	for _, s := range order {
		l := plain(s)
		if len(order) > 1 {
			l = say(list(names[s]), plain(": "), l)
		}
		out = append(out, l)
	}
	if len(out) > 0 && len(made) > 1 {
		out = append(out, plain("the MDE in call is that of one comparison alone (p at most 0.05), not adjusted for the others"))
	}
	return out
}

// limit is what a comparison could have found; "" where there is nothing to say.
func limit(r row, rows []row) string {
	c := r.against
	over := fmt.Sprintf("with %d queries", c.Queries)
	base := slices.IndexFunc(rows, func(b row) bool { return b.Name == c.Baseline })
	if base >= 0 && c.Pairing == result.Unpaired && rows[base].Counts.Queries != c.Queries {
		over = fmt.Sprintf("with %d queries against %d of the baseline", c.Queries, rows[base].Counts.Queries)
	}
	nothing := base >= 0 && rows[base].Counts.Correct == 0 || c.CorrectBefore != nil && *c.CorrectBefore == 0
	switch {
	case c.MDE != nil:
		return fmt.Sprintf("%s, a drop below %s points would be found in fewer than four of five runs; not finding one is no proof of absence", over, mde(c.MDE))
	case !nothing:
		return over + ", not even a drop to 0 % would be found in four of five runs (MDE –); not finding one is no proof of absence"
	case c.Call == result.Undetermined:
		return "the baseline has nothing right, so there is no drop that could be found (MDE –)"
	default:
		return ""
	}
}
