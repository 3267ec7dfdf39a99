package config

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"

	"gopkg.in/yaml.v3"
)

// AgentHash identifies the agent: a hash of everything that affects it (Effective). Name,
// K, consensus, judging and concurrency are left out, so that configurations that differ
// only in those can share traces. parts are versions and contents that a configuration only
// names: the prompt, the tools' specifications, the corpus (by content, not location). For
// an agent without tools, the parts tools, corpus and backends are ignored.
//
// It is the first 16 hexadecimal digits of the SHA-256 of the canonical form: YAML with the
// keys of structures in their order, and the keys of parts sorted.
func (c Configuration) AgentHash(parts map[string]string) (string, error) {
	c = c.Effective()
	if len(c.Agent.Tools) == 0 {
		parts = maps.Clone(parts)
		for _, name := range []string{"tools", "corpus", "backends"} {
			delete(parts, name)
		}
	}
	search, memory := c.Search, c.Memory
	search.Corpus, memory.File, c.Agent.Playbook.File = "", "", "" // parts has their contents
	raw, err := yaml.Marshal(struct {
		Model  string              `yaml:"model"`
		Agent  Agent               `yaml:"agent"`
		Agents map[string]SubAgent `yaml:"agents,omitempty"`
		Search Search              `yaml:"search"`
		Memory Memory              `yaml:"memory,omitempty"`
		Parts  map[string]string   `yaml:"parts"`
	}{c.Model, c.Agent, c.Agents, search, memory, parts})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8]), nil
}
