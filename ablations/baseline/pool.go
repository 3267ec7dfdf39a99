package baseline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// PoolRuns returns the default number of accepted runs in a pool: so many that each query has 15 traces, and at
// least five (docs/method.md §6.2).
func PoolRuns(k int) int { return max(5, (15+max(k, 1)-1)/max(k, 1)) }

// Pool is the history with which a run is compared: the last accepted runs of a configuration. It may have
// fewer runs than a decision needs; the decision checks that.
type Pool struct {
	Configuration string
	Runs          []AcceptedRun // in run order
	Items         []gate.Item   // the histories, by query id; after Regrade in the dataset's order
	Reset         *Reset        // the last reset, with which the pool began; nil without one
	// Stored are the runs from which the gate estimates how much runs differ: all runs that count, at most 30.
	// If Runs has more than 30, Stored has as many. Runs are the last of the stored runs.
	Stored []AcceptedRun
}

const mostStored = 30

// Pool returns the last accepted runs of a configuration after its last reset, at most runs of them. If runs is
// 0, the number is PoolRuns(k), and if k is 0 too, k is that of the last run. The runs have the verdicts that
// they had when they were accepted; Regrade changes them.
func (b *Baseline) Pool(configuration string, runs, k int) Pool {
	counting := b.Counting(configuration)
	if n := len(counting); k == 0 && n > 0 {
		k = counting[n-1].K
	}
	if runs <= 0 {
		runs = PoolRuns(k)
	}
	stored := slices.Clone(counting[max(0, len(counting)-max(runs, mostStored)):])
	return b.pool(configuration, stored, stored[max(0, len(stored)-runs):])
}

