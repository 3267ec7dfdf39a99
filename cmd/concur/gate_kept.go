package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

// gateFile is gate.json: the run's decision with everything beside it, and in short whatever
// the gate was asked. Said of an older concur is "asked", which named no question.
type gateFile struct {
	reports.Gate
	Said  []confirm.Said    `json:"said"` // in the order of time
	Asked []json.RawMessage `json:"asked,omitempty"`
}

// plainName is what --as takes: it becomes part of a file's name.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// gatePath is where a decision on a configuration of a run is kept.
func gatePath(run *store.Run, configuration, as string) string {
	if as != "" {
		as = "." + as
	}
	return filepath.Join(run.Dir, "gate"+confirm.Suffix(run.Manifest, configuration)+as+".json")
}

// saidOf is what the gate has said of a run; nothing where it was not asked.
func saidOf(run *store.Run, configuration string) ([]confirm.Said, error) {
	path := gatePath(run, configuration, "")
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read decision: %w", err)
	}
	var k gateFile
	damaged := fmt.Errorf("read decision: %s is damaged, or of another run: put it back as it was, or remove it and ask the gate again", path)
	if err := json.Unmarshal(raw, &k); err != nil || k.Run != run.Manifest.Run || k.Configuration != configuration {
		return nil, damaged
	}
	if k.Schema == reports.GateSchemaV1 {
		return []confirm.Said{{Decision: k.Decision, Bootstrap: k.Bootstrap}}, nil
	}
	own, ok := confirm.Own(k.Said)
	if k.Schema != reports.GateSchema || len(k.Said) == 0 || ok && own.Decision != k.Decision {
		return nil, damaged
	}
	return k.Said, nil
}

// keep writes the decision into the run's folder: the run's own into gate.json, and one under a
// name into a file of that name, which gate.json mentions.
func (g *gating) keep(r reports.Gate) error {
	fresh := 0
	for _, it := range g.Evidence.Items {
		fresh += len(it.Fresh)
	}
	now := confirm.Said{
		As: g.as, Question: g.question, Decision: r.Decision, Bootstrap: r.Bootstrap, NoFresh: g.options.NoFresh, Fresh: fresh, At: time.Now().Round(0).UTC(),
	}
	name := g.Pass.Configuration.Name
	k := gateFile{Gate: r, Said: append(g.said, now)}
	own := gatePath(g.run, name, "")
	if g.as != "" {
		if err := writeJSON(gatePath(g.run, name, g.as), r); err != nil {
			return err
		}
		k.Gate = reports.Gate{Schema: reports.GateSchema, Run: r.Run, Configuration: r.Configuration}
		raw, err := os.ReadFile(own)
		if err == nil {
			var before gateFile
			if err = json.Unmarshal(raw, &before); err == nil {
				k.Gate = before.Gate
			}
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("read decision: %w", err)
		}
	}
	return writeJSON(own, k)
}

func writeJSON(path string, value any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return fmt.Errorf("encode decision: %w", err)
	}
	return store.WriteFile(path, b.Bytes())
}

// decisionOn is the run's own decision where it was on this baseline, "" where it was not
// asked. An alarm counts whatever baseline it was on.
func decisionOn(said []confirm.Said, file string) (d gate.Decision, bootstrap bool) {
	own, ok := confirm.Own(said)
	if !ok || !own.Decision.Alarm() && own.Baseline != "" && own.Baseline != filepath.Clean(file) && !sameFile(own.Baseline, file) {
		return "", false
	}
	return own.Decision, own.Bootstrap
}
