package runner

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Draft is a requested run. Its models and agents are not open.
type Draft struct {
	// Manifest is the content of run.yaml. The parts that are known only after opening are missing: versions,
	// agent hashes and agent facts. For a resumed run, the manifest has the values that were recorded at its
	// start.
	Manifest  store.Manifest
	Dataset   *queries.Set
	SeedDrawn bool // the seed is random, so the next run has a different one
	// OtherSearch is the search that the missing traces of a resumed run use, if it differs from the recorded
	// search; otherwise "".
	OtherSearch string
	// AllowSeen permits a playbook that was learned from these queries. Its row is marked, and the gate
	// refuses the run.
	AllowSeen bool
}

// NewDraft returns a new run of configurations over a part of a dataset. data and of are results of
// Selection.Open. If no seed is given, the seed is 1 if all models are offline, and otherwise random.
func NewDraft(data *queries.Set, of store.Dataset, confs []config.Configuration, seed *int64,
	start time.Time) (Draft, error) {
	d := Draft{Dataset: data, Manifest: store.Manifest{Start: start, Dataset: of,
		Run: store.NewName(start, data.Name), Seed: 1}}
	offline := true
	for _, c := range confs {
		c = withToolsOf(data, c)
		if file := c.Agent.Playbook.File; file != "" {
			path, err := filepath.Abs(file)
			if err != nil {
				return d, fmt.Errorf("agent.playbook.file: %w", err)
			}
			c.Agent.Playbook.File = path
		}
		d.Manifest.Configurations = append(d.Manifest.Configurations,
			store.Configuration{Name: c.Name, Configuration: c})
		offline = offline && config.IsOffline(c.Model)
	}
	switch {
	case seed != nil:
		d.Manifest.Seed = *seed
	case !offline:
		d.SeedDrawn, d.Manifest.Seed = true, drawnSeed()
	}
	return d, d.check()
}

// withToolsOf adds a dataset's tools (config.Agent.FromDataset) to an agent that calls tools in a loop. If the
// configuration names no tools, they replace the default tools. Otherwise they follow the named tools.
func withToolsOf(data *queries.Set, c config.Configuration) config.Configuration {
	names := datasets.ToolNames(data.Tools)
	if len(names) == 0 || !c.Agent.Loops() || c.Agent.External.Used() {
		return c
	}
	tools := slices.Clone(c.Agent.Tools)
	if slices.Equal(tools, config.New().Agent.Tools) {
		tools = nil
	}
	for _, name := range c.Agent.FromDataset(names) {
		if !slices.Contains(tools, name) {
			tools = append(tools, name)
		}
	}
	c.Agent.Tools = tools
	return c
}

// WithDatasetTools adds the tools of a dataset to agent.tools, as NewDraft does. NewDraft then adds none. source is the
// dataset's source.
func WithDatasetTools(source string, c config.Configuration) (config.Configuration, error) {
	data, _, err := (&Selection{}).Open(source)
	if err != nil {
		return c, err
	}
	defer data.Close()
	if len(data.Tools) == 0 {
		return c, nil
	}
	c = withToolsOf(data, c)
	c.Agent.DatasetTools = new(int)
	return c, nil
}

func drawnSeed() int64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return int64(binary.BigEndian.Uint64(b[:]) >> 33)
}

// check reports errors that would otherwise appear after the run has begun.
func (d Draft) check() error {
	_, err := d.Manifest.Dataset.ShardOf().Limits(d.Manifest.Configurations[0].Limits)
	return errors.Join(err, d.Plan().Check(), d.checkColumns())
}

// checkColumns returns an error for each column that a prompt uses and some query does not have, with the first
// such query.
func (d Draft) checkColumns() error {
	var using []config.Prompts
	for _, c := range d.Manifest.Configurations {
		if p := c.Configuration.Effective().Agent.Prompts; len(p.Columns()) > 0 {
			using = append(using, c.Configuration.Agent.Prompts) // Effective has no names of files
		}
	}
	if len(using) == 0 {
		return nil
	}
	for q, err := range d.Dataset.Queries() {
		if err != nil {
			return err
		}
		var wrong []error
		for _, p := range using {
			wrong = append(wrong, p.CheckColumns(q.ID, q.Meta))
		}
		if err := errors.Join(wrong...); err != nil {
			return err
		}
	}
	return nil
}

// limits returns the limits of a configuration. For a shard, it returns the shard's part of these limits; the
// manifest has the limits of the whole run.
func (d Draft) limits(c config.Configuration) config.Limits {
	part, err := d.Manifest.Dataset.ShardOf().Limits(c.Limits)
	if err != nil { // check has reported it
		return c.Limits
	}
	return part
}

// ShardNote describes, for a person, the queries of a shard and its part of the limits. It returns "" if the
// run is not a shard.
func (d Draft) ShardNote() string {
	s := d.Manifest.Dataset.Shard
	if s == nil {
		return ""
	}
	share, err := s.Share(d.Manifest.Configurations[0].Limits)
	if err != nil {
		share = err.Error()
	}
	return fmt.Sprintf("shard %s has %s of the run, and its part of the limits: %s", s.Shard,
		text.CountedOf(d.Manifest.Dataset.Queries, s.Queries, "query"), share)
}

// Plan returns the draft as a plan whose models and agents are not open.
func (d Draft) Plan() Plan {
	p := Plan{Dataset: d.Dataset, Seed: d.Manifest.Seed, Today: dayOf(d.Manifest)}
	for _, c := range d.Manifest.Configurations {
		conf := c.Configuration
		conf.Name, conf.Limits = c.Name, d.limits(conf)
		p.Arms = append(p.Arms, Arm{Configuration: conf, AgentHash: c.Agent, First: c.First})
	}
	return p
}

// dayOf returns the day of a run in UTC. A resumed run uses the day of its start, and a replay the day of its
// recording, because the requests must be the same as before.
func dayOf(m store.Manifest) time.Time {
	if day, err := time.Parse(time.DateOnly, m.Today); err == nil {
		return day
	}
	return m.Start.UTC().Truncate(24 * time.Hour)
}

// First returns the first configuration. In an ablation, its limits, endpoints and prices are used for the
// whole run. If the run is a shard, the limits are the shard's part.
func (d Draft) First() config.Configuration {
	c := d.Manifest.Configurations[0].Configuration
	c.Limits = d.limits(c)
	return c
}

// Scope selects the earlier results of the run folder that this draft may reuse: the results of its own
// queries.
func (d Draft) Scope(retryFailed bool) store.Scope {
	s := store.Scope{RetryFailed: retryFailed, Queries: make(map[string]bool, d.Dataset.Len())}
	for id := range d.Dataset.IDs() {
		s.Queries[id] = true
	}
	return s
}

// CheckJudges returns an error if an offline quality judge decides the verdict. Such a judge grades only the
// form of an answer.
func (d Draft) CheckJudges() error {
	for _, c := range d.Manifest.Configurations {
		spec := c.ModelOf(c.Judge.Quality)
		if slices.Contains(c.Pass.Judges(), judge.ByQuality) && config.IsOffline(spec) {
			return fmt.Errorf("pass: %s with the quality judge %s: it grades form only, so wrong answers pass: name "+
				"a language model as judge.quality, take --pass gold or correctness, or add --yes to run it all the "+
				"same", c.Pass, spec)
		}
	}
	return nil
}