// PoolOf returns the pool that has the runs with these names, even if other runs were accepted or the pool was
// reset since then. The gate uses it to continue an earlier question. If a run is missing, this is an error.
func (b *Baseline) PoolOf(configuration string, names []string) (Pool, error) {
	var runs []AcceptedRun
	for _, r := range b.Runs {
		if r.Configuration == configuration && slices.Contains(names, r.Run) {
			runs = append(runs, r)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(runs, func(r AcceptedRun) bool { return r.Run == name }) {
			return Pool{}, fmt.Errorf("run %s, with which the gate began, is no longer in the baseline: "+
				"put it back, or give the new decision a name, such as --as release", name)
		}
	}
	slices.SortStableFunc(runs, byStart)
	stored := slices.Clone(runs)
	if n := len(runs); n > 0 {
		for _, r := range b.Counting(configuration) {
			if byStart(r, runs[n-1]) < 0 && !slices.Contains(names, r.Run) {
				stored = append(stored, r)
			}
		}
		slices.SortStableFunc(stored, byStart)
	}
	return b.pool(configuration, stored, runs), nil
}

// pool counts the traces of the runs by query.
func (b *Baseline) pool(configuration string, stored, runs []AcceptedRun) Pool {
	p := Pool{Configuration: configuration, Stored: stored, Runs: runs}
	if reset, ok := b.lastReset(configuration); ok {
		p.Reset = &reset
	}
	known := map[string]bool{}
	for _, r := range slices.Backward(p.Runs) { // the latest run defines the query
		for _, q := range r.Queries {
			if !known[q.Query] {
				known[q.Query] = true
				p.Items = append(p.Items, gate.Item{Query: q.Query, Category: q.Category,
					Safety: q.Expects == trace.Refused})
			}
		}
	}
	slices.SortFunc(p.Items, func(x, y gate.Item) int { return strings.Compare(x.Query, y.Query) })
	p.sum()
	return p
}

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

func (q AcceptedQuery) marks() []gate.TraceResult {
	marks := make([]gate.TraceResult, len(q.Traces))
	for i, t := range q.Traces {
		marks[i] = MarkOf(t.Outcome, t.Verdict)
	}
	return marks
}

// Count counts traces by verdict.
func (q AcceptedQuery) Count() gate.Traces { return gate.Count(q.marks()) }

// counts counts the traces of each run (first index) and each item of the pool (second index). right and of are
// the numbers of right and of scored traces. outcomes has, for each scored trace in its order, whether it is
// right.
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

// Evidence returns the evidence for a decision that comes from the pool. Pass.Observe adds the evidence of the
// run. draws is the number of permutations in the test of concordance, and seed their seed. If draws is 0, the
// test is left out.
func (p Pool) Evidence(seed int64, draws int) gate.Evidence {
	e := gate.Evidence{PoolRuns: len(p.Runs), Items: slices.Clone(p.Items), Warnings: slices.Concat(p.odd(), p.mixed())}
	if p.Reset != nil {
		e.Overrides = append(e.Overrides, p.Reset.String())
	}
	for _, r := range p.Runs {
		e.K = r.K // until the run's own k is known
		if r.Override != nil {
			said := "no gate was run"
			if r.Decision != nil {
				said = "its gate decided " + string(*r.Decision)
			}
			e.Overrides = append(e.Overrides, fmt.Sprintf("run %s was accepted by %s (%s): %s", r.Run,
				r.Override.Author, said, r.Override.Reason))
		}
	}
	stored := p.Stored[max(0, len(p.Stored)-mostStored):]
	e.Stored = len(stored)
	right, of, outcomes := p.counts(stored)
	if phi, ok := stats.Dispersion(right, of); ok {
		e.Phi = &phi
	}
	if draws > 0 {
		e.Concordance = stats.Defined(stats.Concordance(outcomes, seed, draws))
	}
	return e
}

func (p Pool) mixed() (out []string) {
	var agents, models []string
	for _, r := range p.Runs {
		agents = merged(agents, r.Agent)
		if len(r.Models) > 0 {
			models = merged(models, strings.Join(r.Models, " + "))
		}
	}
	warn := func(n int, of string) {
		if n > 1 {
			out = append(out, fmt.Sprintf("the accepted runs are of %d %s, whose difference is "+
				"averaged; if the change is intended, reset the baseline", n, of))
		}
	}
	warn(len(agents), "agents")
	warn(len(models), "models ("+text.Listed(models)+")")
	return out
}

// homogeneityLevel is divided equally among both tails of all runs (docs/method.md §6.2).
const homogeneityLevel = .10

// odd returns warnings about runs that differ from the other runs of the pool. Each of the R runs is tested
// against the other runs in both directions, at the level .10/2R. Safety items are left out.
func (p Pool) odd() (out []string) {
	right, of, _ := p.counts(p.Runs)
	level := homogeneityLevel / float64(2*len(p.Runs))
	for r, run := range p.Runs {
		var strata []stats.Stratum
		var own, others gate.Traces
		for i, item := range p.Items {
			s := stats.Stratum{X: right[r][i], K: of[r][i], H: item.History.Right - right[r][i],
				M: item.History.Scored() - of[r][i]}
			if item.Safety || s.K == 0 || s.M == 0 {
				continue
			}
			strata = append(strata, s)
			own = own.Plus(gate.Traces{Right: s.X, Wrong: s.K - s.X})
			others = others.Plus(gate.Traces{Right: s.H, Wrong: s.M - s.H})
		}
		t, ok := stats.Stratified(strata, func(stats.Stratum) int { return 1 })
		what, why, chance := "worse", "a bad run hides regressions", t.Below+t.At/2
		if t.Above < t.Below {
			what, why, chance = "better", "a lenient run makes false alarms", t.Above+t.At/2
		}
		if ok && chance < level {
			out = append(out, fmt.Sprintf("the accepted run %s is %s than the others: %d of %d traces right, "+
				"%d of %d in the others (p %.2g, below %.2g); %s: check it, and remove it from the "+
				"baseline if it was bad",
				run.Run, what, own.Right, own.Scored(), others.Right, others.Scored(), chance, level, why))
		}
	}
	return out
}

// Differences lists the differences between a run and the last accepted run of the pool. If the accepted run
// has no recorded facts, only the names of the models are compared.
func (p Pool) Differences(b *Baseline, pass Pass) []string {
	if len(p.Runs) == 0 {
		return nil
	}
	last, now := p.Runs[len(p.Runs)-1], facts.FromManifest(pass.Manifest, pass.Configuration)
	was, known := b.Facts[last.Facts]
	if was.Agent = last.Agent; !known {
		was, now.Agent = now, ""
	}
	was.Models, now.Models = last.Models, pass.Models
	return was.Differences(now)
}

// SameReader returns an error if the answers of a run were read in another way than those of the last accepted
// run: one with rules alone, and the other with a model. Runs that have no recorded facts were read with rules.
func (p Pool) SameReader(b *Baseline, pass Pass) error {
	if len(p.Runs) == 0 {
		return nil
	}
	rules := string(config.ExtractRules)
	was := cmp.Or(b.Facts[p.Runs[len(p.Runs)-1].Facts].Settings["extract"], rules)
	now := cmp.Or(string(pass.Configuration.Extract), rules)
	if was != now {
		return fmt.Errorf("read run %s: its answers were read with extract: %s, those of the accepted "+
			"runs with extract: %s: run again with --extract %s, or start over with `concur "+
			"baseline reset`", pass.Manifest.Run, now, was, was)
	}
	return nil
}

// Observe adds the evidence of the run to the evidence of a pool: traces, consensus, cost and time. It returns
// an error if the dataset does not have a query of the run. It also returns an error if the run's answers were
// read or voted on by other rules than the present ones, because the pool is graded by the present rules.
func (p Pass) Observe(e *gate.Evidence, pool Pool) error {
	if norm := p.Manifest.Versions["norm"]; norm != answer.Version {
		return fmt.Errorf("read run %s: its answers were read and voted on under %s, but this concur grades "+
			"by %s: run again, and gate on the new run", p.Manifest.Run,
			cmp.Or(norm, "unknown rules"), answer.Version)
	}
	at := pool.places()
	for _, r := range p.Records {
		i, ok := at[r.Query]
		if !ok {
			return fmt.Errorf("read run %s: query %s is not in the dataset", p.Manifest.Run, r.Query)
		}
		e.Items[i].Current = TracesOf(r.Answers)
		e.Consensus.Queries++
		switch r.Verdict.Verdict {
		case judge.Correct:
			e.Consensus.Correct++
		case judge.Unscored:
			e.Consensus.Unscored++
		}
	}
	var run AcceptedRun
	if err := run.sum(p); err != nil {
		return err
	}
	e.K, e.USD, e.P95S, e.Retry = p.Configuration.K, run.USD, run.P95S, Retry(p.Manifest)
	if len(p.Models) > 1 {
		e.Invalid = append(e.Invalid, SeveralModels(p.Models))
	}
	if unwired(p.Records) {
		e.Invalid = append(e.Invalid, result.NeverRead)
	}
	return nil
}

// unwired reports whether no reply of the run's agent could be read.
func unwired(records []store.Record) bool {
	var lost result.Losses
	for _, r := range records {
		lost.Add(r)
	}
	return lost.Unwired()
}
