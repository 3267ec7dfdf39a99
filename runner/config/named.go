package config

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// NamedPrompts are prompts with short names, in the order of their file. In YAML they are a mapping. A name has
// either a system prompt, in the form that Prompt has, or the keys of agent.prompts.
type NamedPrompts []NamedPrompt

// NamedPrompt is a prompt with its name.
type NamedPrompt struct {
	Name string
	node *yaml.Node // the value of agent.prompts
	read Prompts
}

// promptName matches names that tables and commands can show without quotes.
var promptName = lazy.Compile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$`)

// UnmarshalNode reads the names and checks their prompts.
func (p *NamedPrompts) UnmarshalNode(n *yaml.Node) error {
	var byName map[string]*yaml.Node // the order is that of the node
	if err := strictyaml.DecodeNode(n, &byName); err != nil {
		return err
	}
	*p = nil
	var wrong strictyaml.Errors
	for pair := range slices.Chunk(n.Content, 2) {
		name, value := pair[0].Value, pair[1]
		if !promptName.MatchString(name) {
			wrong = append(wrong, strictyaml.Errorf(pair[0], "%.60q is no short name: use 1 to 40 letters, digits, _, . or -, "+
				"not . or - first", name))
			continue
		}
		if value.Kind == yaml.ScalarNode || value.Kind == yaml.MappingNode && hasKey(value, "file") {
			key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "system", Line: value.Line, Column: value.Column}
			value = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: value.Line, Column: value.Column,
				Content: []*yaml.Node{key, value}}
		}
		var read Prompts
		wrong = append(wrong, strictyaml.DecodeAt("", name, value, &read)...)
		if len(wrong) == 0 && read == (Prompts{}) {
			wrong = append(wrong, strictyaml.Errorf(pair[1], "%s has no text: give one, or a file", name))
		}
		*p = append(*p, NamedPrompt{name, value, read})
	}
	if len(wrong) == 0 && len(*p) == 0 {
		wrong = append(wrong, strictyaml.Errorf(n, "there are no prompts: give one, such as short: prompts/short.md"))
	}
	return wrong.Err()
}

func hasKey(n *yaml.Node, key string) bool {
	for pair := range slices.Chunk(n.Content, 2) {
		if pair[0].Value == key {
			return true
		}
	}
	return false
}

// Settings returns the settings of the prompt, for [Configuration.Set].
func (p NamedPrompt) Settings() *yaml.Node {
	at := p.node
	key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "agent.prompts", Line: at.Line, Column: at.Column}
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: at.Line, Column: at.Column,
		Content: []*yaml.Node{key, p.node}}
}

// Names returns the names with commas, for messages.
func (p NamedPrompts) Names() string {
	var names []string
	for _, one := range p {
		names = append(names, one.Name)
	}
	return strings.Join(names, ", ")
}

// Files returns the files that the prompts were read from.
func (p NamedPrompts) Files() (out []string) {
	for _, one := range p {
		for _, file := range sorted(one.read.Files()) {
			out = append(out, file)
		}
	}
	return out
}

// Find returns the prompt with a name.
func (p NamedPrompts) Find(name string) (NamedPrompt, bool) {
	at := slices.IndexFunc(p, func(one NamedPrompt) bool { return one.Name == name })
	if at < 0 {
		return NamedPrompt{}, false
	}
	return p[at], true
}
