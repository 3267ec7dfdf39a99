package reports

import (
	"fmt"
	"slices"

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
	return append(out, readOrFollowed(configurations)...)
}

// qualityHeader names the column of the quality scores, and says where all of them are of
// form only.
func qualityHeader(configurations []result.Configuration, notes remarks) string {
	form := func(c result.Configuration) bool { return notes.formOnly(c.Judge.QualityModel) }
	other := func(c result.Configuration) bool { return c.Judge.QualityModel != "" && !form(c) }
	if slices.ContainsFunc(configurations, form) && !slices.ContainsFunc(configurations, other) {
		return "quality\nform\nonly"
	}
	return "quality\n1 to 5"
}

// qualityMean is the mean score, marked where it is of form only and other rows' is not.
func qualityMean(c result.Configuration, header string, notes remarks) string {
	mean := decimal(c.Judge.QualityMean, 1)
	if c.Judge.QualityMean != nil && header == "quality\n1 to 5" && notes.formOnly(c.Judge.QualityModel) {
		mean += " form"
	}
	return mean
}

// readOrFollowed tells of how many verdicts the correctness judge asked its model, and how
// many followed without it; empty where there are none.
func readOrFollowed(configurations []result.Configuration) []line {
	read, followed := 0, 0
	for _, c := range configurations {
		read += c.Judge.CorrectnessRead
		followed += c.Judge.CorrectnessFollowed
	}
	if read+followed == 0 {
		return nil
	}
	return []line{plain(fmt.Sprintf("the correctness judge read %d of %d judged verdicts; %d followed from equality or the outcome", read, read+followed, followed))}
}

// judged is empty where no model judges.
func judged(c result.Configuration, notes remarks) line {
	var out line
	var named []line
	if m := c.Judge.CorrectnessModel; m != "" {
		named = append(named, say(notes.named(m), plain(" for correctness")))
	}
	if m := c.Judge.QualityModel; m != "" {
		what := " for quality"
		if notes.formOnly(m) {
			what += " (form only)"
		}
		named = append(named, say(notes.named(m), plain(what)))
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
