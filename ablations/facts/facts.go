// Package facts owns what a run was made with, as its folder tells, and in what two runs
// differ. It imports runner/config and runner/store.
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

// Facts are what a run was made with, so that a later run can be compared with it. What a
// baseline does not keep of them has no JSON form.
type Facts struct {
	Settings map[string]string `json:"settings"` // resolved, by dotted key, without limits
	Versions map[string]string `json:"versions"` // of prompts, rules and models
	// Tools are the digests of the tools' schemas, by name, and Documents the digest, id and
	// title of each document of the corpus, as in the manifest; nil where not known.
	Tools     map[string]string `json:"tools,omitempty"`
	Files     map[string]string `json:"files,omitempty"` // digests of an external agent's files
	Documents []string          `json:"documents,omitempty"`
	Corpus    string            `json:"corpus,omitempty"` // digest of all of it

	Agent   string           `json:"-"` // hash; "" where not known
	Models  []string         `json:"-"` // as the agent's provider names itself, sorted; nil where not known
	Queries map[string]Query `json:"-"` // by id; nil where not known

	unset     []string          // settings that were not sent, since the model takes none
	sent      string            // digest of what was really sent; "" where not known
	effective map[string]string // the settings that have an effect; nil where not known
}

// Query is what was asked, and what was expected.
type Query struct{ Question, Expected, Hash string }

// Of reads what a manifest tells of a configuration.
func Of(m store.Manifest, c store.Configuration) Facts {
	f := Facts{
		Settings: config.Settings(c.Configuration), Versions: Versions(m, c.Name),
		Agent: c.Agent, effective: config.Settings(c.Configuration.Effective()),
	}
	maps.DeleteFunc(f.Settings, func(key, value string) bool {
		return unwritten[key] != "" && unwritten[key] == value || strings.HasPrefix(key, "limits.") || key == "search.corpus" || key == "memory.file" || key == "prices" // paths; the digest tells the corpus
	})
	for _, name := range []string{"concur", "commit"} { // another build with the same rules is the same
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

// Read adds the queries of the run's records to what its manifest tells.
func Read(r *store.Run, c store.Configuration) (Facts, error) {
	f := Of(r.Manifest, c)
	f.Queries = map[string]Query{}
	for record, err := range r.Records() {
		if err != nil {
			return f, fmt.Errorf("read run %s: %w", r.Manifest.Run, err)
		}
		if record.Configuration == c.Name {
			f.Queries[record.Query] = Query{record.Question, record.Expected, record.QueryHash}
		}
	}
	return f, nil
}

// Versions are those of a manifest that concern a configuration. Those of one among several bear its name there.
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

// Key is a hash of what a baseline keeps, by which its runs name it.
func (f Facts) Key() string {
	raw, err := json.Marshal(f)
	if err != nil { // maps of strings
		panic(fmt.Sprintf("encode facts: %v", err))
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}
