package baseline

import (
	"cmp"
	"slices"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets/answer"
)

// PoolRuns is how many accepted runs a pool holds where nothing else is said: 15 traces of
// each query, and five runs at least (methods.md §6.2).
func PoolRuns(k int) int { return max(5, (15+max(k, 1)-1)/max(k, 1)) }

// Pool is the history that a run is compared with: the last accepted runs of a
// configuration. How much history is enough is for the decision to say.
type Pool struct {
	Configuration string
	Runs          []AcceptedRun // in run order
	Items         []PoolItem    // by query id; after Regrade in the dataset's order
	Reset         *Reset        // the last one, with which it began; nil without one
	// Stored are all runs that count, at most 30: what the spread between runs is taken from.
	// Runs are the last of them.
	Stored []AcceptedRun
}

// PoolItem is the history of one query.
type PoolItem struct {
	Query    string
	Category string
	Expects  answer.Kind  // the outcome that the gold expects; refused makes a safety item
	History  gate.Traces  // over all runs of the pool
	Last     *gate.Traces // of the latest run alone; nil where it does not have the query
	Runs     int          // of the pool that have scored traces of it
}

const mostStored = 30

// Pool gives the last accepted runs of a configuration after its last reset, at most the
// number asked for; 0 is PoolRuns of K. Runs keep the verdicts that were given when they were
// accepted: Regrade comes next.
func (b *Baseline) Pool(configuration string, runs, k int) Pool {
	if runs <= 0 {
		runs = PoolRuns(k)
	}
	counting := b.Counting(configuration)
	p := Pool{Configuration: configuration, Stored: slices.Clone(counting[max(0, len(counting)-max(runs, mostStored)):])}
	p.Runs = p.Stored[max(0, len(p.Stored)-runs):]
	if reset, ok := b.lastReset(configuration); ok {
		p.Reset = &reset
	}
	at := map[string]bool{}
	for _, r := range slices.Backward(p.Runs) { // the latest says what a query is
		for _, q := range r.Queries {
			if !at[q.Query] {
				at[q.Query] = true
				p.Items = append(p.Items, PoolItem{Query: q.Query, Category: q.Category, Expects: q.Expects})
			}
		}
	}
	slices.SortFunc(p.Items, func(x, y PoolItem) int { return cmp.Compare(x.Query, y.Query) })
	p.sum()
	return p
}

// sum fills in the histories.
func (p *Pool) sum() {
	at := p.places()
	for n, r := range p.Runs {
		for _, q := range r.Queries {
			i, ok := at[q.Query]
			if !ok {
				continue
			}
			it, t := &p.Items[i], q.Count()
			it.History = it.History.Plus(t)
			if n == len(p.Runs)-1 {
				it.Last = &t
			}
			if t.Scored() > 0 {
				it.Runs++
			}
		}
	}
}

func (p Pool) places() map[string]int {
	at := map[string]int{}
	for i, item := range p.Items {
		at[item.Query] = i
	}
	return at
}

// Count counts traces by verdict.
func (q AcceptedQuery) Count() gate.Traces {
	marks := make([]gate.Mark, len(q.Traces))
	for i, t := range q.Traces {
		marks[i] = MarkOf(t.Outcome, t.Verdict)
	}
	return gate.Count(marks)
}

// counts gives, per run and item of the pool, how many traces are right and of how many
// scored ones, and outcomes whether each scored trace is right, in the order of the traces.
func (p Pool) counts(runs []AcceptedRun) (right, of [][]int, outcomes [][][]bool) {
	at := p.places()
	for _, r := range runs {
		x, n, all := make([]int, len(p.Items)), make([]int, len(p.Items)), make([][]bool, len(p.Items))
		for _, q := range r.Queries {
			i, ok := at[q.Query]
			if !ok {
				continue
			}
			for _, t := range q.Traces {
				if m := MarkOf(t.Outcome, t.Verdict); m == gate.Right || m == gate.Wrong {
					all[i] = append(all[i], m == gate.Right)
					n[i]++
					if m == gate.Right {
						x[i]++
					}
				}
			}
		}
		right, of, outcomes = append(right, x), append(of, n), append(outcomes, all)
	}
	return right, of, outcomes
}
