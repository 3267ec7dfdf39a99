package reports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/ablations/suspects"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/agreement"
)

// Calibration writes how reliable a judge is, or a panel and its members.
func Calibration(w io.Writer, c *judge.Calibration, s Screen) error {
	parts := agreedTables(append([]judge.Agreed{c.Whole}, c.Members...))
	lines := []line{plain(fmt.Sprintf("%d labelled answers, of which %d are right; %s, threshold %d", c.Answers,
		c.Right, c.Version.Prompt, c.Version.Threshold))}
	lines = append(lines, worth(c.Votes, c.Best, c.Members)...)
	if doubts := c.Whole.Doubts(); len(doubts) > 0 {
		lines = append(lines, say(plain("judge not validated").in(bad), plain(": "+strings.Join(doubts, "; "))))
	} else {
		lines = append(lines, plain("validated: its pass rates can be believed, and corrected by these figures").in(good))
	}
	return s.write(w, document{details: parts, headline: []part{{lines: lines}}})
}

// JudgeScore writes how reliable judges are, by their recorded verdicts.
func JudgeScore(w io.Writer, r *agreement.Recording, s Screen) error {
	parts := agreedTables(r.Judges)
	parts = append(parts, captioned(tabulate(plain("The same options in two orders"), []Column[agreement.Orders]{
		{Header: "judge", Text: func(o agreement.Orders) line { return quoted(o.Judge) }, When: ifFilled},
		{Header: "same verdict", Show: func(o agreement.Orders) string { return shareOf(o.Agree) }},
		{Header: "first wins,\nwhere not", Show: func(o agreement.Orders) string { return percent(o.First) }},
		{Header: "p", Show: func(o agreement.Orders) string { return pValue(o.P) }},
	}, r.Orders))...)
	lines := []line{plain(fmt.Sprintf("%d labelled answers, of which %d are right", r.Answers, r.Right))}
	if r.Alpha != nil {
		lines = append(lines, plain("agreement among the judges: Krippendorff's alpha "+decimal(r.Alpha, 3)))
	}
	lines = append(lines, worth(r.Votes, r.Best, r.Judges)...)
	return s.write(w, document{details: parts, headline: []part{{lines: lines}}})
}

// worth states how many independent votes several judges are worth, and the accuracy of the best one.
func worth(votes *float64, best string, judges []judge.Agreed) (out []line) {
	for _, j := range judges {
		if votes != nil && j.Judge == best {
			text := fmt.Sprintf("%d judges are worth %.1f independent votes, by the correlation of their errors; "+
				"the best alone is ", len(judges), *votes)
			out = append(out, say(plain(text), quoted(best), plain(", accuracy "+shareOf(j.Accuracy))))
		}
	}
	return out
}

// agreedTables returns the tables of agreement with labels, of thresholds, and of repeats.
func agreedTables(judges []judge.Agreed) []part {
	name := Column[judge.Agreed]{
		Header: "judge", When: ifFilled,
		Text: func(a judge.Agreed) line { return quoted(a.Judge) },
	}
	parts := captioned(tabulate(plain("Verdicts beside people's labels"), []Column[judge.Agreed]{
		name,
		{Header: "right\npassed", Show: func(a judge.Agreed) string { return outOf(a.RightPassed, a.RightFailed) }},
		{Header: "wrong\npassed", Show: func(a judge.Agreed) string { return outOf(a.WrongPassed, a.WrongFailed) }},
		{Header: "unread", Show: func(a judge.Agreed) string { return strconv.Itoa(a.Unread) }, Leaves: 3},
		{Header: "sensitivity", Show: func(a judge.Agreed) string { return shareOf(a.Sensitivity) }},
		{Header: "specificity", Show: func(a judge.Agreed) string { return shareOf(a.Specificity) }},
		{Header: "kappa", Show: func(a judge.Agreed) string { return decimal(a.Kappa, 2) }},
		{Header: "AC1", Show: func(a judge.Agreed) string { return decimal(a.AC1, 2) }, Leaves: 1},
		{Header: "scores'\nkappa", Leaves: 2, Show: func(a judge.Agreed) string { return decimal(a.Quadratic, 2) }},
		{Header: "flips", Show: func(a judge.Agreed) string { return percent(a.Flips) }, Leaves: 4},
	}, judges))
	scored := slices.DeleteFunc(slices.Clone(judges), func(a judge.Agreed) bool { return len(a.Cuts) == 0 })
	cuts := []Column[judge.Agreed]{name}
	for i := range 4 {
		cuts = append(cuts, Column[judge.Agreed]{
			Header: fmt.Sprintf("from %d", i+2),
			Show: func(a judge.Agreed) string {
				mark := ""
				if a.Best == a.Cuts[i].Threshold {
					mark = " *"
				}
				return fmt.Sprintf("%.2f %.2f%s", a.Cuts[i].Sensitivity, a.Cuts[i].Specificity, mark)
			},
		})
	}
	return append(parts, captioned(tabulate(plain("Sensitivity and specificity by threshold (*: the greatest sum at "+
		"a specificity of .90 or more)"), cuts, scored))...)
}

// outOf formats a number of answers and the total; weighted numbers have one decimal.
func outOf(passed, failed float64) string {
	tenths := func(v float64) float64 { return math.Round(10*v) / 10 }
	return fmt.Sprintf("%g/%g", tenths(passed), tenths(passed+failed))
}

// shareOf formats a rate with its interval.
func shareOf(s *judge.Share) string {
	return defined(s, func(s judge.Share) string { return fmt.Sprintf("%.2f [%.2f, %.2f]", s.Value, s.Low, s.High) })
}

