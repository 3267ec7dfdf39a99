package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/filekind"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// File is the content of a concur.yaml: a configuration, and the default dataset of commands.
type File struct {
	Dataset string `yaml:"dataset"` // a built-in name, or a file relative to the concur.yaml; may be ""
	// Tests are queries in this file. They take the place of Dataset. Without queries, the Node is zero.
	// datasets.Load reads them.
	Tests yaml.Node `yaml:"tests"`
	// Prompts are prompts to choose from. The first one is the default.
	Prompts       NamedPrompts `yaml:"prompts"`
	Hub           Hub          `yaml:"hub"` // where traces are made
	Telemetry     Telemetry    `yaml:"telemetry"`
	Configuration `yaml:",inline"`

	path   string
	values map[string]*yaml.Node // values of the file, by dotted key
}

// Load reads a concur.yaml. A key that is not in the file has the value that it has in base. It reports all
// errors at once, with file and line.
func Load(path string, base Configuration) (File, error) {
	f := File{Configuration: base, path: path, values: map[string]*yaml.Node{}}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, fmt.Errorf("%w: name a configuration file; `concur init` writes one", err)
	}
	if err != nil {
		return f, err
	}
	err = strictyaml.Decode(path, raw, &f)
	if err != nil {
		kind, found := filekind.OfFile(path, raw)
		if found && !filekind.IsConfiguration(raw) && kind.What != filekind.Configuration {
			return f, &strictyaml.Error{File: path, Message: kind.Says(path)}
		}
	}
	var root yaml.Node
	if yaml.Unmarshal(raw, &root) == nil { // otherwise Decode has reported the error
		for _, document := range root.Content {
			f.collect("", document)
		}
	}
	f.explain(err)
	if wrong := f.checkTests(); wrong != nil {
		err = errors.Join(err, wrong)
	}
	return f, err
}

// HasTests reports whether the file has queries.
func (f File) HasTests() bool { return f.Tests.Kind != 0 }

// checkTests returns an error if the file has tests and also names a dataset. It also returns an error if a
// text of a query looks like a key, because queries are written into the run folder.
func (f File) checkTests() error {
	if !f.HasTests() {
		return nil
	}
	var wrong []error
	refuse := func(n *yaml.Node, message string) {
		wrong = append(wrong, &strictyaml.Error{File: f.path, Line: n.Line, Column: n.Column, Message: message})
	}
	if at := f.values["dataset"]; at != nil && f.Dataset != "" {
		refuse(at, "dataset: tests are given too: keep one of them")
	}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && len(secret.Likely(n.Value)) > 0 {
			refuse(n, "tests: a text looks like a key, and would be recorded: leave it out, or name a file of queries "+
				"under dataset")
		}
		for _, inner := range n.Content {
			walk(inner)
		}
	}
	walk(&f.Tests)
	return errors.Join(wrong...)
}

// explain adds advice to findings with a common cause: a key in the file, a command as text, or agents
// instead of agent.
func (f File) explain(err error) {
	found, _ := err.(strictyaml.Errors)
	for _, e := range found {
		switch section, name, _ := strings.Cut(e.Path, "."); {
		case strings.HasPrefix(e.Message, "unknown field") && !strings.Contains(e.Message, "did you mean") &&
			namesKey.MatchString(e.Path):
			e.Message = "keys are never read from a file; set the variable of the environment, such as OPENAI_API_KEY"
		case section == "agent" && name == "" && f.values["agent"] != nil && f.values["agent"].Kind == yaml.ScalarNode:
			if words := strings.Fields(f.values["agent"].Value); len(words) > 1 {
				e.Message += "; a command is {exec: [" + strings.Join(words, ", ") + "]}"
			}
		case section == "agents" && name != "" && strictyaml.DecodeNode(f.values[section], new(Agent)) == nil:
			e.Message += "; agents has the agents that the agent calls; write agent: for the agent itself"
		}
	}
}

func (f File) collect(key string, n *yaml.Node) {
	f.values[key] = n
	if n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		f.collect(strings.TrimPrefix(key+"."+n.Content[i].Value, "."), n.Content[i+1])
	}
}

// Locate adds the place to each finding of Validate. If the finding is about a value in the file, the place is
// file and line, and otherwise "configuration: ". Each finding must begin with its key.
func (f File) Locate(c Configuration, findings error) error {
	joined, several := findings.(interface{ Unwrap() []error })
	if !several {
		return findings
	}
	own, now := Settings(f.Configuration), Settings(c)
	var out []error
	for _, finding := range joined.Unwrap() {
		key := strings.TrimRight(strings.Fields(finding.Error() + " ")[0], ":")
		if n := f.values[key]; n != nil && own[key] == now[key] {
			finding = &strictyaml.Error{File: f.path, Line: n.Line, Column: n.Column, Message: finding.Error()}
		} else {
			finding = fmt.Errorf("configuration: %w", finding)
		}
		out = append(out, finding)
	}
	return errors.Join(out...)
}

// Place returns the place of a setting that now has in common with made, which was made of the file: such as
// concur.yaml:6:15. It returns "" if the file does not have the setting, or now has another value.
func (f File) Place(made, now Configuration, key string) string {
	n := f.values[key]
	if n == nil || Settings(made)[key] != Settings(now)[key] {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", f.path, n.Line, n.Column)
}

// Differences lists the settings in which two configurations differ, by their dotted keys
// as in concur.yaml: "k: 3, now 5".
func Differences(made, now Configuration) []string {
	a, b := Settings(made), Settings(now)
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	var out []string
	for _, key := range slices.Compact(keys) {
		if a[key] != b[key] {
			out = append(out, fmt.Sprintf("%s: %s, now %s", key, a[key], b[key]))
		}
	}
	return out
}

// Settings returns every setting by its dotted key, as in concur.yaml.
func Settings(c Configuration) map[string]string {
	raw, err := yaml.Marshal(c)
	if err != nil { // cannot happen: all values are plain
		panic(fmt.Sprintf("encode configuration: %v", err))
	}
	var tree map[string]any
	if err := yaml.Unmarshal(raw, &tree); err != nil {
		panic(fmt.Sprintf("decode configuration: %v", err))
	}
	out := map[string]string{}
	flatten("", tree, out)
	out["consensus.quorum"] = string(consensus.QuorumMajority) // YAML omits the default
	if !c.Consensus.Quorum.IsZero() {
		out["consensus.quorum"] = string(c.Consensus.Quorum)
	}
	if c.Extract.IsZero() {
		out["extract"] = string(ExtractRules)
	}
	return out
}

func flatten(prefix string, tree map[string]any, out map[string]string) {
	for key, value := range tree {
		if inner, ok := value.(map[string]any); ok {
			flatten(prefix+key+".", inner, out)
			continue
		}
		out[prefix+key] = fmt.Sprint(value)
	}
}
