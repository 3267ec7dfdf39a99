package reports

import (
	"cmp"
	"fmt"

	"github.com/seed-5817661a/concur/ablations/result"
)

// exceptions are what the rows need sentences of their own for.
func exceptions(r *result.Result, rows []row) []line {
	var out []line
	if len(r.Runs) == 0 {
		out = differing(rows)
	}
	for _, r := range rows {
		about := say(quoted(r.Name), plain(": "))
		if c := r.against; c != nil {
			out = append(out, exception(about, c)...)
		}
		for _, f := range faults(r.Configuration) {
			out = append(out, say(about, f))
		}
	}
	return out
}

// differing says in what each row was made otherwise than its baseline.
func differing(rows []row) []line {
	var out []line
	for _, r := range rows {
		if c := r.against; c != nil && len(c.Differs) > 0 {
			out = append(out, say(quoted(r.Name), plain(": differs from "), quoted(c.Baseline), plain(" in "), differences(c.Differs)))
		}
	}
	return out
}

func exception(about line, c *result.Comparison) []line {
	var out []line
	if c.Refused != nil {
		return append(out, say(about, plain("not compared with "), quoted(c.Baseline), plain(": "), blend(*c.Refused)))
	}
	if c.Pairing == result.Unpaired {
		out = append(out, say(about, plain("compared unpaired, since its queries are not the baseline's")))
	}
	if c.LeftOut != nil {
		l := say(about, blend(*c.LeftOut))
		if c.Pairing == result.Paired && c.CorrectBefore != nil && c.CorrectNow != nil {
			l = say(l, plain(fmt.Sprintf("; over these, %d/%d → %d/%d", *c.CorrectBefore, c.Queries, *c.CorrectNow, c.Queries)))
		}
		out = append(out, l)
	}
	if c.CallIfScored != nil {
		counted := ""
		if c.CallAsCounted != nil {
			counted = fmt.Sprintf("%s as counted; ", cmp.Or(*c.CallAsCounted, result.Undetermined))
		}
		out = append(out, say(about, plain(fmt.Sprintf("%s%s if the unscored queries were right, so the call is left open", counted, *c.CallIfScored))))
	}
	return out
}

// maxDifferences is the number of settings that a footnote lists.
const maxDifferences = 16

func differences(settings []string) line {
	var out line
	for i, s := range settings {
		if i == maxDifferences {
			return say(out, plain(fmt.Sprintf("; and %d more", len(settings)-i)))
		}
		if i > 0 {
			out = say(out, plain("; "))
		}
		out = say(out, quoted(s))
	}
	return out
}