// Suspects writes the golds that are probably wrong.
func Suspects(w io.Writer, r *suspects.Report, screen Screen) error {
	var d document
	for _, s := range r.Suspects {
		var given []AnswerCount
		for _, a := range s.Answers {
			given = append(given, AnswerCount{a.Answer, a.Count, a.Right})
		}
		lines := []line{
			say(quoted(s.Query), plain(": "), quoted(s.Question)),
			say(plain("  expected "), quoted(s.Expected), plain("; answers "), answers(given)),
		}
		for _, reason := range s.Reasons {
			lines = append(lines, plain("  "+reason).in(doubtful))
		}
		d.details = append(d.details, part{lines: append(lines,
			say(plain("  concur trace "), quoted(s.Run), plain(" "), quoted(s.Query)))})
	}
	from := fmt.Sprintf("by %s in %s of %s", text.Counted(r.Traces, "trace"), text.Counted(len(r.Runs), "run"),
		text.Counted(len(r.Models), "model"))
	d.closing = plain("No gold looks wrong " + from)
	if n := len(r.Suspects); n > 0 {
		d.closing = plain(fmt.Sprintf("These golds are probably wrong: %d, %s", n, from))
	}
	if r.Other > 0 {
		d.closing = say(d.closing, plain(" ("+text.Counted(r.Other, "record")+" with another text or gold left out)"))
	}
	d.closing = say(d.closing, plain("."))
	return screen.write(w, d)
}

// byJudge reports whether a judge decides some query of a row.
func byJudge(r row) bool { return r.DecidedByJudge() }

// tracesOf returns the header for the mean of single traces: of right traces, of traces that a judge passed,
// or of a corrected rate.
func tracesOf(rows []row, right, passed, corrected string) string {
	switch {
	case slices.ContainsFunc(rows, func(r row) bool { return r.Singles != nil && r.Singles.Corrected != nil }):
		return corrected
	case slices.ContainsFunc(rows, byJudge):
		return passed
	}
	return right
}

// noPerson states that the number of right answers among those that a judge passed is unknown.
const noPerson = "no person has checked how many of these are right"

// known explains why the number of right answers among those that the row's judge passed is unknown. The row
// has no correction.
func known(r row) string {
	switch {
	case r.Labels != nil && r.Labels.Given > 0:
		return fmt.Sprintf("people labelled %d of these answers, which is too little to say how many are right: %d "+
			"labels on answers that `concur label` draws are enough",
			r.Labels.Given, result.MinLabels)
	case r.Judge.Calibration != nil && !r.Judge.Knows():
		return "its calibration finds it no better than chance, so nothing is known of right answers"
	case r.Judge.Calibration != nil:
		return "its calibration does not apply, so it is not known how many of these are right"
	}
	return noPerson
}

// passedAlone sums up a row that is not compared with another and in which a judge decides queries.
func passedAlone(r row) line {
	c, j := r.Counts, r.Judge
	if j.Decides < c.Queries && r.Corrected == nil {
		return say(quoted(r.Name), plain(fmt.Sprintf(" is right on %s that the gold decides. Of %s the judge passed %d; %s.",
			text.CountedOf(c.Correct-j.Passed, c.Queries-j.Decides, "query"), text.Counted(j.Decides, "other"),
			j.Passed, known(r))))
	}
	whole := say(plain(fmt.Sprintf("The judge passed %s of ", text.CountedOf(j.Passed, j.Decides, "answer"))),
		quoted(r.Name))
	k := r.Corrected
	if k == nil {
		return say(whole, plain("; "+known(r)+"."))
	}
	by := fmt.Sprintf("by its calibration on %d labelled answers", k.Labels)
	if k.Method != result.ByCalibration {
		by = fmt.Sprintf("by people's labels on %d of them", k.Labels)
	}
	d := digits(c.Queries)
	return say(whole, plain(fmt.Sprintf(". Of many queries like these it would have %.*f to %.*f %% right, %s (95 %%).",
		d, k.CI.Low*100, d, k.CI.High*100, by)))
}

// rateOf states which rate the differences of some rows are about, if a judge decides; "" if the gold does.
func rateOf(made []row) string {
	judged := slices.DeleteFunc(slices.Clone(made), func(r row) bool { return !byJudge(r) })
	if len(judged) == 0 {
		return ""
	}
	has := func(of func(result.Comparison) bool) bool {
		return slices.ContainsFunc(judged, func(r row) bool { return of(*r.against) })
	}
	switch {
	case has(func(c result.Comparison) bool { return c.Unsized }):
		return " The judge decides: how large a difference in right answers is, labels and calibration cannot tell."
	case has(func(c result.Comparison) bool {
		return c.Corrected != nil && c.Corrected.Method == result.ByCalibration
	}):
		return " Points are of right answers, on the assumption that the judge errs alike in the rows."
	case has(func(c result.Comparison) bool { return c.Corrected != nil }):
		return " Points are of right answers, by people's labels on both rows."
	}
	return " Points are of answers that the judge passed; " + noPerson + "."
}

// judgeDiffers states that, by labels, the judge errs differently in two rows.
func judgeDiffers(e *result.JudgeErrors) string {
	p := func(x float64) string { return rate(x, 0) }
	return fmt.Sprintf("the judge errs otherwise here than in the baseline, so its call may be wrong: by labels it "+
		"passed %s and here %s %% of right answers, %s and here %s %% of wrong ones",
		p(e.RightPassed[0]), p(e.RightPassed[1]), p(e.WrongPassed[0]), p(e.WrongPassed[1]))
}
