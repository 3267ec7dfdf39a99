package reports

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// byJudge reports whether a judge decides at least one query of a row.
func byJudge(r tableRow) bool { return r.DecidedByJudge() }

// tracesOf returns the header of the column with the mean of single traces. It is the argument corrected, if
// this mean is corrected in at least one row. Otherwise it is passed, if a judge decides a query of at least
// one row, and else right.
func tracesOf(rows []tableRow, right, passed, corrected string) string {
	switch {
	case slices.ContainsFunc(rows, func(r tableRow) bool { return r.Singles != nil && r.Singles.Corrected != nil }):
		return corrected
	case slices.ContainsFunc(rows, byJudge):
		return passed
	}
	return right
}

// noPerson states that the number of right answers among those that a judge passed is unknown.
const noPerson = "no person has checked how many of these are right"

// whyUnknown explains why the number of right answers among those that the row's judge passed is unknown. The row
// has no correction.
func whyUnknown(r tableRow) string {
	switch {
	case r.Labels != nil && r.Labels.Given > 0:
		return fmt.Sprintf("people labelled %d of these answers, which is too few to say how many are right: %d "+
			"labels on answers that `concur label` draws are enough",
			r.Labels.Given, result.MinLabels)
	case r.Judge.Calibration != nil && !r.Judge.Knows():
		return "by its calibration it is no better than chance, so it is not known how many of these are right"
	case r.Judge.Calibration != nil:
		return "its calibration does not apply, so it is not known how many of these are right"
	}
	return noPerson
}

// passedAlone sums up a single row in which a judge decides queries.
func passedAlone(r tableRow) document.RichText {
	c, j := r.Counts, r.Judge
	if j.Decides < c.Queries && r.Corrected == nil {
		return document.Concat(
			document.Quoted(r.Name),
			document.Plain(fmt.Sprintf(" is right on %s that the gold decides. Of %s the judge passed %d; %s.",
				text.CountedOf(c.Correct-j.Passed, c.Queries-j.Decides, "query"), text.Counted(j.Decides, "other"),
				j.Passed, whyUnknown(r))),
		)
	}
	whole := document.Concat(
		document.Plain(fmt.Sprintf("The judge passed %s of ", text.CountedOf(j.Passed, j.Decides, "answer"))),
		document.Quoted(r.Name),
	)
	k := r.Corrected
	if k == nil {
		return document.Concat(whole, document.Plain("; "+whyUnknown(r)+"."))
	}
	by := fmt.Sprintf("by its calibration on %d labelled answers", k.Labels)
	if k.Method != result.ByCalibration {
		by = fmt.Sprintf("by people's labels on %d of them", k.Labels)
	}
	low, high := text.Ends(k.CI.Low, k.CI.High, figures.Digits(c.Queries))
	return document.Concat(
		whole,
		document.Plain(fmt.Sprintf(". Of many queries like these it would have %s to %s %% right, %s (95 %%).",
			low, high, by)),
	)
}

// rateOf states the rate in which some rows differ, if a judge decides; "" if the gold decides.
func rateOf(made []tableRow) string {
	judged := slices.DeleteFunc(slices.Clone(made), func(r tableRow) bool { return !byJudge(r) })
	if len(judged) == 0 {
		return ""
	}
	has := func(of func(result.Comparison) bool) bool {
		return slices.ContainsFunc(judged, func(r tableRow) bool { return of(*r.against) })
	}
	switch {
	case has(func(c result.Comparison) bool { return c.Unsized }):
		return " The judge decides. Labels and calibration do not show how large the difference in right answers is."
	case has(func(c result.Comparison) bool {
		return c.Corrected != nil && c.Corrected.Method == result.ByCalibration
	}):
		return " Points are of right answers, if the judge makes the same errors in all rows."
	case has(func(c result.Comparison) bool { return c.Corrected != nil }):
		return " Points are of right answers, by people's labels on both rows."
	}
	return " Points are of answers that the judge passed; " + noPerson + "."
}

// judgeDiffers states that, according to labels, the judge errs more often in one of two rows.
func judgeDiffers(e *result.JudgeErrors) string {
	p := func(x float64) string { return figures.FormatRate(x, 0) }
	return fmt.Sprintf("the judge makes other errors here than in the baseline, so the call may be wrong: by labels it "+
		"passed %s there and %s %% here of right answers, %s there and %s %% here of wrong ones",
		p(e.RightPassed[0]), p(e.RightPassed[1]), p(e.WrongPassed[0]), p(e.WrongPassed[1]))
}
