package confirm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner/store"
)

// Agent runs traces of a gated run's agent into run folders.
type Agent interface {
	// Begin runs traces of some queries into a new folder next to the run. first is the index of the first
	// trace; the run's own traces have the indices before it.
	Begin(ctx context.Context, folder string, queries []string, first, traces int) error
	// Finish runs the missing traces of a folder. If retry is set, it also runs lost traces again.
	Finish(ctx context.Context, folder *store.Run, retry bool) error
}

// Folders keeps fresh traces in folders next to the run: RUN-fresh, RUN-fresh-2 and so on.
type Folders struct {
	Pass     baseline.Pass // the gated run
	Dir      string        // the folder of the gated run
	Agent    Agent
	ReadOnly bool // does not finish folders that were stopped

	Passes []baseline.Pass // the folders that exist, as read by the last State

	again []string // the folders that were finished, or whose lost traces were run again
}

// path returns the path of the n-th folder of fresh traces, counted from 1. ok reports whether the folder
// exists.
func (f *Folders) path(n int) (path string, ok bool) {
	path = filepath.Join(filepath.Dir(f.Dir), f.Pass.Manifest.Run+"-fresh"+
		Suffix(f.Pass.Manifest, f.Pass.Configuration.Name))
	if n > 1 {
		path += fmt.Sprintf("-%d", n)
	}
	_, err := os.Lstat(path)
	return path, err == nil
}

// State reads the folders, and finishes the runs in them that were stopped. If one of them stays unfinished,
// open is the error.
func (f *Folders) State(ctx context.Context) (s State, open error) {
	s.Marks = map[string][]gate.TraceResult{}
	f.Passes = nil
	for n := 1; ; n++ {
		dir, ok := f.path(n)
		if !ok {
			break
		}
		p, err := f.read(ctx, dir)
		if open = cmp.Or(open, err); err != nil && !errors.Is(err, ErrStopped) {
			return s, err
		}
		f.Passes = append(f.Passes, p)
		s.Stopped = s.Stopped || p.Manifest.State != store.Complete
		for _, r := range p.Records {
			for _, a := range r.Answers {
				switch number, marks := a.Trace-f.Pass.Configuration.K, s.Marks[r.Query]; {
				case number < len(marks):
					return s, f.refuse(dir, fmt.Errorf("trace %d of %s is also in a second folder, or in the "+
						"run itself",
						a.Trace, r.Query))
				case number == len(marks): // later traces do not count until the gap is filled
					s.Marks[r.Query] = append(marks, baseline.MarkOf(a.Outcome, a.Verdict))
				}
			}
		}
	}
	f.compare(&s)
	return s, open
}

// compare finds fresh traces that do not show how the run's agent works.
func (f *Folders) compare(s *State) {
	names := slices.Clone(f.Pass.Models)
	for _, p := range f.Passes {
		names = append(names, p.Models...)
		invalid, warnings := baseline.Cached(p, f.Pass.Manifest.Run, f.Pass.Copies)
		s.Invalid, s.Warnings = append(s.Invalid, invalid...), append(s.Warnings, warnings...)
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > 1 && len(f.Pass.Models) == 1 {
		s.Invalid = append(s.Invalid, baseline.SeveralModels(names))
	}
}

func (f *Folders) read(ctx context.Context, dir string) (baseline.Pass, error) {
	run, err := store.Open(dir)
	if err == nil {
		err = f.own(run.Manifest)
	}
	if err != nil {
		return baseline.Pass{}, f.refuse(dir, err)
	}
	p, err := baseline.ReadPass(run, f.Pass.Configuration.Name)
	if err != nil {
		return p, f.refuse(dir, err)
	}
	stopped := run.Manifest.State != store.Complete
	lost := slices.ContainsFunc(p.Records, func(r store.Record) bool { return baseline.TracesOf(r.Answers).Infra > 0 })
	if again := fmt.Sprint(dir, stopped); (stopped || lost) && !f.ReadOnly && !slices.Contains(f.again, again) {
		f.again = append(f.again, again)
		if err := f.Agent.Finish(ctx, run, !stopped); err != nil {
			return p, err
		}
		return f.read(ctx, dir)
	}
	p.Deterministic = f.Pass.Deterministic
	return p, nil
}

// Spent returns the cost in US dollars of the fresh traces that exist. Unknown costs are left out.
func (f *Folders) Spent() (usd float64) {
	for _, p := range f.Passes {
		for _, r := range p.Records {
			if r.Usage.USD != nil {
				usd += *r.Usage.USD
			}
		}
	}
	return usd
}

// own returns an error for a folder that does not have fresh traces of this run.
func (f *Folders) own(m store.Manifest) error {
	of, c := f.Pass.Manifest, f.Pass.Configuration
	switch {
	case m.FreshOf != of.Run:
		return fmt.Errorf("it has fresh traces of %q", m.FreshOf)
	case len(m.Configurations) != 1 || m.Configurations[0].Name != c.Name || m.Configurations[0].Agent != c.Agent:
		return errors.New("its agent is not the run's")
	case m.Seed != of.Seed:
		return fmt.Errorf("its seed is %d, and the run's %d", m.Seed, of.Seed)
	}
	return nil
}

// ErrRefused reports that a folder does not hold fresh traces of the gated run.
var ErrRefused = errors.New("does not hold fresh traces of the run")

func (f *Folders) refuse(dir string, why error) error {
	return fmt.Errorf("gate run %s: the folder %s %w: %w; restore it or, if another program made it, "+
		"move it away, and run the gate again", f.Pass.Manifest.Run, filepath.Base(dir), ErrRefused, why)
}

// Run runs each batch into a folder of its own.
func (f *Folders) Run(ctx context.Context, batches []Batch) error {
	for _, b := range batches {
		next := 1
		folder, taken := f.path(next)
		for ; taken; folder, taken = f.path(next) {
			next++
		}
		if err := f.Agent.Begin(ctx, filepath.Base(folder), b.Queries, f.Pass.Configuration.K+b.First,
			b.Traces); err != nil {
			return err
		}
	}
	return nil
}

// Batch describes fresh traces to run: Traces of each query, the first with the number First.
type Batch struct {
	Queries       []string
	First, Traces int
}
