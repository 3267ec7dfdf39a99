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
	Changed []ChangedVerdict // verdicts that differ from those in the file
	// Contradicted are those that differ though neither the query nor the rules have
	// changed since: what stands in the file was not given by this gold.
	Contradicted []ChangedVerdict
	Unusable     []Unusable // traces that cannot be graded again, and count no more
	NoHistory    []string   // queries of the dataset without a scored trace, in its order
	Removed      []string   // queries that the dataset no longer has, by id

	runs int // of the pool
}

// Warnings say all of it in sentences, to be printed with the decision's.
func (r Regraded) Warnings() []string {
	var out []string
	if n := len(r.Changed); n > 0 {
		c := r.Changed[0]
		out = append(out, fmt.Sprintf("%s of the baseline %s graded otherwise by the gold and the rules (%s) as they are now, first %s of run %s: %s, now %s", counted(n, "stored trace"), are(n), answer.Version, c.Query, c.Run, c.From, c.To))
	}
	if n := len(r.Contradicted); n > 0 {
		c := r.Contradicted[0]
		verb := "contradict their answers"
		if n == 1 {
			verb = "contradicts its answer"
		}
		out = append(out, fmt.Sprintf("%s %s under the gold (first %s of run %s: %s, by the gold %s): the baseline was edited, or graded by another concur; the gold's count", counted(n, "stored verdict"), verb, c.Query, c.Run, c.From, c.To))
	}
	told := map[string]bool{}
	for _, u := range r.Unusable {
		told[u.Query] = true
		out = append(out, fmt.Sprintf("%s has no history from %s: %s", u.Query, counted(len(u.Runs), "run"), u.Reason))
	}
	if n := len(r.Removed); n > 0 {
		out = append(out, fmt.Sprintf("the baseline has %s that the dataset no longer has: %s; what became of them is not known", counted(n, "query"), listed(r.Removed)))
	}
	var none []string
	for _, query := range r.NoHistory {
		if !told[query] {
			none = append(none, query)
		}
	}
	if n := len(none); n > 0 && r.runs > 0 { // an empty pool is told as such
		out = append(out, fmt.Sprintf("%s of the dataset %s without history in the baseline: %s; accept runs over the dataset as it is now", counted(n, "query"), are(n), listed(none)))
	}
	return oneLiners(out)
}

// are is the verb that goes with a number.
func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
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

// Regrade brings the pool under the dataset as it is now: the stored outcome, answer and
// message of every trace are graded again by the gold; agents are not run. A stored verdict
// is believed only where that cannot be done, and query and rules are those under which it
// was given. All traces of a run's query are
// usable or none is: single ones would be a choice. Queries come in the dataset's order,
// those that it no longer has are dropped. A dataset of another name is an error.
func (p Pool) Regrade(d *datasets.Dataset) (Pool, Regraded, error) {
	found := Regraded{runs: len(p.Runs)}
	queries := map[string]datasets.Query{}
	now := Pool{Configuration: p.Configuration, Runs: slices.Clone(p.Runs), Reset: p.Reset}
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
			into := &found.Changed
			if old.current(q.Hash(), r.Versions["norm"]) {
				into = &found.Contradicted
			}
			for t, was := range old.Traces {
				if is := fresh.Traces[t]; is.Verdict != was.Verdict {
					*into = append(*into, ChangedVerdict{r.Run, q.ID, t, was.Verdict, is.Verdict})
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

// current reports whether verdicts were given under the query and the rules of now.
func (old AcceptedQuery) current(hash, norm string) bool {
	return old.Hash == hash && norm == answer.Version
}

// regrade grades what is stored of a query by its gold of now. why says what stands against
// it, and is "" where nothing does.
func (old AcceptedQuery) regrade(q datasets.Query, hash, norm string) (fresh AcceptedQuery, why string) {
	fresh, why = old.graded(q, hash)
	if why != "" && old.current(hash, norm) {
		return old, ""
	}
	return fresh, why
}

func (old AcceptedQuery) graded(q datasets.Query, hash string) (fresh AcceptedQuery, why string) {
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
