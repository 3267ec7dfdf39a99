package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-5817661a/concur/runner/store"
)

// keptTraces is a folder with further traces that a decision rested on, as gate.json keeps
// it: whoever takes such a folder away or changes it draws again, and that is to be seen.
type keptTraces struct {
	Folder  string `json:"folder"`  // from where the run's folder lies
	Second  bool   `json:"second"`  // it is a second full pass
	Records string `json:"records"` // SHA-256 of its results.jsonl, in hex
	Resumed int    `json:"resumed"` // how often it had been taken up again
	Gone    bool   `json:"gone"`    // it was, when the gate was asked again
}

// resolved is a folder without links on its way, so that what lies beside it is found
// however it is named.
func resolved(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return dir, err
	}
	return filepath.Abs(real)
}

// keptOf are the folders beside a run as they are now.
func (g *gating) keptOf(runs []*store.Run) ([]keptTraces, error) {
	var out []keptTraces
	for _, r := range runs {
		if r.Manifest.State != store.Complete {
			continue
		}
		dir, err := filepath.Rel(filepath.Dir(g.run.Dir), r.Dir)
		if err != nil {
			dir = r.Dir // on another drive
		}
		digest, err := recordsOf(r.Dir)
		if err != nil {
			return nil, err
		}
		out = append(out, keptTraces{Folder: filepath.ToSlash(dir), Second: r.Manifest.Run == g.replica, Records: digest, Resumed: len(r.Manifest.Resumed)})
	}
	return out, nil
}

func recordsOf(dir string) (string, error) {
	f, err := os.Open(filepath.Join(dir, "results.jsonl"))
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("read %s: %w", f.Name(), err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// dirOf is where a kept folder lies now.
func (k keptTraces) dirOf(run *store.Run) string {
	dir := filepath.FromSlash(k.Folder)
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(filepath.Dir(run.Dir), dir)
}

// recall holds the kept folders against what they are now: those that are gone are marked,
// and one with other records is refused. A folder that was taken up again, as to run lost
// traces again, may have more.
func recall(run *store.Run, kept []keptTraces) ([]keptTraces, error) {
	kept = slices.Clone(kept)
	for i, k := range kept {
		if k.Gone {
			continue
		}
		dir := k.dirOf(run)
		digest, err := recordsOf(dir)
		if errors.Is(err, fs.ErrNotExist) {
			kept[i].Gone = true
			continue
		}
		if err != nil {
			return nil, &exitError{exitInvalid, err}
		}
		now, err := store.Open(dir)
		if err != nil {
			return nil, &exitError{exitInvalid, err}
		}
		if digest != k.Records && len(now.Manifest.Resumed) <= k.Resumed {
			return nil, &exitError{exitInvalid, fmt.Errorf("gate run %s: the records in %s are not those that its decision rests on: put them back as they were; or move the folder away, and the gate runs it anew and says so", run.Manifest.Run, dir)}
		}
	}
	return kept, nil
}

// remember looks after what earlier decisions on the run rested on.
func (g *gating) remember() error {
	k, err := keptGateOf(g.run, g.configuration.Name)
	if err != nil {
		return usagef("%w", err)
	}
	if g.kept, err = recall(g.run, k.Further); err != nil {
		return err
	}
	for _, t := range g.kept {
		if t.Gone {
			g.evidence.Warnings = append(g.evidence.Warnings, fmt.Sprintf("%s is gone, whose traces an earlier decision on this run rested on: this one is without them, and what it needs of that kind was drawn anew", filepath.Base(t.Folder)))
		}
	}
	return nil
}

// addKept takes the folders of now in the place of what was kept of them. What is gone stays
// to be seen.
func addKept(kept, now []keptTraces) []keptTraces {
	kept = slices.Clone(kept)
	for _, t := range now {
		at := slices.IndexFunc(kept, func(k keptTraces) bool { return !k.Gone && k.Folder == t.Folder })
		if at < 0 {
			kept = append(kept, t)
			continue
		}
		t.Second = t.Second || kept[at].Second
		kept[at] = t
	}
	return kept
}
