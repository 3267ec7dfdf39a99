package assemble

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent/advise"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// openPlaybook is an opened playbook. All traces of the run use the same results of its searches.
type openPlaybook struct {
	book  *playbook.Book
	shelf *playbook.Shelf
	data  []byte
}

// playbookFile is the name of the playbook's digest in facts.Files.
const playbookFile = "playbook"

// addPlaybook adds the playbook to an agent, unless it is off. A run that is resumed or replayed uses the copy
// in its folder, even if the file has changed. addPlaybook returns an error if the playbook was learned from
// queries of the dataset, or contains one of the dataset's answers.
func (s *Session) addPlaybook(ctx context.Context, a *runner.Arm, to *session.Settings, facts *store.AgentFacts) error {
	settings := a.Configuration.Agent.Playbook.Effective()
	if !settings.Used() {
		return nil
	}
	path := settings.File
	recorded := s.Draft.Manifest.Agents[a.AgentHash].Files[playbookFile]
	if recorded != "" && s.options.Folder != "" {
		path = filepath.Join(s.options.Folder, store.PlaybookFile(recorded))
	}
	read := os.ReadFile
	if path != settings.File { // the run folder may come from another person, so check the copy
		read = disk.ReadFile
	}
	data, err := readPlaybook(path, settings.File, read)
	if err != nil {
		return err
	}
	sum := digest(data)
	if recorded != "" && recorded != sum {
		return fmt.Errorf("%s: it differs from the playbook at the start of the run: restore it from a copy, or "+
			"begin a new run", path)
	}
	open, err := openOnce(s.playbooks, [2]string{sum, settings.Embeddings}, func() (*openPlaybook, error) {
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
	f := advise.Feature{Shelf: open.shelf, Settings: settings}
	if settings.Embeddings != "" {
		f.Embeddings = s.a.embeddingsVersion(settings.Embeddings, a.Configuration)
	}
	facts.Files = map[string]string{playbookFile: sum}
	to.Features = append(to.Features, f)
	return nil
}

// readPlaybook reads the playbook that a configuration names, or its copy in a run folder.
func readPlaybook(path, named string, read func(string) ([]byte, error)) ([]byte, error) {
	data, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("agent.playbook.file: there is no %s: create it with `concur playbook learn RUN --into %s`",
			path, filepath.Base(named))
	}
	if err != nil {
		return nil, fmt.Errorf("agent.playbook.file: %w", err)
	}
	return data, nil
}

// LogPlaybooks logs how often the playbooks were searched, and how long it took.
func (s *Session) LogPlaybooks() {
	for key, open := range s.playbooks {
		if f := open.shelf.Figures(); f.Searches > 0 {
			s.Models.Log(fmt.Sprintf("playbook %.8s: %d searches in %s, %d more questions answered from the memo",
				key[0], f.Searches, f.Time.Round(time.Microsecond), f.Hits))
		}
	}
}

// checkSeen returns an error for a playbook that contains gold answers of the dataset, or that was learned from
// its queries. If Draft.AllowSeen is set, such a playbook is allowed.
func (s *Session) checkSeen(path string, b *playbook.Book, configuration string) error {
	data, err := s.Draft.Dataset.All().Load() // all shards of a run count alike
	if err != nil {
		return err
	}
	if ids := learn.GivenAway(b, learn.Golds(data)); len(ids) > 0 {
		hold := text.Verb(len(ids), "holds", "hold")
		return fmt.Errorf("%s: %s of it %s a gold answer of %s: delete the bullets", path, text.ListedUpTo(10, ids),
			hold, data.Name)
	}
	seen := learn.SeenQueries(b, data)
	if len(seen) == 0 {
		return nil
	}
	if !s.Draft.AllowSeen {
		return fmt.Errorf("%s: it was learned from %d of the %d queries of %s, or of their clusters (%s): evaluate on "+
			"other queries (`concur datasets split`), or add --allow-seen", path, len(seen),
			len(data.Queries), data.Name, text.ListedUpTo(10, seen))
	}
	for i := range s.Draft.Manifest.Configurations {
		if c := &s.Draft.Manifest.Configurations[i]; c.Name == configuration {
			c.Seen = len(seen)
			c.Note = strings.TrimSpace(c.Note + " seen")
		}
	}
	return nil
}

// KeepFiles copies files into the run folder: the playbooks of the run, for resuming and replaying it, and the
// texts of the agents' files, for comparing runs.
func (s *Session) KeepFiles(dir string) error {
	for key, open := range s.playbooks {
		if err := os.WriteFile(filepath.Join(dir, store.PlaybookFile(key[0])), open.data, 0o600); err != nil {
			return fmt.Errorf("copy the playbook: %w", err)
		}
	}
	return s.texts.Write(dir)
}
