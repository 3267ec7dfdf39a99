package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Kind is the way in which a run was made.
type Kind string

const (
	KindRun      Kind = "run"
	KindAblation Kind = "ablation"
	KindAsk      Kind = "ask"    // a session of questions
	KindReplay   Kind = "replay" // of a recording
	KindImport   Kind = "import" // of traces that another harness made
	KindFresh    Kind = "fresh"  // fresh traces of another run's agent, for the gate
)

// AskDataset is the dataset name of a session of questions, which has no file.
const AskDataset = "ask"

// Kind derives the kind from the manifest.
func (m Manifest) Kind() Kind {
	switch {
	case m.FreshOf != "":
		return KindFresh
	case m.ReplayOf != "":
		return KindReplay
	case m.Dataset.Name == AskDataset && m.Dataset.Source == "":
		return KindAsk
	case len(m.Configurations) > 0 && m.Configurations[0].Configuration.Agent.External.Imported != "":
		return KindImport
	case m.Ablation != "":
		return KindAblation
	}
	return KindRun
}

// List opens the runs of a runs folder, newest first. A missing folder has no runs; other
// folders are skipped.
func List(runsDir string) ([]*Run, error) {
	entries, err := os.ReadDir(runsDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	var runs []*Run
	for _, e := range entries {
		if r, err := Open(filepath.Join(runsDir, e.Name())); err == nil {
			runs = append(runs, r)
		}
	}
	slices.SortStableFunc(runs, func(a, b *Run) int { return b.Manifest.Start.Compare(a.Manifest.Start) })
	return runs, nil
}

// Size is the number of bytes in the run's files.
func (r *Run) Size() (int64, error) {
	var size int64
	err := filepath.WalkDir(r.Dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

// Remove deletes the run folder. It refuses if another process writes the run.
func (r *Run) Remove() (err error) {
	path := filepath.Join(r.Dir, jsonl[traceFile].name)
	if err := checkPlain(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove run: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return os.RemoveAll(r.Dir)
	}
	if err != nil {
		return fmt.Errorf("remove run %s: %w", r.Dir, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := lock(f); err != nil {
		return fmt.Errorf("remove run %s: %w", r.Dir, err)
	}
	return os.RemoveAll(r.Dir)
}
