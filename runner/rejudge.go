package runner

import (
	"fmt"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/judge/checking"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/imported"
	"github.com/seed-5817661a/concur/runner/store"
)

// Rejudge describes how the traces of a run are decided and judged again. Extractor, consensus stages, quorum,
// verifier, judges, threshold, pass mode, gold and rules may change. The traces do not change.
type Rejudge struct {
	Run *store.Run
	// Source is the dataset; "" means the dataset of the run. It must have the same questions as that dataset,
	// but may have other golds.
	Source string
	// Change changes settings of a configuration. It must not change the agent.
	Change func(*config.Configuration)
	Now    time.Time
}

// Draft returns a new run with the same traces. changed lists the settings that differ from the original run.
func (r Rejudge) Draft() (d Draft, changed []string, err error) {
	m := r.Run.Manifest
	defer func() {
		if err != nil {
			err = fmt.Errorf("judge run %s again: %w", m.Run, err)
		}
	}()
	if err := m.CheckSeal(); err != nil {
		return d, nil, err
	}
	if m.State != store.Complete {
		return d, nil, fmt.Errorf("it is not complete (state: %s): finish it with `%s`", m.State,
			store.ResumeCommand(r.Run.Dir, m))
	}
	source, err := r.open(&d)
	if err != nil {
		return d, nil, err
	}
	if err := r.sameQueries(source, d.Dataset); err != nil {
		return d, nil, err
	}
	d.Manifest.Dataset.Name = m.Dataset.Name
	d.Manifest.Run, d.Manifest.Start, d.Manifest.RejudgeOf = store.NewName(r.Now, m.Dataset.Name), r.Now, m.Run
	d.Manifest.ReplayOf = ""
	for i := range d.Manifest.Configurations {
		c := &d.Manifest.Configurations[i]
		made, now := c.Configuration, c.Configuration
		r.Change(&now)
		c.Extract, c.Extractor = now.Extract, now.Extractor
		c.Consensus, c.Verifier, c.Judge, c.Pass, c.Limits = now.Consensus, now.Verifier, now.Judge,
			now.Pass, now.Limits
		made.Limits = c.Limits
		for _, text := range config.Differences(made, c.Configuration) {
			if len(m.Configurations) > 1 {
				text = c.Name + ": " + text
			}
			changed = append(changed, text)
		}
	}
	return d, changed, d.check()
}

// open sets the manifest and the queries of a draft. source is the dataset that they were read from.
func (r Rejudge) open(d *Draft) (source string, err error) {
	m := r.Run.Manifest
	d.Manifest = m
	source = imported.Source(r.Run)
	if source == "" && r.Source == "" && imported.HasNoDataset(r.Run) {
		d.Dataset = queries.Of(datasets.New(m.Dataset.Name, nil))
	} else {
		if source == "" || r.Source != "" {
			if source, err = sourceOf(m.Dataset.Source, r.Source); err != nil {
				return "", err
			}
		}
		if d.Dataset, d.Manifest.Dataset, err = selectionOf(m.Dataset).Open(source); err != nil {
			return "", err
		}
	}
	if r.Source != "" || !imported.Is(r.Run) {
		return source, nil
	}
	of := &d.Manifest.Dataset
	if d.Dataset, err = imported.WithUnjudged(r.Run, d.Dataset); err == nil {
		d.Dataset.Name = m.Dataset.Name // not that of the file in the run folder
		from := of.Source
		*of, err = DescribeSet(d.Dataset)
		of.Source = from
	}
	return source, err
}

// sameQueries returns an error if queries differ from those of the run. Their golds may differ.
func (r Rejudge) sameQueries(source string, set *queries.Set) error {
	texts := make(map[string]string, set.Len())
	for q, err := range set.Queries() {
		if err != nil {
			return err
		}
		texts[q.ID] = q.Text
	}
	for rec, err := range r.Run.Records() {
		if err != nil {
			return err
		}
		if text, ok := texts[rec.Query]; !ok || text != rec.Question {
			return fmt.Errorf("the dataset %s does not have its query %s, or has a different question for it: name the "+
				"dataset of the run with --dataset FILE", source, rec.Query)
		}
	}
	if n := r.Run.Manifest.Dataset.Queries; set.Len() != n {
		return fmt.Errorf("the dataset %s has %d queries, and the run has %d: name the dataset of the run with "+
			"--dataset FILE", source, set.Len(), n)
	}
	return nil
}

// NeedsEvents reports whether the events of traces are needed: judges read them, tool calls are compared, a program
// checks them, or the last statement is executed.
func (p Plan) NeedsEvents() bool {
	return slices.ContainsFunc(groupsOf(p.Arms), func(g group) bool {
		return p.Dataset.Len() > 0 && g.needsEvents(p.Dataset.Expects() || len(p.Dataset.Programmed()) > 0 ||
			len(p.Dataset.Executed()) > 0)
	})
}

// CheckWhole returns an error if traces are missing. A rejudged run cannot run them.
func (p Plan) CheckWhole(prior *store.Prior) error {
	missing := p.Missing(prior)
	for id := range p.Dataset.IDs() {
		for i, n := range missing(id) {
			if n > 0 {
				return fmt.Errorf("%d traces of query %s in configuration %s are incomplete and cannot be "+
					"judged: copy the run again from its origin, or run again", n, id,
					p.Arms[i].Configuration.Name)
			}
		}
	}
	return nil
}

// CheckedBy returns the results that programs and models gave for a run's checks on these queries, by the keys
// of the checks. A run that replays or rejudges the run does not have to ask them again. It is empty if no
// query has such checks.
func CheckedBy(run *store.Run, on *queries.Set) (map[string]checking.Result, error) {
	out := map[string]checking.Result{}
	if len(on.Programmed()) == 0 {
		return out, nil
	}
	var add func(results []checking.Result)
	add = func(results []checking.Result) {
		for _, r := range results {
			if add(r.Parts); r.Key != "" && (r.Pass != nil || r.Unsteady) {
				out[r.Key] = r
			}
		}
	}
	for rec, err := range run.Records() {
		if err != nil {
			return nil, err
		}
		for _, turn := range rec.ByTurn() {
			for _, a := range turn.Answers {
				add(a.Checks)
			}
		}
	}
	return out, nil
}
