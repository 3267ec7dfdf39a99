package judging

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/suspects"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/agreement"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// WriteCalibration writes how reliable a judge is, or a panel and its members.
func WriteCalibration(w io.Writer, c *judge.Calibration, s document.Screen) error {
	parts := agreedTables(append([]judge.Agreed{c.Whole}, c.Members...))
	lines := []document.RichText{
		document.Plain(fmt.Sprintf("%d labelled answers, of which %d are right; %s, threshold %d", c.Answers,
			c.Right, c.Version.Prompt, c.Version.Threshold)),
	}
	lines = append(lines, describeVotes(c.Votes, c.Best, c.Members)...)
	if doubts := c.Whole.Doubts(); len(doubts) > 0 {
		lines = append(
			lines,
			document.Concat(
				document.Plain("judge not validated").Toned(document.Bad),
				document.Plain(": "+strings.Join(doubts, "; ")),
			),
		)
	} else {
		validated := document.Plain("validated: its pass rates are reliable, and can be corrected by these figures")
		lines = append(lines, validated.Toned(document.Good))
	}
	return s.Write(w, document.Document{Details: parts, Headline: []document.Section{{Lines: lines}}})
}

// WriteJudgeScore writes how reliable judges are, according to recorded verdicts.
func WriteJudgeScore(w io.Writer, r *agreement.Recording, s document.Screen) error {
	parts := agreedTables(r.Judges)
	parts = append(
		parts,
		document.Captioned(
			document.Tabulate(document.Plain("The same options in two orders"), []document.Column[agreement.Orders]{
				{
					Header: "judge",
					Text:   func(o agreement.Orders) document.RichText { return document.Quoted(o.Judge) },
					When:   document.IfFilled,
				},
				{Header: "same verdict", Show: func(o agreement.Orders) string { return FormatShare(o.Agree) }},
				{Header: "first wins\nif they differ", Show: func(o agreement.Orders) string { return figures.Percent(o.First) }},
				{Header: "p", Show: func(o agreement.Orders) string { return figures.PValue(o.P) }},
			}, r.Orders),
		)...)
	lines := []document.RichText{
		document.Plain(fmt.Sprintf("%d labelled answers, of which %d are right", r.Answers, r.Right)),
	}
	if r.Alpha != nil {
		lines = append(lines, document.Plain("agreement among the judges: Krippendorff's alpha "+figures.Decimal(r.Alpha, 3)))
	}
	lines = append(lines, describeVotes(r.Votes, r.Best, r.Judges)...)
	return s.Write(w, document.Document{Details: parts, Headline: []document.Section{{Lines: lines}}})
}

// describeVotes states the number of independent votes that several judges are worth, and the accuracy of the
// best judge.
func describeVotes(votes *float64, best string, judges []judge.Agreed) (out []document.RichText) {
	for _, j := range judges {
		if votes != nil && j.Judge == best {
			text := fmt.Sprintf("%d judges are worth %.1f independent votes, by the correlation of their errors; "+
				"the best alone is ", len(judges), *votes)
			out = append(
				out,
				document.Concat(document.Plain(text), document.Quoted(best), document.Plain(", accuracy "+FormatShare(j.Accuracy))),
			)
		}
	}
	return out
}

