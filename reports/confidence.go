package reports

import (
	"strconv"

	"github.com/seed-5817661a/concur/ablations/result"
)

// level is a level of agreement in one configuration.
type level struct {
	result.ConfidenceLevel
	configuration string
}

// confidence is the table of how often an agreement is right, and what answering only from
// that agreement on would risk.
func confidence(r *result.Result) []part {
	var rows []level
	var lines []line
	for _, c := range r.Configurations {
		about := say(quoted(c.Name), plain(": "))
		f := c.Confidence
		if f == nil {
			lines = append(lines, say(about, plain(noConfidence(c))))
			continue
		}
		for _, l := range f.Levels {
			rows = append(rows, level{l, c.Name})
		}
		left := ""
		if f.Unscored > 0 {
			left = "; " + strconv.Itoa(f.Unscored) + " unscored left out"
		}
		lines = append(lines, say(about, plain("ECE "+decimal(&f.ECE, 3)+", Brier "+decimal(&f.Brier, 3)+", AUROC "+decimal(f.AUROC, 3)+
			", AURC "+decimal(&f.AURC, 3)+" ("+decimal(&f.ExcessAURC, 3)+" above the best order), AUGRC "+decimal(&f.AUGRC, 3)+left)))
	}
	t := tabulate(plain("Agreement as confidence: risk is the share of wrong answers from that agreement on"), ofEach(r, func(l level) string { return l.configuration },
		count("agreement", func(l level) string { return decimal(&l.Agreement, 2) }),
		count("correct", func(l level) string { return strconv.Itoa(l.Correct) + "/" + strconv.Itoa(l.Queries) }),
		count("accuracy [95 %]", func(l level) string { return within(l.Accuracy.Value, &l.Accuracy.CI, l.Queries) }),
		count("coverage", func(l level) string { return percent(&l.Coverage) }),
		count("risk", func(l level) string { return percent(&l.Risk) }),
	), rows)
	return captioned(t, lines)
}

func noConfidence(c result.Configuration) string {
	switch {
	case c.K == 1:
		return "one trace has nothing to agree with"
	case c.Counts.Missing == 0 && c.Counts.Unscored == c.Counts.Queries:
		return "no query is scored"
	}
	return "nothing can be said of agreement without every query"
}
