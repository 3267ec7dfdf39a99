package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// reliability returns the columns on single traces, on their agreement, and on how often they are right.
func reliability(rows []tableRow) []document.Column[tableRow] {
	unanimous := "correct if unanimous"
	if slices.ContainsFunc(rows, byJudge) {
		unanimous = "passed if unanimous"
	}
	agreement := "agreement"
	if len(rows) > 0 && !slices.ContainsFunc(rows, func(r tableRow) bool { return !allByChecks(r.Configuration) }) {
		agreement = "agreement of verdicts"
	}
	ifUnanimous := func(r tableRow) *result.Rate { return r.Reliability.AccuracyIfUnanimous }
	confidence := func(r tableRow) *result.Confidence { return r.Confidence }
	return slices.Concat(
		estimated("pass_at_k", "pass@K", func(r tableRow) result.Estimate { return r.Reliability.PassAtK }),
		estimated("pass_hat_k", "pass^K", func(r tableRow) result.Estimate { return r.Reliability.PassHatK }),
		[]document.Column[tableRow]{
			{
				Header: agreement, When: document.IfFilled,
				Show: func(r tableRow) string { return figures.Hundredths(r.Consensus.MeanAgreement) },
				Name: "mean_agreement", Value: func(r tableRow) any { return r.Consensus.MeanAgreement },
			},
			{Name: "unanimous", Value: func(r tableRow) any { return r.Reliability.Unanimous }},
			{Name: "unanimous_correct", Value: func(r tableRow) any { return r.Reliability.UnanimousCorrect }},
			{
				Header: unanimous, When: document.IfFilled, Leaves: 1,
				Show: func(r tableRow) string { return unanimously(r.Reliability) },
				Name: "accuracy_if_unanimous", Value: document.ValuePart(ifUnanimous, func(a result.Rate) any { return a.Value }),
			},
			{
				Name:  "accuracy_if_unanimous_low",
				Value: document.ValuePart(ifUnanimous, func(a result.Rate) any { return lowEnd(a.CI) }),
			},
			{
				Name:  "accuracy_if_unanimous_high",
				Value: document.ValuePart(ifUnanimous, func(a result.Rate) any { return highEnd(a.CI) }),
			},
			{
				Header: "ICC", When: document.IfWide,
				Show: func(r tableRow) string { return figures.Hundredths(r.Reliability.ICC) },
				Name: "icc", Value: func(r tableRow) any { return r.Reliability.ICC },
			},
			{
				Header: "decided by, correct of all", When: document.IfWide,
				Show: func(r tableRow) string { return methods(r.Configuration) },
			},
			{Name: "ece", Value: document.ValuePart(confidence, func(c result.Confidence) any { return c.ECE })},
			{Name: "brier", Value: document.ValuePart(confidence, func(c result.Confidence) any { return c.Brier })},
			{Name: "auroc", Value: document.ValuePart(confidence, func(c result.Confidence) any { return c.AUROC })},
			{Name: "aurc", Value: document.ValuePart(confidence, func(c result.Confidence) any { return c.AURC })},
			{Name: "augrc", Value: document.ValuePart(confidence, func(c result.Confidence) any { return c.AUGRC })},
		})
}

// estimated returns a column of an estimate without its interval. Programs read the interval in other columns.
func estimated(name, header string, of func(tableRow) result.Estimate) []document.Column[tableRow] {
	return []document.Column[tableRow]{
		{
			Header: header, When: document.IfFilled,
			Show: func(r tableRow) string { return formatEstimate(of(r)) },
			Name: name, Value: func(r tableRow) any { return of(r).Value },
		},
		{Name: name + "_low", Value: func(r tableRow) any { return lowEnd(of(r).CI) }},
		{Name: name + "_high", Value: func(r tableRow) any { return highEnd(of(r).CI) }},
		{Name: name + "_queries", Value: func(r tableRow) any { return of(r).Queries }},
		{Name: name + "_dropped", Value: func(r tableRow) any { return of(r).Dropped }},
	}
}

// byChecks returns the number of queries whose votes were by checks, and the number of decided queries.
func byChecks(c result.Configuration) (checked, decided int) {
	for m, n := range c.Consensus.Methods {
		if m != consensus.None {
			decided += n
		}
	}
	return c.Consensus.Methods[consensus.Checks], decided
}

// allByChecks reports whether all votes on a row's queries were by checks.
func allByChecks(c result.Configuration) bool {
	checked, decided := byChecks(c)
	return checked > 0 && checked == decided
}

// methods lists the rules that decided for a configuration, and how often each led to a right answer.
func methods(c result.Configuration) string {
	var parts []string
	for _, m := range consensus.Methods() {
		if n := c.Consensus.Methods[m]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d/%d", m, c.Consensus.CorrectByMethod[m], n))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), document.Undefined)
}
