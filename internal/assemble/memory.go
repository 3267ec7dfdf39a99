package assemble

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent/advise"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/memory"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
	"github.com/seed-5817661a/concur/runner/store"
)

// withMemory names the memory file that a dataset brings where the configuration names none.
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

// memories opens each memory once, however many configurations have it.
type memories map[[2]string]*memory.Store // by file and embeddings

// addMemory gives an agent its memory, unless that is off, and names its content in the parts of the
// agent's hash.
func (s *Session) addMemory(ctx context.Context, arm *runner.Arm, to *session.Settings, parts map[string]string, facts *store.AgentFacts) error {
	c := arm.Configuration.Effective()
	if !c.Memory.Summaries.IsZero() {
		to.Working = session.Working{K: c.Memory.Items(), Tokens: c.Memory.Tokens()}
		parts["summary"] = session.SummaryVersion
	}
	if c.Memory.Mode.IsZero() {
		return nil
	}
	found, err := once(s.memories, [2]string{c.Memory.File, c.Memory.Embeddings}, func() (*memory.Store, error) {
		return s.a.openMemory(ctx, c, s.Replays())
	})
	if err != nil {
		return err
	}
	if was := s.Draft.Manifest.Agents[arm.AgentHash].Memory; s.Replays() && was != "" && was != found.Digest {
		return fmt.Errorf("replay: %s has changed since the run was made: put its content of then back, or run again", c.Memory.File)
	}
	to.Sources = append(to.Sources, memory.Source{Store: found, Mode: c.Memory.Mode, K: c.Memory.Items()})
	parts["memory"], facts.Memory = memory.Version+" "+found.Digest, found.Digest
	if c.Memory.Embeddings != "" {
		parts["embeddings"] = s.a.embeddingsVersion(c.Memory.Embeddings, c)
	}
	return nil
}

