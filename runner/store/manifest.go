package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/runner/config"
)

// The schemas of the files of this version.
const (
	ManifestSchema = "concur/run/v1"
	ChatSchema     = "concur/chat/v1"
	ResultsSchema  = "concur/results/v1"
)

// State says how far a run got.
type State string

// The states. Only a complete run has a record for every query.
const (
	Running     State = "running"     // or killed without a chance to say so
	Complete    State = "complete"    //
	Interrupted State = "interrupted" // by a signal
	Failed      State = "failed"      // by an error of the harness, such as a full disk
)

// Manifest is run.yaml: everything that a run was made from.
type Manifest struct {
	Schema string     `yaml:"schema"`
	Run    string     `yaml:"run"`
	State  State      `yaml:"state"`
	Start  time.Time  `yaml:"start"`
	End    *time.Time `yaml:"end"`
	// Resumed holds when the run was taken up again, and PausedS the seconds that it lay
	// still before that, in sum.
	Resumed []time.Time `yaml:"resumed"`
	PausedS float64     `yaml:"paused_s"`
	Dataset Dataset     `yaml:"dataset"`
	Seed    int64       `yaml:"seed"`
	// ReplayOf is the run from whose recording models and tools answered; "" where they
	// were asked.
	ReplayOf string `yaml:"replay_of"`
	// FreshOf is the run of whose agent these are further traces, such as a gate asks for to
	// confirm what it saw; "" for a run of its own.
	FreshOf string `yaml:"fresh_of,omitempty"`
	// Ablation names the spec of an ablation and Baseline the configuration that its others
	// are held against; both "" for a run of a single configuration.
	Ablation string `yaml:"ablation"`
	Baseline string `yaml:"baseline"`
	// Configurations are as resolved from flags, environment, file and defaults.
	Configurations []Configuration   `yaml:"configurations"`
	Versions       map[string]string `yaml:"versions"`   // concur, commit, norm, prompt, …
	GitCommit      *string           `yaml:"git_commit"` // of the working directory, nil outside a repository
	// Agents says what stands behind each agent hash: so that a later run can be told apart by
	// more than the hash. The seal does not cover it.
	Agents map[string]AgentFacts `yaml:"agents,omitempty"`
	// Seal is a hash of what decides on results and makes them evidence. A manifest that was
	// edited there does not match it.
	Seal string `yaml:"seal"`
}

// Dataset is what a run was over, after filters.
type Dataset struct {
	Name       string   `yaml:"name"`
	Hash       string   `yaml:"hash"`
	Queries    int      `yaml:"queries"`
	Of         int      `yaml:"of"`         // queries before filters
	Categories []string `yaml:"categories"` // in the dataset's order
	// ByCategory counts the queries of each category.
	ByCategory map[string]int `yaml:"by_category"`
	// Source is a built-in name or the absolute path of a file, and Filter what was taken
	// from it: with both, the run can be resumed.
	Source string `yaml:"source"`
	Filter Filter `yaml:"filter"`
}

// Filter says which queries of a dataset were taken; its zero value takes all.
type Filter struct {
	Queries    []string `yaml:"queries"`
	Categories []string `yaml:"categories"`
	Tags       []string `yaml:"tags,omitempty"`
	Limit      int      `yaml:"limit"` // 0 is none
}

// Configuration is a resolved configuration with its agent hash.
type Configuration struct {
	Name  string `yaml:"name"`
	Agent string `yaml:"agent_hash"`
	// Note is a remark of a spec's author. First is the index of the first trace where it is
	// not 0: these are fresh traces of the agent of another run. Both are left out where
	// empty, since the seal of older runs is without them.
	Note                 string `yaml:"note,omitempty"`
	First                int    `yaml:"first_trace,omitempty"`
	config.Configuration `yaml:",inline"`
}

// AgentFacts are what an agent rests on beside its settings and the versions of its prompts.
type AgentFacts struct {
	Tools map[string]string `yaml:"tools,omitempty"` // digest of each tool's schema, by name
	// Corpus is the digest of the corpus, and Documents the digest, id and title of each of its
	// documents, as "digest id\ttitle" ("digest title" in older runs); nil above 100,000.
	Corpus    string   `yaml:"corpus,omitempty"`
	Documents []string `yaml:"documents,omitempty"`
	// Models are the names under which the provider answered, sorted. Finish adds them.
	Models []string `yaml:"models,omitempty"`
}

const manifestFile = "run.yaml"

func readManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, manifestFile)
	err := checkPlain(path)
	var raw []byte
	if err == nil {
		raw, err = os.ReadFile(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, fmt.Errorf("open run %s: there is no %s in it, so it is no run folder, or one that was killed before it began", dir, manifestFile)
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("open run: %w", err)
	}
	var m Manifest
	if err := yaml.Unmarshal(raw, &m); err != nil {
		return Manifest{}, fmt.Errorf("read %s: %w", path, err)
	}
	if m.Schema != ManifestSchema {
		return Manifest{}, fmt.Errorf("read %s: its schema is %q, and this concur reads %s", path, m.Schema, ManifestSchema)
	}
	if m.Seal == "" { // its last line
		return Manifest{}, fmt.Errorf("read %s: it is cut off, or its seal was taken out: put the file back from a copy, or begin a new run", path)
	}
	return m, nil
}

// sealed stands before the seals of this form. Those of older runs have nothing before them.
const sealed = "v2:"

// seal hashes what decides on results, and what makes them evidence: whose traces they are,
// when they were made, and over what.
func (m Manifest) seal() string {
	return sealed + sealOf([]any{
		m.Configurations, m.Seed, m.Dataset.Hash, m.Versions,
		m.Run, m.Start.UTC().UnixNano(), m.ReplayOf, m.FreshOf, m.Dataset.Queries, m.Dataset.Of, m.Dataset.ByCategory, m.Ablation,
	})
}

// SealsOrigin reports whether the seal covers whose traces these are, when they were made
// and over what, which older seals do not.
func (m Manifest) SealsOrigin() bool { return strings.HasPrefix(m.Seal, sealed) }

// oldSeal is that of runs before seals had a form.
func (m Manifest) oldSeal() string {
	return sealOf([]any{m.Configurations, m.Seed, m.Dataset.Hash, m.Versions})
}

func sealOf(parts []any) string {
	raw, err := yaml.Marshal(parts)
	if err != nil { // the manifest itself cannot be written then
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

// CheckSeal refuses a manifest that says something else than when the run began. It keeps
// honest hands from a slip; it is no signature, and does not cover the records.
func (m Manifest) CheckSeal() error {
	want := m.oldSeal()
	if m.SealsOrigin() {
		want = m.seal()
	}
	if m.Seal != want {
		return errors.New("its run.yaml was changed since it began, in what decides on results: put it back as it was, or begin a new run")
	}
	return nil
}

// write replaces the manifest whole, so that a reader sees the old or the new one.
func (m Manifest) write(d *disk, dir string) error {
	raw, err := yaml.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode manifest: %w", err)
	}
	return d.replace(filepath.Join(dir, manifestFile), raw)
}
