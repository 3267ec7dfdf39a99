package progress

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/planning"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
)

// Run is an output of a run that shows the run's progress.
type Run struct {
	*Log
	console Console
	print   func(string)
	stop    func()

	mu       sync.Mutex
	states   []runner.Progress // in the order of the configurations, by their titles
	names    []string          // of the configurations
	machines func() Machines   // nil for a run without a hub
	parts    map[string]int    // for each configuration, the part of its queries that was done at the last printed line
}

// Start begins to show a run. out writes the run's folder.
func Start(c Console, out *store.Writer, d runner.Draft, p runner.Plan, prior *store.Prior) *Run {
	r := &Run{Log: &Log{W: out.Log(), several: len(p.Arms) > 1}, console: c,
		states: make([]runner.Progress, len(p.Arms)), parts: map[string]int{}}
	queries := text.Counted(p.Dataset.Len(), "query")
	begins := "run"
	if prior != nil {
		begins = fmt.Sprintf("continue a run with %s decided and %s of others finished: run",
			text.Counted(prior.Queries(), "query"), text.Counted(prior.Traces(), "trace"))
	}
	r.Note(fmt.Sprintf("%s %s: %s of %s, seed %d", begins, d.Manifest.Run, queries, p.Dataset.Name, p.Seed))
	traces := 0
	titles := naming.Titles(d.Manifest)
	for i, a := range p.Arms {
		conf := a.Configuration
		r.names = append(r.names, conf.Name)
		r.states[i].Configuration, r.states[i].Queries = titles[i], p.Dataset.Len()
		r.states[i].Attack = d.Manifest.IsAttack()
		r.Note(fmt.Sprintf("configuration %s: K=%d, model %s, tools %s, agent %s", conf.Name, conf.K,
			planning.ModelKind(conf.Model), strings.Join(conf.Agent.Tools, " "), a.AgentHash))
	}
	missing := p.Missing(prior)
	for id := range p.Dataset.IDs() {
		for _, n := range missing(id) {
			traces += n
		}
	}
	agent := cmp.Or(naming.Command(d.Manifest.Configurations[0]), planning.ModelKind(d.First().Model))
	what := fmt.Sprintf("K=%d, %s", d.First().K, agent)
	if d.Manifest.Title != "" {
		what = d.Manifest.Title + ", " + what
	}
	if r.several {
		what = fmt.Sprintf("%d configurations, %s", len(p.Arms), text.Counted(traces, "trace"))
	}
	r.print, r.stop = c.live(r.table)
	if !c.Quiet {
		r.print(document.Printable(fmt.Sprintf("%s: %s of %s, %s, into %s", begins, queries, p.Dataset.Name,
			what, out.Dir())))
	}
	return r
}

// table returns a table with the progress of the configurations.
func (r *Run) table(s document.Screen) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines, err := Table(r.states, time.Now(), s)
	if err != nil {
		return []string{err.Error()}
	}
	if r.machines != nil {
		lines = append(lines, s.Cut(r.machines().String()))
	}
	return lines
}

// Progress shows the state of a configuration. If W is not a terminal, it prints a line for each tenth of the
// queries, or for each quarter if there are several configurations.
func (r *Run) Progress(p runner.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	parts := 10
	if r.several {
		parts = 4
	}
	for i := range r.states {
		if r.names[i] != p.Configuration {
			continue
		}
		before, seen := r.parts[p.Configuration]
		part := p.Decided() * parts / max(1, p.Queries)
		r.parts[p.Configuration] = part
		p.Configuration, p.Attack = r.states[i].Configuration, r.states[i].Attack
		r.states[i] = p
		if r.console.Size == nil && !r.console.Quiet && seen && part > before {
			r.print(FormatLine(p, time.Now()))
			if r.machines != nil {
				r.print(r.machines().String())
			}
		}
		return
	}
}

// Warn prints a text even if Quiet is set.
func (r *Run) Warn(text string) {
	r.warn(text)
	r.print("concur: " + text)
}

// Wait prints the reason for a wait.
func (r *Run) Wait(text string) {
	r.warn(text)
	if !r.console.Quiet {
		r.print("concur: " + text)
	}
}

// End removes the displayed progress and writes the result of the run into run.log.
func (r *Run) End(err error) {
	r.stop()
	queries, t := 0, store.Tally{}
	for _, p := range r.states {
		queries += p.Queries
		t.Correct, t.Incorrect, t.Unscored = t.Correct+p.Correct, t.Incorrect+p.Incorrect, t.Unscored+p.Unscored
	}
	line := fmt.Sprintf("end: %d correct, %d incorrect, %d unscored of %s", t.Correct, t.Incorrect, t.Unscored,
		text.Counted(queries, "query"))
	if err != nil {
		r.write("ERROR  ", line+attribute("error", err.Error()))
		return
	}
	r.Note(line)
}
