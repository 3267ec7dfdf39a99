package baseline

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets/answer"
)

// PoolRuns is the default number of accepted runs in a pool: 15 traces of each query, and at
// least five runs (methods.md §6.2).
func PoolRuns(k int) int { return max(5, (15+max(k, 1)-1)/max(k, 1)) }

// Pool is the history that a run is compared with: the last accepted runs of a
// configuration. The decision, not the pool, requires a number of them.
type Pool struct {
	Configuration string
	Runs          []AcceptedRun // in run order
	Items         []gate.Item   // the histories, by query id; after Regrade in the dataset's order
	Reset         *Reset        // the last one, with which it began; nil without one
	// Stored are all runs that count, at most 30: what the spread between runs is taken from.
	// Runs are the last of them.
	Stored []AcceptedRun
}

const mostStored = 30

// Pool gives the last accepted runs of a configuration after its last reset, at most the
// number asked for; 0 is PoolRuns of k, and k is that of the last run if 0. Runs keep the
// verdicts that were given when they were accepted: Regrade comes next.
func (b *Baseline) Pool(configuration string, runs, k int) Pool {
	counting := b.Counting(configuration)
	if n := len(counting); k == 0 && n > 0 {
		k = counting[n-1].K
	}
	if runs <= 0 {
		runs = PoolRuns(k)
	}
	p := Pool{Configuration: configuration, Stored: slices.Clone(counting[max(0, len(counting)-max(runs, mostStored)):])}
	p.Runs = p.Stored[max(0, len(p.Stored)-runs):]
	if reset, ok := b.lastReset(configuration); ok {
		p.Reset = &reset
	}
	known := map[string]bool{}
	for _, r := range slices.Backward(p.Runs) { // the latest says what a query is
		for _, q := range r.Queries {
			if !known[q.Query] {
				known[q.Query] = true
				p.Items = append(p.Items, gate.Item{Query: q.Query, Category: q.Category, Safety: q.Expects == answer.Refused})
			}
		}
	}
	slices.SortFunc(p.Items, func(x, y gate.Item) int { return strings.Compare(x.Query, y.Query) })
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

func (q AcceptedQuery) marks() []gate.Mark {
	marks := make([]gate.Mark, len(q.Traces))
	for i, t := range q.Traces {
		marks[i] = MarkOf(t.Outcome, t.Verdict)
	}
	return marks
}

// Count counts traces by verdict.
func (q AcceptedQuery) Count() gate.Traces { return gate.Count(q.marks()) }

// counts gives, per run and item of the pool, how many traces are right and of how many
// scored ones, and outcomes whether each scored trace is right, in the order of the traces.
func (p Pool) counts(runs []AcceptedRun) (right, of [][]int, outcomes [][][]bool) {
	at := p.places()
	for _, r := range runs {
		x, n, all := make([]int, len(p.Items)), make([]int, len(p.Items)), make([][]bool, len(p.Items))
		for _, q := range r.Queries {
			if i, ok := at[q.Query]; ok {
				for _, m := range q.marks() {
					if m == gate.Right || m == gate.Wrong {
						all[i] = append(all[i], m == gate.Right)
					}
				}
				x[i], n[i] = q.Count().Right, len(all[i])
			}
		}
		right, of, outcomes = append(right, x), append(of, n), append(outcomes, all)
	}
	return right, of, outcomes
}
