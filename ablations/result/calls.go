package result

import (
	"github.com/seed-5817661a/concur/runner/store"
)

// Calls compares tool calls with those that queries expect, over traces of such queries that
// were not lost. Shares are nil without traces that define them.
type Calls struct {
	Traces int      `json:"traces"`
	Right  *float64 `json:"right"` // share of traces whose calls are right, see judge.Calls
	// Precision is the mean share of the calls made that were expected, over traces with
	// calls where some are expected; Recall the mean share of the expected calls that were made.
	Precision   *float64 `json:"precision"`
	Recall      *float64 `json:"recall"`
	Ordered     *float64 `json:"ordered"`     // the share of traces that kept the order, of those with expected calls
	Irrelevance *float64 `json:"irrelevance"` // share of traces without a call, where none is expected
	Forbidden   int      `json:"forbidden"`   // traces that called a forbidden tool
}

// callTally is the running sum.
type callTally struct {
	traces, right, ordered, expecting, silent, silentDue, forbidden int
	precision, recall                                               []float64
}

func (c *callTally) add(a store.Answer) {
	if a.Calls == nil {
		return
	}
	c.traces++
	c.right += one(a.Calls.Right)
	c.forbidden += one(len(a.Calls.Forbidden) > 0)
	if a.Calls.None {
		c.silentDue++
		c.silent += one(a.Calls.Made == 0)
	}
	if a.Calls.Expected == 0 {
		return
	}
	c.expecting++
	c.ordered += one(a.Calls.InOrder)
	c.recall = append(c.recall, float64(a.Calls.Matched)/float64(a.Calls.Expected))
	if a.Calls.Made > 0 {
		c.precision = append(c.precision, float64(a.Calls.Matched)/float64(a.Calls.Made))
	}
}

func (c *callTally) figures() *Calls {
	if c.traces == 0 {
		return nil
	}
	return &Calls{
		Traces: c.traces, Right: share(c.right, c.traces), Precision: mean(c.precision), Recall: mean(c.recall),
		Ordered: share(c.ordered, c.expecting), Irrelevance: share(c.silent, c.silentDue), Forbidden: c.forbidden,
	}
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
