package promptfoo

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// config reads a configuration, or a file of tests.
func (r *reader) config(name string) error {
	if slices.Contains([]string{".csv", ".tsv", ".jsonl"}, ending(name)) {
		return r.source(place{name, 1}, name)
	}
	root, err := r.load(name)
	if err != nil {
		return err
	}
	if root.Kind == yaml.SequenceNode {
		return r.list(name, root)
	}
	r.root = root
	if root.Kind != yaml.MappingNode {
		return &strictyaml.Error{File: name, Line: root.Line, Message: "is not a configuration of promptfoo: it needs tests"}
	}
	var tests, scenarios *yaml.Node
	for _, f := range fieldsOf(root) {
		switch f.name {
		case "tests":
			tests = f.value
		case "scenarios":
			scenarios = f.value
		case "prompts":
			r.prompts(name, f.value)
		case "defaultTest":
			if r.base, err = r.defaults(name, f.value); err != nil {
				return err
			}
		case "description", "assertionTemplates":
		default:
			r.ignore(f.name)
		}
	}
	if tests != nil {
		if err := r.list(name, tests); err != nil {
			return err
		}
	}
	if scenarios != nil {
		return r.scenarios(name, scenarios)
	}
	return nil
}

// defaults reads the default of all tests: a test, or the name of a file with one.
func (r *reader) defaults(name string, n *yaml.Node) (test, error) {
	if n.Kind == yaml.ScalarNode && strings.HasPrefix(n.Value, "file://") {
		path := r.files.path(n.Value)
		root, err := r.load(path)
		if err != nil {
			return test{}, fmt.Errorf("defaultTest: %w", err)
		}
		name, n = path, root
	}
	t := r.test(name, n)
	t.noDefaults = false
	return t, nil
}

// list reads tests: one or more tests, or names of files with tests.
func (r *reader) list(name string, n *yaml.Node) error {
	elements := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		elements = n.Content
	}
	for _, e := range elements {
		at := place{name, e.Line}
		path := get(e, "path")
		switch {
		case e.Kind == yaml.ScalarNode && e.ShortTag() != "!!null":
			if err := r.source(at, e.Value); err != nil {
				return err
			}
		case path != nil && get(e, "vars") == nil:
			if err := r.source(at, path.Value); err != nil {
				return err
			}
		case e.Kind == yaml.MappingNode:
			r.tests = append(r.tests, r.test(name, e).over(r.base))
		default:
			r.leaveOut("", at, "tests", "an entry is neither a test nor the name of a file")
		}
	}
	return nil
}

// source reads files with tests.
func (r *reader) source(at place, reference string) error {
	if strings.Contains(strings.TrimPrefix(reference, "file://"), "://") {
		r.leaveOut("", at, reference, "is on the network: save the tests as a file")
		return nil
	}
	paths := []string{reference}
	if reference != at.file { // a file that the configuration names
		var err error
		if paths, err = r.files.matches(reference); err != nil {
			return fmt.Errorf("%s:%d: %w", at.file, at.line, err)
		}
	}
	for _, path := range paths {
		if err := r.sourceFile(at, path); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) sourceFile(at place, path string) error {
	kind := ending(path)
	switch kind {
	case ".csv", ".tsv", ".jsonl", ".yaml", ".yml", ".json":
	default:
		r.leaveOut("", at, path, "is not a table, YAML, JSON or JSONL: save the tests as one of these")
		return nil
	}
	data, err := r.files.read(path)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", at.file, at.line, err)
	}
	switch kind {
	case ".csv", ".tsv":
		return r.csv(path, data)
	case ".jsonl":
		return r.jsonl(path, data)
	}
	root, err := r.load(path)
	if err != nil {
		return err
	}
	return r.list(path, root)
}

// jsonl reads a file with one test on each line.
func (r *reader) jsonl(path string, data []byte) error {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var n yaml.Node
		if err := strictyaml.Decode(path, line, &n); err != nil {
			if found, is := errors.AsType[strictyaml.Errors](err); is {
				for _, e := range found {
					e.Line = number
				}
			}
			return err
		}
		at(&n, number)
		r.tests = append(r.tests, r.test(path, &n).over(r.base))
	}
	return nil
}

// at gives a node and those in it the line of the file.
func at(n *yaml.Node, line int) {
	n.Line = line
	for _, inner := range n.Content {
		at(inner, line)
	}
}

// scenarios reads scenarios: each entry of config is combined with each of tests.
func (r *reader) scenarios(name string, n *yaml.Node) error {
	for _, s := range n.Content {
		config, tests := get(s, "config"), get(s, "tests")
		if config == nil || config.Kind != yaml.SequenceNode || tests == nil {
			r.leaveOut("", place{name, s.Line}, "scenarios", "has no list config beside tests: write the tests out")
			continue
		}
		base := r.base
		for _, with := range config.Content {
			if with.Kind != yaml.MappingNode {
				r.leaveOut("", place{name, with.Line}, "scenarios", "an entry of config is not a mapping: write it out")
				continue
			}
			r.base = r.test(name, with).over(base)
			if err := r.list(name, tests); err != nil {
				return err
			}
		}
		r.base = base
	}
	return nil
}

// prompts reads the prompts. If there is one and it is a text, the query is that prompt with its variables; other
// prompts are noted.
func (r *reader) prompts(name string, n *yaml.Node) {
	_, named := r.given.Fields["query"]
	all := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		all = n.Content
	}
	if len(all) == 1 && !named {
		text, why := r.promptText(all[0])
		if why == "" {
			r.prompt, r.rendered = text, true
			return
		}
		r.lose("", place{name, all[0].Line}, "prompts", why)
		return
	}
	for _, p := range all {
		r.lose("", place{name, p.Line}, "prompts", "is not in the query, which is the question: give it to the agent")
	}
}

// promptText returns the text of a prompt. why says why the prompt is no text.
func (r *reader) promptText(n *yaml.Node) (text, why string) {
	if n.Kind == yaml.MappingNode {
		for _, key := range []string{"raw", "id"} {
			if inner := get(n, key); inner != nil {
				n = inner
				break
			}
		}
	}
	text = n.Value
	isFile := strings.HasPrefix(text, "file://") || !strings.ContainsAny(text, " \n{") &&
		slices.Contains([]string{".txt", ".md", ".json", ".yaml", ".yml"}, ending(text))
	switch {
	case n.Kind != yaml.ScalarNode:
		return "", "is no text: give it to the agent"
	case isFile && ending(text) != ".txt" && ending(text) != ".md":
		return "", "is a file of another kind than .txt and .md: give it to the agent"
	case isFile && strings.ContainsAny(text, "*?"):
		return "", "names several files: give them to the agent"
	case isFile:
		read, err := r.files.reference(text)
		if err != nil {
			return "", err.Error()
		}
		text = read
		if strings.Contains(text, "\n---\n") {
			return "", "is a file with several prompts: give them to the agent"
		}
	}
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "[") && strings.Contains(trimmed, `"role"`) {
		return "", "is a list of messages: give the first ones to the agent"
	}
	return text, ""
}