// agreedTables returns the tables of agreement with labels, of thresholds, and of repeats.
func agreedTables(judges []judge.Agreed) []document.Section {
	name := document.Column[judge.Agreed]{
		Header: "judge", When: document.IfFilled,
		Text: func(a judge.Agreed) document.RichText { return document.Quoted(a.Judge) },
	}
	parts := document.Captioned(
		document.Tabulate(document.Plain("Verdicts beside people's labels"), []document.Column[judge.Agreed]{
			name,
			{Header: "right\npassed", Show: func(a judge.Agreed) string { return outOf(a.RightPassed, a.RightFailed) }},
			{Header: "wrong\npassed", Show: func(a judge.Agreed) string { return outOf(a.WrongPassed, a.WrongFailed) }},
			{Header: "unread", Show: func(a judge.Agreed) string { return strconv.Itoa(a.Unread) }, Leaves: 3},
			{Header: "sensitivity", Show: func(a judge.Agreed) string { return FormatShare(a.Sensitivity) }},
			{Header: "specificity", Show: func(a judge.Agreed) string { return FormatShare(a.Specificity) }},
			{Header: "kappa", Show: func(a judge.Agreed) string { return figures.Decimal(a.Kappa, 2) }},
			{Header: "AC1", Show: func(a judge.Agreed) string { return figures.Decimal(a.AC1, 2) }, Leaves: 1},
			{Header: "scores'\nkappa", Leaves: 2, Show: func(a judge.Agreed) string { return figures.Decimal(a.Quadratic, 2) }},
			{Header: "flips", Show: func(a judge.Agreed) string { return figures.Percent(a.Flips) }, Leaves: 4},
		}, judges),
	)
	scored := slices.DeleteFunc(slices.Clone(judges), func(a judge.Agreed) bool { return len(a.Cuts) == 0 })
	cuts := []document.Column[judge.Agreed]{name}
	for i := range 4 {
		cuts = append(cuts, document.Column[judge.Agreed]{
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
	return append(
		parts,
		document.Captioned(
			document.Tabulate(document.Plain("Sensitivity and specificity by threshold (*: the greatest sum at "+
				"a specificity of .90 or more)"), cuts, scored),
		)...)
}

// outOf formats a number of answers and the total. Weighted numbers have one decimal.
func outOf(passed, failed float64) string {
	tenths := func(v float64) float64 { return math.Round(10*v) / 10 }
	return fmt.Sprintf("%g/%g", tenths(passed), tenths(passed+failed))
}

// FormatShare formats a rate with its interval.
func FormatShare(s *judge.Share) string {
	return document.FormatDefined(
		s,
		func(s judge.Share) string { return fmt.Sprintf("%.2f [%.2f, %.2f]", s.Value, s.Low, s.High) },
	)
}

// WriteSuspects writes the golds that are probably wrong.
func WriteSuspects(w io.Writer, r *suspects.Report, screen document.Screen) error {
	var d document.Document
	for _, s := range r.Suspects {
		var given []document.AnswerCount
		for _, a := range s.Answers {
			given = append(given, document.AnswerCount{Answer: a.Answer, Count: a.Count, Right: a.Right})
		}
		lines := []document.RichText{
			document.Concat(document.Quoted(s.Query), document.Plain(": "), document.Quoted(s.Question)),
			document.Concat(
				document.Plain("  expected "),
				document.Quoted(s.Expected),
				document.Plain("; answers "),
				document.ListAnswers(given),
			),
		}
		for _, reason := range s.Reasons {
			lines = append(lines, document.Plain("  "+reason).Toned(document.Doubtful))
		}
		d.Details = append(d.Details, document.Section{Lines: append(
			lines,
			document.Concat(
				document.Plain("  concur trace "),
				document.Quoted(s.Run),
				document.Plain(" "),
				document.Quoted(s.Query),
			),
		)})
	}
	from := fmt.Sprintf("by %s in %s of %s", text.Counted(r.Traces, "trace"), text.Counted(len(r.Runs), "run"),
		text.Counted(len(r.Models), "model"))
	d.Closing = document.Plain("No gold looks wrong " + from)
	if n := len(r.Suspects); n > 0 {
		d.Closing = document.Plain(fmt.Sprintf("These golds are probably wrong: %d, %s", n, from))
	}
	if r.Other > 0 {
		d.Closing = document.Concat(
			d.Closing,
			document.Plain(" ("+text.Counted(r.Other, "record")+" with another text or gold left out)"),
		)
	}
	d.Closing = document.Concat(d.Closing, document.Plain("."))
	return screen.Write(w, d)
}
