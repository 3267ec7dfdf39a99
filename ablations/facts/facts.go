// Package facts records the settings and versions of a run, as read from its folder, and lists the differences
// between two runs. It imports runner/config and runner/store.
package facts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Facts records the settings and versions of a run, so that later runs can be compared with it. Fields that a
// baseline does not store have no JSON form.
type Facts struct {
	Settings map[string]string `json:"settings"` // resolved, by dotted key, without limits
	Versions map[string]string `json:"versions"` // of prompts, rules and models
	// Tools holds the digest of each tool's schema by tool name. Documents holds the digest, id and title of
	// each document of the corpus, as in the manifest. Both are nil if unknown.
	Tools     map[string]string `json:"tools,omitempty"`
	Files     map[string]string `json:"files,omitempty"`    // digests of the files of an external agent
	Programs  map[string]string `json:"programs,omitempty"` // hashes of the files of checks that are programs
	Documents []string          `json:"documents,omitempty"`
	Corpus    string            `json:"corpus,omitempty"` // digest of the whole corpus

	Agent  string   `json:"-"` // the agent hash; "" if unknown
	Models []string `json:"-"` // model names as the agent's provider reports them, sorted; nil if unknown
	// Queries has, by id, the queries in which two runs may differ. It is nil if they are unknown.
	Queries map[string]Query `json:"-"`

	unset     []string          // settings that were not sent, because the model does not accept them
	sent      string            // digest of the requests that were sent; "" if unknown
	effective map[string]string // settings that have an effect; nil if unknown
}

// Query holds a question, its expected answer, and the hash of the query.
type Query struct{ Question, Expected, Hash string }

// FromManifest returns the facts of one configuration from a manifest.
func FromManifest(m store.Manifest, c store.Configuration) Facts {
	f := Facts{
		Settings: config.Settings(c.Configuration), Versions: Versions(m, c.Name),
		Programs: m.Programs, Agent: c.Agent, effective: config.Settings(c.Configuration.Effective()),
	}
	maps.DeleteFunc(f.Settings, func(key, value string) bool {
		// Paths are left out, because the digest identifies the corpus.
		return unwritten[key] != "" && unwritten[key] == value || strings.HasPrefix(key, "limits.") ||
			key == "search.corpus" || key == "memory.file" || key == "prices"
	})
	for _, name := range []string{"concur", "commit"} { // a new build with the same rules is no difference
		delete(f.Versions, name)
	}
	if a, ok := m.Agents[c.Agent]; ok {
		f.Tools, f.Files, f.Documents, f.Corpus, f.Models = a.Tools, a.Files, a.Documents, a.Corpus, a.Models
		f.sent, f.unset = a.Sent, a.Unset
		if a.Memory != "" {
			f.Versions["memory items"] = a.Memory
		}
		for name, s := range a.Servers {
			f.Versions["MCP server "+name] = fmt.Sprintf("%s %s, protocol %s", s.Name, s.Version, s.Protocol)
			if s.Instructions != "" {
				f.Versions["instructions of MCP server "+name] = s.Instructions
			}
		}
	}
	return f
}

// ReadQueries adds queries with these ids, from the records of the configuration.
func (f *Facts) ReadQueries(r *store.Run, configuration string, ids map[string]bool) error {
	for record, err := range r.Records() {
		if err != nil {
			return fmt.Errorf("read run %s: %w", r.Manifest.Run, err)
		}
		if record.Configuration == configuration && ids[record.Query] {
			f.Queries[record.Query] = Query{record.Question, record.Expected, record.QueryHash}
		}
	}
	return nil
}

// Versions returns the versions of a manifest that belong to a configuration. In the manifest of an ablation, a
// key such as "prompt of NAME" belongs only to the configuration NAME; it is returned without the name.
func Versions(m store.Manifest, configuration string) map[string]string {
	out := maps.Clone(m.Versions)
	for key, v := range m.Versions {
		if name, of, one := strings.Cut(key, " of "); one {
			delete(out, key)
			if of == configuration {
				out[name] = v
			}
		}
	}
	return out
}

// Key returns a hash of the facts that a baseline stores. The runs of the baseline refer to their facts by this
// key.
func (f Facts) Key() string {
	raw, err := json.Marshal(f)
	if err != nil { // maps of strings can always be encoded
		panic(fmt.Sprintf("encode facts: %v", err))
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}
