package config

import (
	"maps"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// DeclaredTool is a tool that concur.yaml declares as tools.NAME. One of its settings, such as folder,
// selects the kind of tool. Package runner/assemble checks the settings when it opens the tool.
type DeclaredTool struct {
	Settings map[string]any
}

// UnmarshalNode reads settings. A setting that is not in the node keeps its value, so that an ablation can
// change one setting alone.
func (t *DeclaredTool) UnmarshalNode(n *yaml.Node) error {
	var given map[string]any
	if err := strictyaml.DecodeNode(n, &given); err != nil {
		return err
	}
	merged := maps.Clone(t.Settings)
	if merged == nil {
		merged = map[string]any{}
	}
	maps.Copy(merged, given)
	t.Settings = merged
	return nil
}

// UnmarshalYAML does the same as UnmarshalNode.
func (t *DeclaredTool) UnmarshalYAML(n *yaml.Node) error { return t.UnmarshalNode(n) }

// MarshalYAML returns only the settings.
func (t DeclaredTool) MarshalYAML() (any, error) { return t.Settings, nil }

// declared returns the declared tools that an agent can call. tools are the names in the agent's list of tools.
func (c Configuration) declared(tools []string) map[string]DeclaredTool {
	out := map[string]DeclaredTool{}
	for _, name := range tools {
		if of, is := DeclarationOf(name, c.Tools); is {
			out[of] = c.Tools[of]
		}
	}
	return out
}

// DeclarationOf returns the name of the declaration that has the tool called name. A declaration may have further
// tools, whose names begin with its own: the tables of the database sql are described by sql_schema.
func DeclarationOf(name string, declared map[string]DeclaredTool) (of string, is bool) {
	for of = name; ; {
		if _, is := declared[of]; is {
			return of, true
		}
		at := strings.LastIndexByte(of, '_')
		if at <= 0 {
			return "", false
		}
		of = of[:at]
	}
}

// databaseSetting is the setting of a database. An external agent has its own tools, but the statements of golds are
// executed with the databases that are declared.
const databaseSetting = "database"

func (c Configuration) validateTools(p *problems) {
	for name, t := range sorted(c.Tools) {
		key := "tools." + name
		_, ofServer := ServerOf(name)
		p.refuse(ofServer || !agentName.MatchString(name), "%s: a name has 1 to 64 letters, digits, _ or -, begins with "+
			"a letter or _, and has no __, which the tools of MCP servers have", key)
		p.refuse(name == ExplainTool, "%s: %s is the tool of agent.explain: choose another name", key, ExplainTool)
		p.refuse(name == SearchTools && c.Agent.Offer.K > 0, usedByOffer, key)
		_, agent := c.Agents[name]
		p.refuse(agent, "%s: agents has the same name: choose another", key)
		_, database := t.Settings[databaseSetting]
		p.refuse(c.Agent.External.Used() && !database, "%s has no effect on an external agent: leave it out", key)
		p.refuse(len(t.Settings) == 0, "%s has no settings: give one that selects its kind, such as folder: DIR", key)
	}
}
