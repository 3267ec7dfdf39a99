package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/shard"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/runner/store/workers"
)

// Schemas of run.yaml, chat.jsonl and results.jsonl.
const (
	ManifestSchema = "concur/run/v1"
	ChatSchema     = runfiles.ChatSchema
	ResultsSchema  = runfiles.ResultsSchema
)

// State is the progress of a run.
type State string

// States of a run. Only a complete run has a record for every query.
const (
	Running     State = "running"     // the run is in progress, or its process was killed
	Complete    State = "complete"    //
	Interrupted State = "interrupted" // stopped by a signal
	Failed      State = "failed"      // stopped by an error of the harness, such as a full disk
)

// Manifest is the content of run.yaml: everything that determined the run.
type Manifest struct {
	Schema string `yaml:"schema"`
	Run    string `yaml:"run"`
	// Title is the name that the user gave the run; "" without one. The seal does not cover it.
	Title   string      `yaml:"title,omitempty"`
	State   State       `yaml:"state"`
	Start   time.Time   `yaml:"start"`
	End     *time.Time  `yaml:"end"`
	Resumed []time.Time `yaml:"resumed"`
	PausedS float64     `yaml:"paused_s"` // sum of the pauses before these resumptions, in seconds
	Dataset Dataset     `yaml:"dataset"`
	Seed    int64       `yaml:"seed"`
	// ReplayOf is the run whose recording replaced models and tools. It is "" if models and tools were really
	// called.
	ReplayOf string `yaml:"replay_of"`
	// Today is the day on which the original of a replayed run was made (2024-05-03). It is "" if that is the
	// day of Start.
	Today string `yaml:"today,omitempty"`
	// FreshOf is the gated run for which this run made fresh traces of the same agent; "" for an independent
	// run.
	FreshOf string `yaml:"fresh_of,omitempty"`
	// RejudgeOf is the run whose traces were judged again; "" if the run made its own traces.
	RejudgeOf string `yaml:"rejudge_of,omitempty"`
	Ablation  string `yaml:"ablation"` // name of the ablation's spec; "" for a single configuration
	Baseline  string `yaml:"baseline"` // the configuration that the others are compared with; "" for a single one
	// Configurations are the settings after flags, environment, file and defaults were combined.
	Configurations []Configuration   `yaml:"configurations"`
	Versions       map[string]string `yaml:"versions"`   // concur, commit, norm, prompt, …
	GitCommit      *string           `yaml:"git_commit"` // commit of the working directory; nil outside a repository
	// Agents describes the agent of each agent hash, so that differences between agents can be explained. The
	// seal does not cover it.
	Agents map[string]AgentFacts `yaml:"agents,omitempty"`
	// Programs are the hashes of the files of checks that are programs, by their paths in the checks; It is nil
	// if there are no such checks, and in runs of older versions. The seal does not cover it.
	Programs map[string]string `yaml:"programs,omitempty"`
	// Workers are the workers of a hub that made traces of the run, by their names; nil without a hub. Finish sets
	// them. The seal does not cover them.
	Workers map[string]workers.Worker `yaml:"workers,omitempty"`
	// Telemetry counts what was sent to a tracing backend during the run, over all its sessions; nil if nothing was to
	// be sent. The seal does not cover it.
	Telemetry *Telemetry `yaml:"telemetry,omitempty"`
	// Sums is the form of the checksums. 1 means that every line has a checksum, with its place and the run's
	// name. 0 means that only records have one, as in runs of older versions of concur.
	Sums int `yaml:"sums,omitempty"`
	// Files has the size and hash of each JSONL file at the end of a complete run, by name. It is nil before the
	// end, and in runs of older versions.
	Files map[string]Sealed `yaml:"files,omitempty"`
	Seal  string            `yaml:"seal"` // hash of the fields that affect results
}

// Sealed is the size and hash of a file at the end of the run.
type Sealed = runfiles.Sealed

// Dataset describes the dataset of a run, after filters.
type Dataset struct {
	Name       string         `yaml:"name"`
	Hash       string         `yaml:"hash"`
	Queries    int            `yaml:"queries"`
	Of         int            `yaml:"of"`          // number of queries before filters
	Categories []string       `yaml:"categories"`  // in the dataset's order
	ByCategory map[string]int `yaml:"by_category"` // number of queries in each category
	// Source is the name of a built-in dataset, or the absolute path of a file. Filter is the selection of its
	// queries. Both are needed to resume the run.
	Source string        `yaml:"source"`
	Filter datasets.Part `yaml:"filter"`
	Shard  *Shard        `yaml:"shard,omitempty"` // nil for a whole run
}

// Shard is the index of a shard in its run, with the facts about the queries of all shards. The other fields of
// Dataset describe only the shard's own queries.
type Shard struct {
	shard.Shard `yaml:",inline"`
	Hash        string         `yaml:"hash"`
	Queries     int            `yaml:"queries"`
	Categories  []string       `yaml:"categories"`
	ByCategory  map[string]int `yaml:"by_category"`
}

// ShardOf returns the shard's index and number of shards; the zero value for a whole run.
func (d Dataset) ShardOf() shard.Shard {
	if d.Shard == nil {
		return shard.Shard{}
	}
	return d.Shard.Shard
}

