package reports

import (
	"fmt"
	"strconv"

	"github.com/seed-5817661a/concur/ablations/result"
)

// flipRow is a query whose verdict differs between a configuration and its baseline.
type flipRow struct {
	result.Flip
	configuration string
}

// flips is the table of the queries behind the losses and gains, which is where to look
// for what a change does.
func flips(r *result.Result) []part {
	if len(r.Comparisons) == 0 {
		return nil
	}
	var rows []flipRow
	var lines []line
	for _, c := range r.Comparisons {
		for _, f := range c.Flips {
			rows = append(rows, flipRow{f, c.Configuration})
		}
		if c.Losses != nil && c.Gains != nil {
			lines = append(lines, say(quoted(c.Configuration), plain(fmt.Sprintf(": %d lost, %d gained against ", *c.Losses, *c.Gains)), quoted(c.Baseline)))
		}
	}
	text := func(header string, most, leaves int, of func(flipRow) string) figure[flipRow] {
		return figure[flipRow]{header: plain(header), most: most, leaves: leaves, cell: func(f flipRow) line { return quoted(of(f)) }}
	}
	out := captioned(tabulate(plain("Queries whose verdict is not the baseline's"), ofEach(r, func(f flipRow) string { return f.configuration },
		text("query", 0, 0, func(f flipRow) string { return f.Query }),
		text("category", 0, 2, func(f flipRow) string { return f.Category }),
		word("flip", func(f flipRow) line { return turn(f.Flip) }),
		text("baseline's answer", maxAnswer, 0, func(f flipRow) string { return f.Baseline }),
		text("its answer", maxAnswer, 0, func(f flipRow) string { return f.Flip.Configuration }),
		text("reason", maxReason, 3, func(f flipRow) string { return f.Reason }),
	), rows), lines)
	return append(out, wayFlips(r)...)
}

// turn says which way a query went. One side of a flip is right; what has no verdict on the
// other is not known to be wrong.
func turn(f result.Flip) line {
	l := gained(f.Gain)
	if f.Unscored {
		l = say(l, plain(" (unscored)"))
	}
	return l
}

func gained(is bool) line {
	if is {
		return plain("gained").in(good)
	}
	return plain("lost").in(bad)
}

// wayFlips is the table of the traces that come to the same answer by other tool calls.
func wayFlips(r *result.Result) []part {
	type row struct {
		result.WayFlip
		configuration string
	}
	var rows []row
	for _, c := range r.Comparisons {
		for _, f := range c.WayFlips {
			rows = append(rows, row{f, c.Configuration})
		}
	}
	return captioned(tabulate(plain("Traces with the baseline's answer, of which only one side made the expected tool calls"), ofEach(r, func(f row) string { return f.configuration },
		word("query", func(f row) line { return quoted(f.Query) }),
		count("trace", func(f row) string { return strconv.Itoa(f.Trace) }),
		word("right calls", func(f row) line { return gained(f.Gain) }),
		figure[row]{header: plain("answer"), most: maxAnswer, cell: func(f row) line { return quoted(f.Answer) }},
		figure[row]{header: plain("reason"), most: maxReason, leaves: 3, cell: func(f row) line { return quoted(f.Reason) }},
	), rows), nil)
}
