package config

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
)

// Set returns the configuration with the keys of a mapping applied. Keys are nested, as in
// concur.yaml, or dotted, as agent.temperature; other keys, also of a provider, are kept.
// Lists, headers and extra_body are replaced. A nil node changes nothing.
//
// It is as strict as Load: unknown keys, values of the wrong type, and duplicate keys,
// dotted or nested, are reported at once with their lines. Validate checks the values. The
// configuration is not changed, and the result shares no memory with it.
func (c Configuration) Set(n *yaml.Node) (Configuration, error) {
	out := c.clone()
	if n == nil {
		return out, nil
	}
	tree, wrong := nestKeys(n)
	providers, servers, agents := take(tree, "providers"), take(tree, "mcp"), take(tree, "agents")
	wrong = append(wrong, findings(strictyaml.DecodeNode(tree, &out), "")...)
	wrong = append(wrong, setEach(&out.Providers, providers, "providers")...)
	wrong = append(wrong, setEach(&out.MCP, servers, "mcp")...)
	wrong = append(wrong, setEach(&out.Agents, agents, "agents")...)
	if err := wrong.Err(); err != nil {
		return c, err
	}
	return out, nil
}

// setEach applies keys to each entry of a map separately, because the decoder would start a
// new map.
func setEach[T any](into *map[string]T, n *yaml.Node, key string) strictyaml.Errors {
	if n == nil {
		return nil
	}
	var given map[string]*yaml.Node
	wrong := findings(strictyaml.DecodeNode(n, &given), key)
	if *into == nil {
		*into = map[string]T{}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		e := (*into)[name]
		wrong = append(wrong, findings(strictyaml.DecodeNode(given[name], &e), key+"."+name)...)
		(*into)[name] = e
	}
	return wrong
}

// take removes a key from a mapping and returns its value, or nil.
func take(mapping *yaml.Node, name string) *yaml.Node {
	for i := 0; mapping.Kind == yaml.MappingNode && i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			value := mapping.Content[i+1]
			mapping.Content = slices.Delete(mapping.Content, i, i+2)
			return value
		}
	}
	return nil
}

// findings adds a path prefix to a decoder's errors.
func findings(err error, path string) strictyaml.Errors {
	var list strictyaml.Errors
	if err == nil || !errors.As(err, &list) {
		return nil // DecodeNode returns only Errors
	}
	for _, e := range list {
		e.Path = strings.Trim(path+"."+e.Path, ".")
	}
	return list
}

func (c Configuration) clone() Configuration {
	c.Agent.Tools = slices.Clone(c.Agent.Tools)
	c.Agent.Guards = slices.Clone(c.Agent.Guards)
	c.Agent.External = c.Agent.External.clone()
	c.Consensus.Stages = slices.Clone(c.Consensus.Stages)
	c.Judge.Panel.Members = slices.Clone(c.Judge.Panel.Members)
	c.Judge.Rubric = slices.Clone(c.Judge.Rubric)
	c.Search.Cascade = slices.Clone(c.Search.Cascade)
	c.MCP = maps.Clone(c.MCP)
	c.Agents = maps.Clone(c.Agents)
	for name, sub := range c.Agents {
		sub.Tools = slices.Clone(sub.Tools)
		c.Agents[name] = sub
	}
	c.Providers = maps.Clone(c.Providers)
	for name, e := range c.Providers {
		c.Providers[name] = cloneEndpoint(e)
	}
	return c
}

func cloneEndpoint(e endpoints.Endpoint) endpoints.Endpoint {
	e.Auth.Env = slices.Clone(e.Auth.Env)
	e.Headers = maps.Clone(e.Headers)
	e.ExtraBody = cloneTree(e.ExtraBody)
	e.Omit = slices.Clone(e.Omit)
	e.Keep = slices.Clone(e.Keep)
	e.Models = slices.Clone(e.Models)
	for i, rule := range e.Models {
		e.Models[i].ExtraBody = cloneTree(rule.ExtraBody)
		e.Models[i].Omit = slices.Clone(rule.Omit)
	}
	return e
}

func cloneTree(m map[string]any) map[string]any {
	out := maps.Clone(m)
	for key, v := range out {
		out[key] = cloneValue(v)
	}
	return out
}

func cloneValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return cloneTree(v)
	case []any:
		out := slices.Clone(v)
		for i, item := range out {
			out[i] = cloneValue(item)
		}
		return out
	}
	return v
}
