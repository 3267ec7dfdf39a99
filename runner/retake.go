package runner

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Retake says how a run is taken up again from its manifest: to be resumed, or replayed. What
// is asked must be what the run began with. Limits may differ, which reach neither agent nor
// result, and where failed traces are run again the search, which may be why they failed.
type Retake struct {
	Replay      bool // else the run is resumed
	Regrade     bool // of a replay, whose dataset may have another gold
	RetryFailed bool
	// Settings are the first configuration as it is asked for now; Seed is nil where none is.
	Settings config.Configuration
	Seed     *int64
	// Source and Selection choose the queries; "" and nil are the run's own.
	Source    string
	Selection *Selection
	// Questions are those of a session of ask that is replayed; nil for another run.
	Questions *datasets.Dataset
	// Versions are those of rules, prompts and models behind these configurations now.
	Versions func(...config.Configuration) map[string]string
	Now      time.Time
}

// Draft is the run of a manifest, or a replay of it as a new run.
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
	if changed := r.changed(made, m.Seed); len(changed) > 0 {
		return fail("it is finished as it was begun, and this was asked otherwise: %s; leave it out, or begin a new run", strings.Join(changed, "; "))
	}
	if m.Dataset.Source == "" && r.Questions == nil {
		return fail("its manifest does not say where its queries came from, as that of a session of `concur ask` or of an older concur: begin a new run")
	}
	d, err := r.draft(m, made)
	if err != nil {
		return Draft{}, err
	}
	if d.Manifest.Dataset.Hash != m.Dataset.Hash && !r.Regrade {
		hint := ""
		if r.Replay {
			hint = ", add --check to grade the recording by the gold as it is now"
		}
		if d.Manifest.Dataset.Source != m.Dataset.Source || !sameFilter(d.Manifest.Dataset.Filter, m.Dataset.Filter) {
			return fail("it is of other queries than these arguments and flags name: leave the dataset and all flags that choose queries out%s, or begin a new run", hint)
		}
		return fail("the dataset %s is not what it was when the run began (%.19s, now %.19s): put it back%s, or begin a new run", d.Manifest.Dataset.Source, m.Dataset.Hash, d.Manifest.Dataset.Hash, hint)
	}
	if r.Replay {
		d.Manifest.Run, d.Manifest.Start, d.Manifest.ReplayOf = runName(r.Now, d.Dataset.Name), r.Now, m.Run
		d.Manifest.End, d.Manifest.Resumed, d.Manifest.PausedS = nil, nil, 0
		return d, d.Plan().Check() // what changes in a request shows in a replay by itself
	}
	if m.ReplayOf != "" {
		return fail("it is a replay of %s; replay that again with --replay", m.ReplayOf)
	}
	var confs []config.Configuration
	for _, a := range d.Plan().Arms {
		confs = append(confs, a.Configuration)
	}
	if changed := ChangedVersions(m.Versions, r.Versions(confs...)); len(changed) > 0 {
		return fail("models, rules or prompts are not those it began with: %s; put an endpoint back as it was, finish the run with the concur that began it (%s), or begin a new run", strings.Join(changed, "; "), m.Versions["concur"])
	}
	return d, d.Plan().Check()
}

// changed is what was asked otherwise than the run was made.
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

// draft puts what is asked now over the manifest, another search wherever the first one's is used.
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
	selection := Selection{Filter: m.Dataset.Filter}
	if r.Selection != nil {
		selection = *r.Selection
	}
	var err error
	if r.Questions != nil && r.Source == "" {
		if d.Dataset, err = r.Questions.Filter(datasets.Part(selection.Filter)); err == nil {
			d.Manifest.Dataset = DescribeDataset(d.Dataset)
			d.Manifest.Dataset.Filter = selection.Filter
		}
		return d, err
	}
	d.Dataset, d.Manifest.Dataset, err = selection.Open(cmp.Or(r.Source, m.Dataset.Source))
	return d, err
}

func searchChange(made, now config.Search) string {
	return strings.Join(config.Differences(config.Configuration{Search: made}, config.Configuration{Search: now}), "; ")
}

func sameFilter(a, b store.Filter) bool {
	return slices.Equal(a.Queries, b.Queries) && slices.Equal(a.Categories, b.Categories) && slices.Equal(a.Tags, b.Tags) && a.Limit == b.Limit
}

// ChangedVersions compares versions: another build of concur with the same rules may finish a run.
func ChangedVersions(made, now map[string]string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if name != "concur" && name != "commit" && made[name] != now[name] {
			out = append(out, fmt.Sprintf("%s %s, now %s", name, made[name], now[name]))
		}
	}
	return out
}

// CheckAgents refuses to go on with another agent than the run began with. open has open arms.
func (d Draft) CheckAgents(open Plan) error {
	for i, made := range d.Manifest.Configurations {
		if now := open.Arms[i].AgentHash; now != made.Agent {
			return fmt.Errorf("resume run %s: the agent of configuration %s has changed since it began (hash %.12s, now %.12s), as when a corpus or a tool is another: put that back, or begin a new run", d.Manifest.Run, made.Name, made.Agent, now)
		}
	}
	return nil
}
