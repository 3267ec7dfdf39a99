package imported

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/trace"
)

// queriesFile is the file of an imported run with those of its queries that concur can judge. It is a dataset.
const queriesFile = "queries.jsonl"

// Keep writes, to the folder of an imported run, those of its queries that have checks or a condition, so that
// Source finds them there; with golds also those that have a gold. Without such queries it writes no file.
func Keep(dir string, all *queries.Set, golds bool) error {
	kept := func(yield func(datasets.Query, error) bool) {
		for q, err := range all.Queries() {
			judged := q.Text != "" && (len(q.Checks) > 0 || q.Gold.Condition != "" || golds && q.Gold.Answer != "")
			if (judged || err != nil) && !yield(q, err) {
				return
			}
		}
	}
	var err error
	for _, err = range kept {
		if err == nil {
			err = new(disk.Disk).ReplaceWith(filepath.Join(dir, queriesFile), func(to io.Writer) error {
				return datasets.WriteQueries(to, datasets.JSONL, kept)
			})
		}
		break
	}
	if err != nil {
		return fmt.Errorf("keep the queries: %w", err)
	}
	return nil
}

// Source returns the dataset that Keep wrote; "" if it wrote no file.
func Source(run *store.Run) string {
	file := filepath.Join(run.Dir, queriesFile)
	if _, err := os.Stat(file); err != nil || run.Manifest.Dataset.Source != "" || !Is(run) {
		return ""
	}
	return file
}

// Is reports whether a run has the results of another program.
func Is(run *store.Run) bool {
	all := run.Manifest.Configurations
	return len(all) > 0 && all[0].Configuration.Agent.External.Imported != ""
}

// Spans is the name of the program of an import of spans (External.Imported). Their answers have no verdict.
const Spans = "OpenTelemetry"

// HasNoDataset reports whether a run has answers of production without a verdict: then judges can judge them
// without a dataset.
func HasNoDataset(run *store.Run) bool {
	return run.Manifest.Dataset.Source == "" && Is(run) &&
		run.Manifest.Configurations[0].Configuration.Agent.External.Imported == Spans
}

// WithUnjudged adds to the queries of an imported run those of its queries that they lack. Nothing decides about these,
// so their traces are unscored. It closes set if it returns another one.
func WithUnjudged(run *store.Run, set *queries.Set) (*queries.Set, error) {
	known := map[string]bool{}
	for id := range set.IDs() {
		known[id] = true
	}
	var lacking []datasets.Query
	for r, err := range run.Records() {
		if err != nil {
			return set, err
		}
		if !known[r.Query] {
			known[r.Query] = true
			lacking = append(lacking, datasets.Query{ID: r.Query, Category: r.Category, Text: r.Question,
				Gold: datasets.Gold{Type: answer.Text, Outcome: trace.Answered, None: true}})
		}
	}
	if len(lacking) == 0 {
		return set, nil
	}
	loaded, err := set.Load()
	if err != nil {
		return set, err
	}
	all := datasets.New(loaded.Name, append(loaded.Queries, lacking...))
	return queries.Of(all), errors.Join(err, set.Close())
}
