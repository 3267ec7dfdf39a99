package reports

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/result"
)

// flipped is a query that went one way or the other in a comparison.
type flipped struct {
	result.Flip
	configuration string
}

// flips is the table of the queries behind the losses and gains, which is where to look
// for what a change does.
func flips(r *result.Result) []part {
	if len(r.Comparisons) == 0 {
		return nil
	}
	var rows []flipped
	var lines []line
	for _, c := range r.Comparisons {
		for _, f := range c.Flips {
			rows = append(rows, flipped{f, c.Configuration})
		}
		if c.Losses != nil && c.Gains != nil {
			lines = append(lines, say(quoted(c.Configuration), plain(fmt.Sprintf(": %d lost, %d gained against ", *c.Losses, *c.Gains)), quoted(c.Baseline)))
		}
	}
	return captioned(tabulate(plain("Queries whose verdict is not the baseline's"), ofEach(r, func(f flipped) string { return f.configuration },
		word("query", func(f flipped) line { return quoted(f.Query) }),
		word("category", func(f flipped) line { return quoted(f.Category) }),
		word("flip", func(f flipped) line { return plain(turn(f.Flip)) }),
		figure[flipped]{header: plain("baseline's answer"), most: maxAnswer, cell: func(f flipped) line { return quoted(f.Baseline) }},
		figure[flipped]{header: plain("its answer"), most: maxAnswer, cell: func(f flipped) line { return quoted(f.Flip.Configuration) }},
		figure[flipped]{header: plain("reason"), most: maxReason, cell: func(f flipped) line { return quoted(f.Reason) }},
	), rows), lines)
}

// turn says which way a query went. One side of a flip is right; what has no verdict on the
// other is not known to be wrong.
func turn(f result.Flip) string {
	text := "lost"
	if f.Gain {
		text = "gained"
	}
	if f.Unscored {
		text += " (unscored)"
	}
	return text
}
