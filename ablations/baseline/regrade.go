package baseline

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

// Graded is a key in the versions of a run. Its value names the grader, if recorded answers were graded by
// something other than a gold. Such verdicts are kept as long as query and gold do not change.
const Graded = "graded"

// Regraded reports how a pool changed when it was graded by the present content of the dataset.
type Regraded struct {
	Changed  []ChangedVerdict // verdicts that differ from those in the file
	Unusable []Unusable       // traces that cannot be graded again and no longer count
	Removed  []string         // queries that the dataset no longer has, by id
}

// ChangedVerdict is a trace that now has another verdict than when its run was accepted.
type ChangedVerdict struct {
	Run, Query string
	Trace      int // index among the run's traces of the query, over all passes
	From, To   judge.Ruling
}

// Unusable is a query that has traces, in some of the runs, that cannot be graded again.
type Unusable struct {
	Query, Reason string
	Runs          int
}

// Warnings returns the changes as sentences. They are printed with the warnings of the decision.
func (r Regraded) Warnings() (out []string) {
	if n := len(r.Changed); n > 0 {
		c := r.Changed[0]
		out = append(out, fmt.Sprintf("the present gold and rules (%s) change the verdict on %s of the "+
			"baseline, first %s of run %s: %s, now %s", answer.Version, text.Counted(n, "stored trace"), c.Query, c.Run,
			c.From, c.To))
	}
	for _, u := range r.Unusable {
		out = append(out, fmt.Sprintf("%s has no history from %s: %s", u.Query, text.Counted(u.Runs, "run"), u.Reason))
	}
	if n := len(r.Removed); n > 0 {
		out = append(out, fmt.Sprintf("removed since the accepted runs: %s (%s)", text.Counted(n, "query"),
			text.Listed(r.Removed)))
	}
	return out
}

// Regrade grades the stored outcome, answer and message of every trace again by the present gold. A stored
// verdict is used only if the trace cannot be graded and if query and rules are those under which the verdict
// was given. In each run, the traces of a query are either all used or all left out, because using only some of
// them would bias the counts. Queries come in the order of the dataset. Queries that the dataset no longer has
// are dropped. A run of another dataset is an error. A dataset counts as another one if name and content differ
// and fewer than half of the run's questions are in it.
func (p Pool) Regrade(d *datasets.Dataset) (Pool, Regraded, error) {
	now := Pool{Configuration: p.Configuration, Stored: slices.Clone(p.Stored), Reset: p.Reset}
	queries := map[string]datasets.Query{}
	for _, q := range d.Queries {
		queries[q.ID] = q
		now.Items = append(now.Items, gate.Item{Query: q.ID, Category: q.Category,
			Safety: q.Gold.Outcome == trace.Refused})
	}
	older := len(p.Stored) - len(p.Runs)
	var found Regraded
	for i, r := range p.Stored {
		if !r.over(d, queries) {
			return Pool{}, Regraded{}, fmt.Errorf("compare with the baseline: its run %s is over the dataset %s, but "+
				"%s shares fewer than half of its questions: name the baseline of this dataset, "+
				"or begin one with `concur baseline add`", r.Run, r.Dataset.Name, d.Name)
		}
		if i == older {
			found = Regraded{} // the runs before this one are too old to be in the pool
		}
		now.Stored[i].Queries = found.grade(r, queries)
	}
	now.Runs = now.Stored[older:]
	now.sum()
	found.Removed = merged(found.Removed)
	return now, found, nil
}

// over reports whether the run is a run of this dataset. The dataset may have another name now.
func (r AcceptedRun) over(d *datasets.Dataset, queries map[string]datasets.Query) bool {
	shared := 0
	for _, q := range r.Queries {
		if now, ok := queries[q.Query]; ok && questionOf(now).Text == q.Text {
			shared++
		}
	}
	return r.Dataset.Name == d.Name || r.Dataset.Hash == d.Hash || 2*shared >= len(r.Queries)
}

func (r *Regraded) grade(run AcceptedRun, queries map[string]datasets.Query) (out []AcceptedQuery) {
	for _, old := range run.Queries {
		q, there := queries[old.Query]
		if !there {
			r.Removed = append(r.Removed, old.Query)
			continue
		}
		fresh, why := old.regrade(q, run.Versions)
		if why != "" {
			at := slices.IndexFunc(r.Unusable, func(u Unusable) bool { return u.Query == q.ID && u.Reason == why })
			if at < 0 {
				at, r.Unusable = len(r.Unusable), append(r.Unusable, Unusable{q.ID, why, 0})
			}
			r.Unusable[at].Runs++
			continue
		}
		out = append(out, fresh)
		for t, was := range old.Traces {
			if is := fresh.Traces[t]; is.Verdict != was.Verdict {
				r.Changed = append(r.Changed, ChangedVerdict{run.Run, q.ID, t, was.Verdict, is.Verdict})
			}
		}
	}
	return out
}

// regrade grades the stored traces of a query by the present gold of the query. If they cannot be graded, why
// is the reason; otherwise it is "".
func (old AcceptedQuery) regrade(q datasets.Query, versions map[string]string) (fresh AcceptedQuery, why string) {
	now, g := questionOf(q), q.Gold
	fresh = AcceptedQuery{Question: now, Traces: slices.Clone(old.Traces)}
	switch {
	case old.Text != now.Text:
		why = "the question was changed since its answers"
	case versions[Graded] != "":
		why = "its answers were recorded elsewhere and graded " + versions[Graded] + ", and the gold was changed"
	case len(q.Turns) > 0:
		why = "the query is a conversation, and only its last reply was kept"
	case len(q.Checks) > 0:
		why = "the query has checks, and the figures and steps that they may need were not kept"
	case q.Expects != nil:
		why = "the query expects tool calls, which were not kept"
	case g.SQL != "":
		why = "the gold is a statement, and the statements of the traces were not kept"
	case g.Condition != "":
		why = "the gold has a condition that only a judge can decide"
	}
	for i, t := range fresh.Traces {
		if readsMessage(g) && t.Message == nil && t.Outcome == now.Expects {
			why = cmp.Or(why, "the gold looks for keywords in the message, which was not kept")
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
	if why != "" && old.Hash == now.Hash && versions["norm"] == answer.Version {
		return old, ""
	}
	return fresh, why
}
