package config

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"

	"gopkg.in/yaml.v3"
)

// AgentHash names the agent: the hash of everything that can reach it and has an effect
// there (Effective). Name, K, consensus, judging and concurrency are no part of it, so that
// rows that differ only in those can share traces. parts are the versions and contents that
// a configuration only names: the prompt, the tools' specifications, the corpus (by its
// content: where it lies does not matter). Of an agent without tools, those that the tools
// bring in do not count: tools, corpus and backends.
//
// It is the first 16 hexadecimal digits of the SHA-256 of the canonical form: YAML with
// the keys of the structures in their order, and those of parts sorted.
func (c Configuration) AgentHash(parts map[string]string) (string, error) {
	c = c.Effective()
	if len(c.Agent.Tools) == 0 {
		parts = maps.Clone(parts)
		for _, brought := range []string{"tools", "corpus", "backends"} {
			delete(parts, brought)
		}
	}
	search := c.Search
	search.Corpus = "" // its content is among the parts
	raw, err := yaml.Marshal(struct {
		Model  string            `yaml:"model"`
		Agent  Agent             `yaml:"agent"`
		Search Search            `yaml:"search"`
		Parts  map[string]string `yaml:"parts"`
	}{c.Model, c.Agent, search, parts})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8]), nil
}
