package programfiles

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/runner/store"
)

// These constants limit, in bytes, the texts of agents' files that a run keeps.
const (
	maxText  = 64 << 10 // of one file
	maxTexts = 4 << 20  // of all files of a run
)

// Texts has the texts of agents' files by their digests, so that a later run can be compared with this
// one. Keys in the texts are hidden. The zero value is empty and can be used directly.
type Texts struct {
	texts map[string]string
	size  int
}

// Add adds a file. It does not add a file that is not text, or that exceeds the limits.
func (t *Texts) Add(digest string, content []byte, hider *secret.Hider) {
	if _, known := t.texts[digest]; known || len(content) > maxText || t.size+len(content) > maxTexts ||
		!utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0 {
		return
	}
	if t.texts == nil {
		t.texts = map[string]string{}
	}
	t.texts[digest] = secret.Redact(hider.Hide(string(content)))
	t.size += len(content)
}

// Write writes the texts into a run folder.
func (t *Texts) Write(dir string) error {
	for digest, text := range t.texts {
		path := filepath.Join(dir, store.AgentFile(digest))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return fmt.Errorf("copy a file of the agent: %w", err)
		}
	}
	return nil
}
