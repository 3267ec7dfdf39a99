package main

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/store"
)

// The kinds of folders with further traces, which stand in their names.
const (
	kindConfirm   = "confirm"
	kindReplicate = "replicate"
)

// further is whose traces the folders beside a run must hold.
type further struct {
	run           *store.Run
	configuration store.Configuration
	data          *datasets.Dataset
}

// secondSeed is that of the second pass: another, drawn from the run's, so that none of its
// traces is one that was seen.
func secondSeed(seed int64) int64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00replicate", seed))
	return int64(binary.BigEndian.Uint32(sum[:4]) >> 1)
}

// refuse is the way out of a folder that is not what the gate has made.
func (f further) refuse(dir string, why error) error {
	return &exitError{exitInvalid, fmt.Errorf("gate run %s: the folder %s cannot stand for further traces of it: %w; put it back as it was, or move it away and ask the gate again", f.run.Manifest.Run, dir, why)}
}

// manifest refuses a folder that was begun as something else than further traces of the run.
func (f further) manifest(kind string, again *store.Run) error {
	m, of := again.Manifest, f.run.Manifest
	if err := m.CheckSeal(); err != nil {
		return err
	}
	name := filepath.Base(again.Dir)
	switch {
	case !m.SealsOrigin():
		return errors.New("its run.yaml has a seal that no gate has written")
	case m.Run != name:
		return fmt.Errorf("its run.yaml is of run %s", m.Run)
	case m.FreshOf != of.Run:
		return fmt.Errorf("it has further traces of %q", m.FreshOf)
	case m.ReplayOf != "":
		return fmt.Errorf("it is a replay of %s", m.ReplayOf)
	case !m.Start.After(of.Start):
		return errors.New("it began before the run")
	case len(m.Configurations) != 1:
		return fmt.Errorf("it has %d configurations", len(m.Configurations))
	}
	c := m.Configurations[0]
	if c.Name != f.configuration.Name || c.Agent != f.configuration.Agent {
		return fmt.Errorf("its agent is another (%s, %.12s; the run's is %s, %.12s)", c.Name, c.Agent, f.configuration.Name, f.configuration.Agent)
	}
	part, err := f.data.Filter(m.Dataset.Filter.Queries, m.Dataset.Filter.Categories, m.Dataset.Filter.Limit)
	if err != nil {
		return err
	}
	if part.Hash != m.Dataset.Hash || part.Name != m.Dataset.Name {
		return errors.New("its queries are not those of the dataset")
	}
	if kind == kindConfirm {
		return f.begins(m.Seed, of.Seed, c.First, f.configuration.K)
	}
	if m.Dataset.Hash != of.Dataset.Hash || c.First != 0 || c.K != f.configuration.K {
		return errors.New("it is no full pass, of all queries and with the K of the run")
	}
	return f.begins(m.Seed, secondSeed(of.Seed), 0, 0)
}

func (f further) begins(seed, want int64, first, least int) error {
	switch {
	case seed != want:
		return fmt.Errorf("its seed is %d and not %d", seed, want)
	case first < least:
		return fmt.Errorf("it begins with trace %d, and the run has traces up to %d", first, least-1)
	}
	return nil
}

// traceAt is one trace of a query.
type traceAt struct {
	query string
	trace int
}

// records refuses records of other queries or traces than the manifest tells. Those in seen
// were in other folders; these are added.
func (f further) records(p gate.RunPass, seen map[traceAt]bool) error {
	part, err := f.data.Filter(p.Manifest.Dataset.Filter.Queries, p.Manifest.Dataset.Filter.Categories, p.Manifest.Dataset.Filter.Limit)
	if err != nil {
		return err
	}
	hashes := map[string]string{}
	for _, q := range part.Queries {
		hashes[q.ID] = q.Hash()
	}
	c := p.Manifest.Configurations[0]
	for _, r := range p.Records {
		hash, ok := hashes[r.Query]
		switch {
		case !ok:
			return fmt.Errorf("its records have the query %s twice, or it was not to be asked", r.Query)
		case r.QueryHash != hash:
			return fmt.Errorf("its record of %s is of another query than the dataset's", r.Query)
		case r.Agent != c.Agent:
			return fmt.Errorf("its record of %s is of another agent", r.Query)
		case len(r.Answers) != c.K:
			return fmt.Errorf("its record of %s has %d traces and not %d", r.Query, len(r.Answers), c.K)
		}
		delete(hashes, r.Query)
		for i, a := range r.Answers {
			at := traceAt{r.Query, a.Trace}
			if a.Trace != c.First+i || seen[at] {
				return fmt.Errorf("trace %d of %s is not the one that stands there, or is in another folder too", a.Trace, r.Query)
			}
			seen[at] = true
		}
	}
	if p.Manifest.State == store.Complete && len(hashes) > 0 {
		return fmt.Errorf("it is complete, and %d queries are missing", len(hashes))
	}
	return nil
}
