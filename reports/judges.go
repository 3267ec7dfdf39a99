package reports

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/result"
)

// judges names the judges that were configured, and says by whom correct means correct
// where that is not the gold: once where it is the same for all rows.
func judges(configurations []result.Configuration, notes remarks) []line {
	var order []string
	sentences, names := map[string]line{}, map[string][]line{}
	all := 0
	for _, c := range configurations {
		l := judged(c, notes)
		if len(l) == 0 {
			continue
		}
		all++
		key := fmt.Sprintf("%q", l) // spans and all: text of others may look like ours
		if sentences[key] == nil {
			order, sentences[key] = append(order, key), l
		}
		names[key] = append(names[key], quoted(c.Name))
	}
	var out []line
	for _, key := range order {
		l := sentences[key]
		if len(order) > 1 || all < len(configurations) {
			l = say(list(names[key]), plain(": "), l)
		}
		out = append(out, l)
	}
	return out
}

// judged is empty where no model judges.
func judged(c result.Configuration, notes remarks) line {
	var out line
	var named []line
	if m := c.Judge.CorrectnessModel; m != "" {
		named = append(named, say(notes.named(m), plain(" for correctness")))
	}
	if m := c.Judge.QualityModel; m != "" {
		named = append(named, say(notes.named(m), plain(" for quality")))
	}
	if len(named) > 0 {
		out = say(plain("judged, not calibrated, by "), list(named))
		if t := c.Judge.Threshold; t != nil {
			out = say(out, plain(fmt.Sprintf(", passing from a score of %d", *t)))
		}
	}
	if !decidedByJudge(c.Pass) {
		return out
	}
	if len(named) > 0 {
		return say(out, plain("; correct means passed by "), passedBy(c.Pass))
	}
	return say(plain("correct means passed by "), passedBy(c.Pass), plain("; judge not calibrated"))
}

func decidedByJudge(pass string) bool { return pass != "" && pass != "gold" }

// passedBy says whose word counts in a pass mode. An answer that the gold matches passes
// the correctness judge without a call.
func passedBy(pass string) line {
	const free = " (which an answer equal to the gold passes without a call)"
	switch pass {
	case "correctness":
		return plain("the correctness judge" + free)
	case "both":
		return plain("the correctness judge" + free + " and the quality judge")
	}
	return say(plain("the "), blend(pass), plain(" judge, not by the gold"))
}
