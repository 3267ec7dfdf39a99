package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

// keptGate is gate.json: what the gate said last, with everything beside it, and in short
// whatever it has said of the run.
type keptGate struct {
	reports.Gate
	Asked []gate.Asked `json:"asked"` // in the order of time
	// Further are the folders that any of it rested on.
	Further []keptTraces `json:"further"`
}

// ofConfiguration tells the files and folders of one configuration of an ablation from those of the
// others. It is "" for a run of one configuration. The hash keeps names apart that look
// alike once they are fit for a file.
func ofConfiguration(m store.Manifest, configuration string) string {
	if len(m.Configurations) < 2 {
		return ""
	}
	const longest = 40
	words := strings.FieldsFunc(strings.ToLower(configuration), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	slug := strings.Join(words, "-")
	slug = strings.Trim(slug[:min(len(slug), longest)], "-")
	sum := sha256.Sum256([]byte(configuration))
	return strings.TrimSuffix("-"+slug, "-") + fmt.Sprintf("-%x", sum[:2])
}

// gateFile is where the decision on a configuration of a run is kept.
func gateFile(run *store.Run, configuration string) string {
	return filepath.Join(run.Dir, "gate"+ofConfiguration(run.Manifest, configuration)+".json")
}

// saidOf is what the gate has said of a run, in the order of time; nothing where it was not
// asked.
func saidOf(run *store.Run, configuration string) ([]gate.Asked, error) {
	k, err := keptGateOf(run, configuration)
	return k.Asked, err
}

// keptGateOf reads gate.json; it is empty where the gate was not asked.
func keptGateOf(run *store.Run, configuration string) (keptGate, error) {
	var k keptGate
	path := gateFile(run, configuration)
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return k, fmt.Errorf("read decision: %w", err)
	}
	err = json.Unmarshal(raw, &k)
	last := len(k.Asked) - 1
	if err != nil || k.Schema != reports.GateSchema || k.Run != run.Manifest.Run || k.Configuration != configuration || last < 0 || k.Asked[last].Decision != k.Decision || k.Decision == "" {
		return keptGate{}, damagedError{path}
	}
	return k, nil
}

// damagedError is a gate.json that does not say what the gate said of its run.
type damagedError struct{ path string }

func (e damagedError) Error() string {
	return fmt.Sprintf("read decision: %s is damaged, or of another run: put it back as it was, or remove it and ask the gate again", e.path)
}

// keep writes the decision into the run's folder, behind what was said before.
func (g *gating) keep(r reports.Gate, replicate string) error {
	before, err := saidOf(g.run, g.configuration.Name)
	if err != nil {
		return err
	}
	now, err := g.keptOf(g.opened)
	if err != nil {
		return err
	}
	k := keptGate{r, append(before, gate.Asked{
		Decision: r.Decision, Bootstrap: r.Bootstrap, Alpha: r.Alpha, NoConfirm: g.options.NoConfirm,
		Replicate: replicate, Baseline: g.baseline, PoolRuns: g.poolRuns, Firm: r.Firm(), At: time.Now().Round(0).UTC(),
	}), addKept(g.kept, now)}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(k); err != nil {
		return fmt.Errorf("encode decision: %w", err)
	}
	return store.WriteFile(gateFile(g.run, g.configuration.Name), b.Bytes())
}
