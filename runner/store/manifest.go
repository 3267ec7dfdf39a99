package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	Schema  string     `yaml:"schema"`
	Run     string     `yaml:"run"`
	State   State      `yaml:"state"`
	Start   time.Time  `yaml:"start"`
	End     *time.Time `yaml:"end"`
	Dataset Dataset    `yaml:"dataset"`
	Seed    int64      `yaml:"seed"`
	// Configurations are as resolved from flags, environment, file and defaults.
	Configurations []Configuration   `yaml:"configurations"`
	Versions       map[string]string `yaml:"versions"`   // concur, commit, norm, prompt, …
	GitCommit      *string           `yaml:"git_commit"` // of the working directory, nil outside a repository
}

// Dataset is what a run was over, after filters.
type Dataset struct {
	Name       string   `yaml:"name"`
	Hash       string   `yaml:"hash"`
	Queries    int      `yaml:"queries"`
	Of         int      `yaml:"of"`         // queries before filters
	Categories []string `yaml:"categories"` // in the dataset's order
}

// Configuration is a resolved configuration with its agent hash.
type Configuration struct {
	Name                 string `yaml:"name"`
	Agent                string `yaml:"agent_hash"`
	config.Configuration `yaml:",inline"`
}

const manifestFile = "run.yaml"

func readManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, manifestFile)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, fmt.Errorf("open run %s: there is no %s in it, so it is no run folder", dir, manifestFile)
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
	return m, nil
}

// write replaces the manifest whole, so that a reader sees the old or the new one.
func (m Manifest) write(dir string) error {
	raw, err := yaml.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode manifest: %w", err)
	}
	return WriteFile(filepath.Join(dir, manifestFile), raw)
}

// WriteFile writes a file of a run folder whole or not at all: into a temporary file
// beside it, synced, then renamed.
func WriteFile(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(f.Name())))
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
