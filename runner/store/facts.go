package store

import (
	"path/filepath"
	"slices"
)

// AgentFacts describes an agent beyond its settings and prompt versions.
type AgentFacts struct {
	Tools map[string]string `yaml:"tools,omitempty"` // digest of each tool's schema, by name
	// Corpus is the digest of the corpus. Documents lists its documents as "digest id\ttitle" ("digest title" in
	// older runs); nil if there are more than 100,000.
	Corpus    string   `yaml:"corpus,omitempty"`
	Documents []string `yaml:"documents,omitempty"`
	Memory    string   `yaml:"memory,omitempty"` // digest of the memory's items
	// Servers has the descriptions that MCP servers gave of themselves, by the servers' names in the
	// configuration.
	Servers map[string]ToolServer `yaml:"servers,omitempty"`
	Files   map[string]string     `yaml:"files,omitempty"` // digests of the files of an external agent, by name
	// Prompts has the files from which the agent's prompts were read, by the names of the prompts.
	Prompts map[string]string `yaml:"prompts,omitempty"`
	// Models are the model names in the provider's replies, sorted. Finish sets them.
	Models []string `yaml:"models,omitempty"`
	// Beyond is the hash of the agent without the settings that affect only its requests. It is "" if these
	// settings affect more than requests. Requests has the digests of the requests, sorted. Unset has the
	// settings that were not sent. Finish sets Requests and Unset.
	Beyond   string   `yaml:"hash_beyond_requests,omitempty"`
	Requests []string `yaml:"requests,omitempty"`
	Unset    []string `yaml:"unset,omitempty"`
	// Sent is a digest of Beyond and Requests; "" if unknown. Agents with the same digest sent the same
	// requests.
	Sent string `yaml:"sent,omitempty"`
}

// with returns a sorted list with further entries, each only once. If the list already has all entries, it is
// returned without a copy.
func with(list []string, more ...string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = slices.Sorted(slices.Values(append(slices.Clone(list), s)))
		}
	}
	return list
}

// ToolServer is an MCP server's description of itself, so that a replay does not need the server.
type ToolServer struct {
	Name         string       `yaml:"name"`
	Version      string       `yaml:"version"`
	Protocol     string       `yaml:"protocol"`
	Instructions string       `yaml:"instructions,omitempty"`
	Tools        []ServedTool `yaml:"tools"`
}

// ServedTool is a tool of a server: its name for models, its name for the server, and its arguments.
type ServedTool struct {
	Name        string `yaml:"name"`
	Remote      string `yaml:"remote"`
	Description string `yaml:"description"`
	Schema      string `yaml:"schema"`
	Writes      bool   `yaml:"writes,omitempty"`
}

// Joined returns the facts of an agent that occurs in two runs: the names of its models and the digests of its
// requests from both runs.
func (f AgentFacts) Joined(more AgentFacts) AgentFacts {
	f.Models, f.Requests = with(f.Models, more.Models...), with(f.Requests, more.Requests...)
	f.Unset = with(f.Unset, more.Unset...)
	if f.Beyond != "" && len(f.Requests) > 0 {
		f.Sent = sealOf(f.Beyond, f.Requests)
	}
	return f
}

// PlaybookFile returns the name of a playbook's copy in a run folder. digest is its digest in AgentFacts.Files.
func PlaybookFile(digest string) string {
	return filepath.Base("playbook-" + shortDigest(digest) + ".yaml")
}

// AgentFile returns the name of the copy of an external agent's file in a run folder. digest is as for
// PlaybookFile.
func AgentFile(digest string) string { return filepath.Base("agent-" + shortDigest(digest) + ".txt") }

func shortDigest(digest string) string { return digest[:min(len(digest), 16)] }
