package baseline

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
	for _, u := range r.Unusable {
		out = append(out, fmt.Sprintf("%s has no history from %s: %s", u.Query, counted(len(u.Runs), "run"), u.Reason))
	}
	if n := len(r.Removed); n > 0 {
		out = append(out, fmt.Sprintf("removed since the accepted runs: %s (%s)", counted(n, "query"), listed(r.Removed)))
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
// was given. All traces of a run's query are usable or none is: single ones would be a choice.
// Queries come in the dataset's order, those that it no longer has are dropped. A run over
// another dataset is an error: one of another name and content that shares fewer than half of
// its questions. A dataset under a new name is the same one.
func (p Pool) Regrade(d *datasets.Dataset) (Pool, Regraded, error) {
	g := grading{queries: map[string]datasets.Query{}, unusable: map[[2]string]int{}}
	now := Pool{Configuration: p.Configuration, Stored: slices.Clone(p.Stored), Reset: p.Reset}
	for _, q := range d.Queries {
		g.queries[q.ID] = q
		now.Items = append(now.Items, PoolItem{Query: q.ID, Category: q.Category, Expects: expects(q.Gold)})
	}
	older := len(p.Stored) - len(p.Runs)
	for i, r := range p.Stored {
		if !r.over(d, g.queries) {
			return Pool{}, Regraded{}, fmt.Errorf("compare with the baseline: its run %s is over the dataset %s, and this is %s, which shares fewer than half of its questions: name the baseline of this dataset, or begin one with `concur baseline add`", r.Run, r.Dataset.Name, d.Name)
		}
		g.silent = i < older
		now.Stored[i].Queries = g.grade(r)
	}
	now.Runs = now.Stored[older:]
	now.sum()
	for _, item := range now.Items {
		if item.Runs == 0 {
			g.found.NoHistory = append(g.found.NoHistory, item.Query)
		}
	}
	slices.Sort(g.found.Removed)
	g.found.Removed = slices.Compact(g.found.Removed)
	return now, g.found, nil
}

// over reports whether the run was over this dataset, whatever it was called.
func (r AcceptedRun) over(d *datasets.Dataset, queries map[string]datasets.Query) bool {
	if r.Dataset.Name == d.Name || r.Dataset.Hash == d.Hash {
		return true
	}
	shared := 0
	for _, q := range r.Queries {
		if now, ok := queries[q.Query]; ok && questionOf(now).Text == q.Text {
			shared++
		}
	}
	return 2*shared >= len(r.Queries)
}

// grading grades stored runs by the dataset as it is now.
type grading struct {
	queries  map[string]datasets.Query
	unusable map[[2]string]int // place in found.Unusable, by query and reason
	found    Regraded
	silent   bool // the run is too old to be in the pool
}

func (g *grading) grade(r AcceptedRun) []AcceptedQuery {
	var out []AcceptedQuery
	for _, old := range r.Queries {
		q, there := g.queries[old.Query]
		if !there {
			if !g.silent {
				g.found.Removed = append(g.found.Removed, old.Query)
			}
			continue
		}
		fresh, why := old.regrade(q, r.Versions["norm"])
		if why != "" {
			g.cannot(q.ID, why, r.Run)
			continue
		}
		out = append(out, fresh)
		if g.silent {
			continue
		}
		into := &g.found.Changed
		if old.current(q.Hash(), r.Versions["norm"]) {
			into = &g.found.Contradicted
		}
		for t, was := range old.Traces {
			if is := fresh.Traces[t]; is.Verdict != was.Verdict {
				*into = append(*into, ChangedVerdict{r.Run, q.ID, t, was.Verdict, is.Verdict})
			}
		}
	}
	return out
}

func (g *grading) cannot(query, why, run string) {
	if g.silent {
		return
	}
	key := [2]string{query, why}
	at, again := g.unusable[key]
	if !again {
		at = len(g.found.Unusable)
		g.unusable[key] = at
		g.found.Unusable = append(g.found.Unusable, Unusable{Query: query, Reason: why})
	}
	g.found.Unusable[at].Runs = append(g.found.Unusable[at].Runs, run)
}

// current reports whether verdicts were given under the query and the rules of now.
func (old AcceptedQuery) current(hash, norm string) bool {
	return old.Hash == hash && norm == answer.Version
}

// regrade grades what is stored of a query by its gold of now. why is the reason why that
// cannot be done; "" where it can.
func (old AcceptedQuery) regrade(q datasets.Query, norm string) (fresh AcceptedQuery, why string) {
	now, g := questionOf(q), q.Gold
	fresh = AcceptedQuery{Question: now, Traces: slices.Clone(old.Traces)}
	switch {
	case old.Text != now.Text:
		why = "the question was changed, so that its answers are to another one"
	case g.Condition != "":
		why = "the gold holds a condition, which only a judge that is asked can decide"
	}
	for i, t := range fresh.Traces {
		if why != "" {
			break
		}
		if readsMessage(g) && t.Message == nil && t.Outcome == trace.Outcome(expects(g)) {
			why = "the gold looks for keywords in the whole message, which was not kept"
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
	if why != "" && old.current(now.Hash, norm) {
		return old, ""
	}
	return fresh, why
}
