package gate

import (
	"cmp"
	"slices"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/trace"
)

// DefaultPoolRuns is how many accepted runs a pool holds where nothing else is said
// (methods.md §6.2). With K=3 they make 15 traces per query.
const DefaultPoolRuns = 5

// Pool is the history that a run is held against: the last accepted runs of a
// configuration. How much history is enough is for the decision to say.
type Pool struct {
	Configuration string
	Runs          []AcceptedRun // in run order
	Items         []PoolItem    // by query id; after Regrade in the dataset's order
	Reset         *Reset        // the last one, with which it began; nil without one
}

// PoolItem is the history of one query.
type PoolItem struct {
	Query    string
	Category string
	Expects  answer.Kind // the outcome that the gold expects; refused makes a safety item
	History  Traces      // over all runs of the pool
	Last     *Traces     // of the latest run alone; nil where it does not have the query
	Runs     int         // of the pool that have valid traces of it
}

// Pool gives the last accepted runs of a configuration after its last reset, at most the
// number asked for, 0 for DefaultPoolRuns. Runs keep the verdicts that were given when they
// were accepted: Regrade comes next.
func (b *Baseline) Pool(configuration string, runs int) Pool {
	if runs <= 0 {
		runs = DefaultPoolRuns
	}
	counting := b.Counting(configuration)
	p := Pool{Configuration: configuration, Runs: slices.Clone(counting[max(0, len(counting)-runs):])}
	if last, ok := b.lastReset(configuration); ok {
		p.Reset = &last
	}
	at := map[string]int{}
	for i := len(p.Runs) - 1; i >= 0; i-- { // the latest says what a query is
		for _, q := range p.Runs[i].Queries {
			if _, known := at[q.Query]; !known {
				at[q.Query] = len(p.Items)
				p.Items = append(p.Items, PoolItem{Query: q.Query, Category: q.Category, Expects: q.Expects})
			}
		}
	}
	slices.SortFunc(p.Items, func(x, y PoolItem) int { return cmp.Compare(x.Query, y.Query) })
	p.sum()
	return p
}

// Holds finds the run of the pool that has a pass of this name: such a pass can be neither
// the run that is held against the pool, nor its second pass.
func (p Pool) Holds(pass string) (run string, ok bool) {
	return holds(p.Runs, p.Configuration, pass)
}

// sum fills in the histories.
func (p *Pool) sum() {
	at := map[string]int{}
	for i := range p.Items {
		p.Items[i].History, p.Items[i].Last, p.Items[i].Runs = Traces{}, nil, 0
		at[p.Items[i].Query] = i
	}
	for n, r := range p.Runs {
		for _, q := range r.Queries {
			i, ok := at[q.Query]
			if !ok {
				continue
			}
			t := q.Count()
			p.Items[i].History = p.Items[i].History.plus(&t)
			if n == len(p.Runs)-1 {
				p.Items[i].Last = &t
			}
			if t.Valid() > 0 {
				p.Items[i].Runs++
			}
		}
	}
}

// Count counts traces by verdict.
func (q AcceptedQuery) Count() Traces {
	var t Traces
	for _, a := range q.Traces {
		switch {
		case a.Outcome == trace.Infra:
			t.Lost++
		case a.Verdict == judge.Correct:
			t.Right++
		case a.Verdict == judge.Incorrect:
			t.Wrong++
		default:
			t.Unscored++
		}
	}
	return t
}
