package running

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/internal/filewatch"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/assemble/programfiles"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// maxWatched bounds the files that are watched: each is looked at twice a second.
const maxWatched = 5000

// watchedRun is a run that is repeated when its files change.
type watchedRun struct {
	*console.Console
	given *runOptions
	o     *console.Output

	conf   config.Configuration // of the files, if they have no errors
	source string               // of the dataset
	agent  []string             // files of the agent

	last    *store.Run             // the newest run that has ended as it should; nil before
	lastBy  config.Configuration   // its configuration
	queries map[string]queryDigest // of its dataset, by id
}

// queryDigest says what has changed in a query: for the agent, or in all.
type queryDigest struct{ agent, whole string }

// watchRun runs, and runs again after each change of the files of agent, prompts, configuration and dataset.
func watchRun(ctx context.Context, c *console.Console, given *runOptions, o *console.Output) error {
	for _, flag := range []string{flags.NameResume, flags.NameReplay, "dry-run", flags.NameShard, flags.NameFailedIn} {
		if given.Has(flag) {
			return console.Usagef("--watch is for a new run of this folder's files: leave %s out", flags.Dashed(flag))
		}
	}
	given.File = given.ConfigurationFile() // if it is gone for a time, no run begins with the defaults
	w := &watchedRun{Console: c, given: given, o: o}
	if _, err := w.files(); err != nil {
		return console.Usagef("--watch: %w", err)
	}
	c.TellWatch()
	files := &filewatch.Watcher{List: w.files, Failed: c.Tell}
	if err := files.Mark(); err != nil { // before the run, so that changes during the run count
		return console.Usagef("--watch: %w", err)
	}
	if err := w.run(ctx, false); err != nil && (w.last == nil && console.ExitCode(err) == console.ExitUsage ||
		console.ExitCode(err) == console.ExitInterrupted) {
		return err
	} else if err != nil {
		c.Tell(err)
	}
	for {
		c.Note("waiting for changes of files; Ctrl-C ends")
		changed, err := c.AwaitChange(ctx, files, o.Signals)
		if err != nil {
			return err
		}
		if err := w.again(ctx, changed); console.ExitCode(err) == console.ExitInterrupted {
			return err
		} else if err != nil {
			c.Tell(err)
		}
	}
}

// files returns the files to watch, by the present configuration. If that has errors, the earlier ones are watched.
func (w *watchedRun) files() ([]string, error) {
	silent := *w.Console
	silent.Err = console.NewCountedWriter(discard{})
	path := w.given.ConfigurationFile()
	out := []string{}
	if path != "" {
		out = append(out, path, w.VariableFile)
	}
	f, err := w.given.FromFile(config.New())
	if err == nil {
		source := w.given.DatasetOr(w.given.Word(0))
		var conf config.Configuration
		if conf, err = flags.ReadConfiguration(&silent, &w.given.Settings, source); err == nil {
			w.source, w.conf = source, conf
		}
	}
	agent, wrong := programfiles.OfAgent(w.conf.Agent.External, maxWatched)
	if wrong != nil {
		return nil, wrong
	}
	w.agent = agent
	if file := w.conf.Agent.Playbook.File; file != "" {
		w.agent = append(w.agent, file)
	}
	out = append(out, w.agent...)
	out = append(out, slices.Collect(maps.Values(w.conf.Agent.Prompts.Files()))...)
	out = append(out, f.Prompts.Files()...)
	if w.source != "" && !slices.Contains(datasets.Builtin(), w.source) {
		out = append(out, w.source)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// again runs after a change of files: all queries if the agent has changed, otherwise those that have changed.
func (w *watchedRun) again(ctx context.Context, changed []string) error {
	w.Note("changed: " + document.Printable(strings.Join(changed, ", ")))
	variables := slices.Contains(changed, w.VariableFile)
	if variables {
		if err := w.ReadVariables(w.given.ConfigurationFile()); err != nil {
			return err
		}
	}
	conf, err := flags.ReadConfiguration(w.Console, &w.given.Settings, w.given.DatasetOr(w.given.Word(0)))
	if err != nil {
		return err
	}
	w.conf = conf
	e := conf.Agent.External
	replays := w.last != nil && (!e.Used() || e.HTTP == "" && e.Proxied())
	same := replays && !variables && len(config.Differences(w.lastBy.Effective(), conf.Effective())) == 0 &&
		!slices.ContainsFunc(changed, func(path string) bool { return slices.Contains(w.agent, path) })
	return w.run(ctx, same)
}

// run runs all queries, or only those that differ from the last run's.
func (w *watchedRun) run(ctx context.Context, reuse bool) error {
	o := &console.Output{Format: w.o.Format, File: w.o.File, Stdout: w.o.Stdout, Environ: w.o.Environ,
		Signals: w.o.Signals}
	digests, err := w.digests()
	if err == nil && reuse { // the settings are the last run's
		err = w.rerun(ctx, o, digests)
	} else if err == nil {
		err = runAction(ctx, w.Console, w.given, o)
	}
	if err != nil || o.Ran == "" {
		return err
	}
	run, err := store.Open(o.Ran)
	if err != nil {
		return err
	}
	w.last, w.lastBy, w.queries, w.given.Seed = run, w.conf, digests, &run.Manifest.Seed
	return nil
}

// digests returns digests of the queries of the dataset.
func (w *watchedRun) digests() (map[string]queryDigest, error) {
	set, err := queries.Open(w.given.DatasetOr(w.given.Word(0)), datasets.Part{})
	if err != nil {
		return nil, err
	}
	defer set.Close()
	out := map[string]queryDigest{}
	for q, err := range set.Queries() {
		if err != nil {
			return nil, err
		}
		meta := fmt.Sprintf("%q", q.Meta)
		seen := q
		seen.Gold = datasets.Gold{Type: q.Gold.Type, Options: q.Gold.Options} // what an agent may use
		seen.Checks, seen.Expects = nil, nil
		out[q.ID] = queryDigest{seen.Hash() + meta, q.Hash() + meta}
	}
	return out, nil
}

// rerun answers queries that have not changed from the recording of the last run, and runs the others.
func (w *watchedRun) rerun(ctx context.Context, o *console.Output, now map[string]queryDigest) error {
	n := 0
	for id, digest := range now {
		if w.queries[id].agent != digest.agent {
			n++
		}
	}
	w.Note(fmt.Sprintf("%d of %d queries run again; the others have the replies of run %s", n, len(now),
		w.last.Manifest.Run))
	old := w.queries
	return replayOf(ctx, w.Console, w.given, o, retaken{of: w.last.Dir, replay: true, regrade: true, missing: true,
		forget: func(query string) (agent, rest bool) {
			return old[query].agent != now[query].agent, old[query].whole != now[query].whole
		}})
}
