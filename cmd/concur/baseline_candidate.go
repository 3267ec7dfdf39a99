package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/store"
)

// candidateOf gathers a run with its second passes, of which none is left out. Of what the
// gate said of it, only that counts which it said against the baseline that it is to join.
func candidateOf(run *store.Run, configuration, baseline string, data *datasets.Dataset) (gate.Candidate, error) {
	c := gate.Candidate{Configuration: configuration}
	pass, err := gate.ReadPass(run, configuration)
	if err != nil {
		return c, err
	}
	if err := gate.Judged(pass, configuration); err != nil {
		return c, err
	}
	at := slices.IndexFunc(run.Manifest.Configurations, func(of store.Configuration) bool { return configuration == "" || of.Name == configuration })
	made := run.Manifest.Configurations[at]
	kept, err := keptGateOf(run, made.Name)
	if err != nil {
		return c, err
	}
	for _, a := range kept.Asked {
		if filepath.Clean(a.Baseline) == filepath.Clean(baseline) || sameFile(a.Baseline, baseline) {
			c.Decisions = append(c.Decisions, a)
		}
	}
	if n := len(c.Decisions); n > 0 {
		c.Decision = c.Decisions[n-1].Decision
	}
	c.Passes = []gate.RunPass{pass}
	c.Deterministic = isOffline(made.Model)
	dirs, err := seconds(run, made.Name, kept.Further)
	if err != nil {
		return c, err
	}
	for _, dir := range dirs {
		second, err := secondPass(further{run, made, data}, dir)
		if err != nil {
			return c, err
		}
		c.Passes = append(c.Passes, second)
	}
	if c.Deterministic {
		forgetReplies(c.Passes)
	}
	return c, nil
}

// forgetReplies leaves an offline model to be told by its seed alone: with another one it may
// say the same to the byte, and these are traces of their own.
func forgetReplies(passes []gate.RunPass) {
	for i := range passes {
		passes[i].Digest = ""
	}
}

// seconds are the folders of second passes: those that a decision rests on, and one that the
// gate made and did not come to use.
func seconds(run *store.Run, configuration string, kept []keptTraces) ([]string, error) {
	now, err := recall(run, kept)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for i, k := range now {
		switch {
		case !k.Second || kept[i].Gone: // the gate was asked again since
		case k.Gone:
			return nil, fmt.Errorf("run %s: its second pass %s is gone: put it back, or ask the gate again, which will say so", run.Manifest.Run, k.Folder)
		default:
			dirs = append(dirs, k.dirOf(run))
		}
	}
	own := filepath.Join(filepath.Dir(run.Dir), folderOf(run.Manifest, configuration, kindReplicate, 1))
	_, err = os.Stat(own)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil && !slices.Contains(dirs, own) {
		dirs = append(dirs, own)
	}
	return dirs, nil
}

func secondPass(f further, dir string) (gate.RunPass, error) {
	again, err := store.Open(dir)
	if err != nil {
		return gate.RunPass{}, f.refuse(dir, err)
	}
	own := filepath.Base(dir) == folderOf(f.run.Manifest, f.configuration.Name, kindReplicate, 1)
	if own || again.Manifest.FreshOf != "" {
		if err := f.manifest(kindReplicate, again); err != nil {
			return gate.RunPass{}, f.refuse(dir, err)
		}
	}
	p, err := gate.ReadPass(again, f.configuration.Name)
	if err == nil && again.Manifest.FreshOf != "" {
		err = f.records(p, map[traceAt]bool{})
	}
	if err != nil {
		return p, f.refuse(dir, err)
	}
	return p, nil
}
