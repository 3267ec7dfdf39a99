package gate

import (
	"cmp"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/trace"
)

// BaselineSchema stands on the first line of a baseline file.
const BaselineSchema = "concur/baseline/v1"

// Baseline is what runs are held against: the accepted runs of the main line with the
// verdict of every trace, and what is needed to grade these traces again. It is made to be
// committed: lines are only ever added, so that two branches merge by keeping both sides,
// which git does by itself where .gitattributes says merge=union of the file.
type Baseline struct {
	Runs   []AcceptedRun // by name and configuration, as in the file
	Resets []Reset       // by time

	file string // as it was read, for messages
}

// AcceptedRun is a run that was accepted, with one line per query beneath it.
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
	// Decision is what the gate said of the run; nil where none was asked.
	Decision *Decision `json:"decision"`
	// Override says who let a run in that its gate had not passed; nil elsewhere.
	Override *Override `json:"override"`
	// Models are the names with which providers called themselves; nil where not known.
	Models []string `json:"models"`
	// Passes are all full passes whose traces count, never a choice of them: the run
	// itself, then its replications.
	Passes []AcceptedPass `json:"passes"`
	// What plain thresholds need is of the run itself, without replications.
	USD     *float64 `json:"usd"`     // nil where a model has no price
	P95S    *float64 `json:"p95_s"`   // of a trace's duration in seconds; nil where not known
	Correct int      `json:"correct"` // queries whose consensus is correct

	Queries []AcceptedQuery `json:"-"` // by id
	line    int             // of the file that it was read from; 0 where it was not
}

// AcceptedDataset names what a run was over.
type AcceptedDataset struct {
	Name    string `json:"name"`
	Hash    string `json:"hash"`
	Queries int    `json:"queries"`
}

// AcceptedPass is one full pass over the dataset.
type AcceptedPass struct {
	Run  string `json:"run"`
	Seed int64  `json:"seed"`
	// Digest is RunPass.Digest; "" where not known.
	Digest string `json:"digest,omitempty"`
}

// Override is the word of a person against the gate.
type Override struct {
	Reason string `json:"reason"`
	Author string `json:"author"`
}

// AcceptedQuery is what became of one query in a run.
type AcceptedQuery struct {
	Query string `json:"query"`
	Hash  string `json:"hash"` // datasets.Query.Hash, of the query and its gold
	// Question is a hash of the question alone: answers to another one cannot be graded
	// again, answers to this one can.
	Question string          `json:"question"`
	Category string          `json:"category"`
	Expects  answer.Kind     `json:"expects"` // the outcome that the gold expects
	Traces   []AcceptedTrace `json:"traces"`  // of all passes, in order
}

// AcceptedTrace is how one trace ended.
type AcceptedTrace struct {
	Outcome trace.Outcome `json:"outcome"`
	Answer  *string       `json:"answer"` // nil unless answered
	Verdict judge.Ruling  `json:"verdict"`
	// Message is the whole final message, kept only where the gold looks for keywords in it.
	Message *string `json:"message,omitempty"`
}

// Reset makes the pool of a configuration start again: a change was accepted as intended.
// Runs that began before Time count no more, except those in Keep.
type Reset struct {
	Configuration string    `json:"configuration"`
	Time          time.Time `json:"time"`
	Author        string    `json:"author"`
	Reason        string    `json:"reason"`
	Keep          []string  `json:"keep"` // names of runs; such as the one that shows the change

	line int
}

// key sorts a reset among the names of runs, which begin with their start.
func (r Reset) key() string { return r.Time.UTC().Format("20060102T150405") }

// Counting gives the runs of a configuration that count, in run order, which is by start
// and then by name: all after the last reset, and those which it kept.
func (b *Baseline) Counting(configuration string) []AcceptedRun {
	last, reset := b.lastReset(configuration)
	kept := map[string]bool{}
	for _, name := range last.Keep {
		kept[name] = true
	}
	var runs []AcceptedRun
	for _, r := range b.Runs {
		if r.Configuration == configuration && (!reset || !last.before(r.Start) || kept[r.Run]) {
			runs = append(runs, r)
		}
	}
	// Names hold seconds, and runs of a CI may begin within one.
	slices.SortStableFunc(runs, func(x, y AcceptedRun) int {
		return cmp.Or(x.Start.Compare(y.Start), cmp.Compare(x.Run, y.Run))
	})
	return runs
}

// Configurations lists the configurations that have runs, sorted.
func (b *Baseline) Configurations() []string {
	var names []string
	for _, r := range b.Runs {
		names = append(names, r.Configuration)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (b *Baseline) lastReset(configuration string) (last Reset, ok bool) {
	for _, r := range b.Resets { // by time
		if r.Configuration == configuration {
			last, ok = r, true
		}
	}
	return last, ok
}

// before reports whether a run that began so began before the reset.
func (r Reset) before(start time.Time) bool { return start.Before(r.Time) }

// sort puts everything in the order in which it is written.
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

// Holds finds the accepted run of a configuration that has a pass of this name. Such a pass
// is part of the history, and no evidence against it: neither as a run nor as a second pass.
func (b *Baseline) Holds(configuration, pass string) (run string, ok bool) {
	return holds(b.Runs, configuration, pass)
}

func holds(runs []AcceptedRun, configuration, pass string) (run string, ok bool) {
	for _, r := range runs {
		if r.Configuration == configuration && slices.ContainsFunc(r.Passes, func(p AcceptedPass) bool { return p.Run == pass }) {
			return r.Run, true
		}
	}
	return "", false
}

func (b *Baseline) names(configuration string) []string {
	var names []string
	for _, r := range b.Runs {
		if r.Configuration == configuration {
			names = append(names, r.Run)
		}
	}
	return names
}

// clone copies what sorting and adding change.
func (b *Baseline) clone() *Baseline {
	c := &Baseline{Runs: slices.Clone(b.Runs), Resets: slices.Clone(b.Resets), file: b.file}
	for i := range c.Runs {
		c.Runs[i].Queries = slices.Clone(c.Runs[i].Queries)
	}
	return c
}
