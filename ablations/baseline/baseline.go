package baseline

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

// Schema is on the first line of a baseline file.
const Schema = "concur/baseline/v2"

// Baseline has the accepted runs of the main line, with the verdict of every trace and the data with which the
// traces can be graded again. The gate compares new runs with it.
type Baseline struct {
	Runs   []AcceptedRun          // by name and configuration, as in the file
	Facts  map[string]facts.Facts // by Facts.Key: how the runs were made
	Resets []Reset                // by time
}

// AcceptedRun is a run that was accepted. In the file, its line is followed by one line for each query.
type AcceptedRun struct {
	Run           string            `json:"run"`
	Start         time.Time         `json:"start"`
	Configuration string            `json:"configuration"`
	Agent         string            `json:"agent"` // agent hash
	Model         string            `json:"model"` // as configured
	K             int               `json:"k"`     // traces per query and pass
	Seed          int64             `json:"seed"`
	Dataset       AcceptedDataset   `json:"dataset"`
	Versions      map[string]string `json:"versions"` // norm, correctness, … as in the manifest
	GitCommit     *string           `json:"git_commit"`
	Decision      *gate.Decision    `json:"decision"` // the gate's decision on the run; nil if the gate did not read it
	// the person who accepted the run although its gate had not passed it, or nil
	Override *Override      `json:"override"`
	Models   []string       `json:"models"` // names that the providers reported; nil if unknown
	Passes   []AcceptedPass `json:"passes"` // the passes whose traces count: the run itself
	// USD, P95S and Correct are the run's own figures, for plain thresholds.
	USD     *float64 `json:"usd"`             // nil if a model has no price
	P95S    *float64 `json:"p95_s"`           // of a trace's duration in seconds; nil if unknown
	Correct int      `json:"correct"`         // queries with a correct consensus
	Facts   string   `json:"facts,omitempty"` // key of the run's facts; "" if unknown
	Copies  Copies   `json:"copies,omitzero"`

	Queries []AcceptedQuery `json:"-"` // by id
}

// AcceptedDataset names the dataset of a run.
type AcceptedDataset struct {
	Name    string `json:"name"`
	Hash    string `json:"hash"`
	Queries int    `json:"queries"`
}

// AcceptedPass is one full pass over the dataset.
type AcceptedPass struct {
	Run    string `json:"run"`
	Seed   int64  `json:"seed"`
	Digest string `json:"digest,omitempty"` // Pass.Digest; "" if unknown
}

// Override records who accepted the run despite the gate, and why.
type Override struct {
	Reason string `json:"reason"`
	Author string `json:"author"`
}

// Question identifies a query of a run, and has the parts of the query that grading needs. Two lines with the
// same query and hash are equal.
type Question struct {
	Query string `json:"query"`
	Hash  string `json:"hash"` // datasets.Query.Hash, of the query and its gold
	// hash of the question alone; answers to a different question do not count
	Text     string        `json:"question,omitempty"`
	Category string        `json:"category,omitempty"`
	Expects  trace.Outcome `json:"expects,omitempty"` // the outcome that the gold expects
}

// name returns the fields by which a line of traces refers to its question.
func (q Question) name() Question { return Question{Query: q.Query, Hash: q.Hash} }

// AcceptedQuery holds the traces of one query in a run.
type AcceptedQuery struct {
	Question
	Traces []AcceptedTrace `json:"traces"` // of all passes, in order
}

// AcceptedTrace holds the outcome of one trace.
type AcceptedTrace struct {
	Outcome trace.Outcome `json:"outcome,omitempty"`
	Answer  *string       `json:"answer,omitempty"` // nil unless answered
	Verdict judge.Ruling  `json:"verdict"`
	Message *string       `json:"message,omitempty"` // the final message, if the gold looks for keywords in it
}

// Reset starts the pool of a configuration again, after an intended change. Runs that began before Time no
// longer count, except the runs in Keep.
type Reset struct {
	Configuration string    `json:"configuration"`
	Time          time.Time `json:"time"`
	Author        string    `json:"author"`
	Reason        string    `json:"reason"`
	Keep          []string  `json:"keep"` // names of runs, such as the run that shows the change
}

// key returns the reset's time in the form with which the names of runs begin, so that resets and runs can be
// sorted together.
func (r Reset) key() string { return r.Time.UTC().Format("20060102T150405") }

// Counting returns the runs of a configuration that count. These are all runs since the last reset, and the
// runs that the reset keeps. They are sorted by start, then by name.
func (b *Baseline) Counting(configuration string) []AcceptedRun {
	last, reset := b.lastReset(configuration)
	var runs []AcceptedRun
	for _, r := range b.Runs {
		if r.Configuration == configuration && (!reset || !r.Start.Before(last.Time) ||
			slices.Contains(last.Keep, r.Run)) {
			runs = append(runs, r)
		}
	}
	slices.SortStableFunc(runs, byStart)
	return runs
}

