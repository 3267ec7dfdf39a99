package runner

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Retake describes how to resume or replay a run from its manifest. The settings must be the same as at the
// beginning of the run. Limits may differ, because they affect neither the agent nor the results. If failed
// traces are run again, the search may differ too, because it may have caused the failures.
type Retake struct {
	Replay      bool // otherwise the run is resumed
	Regrade     bool // for a replay whose dataset may have a different gold
	RetryFailed bool
	// Settings are the settings that are now requested for the first configuration. Seed is nil if no seed is
	// requested.
	Settings config.Configuration
	Seed     *int64
	// Source and Selection choose the queries; "" and nil mean the run's own.
	Source    string
	Selection *Selection
	// Questions are the questions of a session of ask that is replayed. It is nil for other runs.
	Questions *datasets.Dataset
	// Versions returns the present versions of rules, prompts and models for these configurations.
	Versions func(...config.Configuration) map[string]string
	Now      time.Time
}

// Draft returns a draft that resumes the run of a manifest, or that replays it as a new run.
func (r Retake) Draft(m store.Manifest) (Draft, error) {
	verb := "resume"
	if r.Replay {
		verb = "replay"
	}
	fail := func(format string, args ...any) (Draft, error) {
		return Draft{}, fmt.Errorf("%s run %s: "+format, append([]any{verb, m.Run}, args...)...)
	}
	if err := m.CheckSeal(); err != nil && !r.Replay {
		return fail("%w", err)
	}
	made := m.Configurations[0].Configuration
	made.Name = m.Configurations[0].Name
	if m.IsAttack() {
		return fail("an attack cannot be resumed, nor replayed, because its manifest does not have its cases: run `%s` again",
			store.ResumeCommand("", m))
	}
	if m.Dataset.Source == "" && r.Questions == nil {
		return fail("its manifest does not name its dataset, like that of a session of `concur ask` or " +
			"of an older concur: begin a new run")
	}
	d, err := r.draft(m, made)
	if err != nil {
		return Draft{}, err
	}
	r.Settings = withToolsOf(d.Dataset, r.Settings)
	if changed := r.changed(made, m.Seed); len(changed) > 0 {
		return fail("its settings cannot change, and these differ: %s; leave them out, or begin a new run",
			strings.Join(changed, "; "))
	}
	if d.Manifest.Dataset.Hash != m.Dataset.Hash && !r.Regrade {
		hint := ""
		if r.Replay {
			hint = ", add --check to grade the recording by the present gold"
		}
		if d.Manifest.Dataset.Source != m.Dataset.Source || !d.Manifest.Dataset.Filter.Equal(m.Dataset.Filter) {
			return fail("these arguments and flags select other queries: leave out the dataset and all "+
				"flags that choose queries%s, or begin a new run", hint)
		}
		return fail("the dataset %s has changed since the run began (%.19s, now %.19s): restore it%s, or "+
			"begin a new run", d.Manifest.Dataset.Source, m.Dataset.Hash, d.Manifest.Dataset.Hash, hint)
	}
	if r.Replay {
		d.Manifest.Run, d.Manifest.Start, d.Manifest.ReplayOf = store.NewName(r.Now, d.Dataset.Name), r.Now, m.Run
		d.Manifest.End, d.Manifest.Resumed, d.Manifest.PausedS = nil, nil, 0
		d.Manifest.Today = ""
		if day := dayOf(m); !day.Equal(dayOf(d.Manifest)) {
			d.Manifest.Today = day.Format(time.DateOnly)
		}
		return d, d.check() // a replay detects changed requests itself
	}
	if m.ReplayOf != "" {
		return fail("it is a replay of %s; replay that again with --replay", m.ReplayOf)
	}
	var confs []config.Configuration
	for _, a := range d.Plan().Arms {
		confs = append(confs, a.Configuration)
	}
	if changed := ChangedVersions(m.Versions, r.Versions(confs...)); len(changed) > 0 {
		return fail("models, rules or prompts have changed since it began: %s; restore the endpoint, "+
			"finish the run with the concur that began it (%s), or begin a new run", strings.Join(changed, "; "),
			m.Versions["concur"])
	}
	return d, d.check()
}

