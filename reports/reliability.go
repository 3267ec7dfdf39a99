package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
)

// reliability returns the columns on single traces, on their agreement, and on how both relate to right
// answers.
func reliability(rows []row) []Column[row] {
	unanimous := "correct if unanimous"
	if slices.ContainsFunc(rows, byJudge) {
		unanimous = "passed if unanimous"
	}
	ifUnanimous := func(r row) *result.Rate { return r.Reliability.AccuracyIfUnanimous }
	confidence := func(r row) *result.Confidence { return r.Confidence }
	return slices.Concat(
		estimated("pass_at_k", "pass@K", func(r row) result.Estimate { return r.Reliability.PassAtK }),
		estimated("pass_hat_k", "pass^K", func(r row) result.Estimate { return r.Reliability.PassHatK }),
		[]Column[row]{
			{
				Header: "agreement", When: ifFilled,
				Show: func(r row) string { return hundredths(r.Consensus.MeanAgreement) },
				Name: "mean_agreement", Value: func(r row) any { return r.Consensus.MeanAgreement },
			},
			{Name: "unanimous", Value: func(r row) any { return r.Reliability.Unanimous }},
			{Name: "unanimous_correct", Value: func(r row) any { return r.Reliability.UnanimousCorrect }},
			{
				Header: unanimous, When: ifFilled, Leaves: 1,
				Show: func(r row) string { return unanimously(r.Reliability) },
				Name: "accuracy_if_unanimous", Value: valueOf(ifUnanimous, func(a result.Rate) any { return a.Value }),
			},
			{
				Name: "accuracy_if_unanimous_low", Value: valueOf(ifUnanimous, func(a result.Rate) any { return low(&a.CI) }),
			},
			{
				Name: "accuracy_if_unanimous_high", Value: valueOf(ifUnanimous, func(a result.Rate) any { return high(&a.CI) }),
			},
			{
				Header: "ICC", When: ifWide,
				Show: func(r row) string { return hundredths(r.Reliability.ICC) },
				Name: "icc", Value: func(r row) any { return r.Reliability.ICC },
			},
			{
				Header: "decided by, correct of all", When: ifWide,
				Show: func(r row) string { return methods(r.Configuration) },
			},
			{Name: "ece", Value: valueOf(confidence, func(c result.Confidence) any { return c.ECE })},
			{Name: "brier", Value: valueOf(confidence, func(c result.Confidence) any { return c.Brier })},
			{Name: "auroc", Value: valueOf(confidence, func(c result.Confidence) any { return c.AUROC })},
			{Name: "aurc", Value: valueOf(confidence, func(c result.Confidence) any { return c.AURC })},
			{Name: "augrc", Value: valueOf(confidence, func(c result.Confidence) any { return c.AUGRC })},
		})
}

// estimated returns a column of an estimate without its interval, which programs read in columns of its own.
func estimated(name, header string, of func(row) result.Estimate) []Column[row] {
	return []Column[row]{
		{
			Header: header, When: ifFilled,
			Show: func(r row) string { return share(of(r)) },
			Name: name, Value: func(r row) any { return of(r).Value },
		},
		{Name: name + "_low", Value: func(r row) any { return low(of(r).CI) }},
		{Name: name + "_high", Value: func(r row) any { return high(of(r).CI) }},
		{Name: name + "_queries", Value: func(r row) any { return of(r).Queries }},
		{Name: name + "_dropped", Value: func(r row) any { return of(r).Dropped }},
	}
}

// methods lists the rules that decided for a configuration, and how often each led to a right answer.
func methods(c result.Configuration) string {
	var parts []string
	for _, m := range consensus.Methods() {
		if n := c.Consensus.Methods[m]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d/%d", m, c.Consensus.CorrectByMethod[m], n))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), undefined)
}
