package gate

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Regraded says what became of a pool under the dataset as it is now.
type Regraded struct {
	Changed   []ChangedVerdict // verdicts that differ from those in the file
	Unusable  []Unusable       // traces that cannot be graded again, and count no more
	NoHistory []string         // queries of the dataset without a scored trace, in its order
	Removed   []string         // queries that the dataset no longer has, by id
}

// ChangedVerdict is a trace that is graded otherwise than when its run was accepted.
type ChangedVerdict struct {
	Run, Query string
	Trace      int // index among the run's traces of the query, over all passes
	From, To   judge.Ruling
}

// Unusable is a query whose traces in some runs cannot be graded again.
type Unusable struct {
	Query  string
	Runs   []string // in run order
	Reason string
}

// Regrade brings the pool under the dataset as it is now. Where a query's hash differs, or
// a run was judged under other rules of normalisation, the stored outcome, answer and
// message are graded again by the gold; agents are not run. All traces of a run's query are
// usable or none is: single ones would be a choice. Queries come in the dataset's order,
// those that it no longer has are dropped. A dataset of another name is an error.
func (p Pool) Regrade(d *datasets.Dataset) (Pool, Regraded, error) {
	var found Regraded
	queries := map[string]datasets.Query{}
	now := Pool{Configuration: p.Configuration, Runs: slices.Clone(p.Runs)}
	for _, q := range d.Queries {
		queries[q.ID] = q
		now.Items = append(now.Items, PoolItem{Query: q.ID, Category: q.Category, Expects: expects(q.Gold)})
	}
	unusable, removed := map[[2]string]int{}, map[string]bool{}
	for i, r := range p.Runs {
		if r.Dataset.Name != d.Name {
			return Pool{}, Regraded{}, fmt.Errorf("compare with the baseline: its run %s is over the dataset %s, and this is %s: name the baseline of this dataset, or begin one with `concur baseline add`", r.Run, r.Dataset.Name, d.Name)
		}
		now.Runs[i].Queries = nil
		for _, old := range r.Queries {
			q, there := queries[old.Query]
			if !there {
				removed[old.Query] = true
				continue
			}
			fresh, why := old.regrade(q, q.Hash(), r.Versions["norm"])
			if why != "" {
				key := [2]string{q.ID, why}
				at, again := unusable[key]
				if !again {
					at = len(found.Unusable)
					unusable[key] = at
					found.Unusable = append(found.Unusable, Unusable{Query: q.ID, Reason: why})
				}
				found.Unusable[at].Runs = append(found.Unusable[at].Runs, r.Run)
				continue
			}
			for t, was := range old.Traces {
				if is := fresh.Traces[t]; is.Verdict != was.Verdict {
					found.Changed = append(found.Changed, ChangedVerdict{r.Run, q.ID, t, was.Verdict, is.Verdict})
				}
			}
			now.Runs[i].Queries = append(now.Runs[i].Queries, fresh)
		}
	}
	now.sum()
	for _, item := range now.Items {
		if item.Runs == 0 {
			found.NoHistory = append(found.NoHistory, item.Query)
		}
	}
	for id := range removed {
		found.Removed = append(found.Removed, id)
	}
	slices.Sort(found.Removed)
	return now, found, nil
}

// regrade grades what is stored of a query by its gold of now. why says what stands against
// it, and is "" where nothing does.
func (old AcceptedQuery) regrade(q datasets.Query, hash, norm string) (fresh AcceptedQuery, why string) {
	if old.Hash == hash && norm == answer.Version {
		return old, ""
	}
	g := q.Gold
	switch {
	case old.Question != questionHash(q):
		return old, "the question was changed, so that its answers are to another one"
	case g.Condition != "":
		return old, "the gold holds a condition, which only a judge that is asked can decide"
	}
	fresh = old
	fresh.Hash, fresh.Category, fresh.Expects = hash, q.Category, expects(g)
	fresh.Traces = slices.Clone(old.Traces)
	for i, t := range fresh.Traces {
		if readsMessage(g) && t.Message == nil && t.Outcome == trace.Outcome(expects(g)) {
			return old, "the gold looks for keywords in the whole message, which was not kept"
		}
		s := judge.Subject{Outcome: t.Outcome, Unscored: t.Outcome == trace.Infra}
		if t.Answer != nil {
			s.Answer = *t.Answer
		}
		if t.Message != nil {
			s.Message = *t.Message
		}
		fresh.Traces[i].Verdict = judge.Gold(g, s).Verdict
	}
	return fresh, ""
}
