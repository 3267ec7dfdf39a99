package starter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/sent/accepted"
	"github.com/seed-5817661a/concur/internal/scratch"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

const (
	runsOfBaseline = 5 // with the seeds 1, 2, …; a pool needs five runs, so the gate can decide at once
	recordingSeed  = 1
)

// Starter writes the files of a project that evaluates an agent.
type Starter struct {
	Version, Commit string                                                   // of this binary, which the workflow installs
	Run             func(d runner.Draft, dir string) (*store.Run, error)     // runs a draft into a folder within dir
	Bar             func(what string) (set func(share float64), stop func()) // shows the progress of the runs
}

// Write writes the files into a folder, creates the folder if necessary, and returns the number of queries. It
// overwrites no file. After an error it leaves no files behind, unless the last step, copying the files into
// the folder, failed.
func (s Starter) Write(ctx context.Context, folder string) (queries int, err error) {
	if err := vacant(folder); err != nil {
		return 0, err
	}
	if err := writable(folder); err != nil {
		return 0, fmt.Errorf("init: %w; name a folder that you can write", err)
	}
	work, err := scratch.New("concur-init")
	if err != nil {
		return 0, fmt.Errorf("init: %w", err)
	}
	defer func() { _ = work.Remove() }() // a later process removes what is left
	made := filepath.Join(work.Path(), "made")
	if queries, err = s.fill(ctx, made, filepath.Join(work.Path(), "runs")); err != nil {
		return 0, fmt.Errorf("init: %w", err)
	}
	if err := os.CopyFS(folder, os.DirFS(made)); err != nil { // overwrites nothing either
		return 0, fmt.Errorf("init: %w; remove the new files in %s and try again", err, folder)
	}
	return queries, errors.Join(addLine(folder, ignoreFile, ignoreRuns), addLine(folder, mergeFile, mergeByUnion))
}

// fill writes the templates, and the baseline and the recording, for which it runs the dataset.
func (s Starter) fill(ctx context.Context, made, runs string) (queries int, err error) {
	if err := s.writeTemplates(made); err != nil {
		return 0, err
	}
	file, err := config.Load(filepath.Join(made, Config), config.New())
	if err != nil {
		return 0, err
	}
	share, stop := s.Bar(fmt.Sprintf("make the baseline of %d runs of the offline model", runsOfBaseline))
	defer stop()
	history := &baseline.Baseline{}
	for seed := int64(1); seed <= runsOfBaseline; seed++ {
		share(float64(seed-1) / runsOfBaseline)
		set, of, err := runner.Selection{}.Open(filepath.Join(made, Queries))
		if err != nil {
			return 0, err
		}
		draft, err := runner.NewDraft(set, of, []config.Configuration{file.Configuration.Completed()}, &seed, time.Now())
		if err != nil {
			return 0, err
		}
		draft.Manifest.Dataset.Source = Queries // the path after init, because the recording is committed
		data, err := set.Load()                 // before the run, which closes the set
		if err != nil {
			return 0, err
		}
		run, err := s.Run(draft, runs)
		if err != nil {
			return 0, err
		}
		pass, err := baseline.ReadPass(run, "")
		if err != nil {
			return 0, err
		}
		pass.Deterministic = config.IsOffline(pass.Configuration.Model)
		if err := set.Close(); err != nil {
			return 0, err
		}
		candidate := baseline.Candidate{Pass: pass}
		if err := history.Add(candidate, data); err != nil {
			return 0, err
		}
		if seed == runsOfBaseline { // what the last accepted run sent is what the gate compares
			file := filepath.Join(made, Sent)
			if err := accepted.Keep(ctx, file, run, pass.Configuration, candidate.IDs()); err != nil {
				return 0, err
			}
		}
		queries = len(data.Queries)
		if seed != recordingSeed {
			continue
		}
		if err := os.Rename(run.Dir, filepath.Join(made, Recording)); err != nil {
			return 0, err
		}
	}
	raw, err := history.Encode()
	if err != nil {
		return 0, err
	}
	return queries, os.WriteFile(filepath.Join(made, Baseline), raw, 0o666)
}
