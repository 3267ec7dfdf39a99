package result

import (
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Citations is the result of the citation audit (methods.md §8), over traces whose answer was audited: those with an
// evidence tool that returned documents. A grounded answer need not be correct; watch CorrectUngrounded.
type Citations struct {
	Audited   int      `json:"audited"` // traces
	Grounded  int      `json:"grounded"`
	Share     *float64 `json:"grounded_share"` // grounded/audited; nil if nothing was audited
	Precision *float64 `json:"precision"`      // share of valid citations (trace.Grounding); nil without any
	Recall    *float64 `json:"recall"`         // share of factual sentences that citations confirm; nil without any

	// The audited traces by audit result and by the gold's verdict on their answer,
	// including answers that the audit rejected.
	CorrectGrounded     int `json:"correct_grounded"`
	CorrectUngrounded   int `json:"correct_ungrounded"`
	IncorrectGrounded   int `json:"incorrect_grounded"`
	IncorrectUngrounded int `json:"incorrect_ungrounded"`
}

// citations is the running sum of audit results.
type citations struct {
	Citations
	found trace.Grounding
}

func (c *citations) add(a store.Answer) {
	if a.Grounded == nil {
		return
	}
	c.Audited++
	verdict := a.Verdict
	if a.Rejected != nil {
		verdict = *a.Rejected
	}
	right, grounded := verdict == judge.Correct, *a.Grounded
	c.Grounded += one(grounded)
	c.CorrectGrounded += one(right && grounded)
	c.CorrectUngrounded += one(right && !grounded)
	c.IncorrectGrounded += one(!right && grounded)
	c.IncorrectUngrounded += one(!right && !grounded)
	c.found.Claims += a.Grounding.Claims
	c.found.Supported += a.Grounding.Supported
	c.found.Citations += a.Grounding.Citations
	c.found.Valid += a.Grounding.Valid
}

func (c *citations) figures() Citations {
	out := c.Citations
	out.Share = share(c.Grounded, c.Audited)
	out.Precision = share(c.found.Valid, c.found.Citations)
	out.Recall = share(c.found.Supported, c.found.Claims)
	return out
}

// share is nil if of is 0.
func share(part, of int) *float64 { return ratio(float64(part), float64(of)) }

// ratio is nil if of is 0.
func ratio(part, of float64) *float64 {
	return stats.Defined(part/of, of != 0)
}
