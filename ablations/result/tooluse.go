package result

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/tooluse"
	"github.com/seed-5817661a/concur/trace"
)

// ToolsAblation is the name of the ablation that removes one tool at a time.
const ToolsAblation = "tools"

// ToolUse is how a configuration used a tool, over all its traces, and how often traces with and without a call of
// it are right. A tool of a sub-agent has the names of both, such as researcher/web_search.
type ToolUse struct {
	Calls    int            `json:"calls"`    // calls that ran
	Failed   int            `json:"failed"`   // calls that returned an error or no result
	Failures map[string]int `json:"failures"` // the failed calls by kind; "empty" has no result
	Traces   int            `json:"traces"`   // traces with a call
	Seconds  float64        `json:"seconds"`  // of all calls, which may run at the same time
	Tokens   int            `json:"tokens"`   // estimate of the results, before they are cut: four bytes per token
	Paired   PairedUse      `json:"paired"`
}

// PairedUse compares the traces with a call of a tool with those without one, within each query that has traces of
// both kinds (docs/method.md §5.10). Lost traces and traces without a verdict do not count. Shares are from 0 to
// 1, and nil if there is no such query.
type PairedUse struct {
	Queries int      `json:"queries"` // queries that have traces of both kinds
	With    *float64 `json:"with"`    // share of right traces with a call, as the mean over these queries
	Without *float64 `json:"without"` // the same of traces without a call
	// Difference is With − Without. CI is nil if the queries are too few for an interval (§5.3).
	Difference *float64  `json:"difference"`
	CI         *Interval `json:"ci"`
}

// usePair counts the traces of one query with and without a call of a tool, and the right ones among them.
type usePair struct {
	cluster                                string
	with, rightWith, without, rightWithout int
}

func (p usePair) compare(q usePair) int {
	return cmp.Or(cmp.Compare(p.cluster, q.cluster), cmp.Compare(p.with, q.with), cmp.Compare(p.rightWith, q.rightWith),
		cmp.Compare(p.without, q.without), cmp.Compare(p.rightWithout, q.rightWithout))
}

// usePairs returns the comparison of the pairs.
func usePairs(pairs bag.Bag[usePair]) (out PairedUse) {
	var with, without, d stats.Values
	var counts [2]stats.Traces
	for p, times := range pairs.Counts(usePair.compare) {
		a, b := float64(p.rightWith)/float64(p.with), float64(p.rightWithout)/float64(p.without)
		with.Add(a, p.cluster, times)
		without.Add(b, p.cluster, times)
		d.Add(a-b, p.cluster, times)
		counts[0].Add(p.with, times)
		counts[1].Add(p.without, times)
	}
	if out.Queries = d.Len(); out.Queries == 0 {
		return out
	}
	found, ok := stats.NewPairedDifference(&d, min(counts[0].Harmonic(), counts[1].Harmonic()))
	if !ok {
		return out
	}
	out.With, out.Without = stats.Defined(with.Mean()), stats.Defined(without.Mean())
	out.Difference = &found.Mean
	if i, ok := found.Interval(Level); ok {
		out.CI = &Interval{Method: "tango-cr2", Level: Level, Low: i.Low, High: i.High}
	}
	return out
}

// toolUses sums the uses of tools by their names.
type toolUses map[string]*toolSum

type toolSum struct {
	calls, traces, bytes int
	failures             map[string]int
	microseconds         int64 // a sum of integers does not depend on the order
	pairs                bag.Bag[usePair]
}

func (t toolUses) of(name string) *toolSum {
	if t[name] == nil {
		t[name] = &toolSum{failures: map[string]int{}, pairs: bag.Bag[usePair]{}}
	}
	return t[name]
}

// add adds the answers of a record, or of one turn of a conversation. unit is the unit of the query: its cluster, or
// the conversation.
func (t toolUses) add(r store.Record, unit string) error {
	used := make([]tooluse.Record, len(r.Answers))
	names := map[string]bool{}
	for i, a := range r.Answers {
		u, err := trace.Extra[tooluse.Record](a.Extras, tooluse.Name)
		if err != nil {
			return err
		}
		if u == nil {
			continue
		}
		used[i] = *u
		for name, use := range *u {
			names[name] = true
			sum := t.of(name)
			sum.calls += use.Calls
			sum.traces++
			sum.bytes += use.Bytes
			addCounts(sum.failures, use.Failures)
		}
	}
	for name := range names {
		pair := usePair{cluster: unit}
		for i, a := range r.Answers {
			if a.Outcome == trace.Infra || a.Verdict != judge.Correct && a.Verdict != judge.Incorrect {
				continue
			}
			right := bag.OneIf(a.Verdict == judge.Correct)
			if _, with := used[i][name]; with {
				pair.with, pair.rightWith = pair.with+1, pair.rightWith+right
			} else {
				pair.without, pair.rightWithout = pair.without+1, pair.rightWithout+right
			}
		}
		if pair.with > 0 && pair.without > 0 {
			t.of(name).pairs.Add(pair)
		}
	}
	return nil
}

// addTime adds the seconds of the tools of a record.
func (t toolUses) addTime(seconds map[string]float64) {
	for name, s := range seconds {
		t.of(name).microseconds += int64(math.Round(s * 1e6))
	}
}

func addCounts(to, from map[string]int) {
	for kind, n := range from {
		to[kind] += n
	}
}

func (t toolUses) merge(o toolUses) {
	for name, from := range o {
		to := t.of(name)
		to.calls += from.calls
		to.traces += from.traces
		to.bytes += from.bytes
		to.microseconds += from.microseconds
		addCounts(to.failures, from.failures)
		to.pairs.Merge(from.pairs)
	}
}

// figures returns the uses by the names of the tools; nil if no call ran.
func (t toolUses) figures() map[string]ToolUse {
	if len(t) == 0 {
		return nil
	}
	out := map[string]ToolUse{}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		sum, failed := t[name], 0
		for _, n := range sum.failures {
			failed += n
		}
		out[name] = ToolUse{
			Calls: sum.calls, Failed: failed, Failures: sum.failures, Traces: sum.traces,
			Seconds: float64(sum.microseconds) / 1e6, Tokens: (sum.bytes + bytesPerToken - 1) / bytesPerToken,
			Paired: usePairs(sum.pairs),
		}
	}
	return out
}

// bytesPerToken is the usual estimate for English text and JSON.
const bytesPerToken = 4
