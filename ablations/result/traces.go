package result

import (
	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Calls compares tool calls with the expected calls. It uses the traces of queries that expect calls, without
// lost traces. A share is nil if it is defined for no trace.
type Calls struct {
	Traces int      `json:"traces"`
	Right  *float64 `json:"right"` // share of traces whose calls are all right, see judge.Calls
	// Precision is the mean share of a trace's calls that were expected, over traces with calls whose query
	// expects calls. Recall is the mean share of the expected calls that were made.
	Precision   *float64 `json:"precision"`
	Recall      *float64 `json:"recall"`
	Ordered     *float64 `json:"ordered"`     // share of traces in the expected order, of those with expected calls
	Irrelevance *float64 `json:"irrelevance"` // share of traces without calls, among those in which no call is expected
	Forbidden   int      `json:"forbidden"`   // traces that called a forbidden tool
}

type callTally struct {
	traces, right, ordered, expecting, silent, silentDue, forbidden int
	precision, recall                                               bag.Bag[float64]
}

func newCallTally() callTally {
	return callTally{precision: bag.Bag[float64]{}, recall: bag.Bag[float64]{}}
}

func (c *callTally) merge(o callTally) {
	c.traces += o.traces
	c.right += o.right
	c.ordered += o.ordered
	c.expecting += o.expecting
	c.silent += o.silent
	c.silentDue += o.silentDue
	c.forbidden += o.forbidden
	c.precision.Merge(o.precision)
	c.recall.Merge(o.recall)
}

func (c *callTally) add(a store.Answer) {
	if a.Calls == nil {
		return
	}
	c.traces++
	c.right += bag.OneIf(a.Calls.Right)
	c.forbidden += bag.OneIf(len(a.Calls.Forbidden) > 0)
	if a.Calls.None {
		c.silentDue++
		c.silent += bag.OneIf(a.Calls.Made == 0)
	}
	if a.Calls.Expected == 0 {
		return
	}
	c.expecting++
	c.ordered += bag.OneIf(a.Calls.InOrder)
	c.recall.Add(float64(a.Calls.Matched) / float64(a.Calls.Expected))
	if a.Calls.Made > 0 {
		c.precision.Add(float64(a.Calls.Matched) / float64(a.Calls.Made))
	}
}

func (c *callTally) figures() *Calls {
	if c.traces == 0 {
		return nil
	}
	return &Calls{
		Traces: c.traces, Right: share(c.right, c.traces), Precision: bag.Mean(c.precision), Recall: bag.Mean(c.recall),
		Ordered: share(c.ordered, c.expecting), Irrelevance: share(c.silent, c.silentDue), Forbidden: c.forbidden,
	}
}

// Citations holds the results of the citation audit (docs/method.md §8), over audited traces: those with an
// evidence tool that returned documents. A grounded answer may be wrong, and an answer that is not grounded may
// be right (CorrectUngrounded).
type Citations struct {
	Audited   int      `json:"audited"` // number of audited traces
	Grounded  int      `json:"grounded"`
	Share     *float64 `json:"grounded_share"` // grounded/audited; nil if none was audited
	Precision *float64 `json:"precision"`      // share of valid citations (trace.Grounding); nil without citations
	Recall    *float64 `json:"recall"`         // share of factual sentences that citations confirm; nil without sentences

	// CorrectGrounded and the three fields below count the audited traces by two results: the result of the
	// audit, and the gold's verdict on the answer. Answers that the audit rejected are included.
	CorrectGrounded     int `json:"correct_grounded"`
	CorrectUngrounded   int `json:"correct_ungrounded"`
	IncorrectGrounded   int `json:"incorrect_grounded"`
	IncorrectUngrounded int `json:"incorrect_ungrounded"`
}

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
	c.Grounded += bag.OneIf(grounded)
	c.CorrectGrounded += bag.OneIf(right && grounded)
	c.CorrectUngrounded += bag.OneIf(right && !grounded)
	c.IncorrectGrounded += bag.OneIf(!right && grounded)
	c.IncorrectUngrounded += bag.OneIf(!right && !grounded)
	c.found.Claims += a.Grounding.Claims
	c.found.Supported += a.Grounding.Supported
	c.found.Citations += a.Grounding.Citations
	c.found.Valid += a.Grounding.Valid
}

func (c *citations) merge(o citations) {
	c.Audited += o.Audited
	c.Grounded += o.Grounded
	c.CorrectGrounded += o.CorrectGrounded
	c.CorrectUngrounded += o.CorrectUngrounded
	c.IncorrectGrounded += o.IncorrectGrounded
	c.IncorrectUngrounded += o.IncorrectUngrounded
	c.found.Claims += o.found.Claims
	c.found.Supported += o.found.Supported
	c.found.Citations += o.found.Citations
	c.found.Valid += o.found.Valid
}

func (c *citations) figures() Citations {
	out := c.Citations
	out.Share = share(c.Grounded, c.Audited)
	out.Precision = share(c.found.Valid, c.found.Citations)
	out.Recall = share(c.found.Supported, c.found.Claims)
	return out
}

// share returns part/of; nil if of is 0.
func share(part, of int) *float64 { return ratio(float64(part), float64(of)) }

// ratio returns part/of; nil if of is 0.
func ratio(part, of float64) *float64 {
	return stats.Defined(part/of, of != 0)
}