// byStart compares two runs by their start, then by their name. The names alone are not enough: they have only
// seconds, and a CI can start several runs within one second.
func byStart(x, y AcceptedRun) int {
	return cmp.Or(x.Start.Compare(y.Start), cmp.Compare(x.Run, y.Run))
}

// Configurations lists the configurations that have runs, sorted.
func (b *Baseline) Configurations() (names []string) {
	for _, r := range b.Runs {
		names = append(names, r.Configuration)
	}
	return merged(names)
}

func (b *Baseline) lastReset(configuration string) (last Reset, ok bool) {
	for _, r := range b.Resets { // by time
		if r.Configuration == configuration {
			last, ok = r, true
		}
	}
	return last, ok
}

// sort sorts runs, queries and resets into the order in which they are written.
func (b *Baseline) sort() {
	slices.SortFunc(b.Runs, func(x, y AcceptedRun) int {
		return cmp.Or(cmp.Compare(x.Run, y.Run), cmp.Compare(x.Configuration, y.Configuration))
	})
	for _, r := range b.Runs {
		slices.SortFunc(r.Queries, func(x, y AcceptedQuery) int { return cmp.Compare(x.Query, y.Query) })
	}
	slices.SortFunc(b.Resets, func(x, y Reset) int {
		return cmp.Or(x.Time.Compare(y.Time), cmp.Compare(x.Configuration, y.Configuration),
			cmp.Compare(x.Author, y.Author), cmp.Compare(x.Reason, y.Reason), slices.Compare(x.Keep, y.Keep))
	})
}

// Reset makes the pool of a configuration start again. It returns an error if the configuration is unknown, if
// a name in Keep is not a run of this configuration, and if the author or the reason is missing. If it returns
// an error, the baseline has not changed.
func (b *Baseline) Reset(r Reset) error {
	fail := func(format string, args ...any) error { return fmt.Errorf("reset the baseline: "+format, args...) }
	r = r.tidy()
	var names []string
	for _, run := range b.Runs {
		if run.Configuration == r.Configuration {
			names = append(names, run.Run)
		}
	}
	for _, name := range r.Keep {
		if !slices.Contains(names, name) {
			return fail("there is no run %q of configuration %s to keep: add it first (%s)", name, r.Configuration,
				strictyaml.Suggest(name, names))
		}
	}
	last, _ := b.lastReset(r.Configuration)
	switch {
	case len(names) == 0:
		return fail("it has no runs of a configuration %q: name one of %s", r.Configuration,
			text.Listed(b.Configurations()))
	case strings.TrimSpace(r.Author) == "" || strings.TrimSpace(r.Reason) == "":
		return fail("a reset needs an author and a reason")
	case r.Time.Before(last.Time):
		return fail("there is a later reset, of %s, so this one would have no effect", last.key())
	}
	b.Resets = append(b.Resets, r)
	b.sort()
	return nil
}

// Prune removes old runs from the file. For each configuration it keeps the last keep runs that count, and the
// runs that the last reset keeps. It returns the names of the removed runs.
func (b *Baseline) Prune(keep int) (gone []string, err error) {
	switch {
	case keep < 1:
		return nil, fmt.Errorf("prune the baseline: %d runs to keep: keep at least 1", keep)
	case len(b.Runs) == 0:
		return nil, errors.New("prune the baseline: it has no runs")
	}
	var runs []AcceptedRun
	var resets []Reset
	for _, name := range b.Configurations() {
		last, reset := b.lastReset(name)
		if reset {
			resets = append(resets, last)
		}
		counting := b.Counting(name)
		for i, r := range counting {
			if i >= len(counting)-keep || slices.Contains(last.Keep, r.Run) {
				runs = append(runs, r)
			}
		}
	}
	for _, r := range b.Runs {
		if !slices.ContainsFunc(runs, func(k AcceptedRun) bool { return k.row() == r.row() }) {
			gone = append(gone, r.Run)
		}
	}
	b.Runs, b.Resets = runs, resets
	b.sort()
	return gone, nil
}

// String returns a sentence about the reset. Every decision prints it.
func (r Reset) String() string {
	kept := "keeping no run"
	if len(r.Keep) > 0 {
		kept = "keeping " + text.Listed(r.Keep)
	}
	return fmt.Sprintf("the pool of %s was reset by %s on %s, %s: %s", r.Configuration, r.Author,
		r.Time.UTC().Format("2006-01-02 15:04"), kept, r.Reason)
}

// tidy brings a reset into a standard form, so that equal resets are recognised as equal.
func (r Reset) tidy() Reset {
	r.Time, r.Keep = r.Time.Round(0).UTC(), append([]string{}, merged(r.Keep)...)
	return r
}
