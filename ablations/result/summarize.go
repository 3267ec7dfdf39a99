package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/store"
)

// Level is the confidence level of every interval.
const Level = 0.95

// Summarize computes the figures of a run from its manifest and records. Every query stays in the denominator. In an
// incomplete run, queries without a record count as unscored and widen the bounds; in a complete run they are an
// error. A record of a configuration that the manifest does not name, or with an unknown verdict, is an error.
//
// It reads the records once and keeps a few numbers of each query and trace. The result
// does not depend on the order of records, not even in the last digit.
func Summarize(m store.Manifest, records iter.Seq2[store.Record, error]) (*Result, error) {
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
	tallies := map[string]*tally{}
	for _, c := range m.Configurations {
		tallies[c.Name] = newTally(c.Pass)
	}
	for rec, err := range records {
		if err != nil {
			return nil, err
		}
		t, known := tallies[rec.Configuration]
		if !known {
			return nil, fmt.Errorf("summarise run %s: it has a record of configuration %q, which its "+
				"manifest does not list", m.Run, rec.Configuration)
		}
		if err := t.add(rec); err != nil {
			return nil, fmt.Errorf("summarise run %s: %w", m.Run, err)
		}
	}
	for _, c := range m.Configurations {
		if err := tallies[c.Name].settle(); err != nil {
			return nil, fmt.Errorf("summarise run %s: %w", m.Run, err)
		}
	}
	fewest := fewestEfforts(tallies)
	titles := Titles(m)
	for i, c := range m.Configurations {
		t := tallies[c.Name]
		missing := m.Dataset.Queries - len(t.seen)
		if missing < 0 || missing > 0 && m.State == store.Complete {
			return nil, fmt.Errorf("summarise run %s: configuration %s has records of %d queries, but the "+
				"manifest lists %d", m.Run, c.Name, len(t.seen), m.Dataset.Queries)
		}
		if err := t.miss(missing, m.Dataset.ByCategory); err != nil {
			return nil, fmt.Errorf("summarise run %s: %w", m.Run, err)
		}
		row := t.row(c, m.Seed, fewest)
		row.Title, row.Command = titles[i], Command(c)
		row.ModelUnused = c.Configuration.Agent.External.Used() && len(m.Agents[c.Agent].Models) == 0
		imported := c.Configuration.Agent.External.Imported != ""
		if m.End != nil && !imported { // for an import, End is the time of the import
			wall := max(0, m.End.Sub(m.Start).Seconds()-m.PausedS)
			row.Timing.WallS = &wall
		}
		r.Configurations = append(r.Configurations, row)
		r.Warnings = append(r.Warnings, warnings(row)...)
		if c.Seen > 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s: seen: its playbook was learned from %d of these "+
				"queries, so its pass rate does not hold for others", c.Name, c.Seen))
		}
		if e := c.Configuration.Agent.External; e.HTTP != "" && e.Version == "" && len(m.Agents[c.Agent].Files) == 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s: the version of the agent %s is not stated, so a "+
				"change of it goes unnoticed: set agent.version, or agent.files", c.Name, e.Label()))
		}
	}
	r.tellSent(m)
	if m.Seal != "" && m.CheckSeal() != nil { // older runs were not sealed
		r.Warnings = append(r.Warnings, "run.yaml was changed since the run began, in settings that affect results: "+
			"do not rely on the figures; restore run.yaml")
	}
	return r, nil
}

// Path returns the path of a run's figures in its folder.
func Path(dir string) string { return filepath.Join(dir, "summary.json") }

// Stored reads the stored figures of a run. It returns nil if the run is not complete or they are not written
// yet.
func Stored(r *store.Run) (*Result, error) {
	if r.Manifest.State != store.Complete {
		return nil, nil
	}
	raw, err := store.ReadFile(Path(r.Dir))
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
