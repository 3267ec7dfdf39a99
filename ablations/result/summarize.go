package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path/filepath"

	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// Level is the confidence level of every interval.
const Level = 0.95

// Summarize computes the figures of a run from its manifest and records, by means of a Tally.
func Summarize(m store.Manifest, records iter.Seq2[store.Record, error]) (*Result, error) {
	t := NewTally(m)
	for rec, err := range records {
		if err != nil {
			return nil, err
		}
		if err := t.Add(rec); err != nil {
			return nil, err
		}
	}
	return t.Result()
}

// Result computes the figures of the records. No query is left out of the denominator. In an incomplete run,
// queries without a record count as unscored and make the range wider. In a complete run, a missing record is
// an error. The Tally cannot be used again.
//
// The result does not depend on the order of records: even the last digit of each figure is the same.
func (t *Tally) Result() (*Result, error) {
	m := t.of
	r := &Result{
		Schema: Schema, Run: m.Run, State: m.State, Seed: m.Seed,
		Ablation: m.Ablation, Baseline: m.Baseline,
		Dataset:        Dataset{m.Dataset.Name, m.Dataset.Queries, m.Dataset.Of, m.Dataset.Hash, m.Dataset.Categories},
		Configurations: []Configuration{}, Comparisons: []Comparison{}, Warnings: []string{}, Remarks: []string{},
		Versions: map[string]string{},
	}
	maps.Copy(r.Versions, m.Versions)
	if r.Dataset.Categories == nil {
		r.Dataset.Categories = []string{}
	}
	for _, c := range m.Configurations {
		if err := t.configurations[c.Name].settle(); err != nil {
			return nil, t.wrong(err)
		}
	}
	fewest := fewestEfforts(t.configurations)
	titles := naming.Titles(m)
	for i, c := range m.Configurations {
		row, err := t.row(c, fewest)
		if err != nil {
			return nil, t.wrong(err)
		}
		row.Title, row.Command = titles[i], naming.Command(c)
		r.Configurations = append(r.Configurations, row)
		r.Warnings = append(r.Warnings, warningsOf(m, c, row)...)
	}
	r.tellSent(m)
	if m.Seal != "" && m.CheckSeal() != nil { // older runs have no seal
		r.Warnings = append(r.Warnings, "run.yaml was changed since the run began, in settings that affect results: "+
			"do not rely on the figures; restore run.yaml")
	}
	return r, nil
}

// row computes the figures of one configuration.
func (t *Tally) row(c store.Configuration, fewest map[string]effort) (row Configuration, err error) {
	of, m := t.configurations[c.Name], t.of
	n := of.counts.Queries
	missing := m.Dataset.Queries - n
	if missing < 0 || missing > 0 && m.State == store.Complete {
		return row, fmt.Errorf("configuration %s has records of %d queries, but the manifest lists %d", c.Name, n,
			m.Dataset.Queries)
	}
	if err := of.miss(missing, m.Dataset.ByCategory); err != nil {
		return row, err
	}
	row = of.row(c, m.Seed, fewest)
	row.ModelUnused = c.Configuration.Agent.External.Used() && len(m.Agents[c.Agent].Models) == 0
	imported := c.Configuration.Agent.External.Imported != ""
	if m.End != nil && !imported { // for an import, End is the time of the import
		wall := max(0, m.End.Sub(m.Start).Seconds()-m.PausedS)
		row.Timing.WallS = &wall
	}
	return row, nil
}

// warningsOf returns the warnings about a configuration.
func warningsOf(m store.Manifest, c store.Configuration, row Configuration) []string {
	out := warnings(row)
	if c.Seen > 0 {
		out = append(out, fmt.Sprintf("%s: seen: its playbook was learned from %d of these "+
			"queries, so its pass rate is not valid for other queries", c.Name, c.Seen))
	}
	if e := c.Configuration.Agent.External; e.HTTP != "" && e.Version == "" && len(m.Agents[c.Agent].Files) == 0 {
		out = append(out, fmt.Sprintf("%s: the version of the agent %s is not stated, so a "+
			"change of it goes unnoticed: set agent.version, or agent.files", c.Name, e.Label()))
	}
	return out
}

// Path returns the path of the file with a run's figures, summary.json.
func Path(dir string) string { return filepath.Join(dir, "summary.json") }

// Stored reads the stored figures of a run; nil if the run is not complete or the file does not exist yet.
func Stored(r *store.Run) (*Result, error) {
	if r.Manifest.State != store.Complete {
		return nil, nil
	}
	raw, err := disk.ReadFile(Path(r.Dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var s Result
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("read %s: %w; write it again with `%s`", Path(r.Dir), err,
			store.ResumeCommand(r.Dir, r.Manifest))
	}
	return &s, nil
}