func (a *Assembler) openMemory(ctx context.Context, c config.Configuration, replayed bool) (*memory.Store, error) {
	if c.Memory.File == "" {
		return nil, fmt.Errorf("memory.mode is %s, and there is no memory: name a file as memory.file, or put one named QUERIES-memory.jsonl beside the dataset QUERIES.yaml", c.Memory.Mode)
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

// embedder asks the endpoint that embeddings of a section names for vectors, and keeps them in the
// user's cache folder. A replay has only those. It is nil for "".
func (a *Assembler) embedder(section, spec string, c config.Configuration, replayed bool) (rank.Embedder, error) {
	if spec == "" {
		return nil, nil
	}
	dir := cmp.Or(a.environ("XDG_CACHE_HOME"), os.TempDir())
	if home := a.environ("HOME"); home != "" && a.environ("XDG_CACHE_HOME") == "" {
		dir = filepath.Join(home, ".cache")
	}
	cached := rank.Cached{Inner: noVectors{}, Name: a.embeddingsVersion(spec, c), Dir: filepath.Join(dir, "concur", "embeddings")}
	if replayed {
		return cached, nil
	}
	s, err := parseSpec(spec)
	var m model.Model
	if err == nil {
		m, err = a.openEndpoint(s, c.Providers)
	}
	inner, embeds := m.(rank.Embedder)
	if err == nil && !embeds {
		err = errors.New("only endpoints that speak OpenAI's protocol have embeddings: name one of them")
	}
	if err != nil {
		return nil, fmt.Errorf("%s.embeddings %q: %w", section, spec, err)
	}
	cached.Inner = inner
	return cached, nil
}

// embeddingsVersion is what vectors depend on beside the text.
func (a *Assembler) embeddingsVersion(spec string, c config.Configuration) string {
	return spec + " " + a.modelVersion(spec, c.Providers)
}

// noVectors is the endpoint of a replay, which is not asked.
type noVectors struct{}

func (noVectors) Embed(context.Context, []string) ([][]float32, error) {
	return nil, errors.New("a replay asks no endpoint, and the cache of embeddings does not have all of the run's: replay where the run was made, or run again")
}

// playbooks are the playbooks of a run, each opened once: traces share what was found in them.
type playbooks map[[2]string]*openPlaybook // by digest of the file and embeddings

type openPlaybook struct {
	book  *playbook.Book
	shelf *playbook.Shelf
	data  []byte
}

// playbookFile is the name of facts.Files under which a playbook's digest is.
const playbookFile = "playbook"

// copyName is the name of a playbook in a run's folder.
func copyName(digest string) string { return "playbook-" + digest[:16] + ".yaml" }

// addPlaybook gives an agent its playbook, unless that is off: the copy in the folder of a run that
// goes on or is replayed, whatever became of the file since, and else the file. A playbook that
// learned from queries of the dataset, or that holds one of its answers, is refused.
func (s *Session) addPlaybook(ctx context.Context, a *runner.Arm, to *session.Settings, parts map[string]string, facts *store.AgentFacts) error {
	settings := a.Configuration.Agent.Playbook.Effective()
	if !settings.Used() {
		return nil
	}
	path := settings.File
	recorded := s.Draft.Manifest.Agents[a.AgentHash].Files[playbookFile]
	if recorded != "" && s.options.Folder != "" {
		path = filepath.Join(s.options.Folder, copyName(recorded))
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("agent.playbook.file: there is no %s: make it with `concur playbook learn RUN --into %s`", path, filepath.Base(settings.File))
	}
	if err != nil {
		return fmt.Errorf("agent.playbook.file: %w", err)
	}
	sum := digest(data)
	if recorded != "" && recorded != sum {
		return fmt.Errorf("%s: it is not the playbook that the run began with: put it back from a copy, or begin a new run", path)
	}
	open, err := once(s.playbooks, [2]string{sum, settings.Embeddings}, func() (*openPlaybook, error) {
		book, err := playbook.Parse(path, data)
		if err != nil {
			return nil, err
		}
		embed, err := s.a.embedder("agent.playbook", settings.Embeddings, a.Configuration, s.Replays())
		if err != nil {
			return nil, err
		}
		shelf, err := playbook.NewShelf(ctx, book, embed)
		return &openPlaybook{book, shelf, data}, err
	})
	if err == nil && recorded == "" {
		err = s.checkSeen(path, open.book, a.Configuration.Name)
	}
	if err != nil {
		return err
	}
	parts["playbook"] = open.book.Hash() + " " + playbook.PromptVersion
	if settings.Embeddings != "" {
		parts["playbook embeddings"] = s.a.embeddingsVersion(settings.Embeddings, a.Configuration)
	}
	facts.Files = map[string]string{playbookFile: sum}
	to.Sources = append(to.Sources, advise.Source{Shelf: open.shelf, Settings: settings})
	return nil
}

// LogPlaybooks logs how often the playbooks were searched, and how long that took.
func (s *Session) LogPlaybooks() {
	for key, open := range s.playbooks {
		if f := open.shelf.Figures(); f.Searches > 0 {
			s.Models.log(fmt.Sprintf("playbook %.8s: %d searches in %s, %d more questions answered from the memo", key[0], f.Searches, f.Time.Round(time.Microsecond), f.Hits))
		}
	}
}

// checkSeen keeps learning and evaluation apart.
func (s *Session) checkSeen(path string, b *playbook.Book, configuration string) error {
	data := s.Draft.Dataset
	if ids := learn.GivenAway(b, learn.Golds(data)); len(ids) > 0 {
		hold := map[bool]string{true: "holds", false: "hold"}[len(ids) == 1]
		return fmt.Errorf("%s: %s of it %s a gold answer of %s: delete the bullets", path, few(ids), hold, data.Name)
	}
	seen := learn.Seen(b, data)
	if len(seen) == 0 {
		return nil
	}
	if !s.Draft.AllowSeen {
		return fmt.Errorf("%s: it was learned from %d of the %d queries of %s, or from others of their clusters (%s): evaluate on others, as `concur datasets split` gives, or add --allow-seen", path, len(seen), len(data.Queries), data.Name, few(seen))
	}
	for i := range s.Draft.Manifest.Configurations {
		if c := &s.Draft.Manifest.Configurations[i]; c.Name == configuration {
			c.Seen = len(seen)
			c.Note = strings.TrimSpace(c.Note + " seen")
		}
	}
	return nil
}

// few names the first ten of a list.
func few(ids []string) string {
	const most = 10
	if more := len(ids) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), more)
	}
	return strings.Join(ids, ", ")
}

// KeepPlaybooks copies the playbooks of the run into its folder, for resuming and replaying it.
func (s *Session) KeepPlaybooks(dir string) error {
	for key, open := range s.playbooks {
		if err := os.WriteFile(filepath.Join(dir, copyName(key[0])), open.data, 0o600); err != nil {
			return fmt.Errorf("copy the playbook: %w", err)
		}
	}
	return nil
}
