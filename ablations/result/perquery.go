package result

import (
	"cmp"

	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Recovery says how often a trace is right although one of its tool calls failed. It is the mean over the
// queries that have such traces, with its interval (docs/method.md §5.3). Estimate.Dropped counts those of
// these queries that have no verdict.
type Recovery struct {
	Estimate
	Traces int `json:"traces"` // traces with a failed call, without lost traces
	Calls  int `json:"calls"`  // failed calls in these traces
}

// Forms has, for each kind of mistake in form (trace.Format), the share of replies with this mistake. The
// shares are means over queries with their intervals (docs/method.md §5.3).
type Forms struct {
	Replies  int      `json:"replies"`  // replies in all traces
	Errors   Estimate `json:"errors"`   // neither a call nor an answer
	Repaired Estimate `json:"repaired"` // the arguments were repaired
	Invented Estimate `json:"invented"` // the model wrote an observation itself
	Dropped  Estimate `json:"dropped"`  // an action was ignored
	NoLine   Estimate `json:"no_line"`  // a final message without an answer line
	CutOff   Estimate `json:"cut_off"`  // the reply ended at the token limit
}

// queryCounts has the number of traces or replies of one query (of), and the number of those that are of some
// kind (part).
type queryCounts struct {
	cluster  string
	part, of int
}

func (q queryCounts) compare(r queryCounts) int {
	return cmp.Or(cmp.Compare(q.cluster, r.cluster), cmp.Compare(q.of, r.of), cmp.Compare(q.part, r.part))
}

// meanOf returns the mean over queries of part/of. Queries for which of is 0 are dropped.
func meanOf(counts bag.Bag[queryCounts]) (e Estimate) {
	var means stats.Values
	var sizes stats.Traces
	for q, times := range counts.Counts(queryCounts.compare) {
		if q.of == 0 {
			e.Dropped += times
			continue
		}
		means.Add(min(1, float64(q.part)/float64(q.of)), q.cluster, times)
		sizes.Add(q.of, times)
	}
	e.Queries = means.Len()
	found, ci, ok := stats.QueryMean(&means, sizes, Level)
	if !ok {
		return e
	}
	e.Value = &found.Mean
	if ci != nil {
		e.CI = &Interval{"wilson-cr2", Level, ci.Low, ci.High}
	}
	return e
}

// perQuery holds the counts per query for Recovery and Forms.
type perQuery struct {
	afterFailure           bag.Bag[queryCounts]
	failedTraces, failures int
	replies                int
	forms                  [6]bag.Bag[queryCounts]
}

func (p *perQuery) add(r store.Record) {
	failed := queryCounts{cluster: r.Cluster}
	any := false
	var format trace.Format
	replies := 0
	for _, a := range r.Answers {
		replies += a.Steps
		format = format.Add(a.Format)
		if a.FailedCalls == 0 || a.Outcome == trace.Infra {
			continue
		}
		any = true
		p.failedTraces++
		p.failures += a.FailedCalls
		failed.of += bag.OneIf(a.Verdict != judge.Unscored)
		failed.part += bag.OneIf(a.Verdict == judge.Correct)
	}
	if any {
		p.afterFailure.Add(failed)
	}
	p.replies += replies
	for i, part := range []int{format.Errors, format.Repaired, format.Invented, format.Dropped, format.Reminders,
		format.CutOff} {
		p.forms[i].Add(queryCounts{r.Cluster, part, replies})
	}
}

func newPerQuery() perQuery {
	p := perQuery{afterFailure: bag.Bag[queryCounts]{}}
	for i := range p.forms {
		p.forms[i] = bag.Bag[queryCounts]{}
	}
	return p
}

func (p *perQuery) merge(o perQuery) {
	p.afterFailure.Merge(o.afterFailure)
	p.failedTraces += o.failedTraces
	p.failures += o.failures
	p.replies += o.replies
	for i := range p.forms {
		p.forms[i].Merge(o.forms[i])
	}
}

// recovery returns the figures of traces in which a tool call failed; nil if no trace had a failed call.
func (p *perQuery) recovery() *Recovery {
	if p.failedTraces == 0 {
		return nil
	}
	return &Recovery{Estimate: meanOf(p.afterFailure), Traces: p.failedTraces, Calls: p.failures}
}

// formRates returns the figures on the form of replies; nil without replies.
func (p *perQuery) formRates() *Forms {
	if p.replies == 0 {
		return nil
	}
	return &Forms{p.replies, meanOf(p.forms[0]), meanOf(p.forms[1]), meanOf(p.forms[2]), meanOf(p.forms[3]),
		meanOf(p.forms[4]), meanOf(p.forms[5])}
}

// protocolOf returns the strategy and protocol of an agent, such as "react native".
func protocolOf(a config.Agent) string {
	switch {
	case a.External.Used():
		return ""
	case !a.Loops(): // the strategy calls no tools
		return a.Strategy
	}
	return a.Strategy + " " + a.Protocol
}