// Configuration is a resolved configuration with its agent hash.
type Configuration struct {
	Name  string `yaml:"name"`
	Agent string `yaml:"agent_hash"`
	// Note is a remark of the spec's author. First is the index of the first trace, which is not 0 for fresh
	// traces of another run's agent. If these fields are empty, YAML omits them, because older runs, and so
	// their seals, do not have them.
	Note string `yaml:"note,omitempty"`
	// Calibration is the content of judge.calibration, for the correctness judge.
	Calibration *judge.Calibration `yaml:"calibration_of_judge,omitempty"`
	First       int                `yaml:"first_trace,omitempty"`
	// Seen is the number of the run's queries from which the agent's playbook was learned.
	Seen                 int `yaml:"seen,omitempty"`
	config.Configuration `yaml:",inline"`
}

// Telemetry counts the spans and verdicts of a run that were sent to a tracing backend.
type Telemetry struct {
	To       string `yaml:"to"` // scheme and host of the backend
	Spans    int    `yaml:"spans"`
	Verdicts int    `yaml:"verdicts"` // log records
	// Dropped are spans and verdicts that were not sent, because the queue was full, or the backend did not take them.
	Dropped int `yaml:"dropped"`
	// Rejected are spans and verdicts that the backend took and then rejected.
	Rejected int `yaml:"rejected"`
	// Queries are queries that were to be read from the run folder and were not.
	Queries int `yaml:"queries_dropped,omitempty"`
}

// plus returns the sums of two sessions.
func (t Telemetry) plus(other Telemetry) *Telemetry {
	return &Telemetry{other.To, t.Spans + other.Spans, t.Verdicts + other.Verdicts, t.Dropped + other.Dropped,
		t.Rejected + other.Rejected, t.Queries + other.Queries}
}

// ManifestFile is the name of the manifest in a run folder.
const ManifestFile = "run.yaml"

func readManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, ManifestFile)
	raw, err := disk.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, fmt.Errorf("open run %s: it has no %s, so it is not a run folder, or the process was killed "+
			"before the run began", dir, ManifestFile)
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("open run: %w", err)
	}
	var m Manifest
	if err := yaml.Unmarshal(raw, &m); err != nil {
		return Manifest{}, disk.Damage(fmt.Errorf("read %s: %w: restore the file from a copy, or begin a new run", path,
			err))
	}
	if m.Schema != ManifestSchema && len(bytes.TrimSpace(raw)) > 0 {
		return Manifest{}, fmt.Errorf("read %s: its schema is %q, and this concur reads %s", path, m.Schema,
			ManifestSchema)
	}
	if m.Seal == "" { // the seal is the last line, so the file was cut off
		return Manifest{}, disk.Damage(fmt.Errorf("read %s: it is cut off, or its seal was removed: restore the file "+
			"from a copy, or begin a new run", path))
	}
	return m, nil
}

// seal hashes two kinds of fields: those that affect results (the agent and the dataset, for example), and
// those that decide whether the results are evidence, such as the time.
func (m Manifest) seal() string {
	parts := []any{
		m.Configurations, m.Seed, m.Dataset.Hash, m.Versions, m.Run, m.Start.UTC().UnixNano(),
		m.ReplayOf, m.FreshOf, m.Dataset.Queries, m.Dataset.Of, m.Dataset.ByCategory, m.Ablation,
	}
	if m.Sums != 0 { // older seals do not cover them
		parts = append(parts, m.Sums, m.Files)
	}
	if m.Dataset.Shard != nil { // seals of whole runs do not cover it
		parts = append(parts, m.Dataset.Shard)
	}
	return sealPrefix + sealOf(parts...)
}

// sealPrefix is the beginning of the seals of this version. The seals of older runs lack it.
const sealPrefix = "v2:"

func sealOf(parts ...any) string {
	raw, err := yaml.Marshal(parts)
	if err != nil { // encoding fails only if the manifest cannot be written either
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

// CheckSeal returns an error for a manifest that was changed since the run began. It protects against
// mistakes, not against forgery. For a complete run it also covers the hashes of the JSONL files.
func (m Manifest) CheckSeal() error {
	want := m.seal()
	if !strings.HasPrefix(m.Seal, sealPrefix) {
		want = sealOf(m.Configurations, m.Seed, m.Dataset.Hash, m.Versions)
	}
	if m.Seal != want {
		return disk.Damage(errors.New("its run.yaml was changed since it began, in fields that affect results: restore " +
			"the original, or begin a new run"))
	}
	return nil
}

// Write replaces the manifest atomically.
func (m Manifest) Write(d *disk.Disk, dir string) error {
	raw, err := yaml.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode manifest: %w", err)
	}
	return d.Replace(filepath.Join(dir, ManifestFile), raw)
}

// WithFiles returns the manifest with these files and a new seal. Use nil for files as long as the run is not
// complete.
func (m Manifest) WithFiles(files map[string]Sealed) Manifest {
	if m.Sums == 0 {
		return m // older versions do not seal files
	}
	m.Files = files
	m.Seal = m.seal()
	return m
}

// LineSums returns the checksums of the run.
func (m Manifest) LineSums() linefile.Sums { return linefile.Sums{Run: m.Run, HasPlaces: m.Sums > 0} }