// changed lists the requested settings that differ from the run's.
func (r Retake) changed(made config.Configuration, seed int64) []string {
	asked := r.Settings
	asked.Limits = made.Limits
	if r.RetryFailed {
		asked.Search = made.Search
	}
	changed := config.Differences(made, asked)
	if r.Seed != nil && *r.Seed != seed {
		changed = append(changed, fmt.Sprintf("seed: %d, now %d", seed, *r.Seed))
	}
	return changed
}

// draft applies the requested settings to the manifest. If another search is requested, it replaces the first
// configuration's search in all configurations that have the same search.
func (r Retake) draft(m store.Manifest, made config.Configuration) (Draft, error) {
	d := Draft{Manifest: m, OtherSearch: searchChange(made.Search, r.Settings.Search)}
	d.Manifest.Configurations = slices.Clone(m.Configurations)
	for i := range d.Manifest.Configurations {
		c := &d.Manifest.Configurations[i]
		c.Configuration.Name, c.Limits = c.Name, r.Settings.Limits
		if d.OtherSearch != "" && searchChange(c.Search, made.Search) == "" {
			c.Search = r.Settings.Search
		}
	}
	selection := selectionOf(m.Dataset)
	if r.Selection != nil {
		selection = *r.Selection
		selection.Shard = m.Dataset.ShardOf()
	}
	var err error
	if r.Questions != nil && r.Source == "" {
		var asked *datasets.Dataset
		if asked, err = r.Questions.Filter(selection.Part); err == nil {
			d.Dataset, d.Manifest.Dataset = queries.Of(asked), DescribeDataset(asked)
			d.Manifest.Dataset.Filter = selection.Part
		}
		return d, err
	}
	if d.Dataset, d.Manifest.Dataset, err = selection.Open(cmp.Or(r.Source, m.Dataset.Source)); err != nil {
		return d, err
	}
	return d, d.checkColumns()
}

func searchChange(made, now config.Search) string {
	return strings.Join(config.Differences(config.Configuration{Search: made}, config.Configuration{Search: now}), "; ")
}

// ChangedVersions lists the versions that differ. It does not compare the version and commit of concur: another
// build that has the same rules may finish a run.
func ChangedVersions(made, now map[string]string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if name != "concur" && name != "commit" && made[name] != now[name] {
			out = append(out, fmt.Sprintf("%s %s, now %s", name, made[name], now[name]))
		}
	}
	return out
}

// CheckAgents returns an error if an agent is not the same as at the start of the run. open is the plan with
// open agents, and facts has the facts of these agents by their hashes.
func (d Draft) CheckAgents(open Plan, facts map[string]store.AgentFacts) error {
	for i, made := range d.Manifest.Configurations {
		if now := open.Arms[i].AgentHash; now != made.Agent {
			return fmt.Errorf("resume run %s: the agent of configuration %s has changed since it began (hash %.12s, "+
				"now %.12s)%s: restore it, or begin a new run", d.Manifest.Run, made.Name, made.Agent, now,
				changedParts(d.Manifest.Agents[made.Agent], facts[now]))
		}
	}
	return nil
}

// changedParts names the corpus and the tools that differ; if they are equal, it names possible causes.
func changedParts(made, now store.AgentFacts) string {
	var changed []string
	if made.Corpus != now.Corpus {
		changed = append(changed, "the corpus")
	}
	for _, name := range slices.Sorted(maps.Keys(made.Tools)) {
		if made.Tools[name] != now.Tools[name] {
			changed = append(changed, "the tool "+name)
		}
	}
	if len(changed) == 0 {
		return ", for example because a rule or a file changed"
	}
	return "; changed: " + strings.Join(changed, ", ")
}
