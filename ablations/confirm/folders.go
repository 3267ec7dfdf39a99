package confirm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner/store"
)

// Agent runs traces of a gated run's agent into run folders.
type Agent interface {
	// Begin runs traces of some queries into a new folder beside the run. first is the index
	// of the first, behind the run's own.
	Begin(ctx context.Context, folder string, queries []string, first, traces int) error
	// Finish runs what is missing of a folder; with retry also what was lost.
	Finish(ctx context.Context, folder *store.Run, retry bool) error
}

// Folders keep fresh traces beside the run, in RUN-fresh, RUN-fresh-2 and so on.
type Folders struct {
	Pass  baseline.Pass // the run
	Dir   string        // of the run
	Agent Agent
	// ReadOnly leaves folders that were stopped as they are.
	ReadOnly bool
	// Deterministic says that the same agent with the same seed gives the same traces, so
	// that equal replies say nothing.
	Deterministic bool

	Passes []baseline.Pass // the folders that exist, as State has read them last
}

// Name is that of the n-th folder of fresh traces, from 1. suffix tells the configurations of
// an ablation apart.
func Name(run, suffix string, n int) string {
	name := run + "-fresh" + suffix
	if n > 1 {
		name = fmt.Sprintf("%s-%d", name, n)
	}
	return name
}

// numbers are those of the folders that exist, ascending.
func (f *Folders) numbers() ([]int, error) {
	entries, err := os.ReadDir(filepath.Dir(f.Dir))
	if err != nil {
		return nil, fmt.Errorf("look for fresh traces: %w", err)
	}
	var out []int
	plain := f.name(1)
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), plain)
		if !ok {
			continue
		}
		n := 1
		if rest != "" {
			if n, err = strconv.Atoi(strings.TrimPrefix(rest, "-")); err != nil {
				continue
			}
		}
		if f.name(n) == e.Name() {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out, nil
}

func (f *Folders) name(n int) string {
	return Name(f.Pass.Manifest.Run, Suffix(f.Pass.Manifest, f.Pass.Configuration.Name), n)
}

// State reads the folders, and finishes one that was stopped.
func (f *Folders) State(ctx context.Context) (State, error) {
	numbers, err := f.numbers()
	if err != nil {
		return State{}, err
	}
	s := State{Marks: map[string][]gate.Mark{}}
	f.Passes = nil
	at := map[string]map[int]gate.Mark{} // by query and number
	for _, n := range numbers {
		p, err := f.read(ctx, n)
		if err != nil {
			return s, err
		}
		f.Passes = append(f.Passes, p)
		s.Stopped = s.Stopped || p.Manifest.State != store.Complete
		for _, r := range p.Records {
			if at[r.Query] == nil {
				at[r.Query] = map[int]gate.Mark{}
			}
			for _, a := range r.Answers {
				number := a.Trace - f.Pass.Configuration.K
				if _, twice := at[r.Query][number]; twice || number < 0 {
					return s, f.refuse(n, fmt.Errorf("trace %d of %s is in another folder too, or of the run itself", a.Trace, r.Query))
				}
				at[r.Query][number] = baseline.MarkOf(a.Outcome, a.Verdict)
			}
		}
	}
	for query, marks := range at {
		for number := 0; ; number++ {
			m, ok := marks[number]
			if !ok {
				break
			}
			s.Marks[query] = append(s.Marks[query], m)
		}
	}
	f.compare(&s)
	return s, nil
}

// compare looks for fresh traces that are no evidence on the run's agent.
func (f *Folders) compare(s *State) {
	names := slices.Clone(f.Pass.Models)
	for _, p := range f.Passes {
		for _, name := range p.Models {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if f.Deterministic {
			continue
		}
		refuse, warn := baseline.Cached(p, f.Pass.Manifest.Run, f.Pass.Copies)
		if refuse != "" {
			s.Invalid = append(s.Invalid, refuse)
		}
		if warn != "" {
			s.Warnings = append(s.Warnings, warn)
		}
	}
	if len(names) > 1 && len(f.Pass.Models) < 2 {
		s.Invalid = append(s.Invalid, fmt.Sprintf("the replies come from %d models (%s in the run, others in the fresh traces: %s), so that the traces are not of one agent; name a fixed version of the model, and begin a new run", len(names), strings.Join(f.Pass.Models, ", "), strings.Join(names[len(f.Pass.Models):], ", ")))
	}
}

// read reads the n-th folder.
func (f *Folders) read(ctx context.Context, n int) (baseline.Pass, error) {
	dir := filepath.Join(filepath.Dir(f.Dir), f.name(n))
	run, err := store.Open(dir)
	if err != nil {
		return baseline.Pass{}, f.refuse(n, err)
	}
	if err := f.own(run.Manifest); err != nil {
		return baseline.Pass{}, f.refuse(n, err)
	}
	if run.Manifest.State != store.Complete && !f.ReadOnly {
		if err := f.Agent.Finish(ctx, run, false); err != nil {
			return baseline.Pass{}, err
		}
		if run, err = store.Open(dir); err != nil {
			return baseline.Pass{}, f.refuse(n, err)
		}
	}
	p, err := baseline.ReadPass(run, f.Pass.Configuration.Name)
	if err != nil {
		return p, f.refuse(n, err)
	}
	return p, nil
}

// own refuses a folder that holds something else than fresh traces of the run.
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

// RefusedError is a folder that is not what the gate has made.
type RefusedError struct {
	Run, Folder string
	Why         error
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("gate run %s: the folder %s cannot be fresh traces of it: %v; put it back as it was, or, where another program made it, move it away, and ask the gate again", e.Run, e.Folder, e.Why)
}

func (e *RefusedError) Unwrap() error { return e.Why }

func (f *Folders) refuse(n int, why error) error {
	return &RefusedError{f.Pass.Manifest.Run, f.name(n), why}
}

// Run runs each batch into a folder of its own. Traces that were lost are run again where they
// are.
func (f *Folders) Run(ctx context.Context, batches []Batch) error {
	for _, b := range batches {
		if b.Again {
			if err := f.again(ctx, b.Queries); err != nil {
				return err
			}
			continue
		}
		numbers, err := f.numbers()
		if err != nil {
			return err
		}
		next := 1
		if len(numbers) > 0 {
			next = numbers[len(numbers)-1] + 1
		}
		if err := f.Agent.Begin(ctx, f.name(next), b.Queries, f.Pass.Configuration.K+b.First, b.Traces); err != nil {
			return err
		}
	}
	return nil
}

// again runs the lost traces of some queries again, in all folders that have any.
func (f *Folders) again(ctx context.Context, queries []string) error {
	for _, p := range f.Passes {
		lost := false
		for _, r := range p.Records {
			for _, a := range r.Answers {
				lost = lost || slices.Contains(queries, r.Query) && baseline.MarkOf(a.Outcome, a.Verdict) == gate.Lost
			}
		}
		if !lost {
			continue
		}
		run, err := store.Open(filepath.Join(filepath.Dir(f.Dir), p.Manifest.Run))
		if err != nil {
			return err
		}
		if err := f.Agent.Finish(ctx, run, true); err != nil {
			return err
		}
	}
	return nil
}
