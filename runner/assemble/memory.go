package assemble

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/memory"
	"github.com/seed-5817661a/concur/runner/store"
)

// withMemory sets the memory file to that of the dataset, if the configuration names no memory file.
func withMemory(c config.Configuration, source string) (config.Configuration, error) {
	if c.Memory.Mode.IsZero() {
		return c, nil
	}
	if c.Memory.File == "" {
		c.Memory.File = datasets.MemoryOf(source)
	}
	if c.Memory.File == "" || datasets.IsBuiltinMemory(c.Memory.File) {
		return c, nil
	}
	path, err := filepath.Abs(c.Memory.File)
	c.Memory.File = path
	return c, err
}

// addMemory adds the memory to an agent, unless it is off.
func (s *Session) addMemory(ctx context.Context, arm *runner.Arm, to *session.Settings, facts *store.AgentFacts) error {
	c := arm.Configuration.Effective()
	if c.Memory.Mode.IsZero() {
		return nil
	}
	found, err := openOnce(s.memories, [2]string{c.Memory.File, c.Memory.Embeddings}, func() (*memory.Store, error) {
		return s.a.openMemory(ctx, c, s.Replays())
	})
	if err != nil {
		return err
	}
	if was := s.Draft.Manifest.Agents[arm.AgentHash].Memory; s.Replays() && was != "" && was != found.Digest {
		return fmt.Errorf("replay: %s has changed since the run: restore its content, or run again",
			c.Memory.File)
	}
	f := memory.Feature{Store: found, Mode: c.Memory.Mode, K: c.Memory.Items()}
	if c.Memory.Embeddings != "" {
		f.Embeddings = s.a.embeddingsVersion(c.Memory.Embeddings, c)
	}
	to.Features, facts.Memory = append(to.Features, f), found.Digest
	return nil
}

// needsMemory returns an error if the agent uses a memory and no file is known.
func needsMemory(c config.Configuration) error {
	if c.Memory.File != "" {
		return nil
	}
	return fmt.Errorf("memory.mode is %s, but there is no memory: name a file as memory.file, or put one "+
		"named QUERIES-memory.jsonl in the folder of the dataset QUERIES.yaml", c.Memory.Mode)
}

func (a *Assembler) openMemory(ctx context.Context, c config.Configuration, replayed bool) (*memory.Store, error) {
	if err := needsMemory(c); err != nil {
		return nil, err
	}
	items, err := memory.Open(c.Memory.File)
	if err != nil {
		return nil, err
	}
	embedder, err := a.embedder("memory", c.Memory.Embeddings, c, replayed)
	if err != nil {
		return nil, err
	}
	return memory.NewStore(ctx, items, embedder)
}

// embedder returns an embedder for the embeddings model of a section; nil if spec is "". It keeps vectors in
// the user's cache folder. In a replay it uses only this cache.
func (a *Assembler) embedder(section, spec string, c config.Configuration, replayed bool) (rank.Embedder, error) {
	if spec == "" {
		return nil, nil
	}
	cached := rank.Cached{Inner: noVectors{}, Name: a.embeddingsVersion(spec, c), Dir: a.cache("embeddings")}
	if replayed {
		return cached, nil
	}
	inner, err := a.OpenEmbeddings(spec, c.Providers)
	if err != nil {
		return nil, fmt.Errorf("%s.embeddings %q: %w", section, spec, err)
	}
	cached.Inner = inner
	return cached, nil
}

// cache returns a folder of concur's in the user's cache folder.
func (a *Assembler) cache(name string) string {
	dir := cmp.Or(a.Variable("XDG_CACHE_HOME"), os.TempDir())
	if home := a.Variable("HOME"); home != "" && a.Variable("XDG_CACHE_HOME") == "" {
		dir = filepath.Join(home, ".cache")
	}
	return filepath.Join(dir, "concur", name)
}

// indexes returns the folder in which indexes of corpora are kept; "" without a home, because other users may write
// into the folder for temporary files.
func (a *Assembler) indexes() string {
	if a.Variable("XDG_CACHE_HOME") == "" && a.Variable("HOME") == "" {
		return ""
	}
	return a.cache("indexes")
}

// embeddingsVersion returns a text with everything on which vectors depend, except the embedded text itself.
func (a *Assembler) embeddingsVersion(spec string, c config.Configuration) string {
	return spec + " " + a.ModelVersion(spec, c.Providers)
}

// noVectors replaces the endpoint in a replay, and always returns an error.
type noVectors struct{}

func (noVectors) Embed(context.Context, []string) ([][]float32, error) {
	return nil, errors.New("a replay calls no endpoint, and the cache of embeddings lacks some of the run's: " +
		"replay on the run's machine, or run again")
}
