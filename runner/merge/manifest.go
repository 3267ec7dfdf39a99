package merge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/workers"
)

// check returns an error unless the folders are distinct shards of one run. The folders are in the order of
// their indices.
func check(shards []*store.Run) error {
	if len(shards) == 0 {
		return fmt.Errorf("no shard is given")
	}
	for _, r := range shards {
		if r.Manifest.Kind() != store.KindShard {
			return fmt.Errorf("run %s is not a shard (kind: %s): name folders of `concur run --shard I/N`", r.Dir,
				r.Manifest.Kind())
		}
		if err := cmp.Or(r.Manifest.CheckSeal(), r.Manifest.Dataset.Shard.Check()); err != nil {
			return fmt.Errorf("run %s: %w", r.Dir, err)
		}
	}
	for i, r := range shards[1:] {
		first, before := shards[0], shards[i]
		if found := differences(first.Manifest, r.Manifest); len(found) > 0 {
			return fmt.Errorf("%s and %s are not shards of one run: %s: leave one of them out, or run it again", first.Dir,
				r.Dir, strings.Join(found, "; "))
		}
		if s := r.Manifest.Dataset.ShardOf(); s == before.Manifest.Dataset.ShardOf() {
			return fmt.Errorf("shard %s is given twice, as %s and %s: leave one of them out", s, before.Dir, r.Dir)
		}
	}
	return nil
}

// differences lists the differences of two shards in facts that all shards of a run share. It ignores limits,
// because they change no result.
func differences(a, b store.Manifest) (out []string) {
	differ := func(what string, x, y any) {
		if one, other := fmt.Sprint(x), fmt.Sprint(y); one != other {
			out = append(out, fmt.Sprintf("%s is %s and %s", what, cmp.Or(one, "none"), cmp.Or(other, "none")))
		}
	}
	differ("number of shards", a.Dataset.Shard.Of, b.Dataset.Shard.Of)
	differ("seed", a.Seed, b.Seed)
	differ("dataset", a.Dataset.Name, b.Dataset.Name)
	differ("hash of all queries", a.Dataset.Shard.Hash, b.Dataset.Shard.Hash)
	differ("number of all queries", a.Dataset.Shard.Queries, b.Dataset.Shard.Queries)
	differ("queries of the file", a.Dataset.Of, b.Dataset.Of)
	differ("ablation", a.Ablation, b.Ablation)
	differ("baseline", a.Baseline, b.Baseline)
	differ("form of checksums", a.Sums, b.Sums)
	eachKey(a.Versions, b.Versions, func(name, x, y string) { differ("version of "+name, x, y) })
	eachKey(a.Programs, b.Programs, func(name, x, y string) {
		if x != "" && y != "" { // a shard has only the programs of its own queries
			differ("the program "+name+" of the checks", x, y)
		}
	})
	if len(a.Configurations) != len(b.Configurations) {
		differ("number of configurations", len(a.Configurations), len(b.Configurations))
		return out
	}
	for i, c := range a.Configurations {
		d := b.Configurations[i]
		in := ""
		if len(a.Configurations) > 1 {
			in = " of configuration " + c.Name
		}
		differ("name of a configuration", c.Name, d.Name)
		before := len(out)
		eachKey(settingsOf(c), settingsOf(d), func(key, x, y string) { differ(key+in, x, y) })
		if len(out) == before { // a different setting explains a different hash
			differ("agent hash"+in, c.Agent, d.Agent)
		}
	}
	return out
}

// settingsOf returns everything that decides the results of a configuration, by name.
func settingsOf(c store.Configuration) map[string]string {
	out := config.Settings(c.Configuration)
	maps.DeleteFunc(out, func(key, _ string) bool { return strings.HasPrefix(key, "limits.") })
	out["note"], out["first trace"] = c.Note, fmt.Sprint(c.First)
	out["queries that the playbook knows"] = fmt.Sprint(c.Seen)
	if c.Calibration != nil {
		out["calibration of the judge"] = fmt.Sprintf("%+v", *c.Calibration)
	}
	return out
}

// eachKey calls do for every key of two maps, in order, with both values; "" for a missing value.
func eachKey(a, b map[string]string, do func(key, x, y string)) {
	keys := maps.Clone(a)
	if keys == nil {
		keys = map[string]string{}
	}
	maps.Copy(keys, b)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		do(key, a[key], b[key])
	}
}

// manifestOf returns the manifest of the joined run. Its state is complete if all shards are complete. Its
// duration is the time in which at least one shard was running, as far as the manifests record it.
func manifestOf(shards []*store.Run, now time.Time) store.Manifest {
	m := shards[0].Manifest
	of := m.Dataset.Shard
	m.Dataset.Hash, m.Dataset.Queries = of.Hash, of.Queries
	m.Dataset.Categories, m.Dataset.ByCategory, m.Dataset.Shard = of.Categories, of.ByCategory, nil
	m.State, m.Agents, m.Programs = store.Complete, map[string]store.AgentFacts{}, map[string]string{}
	m.Workers = nil
	m.Telemetry = nil // it counts what each shard sent under its own name
	for _, r := range shards {
		s := r.Manifest
		if s.State != store.Complete {
			m.State = store.Interrupted
		}
		if s.Title != m.Title {
			m.Title = ""
		}
		if m.GitCommit != nil && (s.GitCommit == nil || *s.GitCommit != *m.GitCommit) {
			m.GitCommit = nil // the shards have different commits
		}
		if s.Start.Before(m.Start) {
			m.Start = s.Start
		}
		if s.End != nil && (m.End == nil || s.End.After(*m.End)) {
			m.End = s.End
		}
		if len(s.Resumed) > len(m.Resumed) {
			m.Resumed = s.Resumed
		}
		maps.Copy(m.Programs, s.Programs)
		for name, w := range s.Workers {
			if m.Workers == nil {
				m.Workers = map[string]workers.Worker{}
			}
			w.Traces += m.Workers[name].Traces
			m.Workers[name] = w
		}
		for hash, facts := range s.Agents {
			if had, known := m.Agents[hash]; known {
				facts = had.Joined(facts)
			}
			m.Agents[hash] = facts
		}
	}
	end := now
	if m.State == store.Complete && m.End != nil {
		end = *m.End
	}
	m.PausedS = max(0, (end.Sub(m.Start) - running(shards)).Seconds())
	return m
}

// running returns the time in which at least one shard was running. It is at most the sum of the shards'
// times without pauses.
func running(shards []*store.Run) time.Duration {
	byStart := slices.Clone(shards)
	slices.SortFunc(byStart, func(a, b *store.Run) int { return a.Manifest.Start.Compare(b.Manifest.Start) })
	var sum, together time.Duration
	var until time.Time
	for _, r := range byStart {
		m := r.Manifest
		if m.End == nil {
			continue
		}
		sum += m.End.Sub(m.Start) - time.Duration(m.PausedS*float64(time.Second))
		from := m.Start
		if from.Before(until) {
			from = until
		}
		if m.End.After(from) {
			together += m.End.Sub(from)
			until = *m.End
		}
	}
	return min(sum, together)
}
