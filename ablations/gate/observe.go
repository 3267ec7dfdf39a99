package gate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Observe adds the run's part to a pool's evidence: traces, consensus, cost and time, and
// the names of its models, with a warning where they are not the pool's. Queries that the
// evidence does not have, because the dataset does not, are an error, and so is a run whose
// verdicts were given under other rules than those of now, by which the pool is graded.
func (e *Evidence) Observe(p RunPass, configuration string) error {
	c, err := p.configuration(configuration)
	if err != nil {
		return err
	}
	if norm := p.Manifest.Versions["norm"]; norm != answer.Version {
		return fmt.Errorf("read run %s: its answers were read and voted on under %s, and this concur grades by %s, the baseline's too: run again, and gate on that run", p.Manifest.Run, cmp.Or(norm, "rules that it does not name"), answer.Version)
	}
	at := e.places()
	for _, r := range p.Records {
		i, ok := at[r.Query]
		if !ok {
			return fmt.Errorf("read run %s: query %s is not in the dataset", p.Manifest.Run, r.Query)
		}
		current := tracesOf(r.Answers)
		e.Items[i].Current = current
		e.Consensus.Queries++
		switch r.Verdict.Verdict {
		case judge.Correct:
			e.Consensus.Correct++
		case judge.Incorrect:
			if current.majority() {
				e.Consensus.Outvoted = append(e.Consensus.Outvoted, r.Query)
			}
		case judge.Unscored:
			e.Consensus.Unscored++
			e.Consensus.Without = append(e.Consensus.Without, r.Query)
		}
	}
	var run AcceptedRun
	if err := run.sum(p, c); err != nil {
		return err
	}
	e.K, e.USD, e.P95S = c.K, run.USD, run.P95S
	e.RunFolder, e.RunModels = folderOf(p.Manifest), merged(nil, p.Models...)
	e.Warnings = append(e.Warnings, e.otherModels(c.Model, p.Models)...)
	e.LostP = e.lostP()
	return nil
}

// Confirm adds fresh traces, of one run folder or several, to the queries that they are of.
// Of each query no more than asked for are taken, by index: what else is there was not
// asked for. The names of their models are taken over as well.
func (e *Evidence) Confirm(asked Need, passes ...RunPass) {
	at := e.places()
	e.FreshFolders = nil
	for _, p := range passes {
		e.FreshModels = merged(e.FreshModels, p.Models...)
		if p.lost() {
			e.FreshFolders = append(e.FreshFolders, folderOf(p.Manifest))
		}
	}
	for _, ask := range slices.Concat(asked.Confirm, asked.Safety) {
		i, ok := at[ask.Query]
		if !ok {
			continue
		}
		var answers []store.Answer
		for _, p := range passes {
			for _, r := range p.Records {
				if r.Query == ask.Query {
					answers = append(answers, r.Answers...)
				}
			}
		}
		slices.SortStableFunc(answers, func(a, b store.Answer) int { return a.Trace - b.Trace })
		t := tracesOf(answers[:min(ask.Traces, len(answers))])
		e.Items[i].Fresh = &t
	}
}

// Replicate adds a second full pass, with the names of its models.
func (e *Evidence) Replicate(p RunPass) {
	at := e.places()
	e.SecondFolder, e.SecondModels = folderOf(p.Manifest), merged(nil, p.Models...)
	for _, r := range p.Records {
		if i, ok := at[r.Query]; ok {
			t := tracesOf(r.Answers)
			e.Items[i].Replica = &t
		}
	}
}

// lost reports whether the infrastructure took traces of a pass.
func (p RunPass) lost() bool {
	for _, r := range p.Records {
		if tracesOf(r.Answers).Lost > 0 {
			return true
		}
	}
	return false
}

func (e *Evidence) places() map[string]int {
	at := map[string]int{}
	for i, it := range e.Items {
		at[it.Query] = i
	}
	return at
}

// tracesOf counts the traces of a record by the gold's verdict on each.
func tracesOf(answers []store.Answer) Traces {
	var t Traces
	for _, a := range answers {
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

// lostP tests whether traces are lost more often, or less, in the run than in the pool
// (methods.md §1.1); nil where nothing was lost in either.
func (e *Evidence) lostP() *float64 {
	var now, before Traces
	for _, it := range e.Items {
		now, before = now.plus(&it.Current), before.plus(&it.History)
	}
	if now.Lost+before.Lost == 0 {
		return nil
	}
	p, ok := stats.Fisher(now.Lost, now.all(), before.Lost, before.all())
	if !ok {
		return nil
	}
	return &p
}

// Judged refuses a run whose verdicts rest on more than the gold's deterministic part: its
// single traces have no such verdict, and the tests are about single traces.
func Judged(p RunPass, configuration string) error {
	c, err := p.configuration(configuration)
	if err != nil {
		return err
	}
	if c.Pass != "gold" {
		return fmt.Errorf("configuration %s passes by %s, which looks at the consensus alone, and the gate's tests need a verdict on every trace: gate on a run with pass: gold", c.Name, c.Pass)
	}
	for _, r := range p.Records {
		if by := r.Verdict.By; by != judge.ByGold && by != judge.ByInfra {
			return fmt.Errorf("the verdict on query %s is by %s, which looks at the consensus alone, and the gate's tests need a verdict on every trace: leave queries with a semantic condition to a dataset of their own", r.Query, by)
		}
	}
	return nil
}
