package api

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api/ask"
	"github.com/seed-5817661a/concur/tool/api/catalog"
	"github.com/seed-5817661a/concur/tool/api/spec"
)

// Key is the setting that selects the kind: tools.NAME.api.
const Key = "api"

// Kind is the kind of tool that is declared as tools.NAME.api. run may be nil if no tool is opened.
func Kind(run *Run) tool.Kind {
	return tool.Kind{Key: Key, Texts: map[string]func(string) (string, error){Key: load},
		Read: func(name string, decode func(any) error) (tool.Declared, error) { return read(name, decode, run) }}
}

// load returns the text of a file, which it also checks, so that mistakes are reported with their lines. The name of a
// tool of the catalog is that tool's file.
func load(path string) (string, error) {
	if text := catalog.Text(path); text != nil {
		return string(text), nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", noFile(path)
	}
	if err != nil {
		return "", fmt.Errorf("read the tool's file: %w", err)
	}
	if _, err := spec.Read(path, text); err != nil {
		return "", err
	}
	return string(text), nil
}

// noFile is the error of a name that is neither a file nor a tool of the catalog.
func noFile(path string) error {
	if close := strictyaml.Closest(path, catalog.Names()); close != "" {
		return fmt.Errorf("there is no file %s; did you mean %s of the catalog?", path, close)
	}
	return fmt.Errorf("there is no file %s: name one, or a tool of the catalog; `concur tools list` shows both", path)
}

// declared is a tool of a file that is not open.
type declared struct {
	name     string
	file     *spec.File
	settings map[string]any
	run      *Run
}

func read(name string, decode func(any) error, run *Run) (tool.Declared, error) {
	var given struct {
		API      yaml.Node      `yaml:"api"`
		Settings map[string]any `yaml:"settings"`
	}
	if err := decode(&given); err != nil {
		return nil, err
	}
	if isName(&given.API) { // its file could not be read, which was reported
		return unread{name, given.API.Value}, nil
	}
	f, err := parse(&given.API)
	if err != nil {
		return nil, err
	}
	if _, wrong := f.Settings.With(given.Settings); len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return declared{name, f, given.Settings, run}, nil
}

// isName reports whether a setting is the name of a file.
func isName(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" && n.Value != "" && !strings.Contains(n.Value, "\n")
}

// unread is a tool whose file was not read.
type unread struct{ name, file string }

// Spec has only the name.
func (u unread) Spec() tool.Spec { return tool.Spec{ToolSpec: model.ToolSpec{Name: u.name}} }

// Open returns an error.
func (u unread) Open(context.Context) (tool.Tool, string, error) {
	return nil, "", fmt.Errorf("%s: the file %s was not read: name a file of a tool", Key, u.file)
}

// parse reads the text of a file: as a mapping in its place, or as a text of several lines.
func parse(n *yaml.Node) (*spec.File, error) {
	if n.Kind == yaml.MappingNode {
		f, err := spec.ReadNode("", n)
		return f, below(Key, err)
	}
	if n.Kind != yaml.ScalarNode || !strings.Contains(n.Value, "\n") {
		return nil, errors.Join(fmt.Errorf("%s: name the file of the tool, or write its text here", Key))
	}
	f, err := spec.Read("", []byte(n.Value))
	return f, below(Key, err)
}

// below puts a key before each mistake of a file. Lines of a text within another file would mislead.
func below(key string, err error) error {
	var all strictyaml.Errors
	if !errors.As(err, &all) {
		return err
	}
	var out []error
	for _, e := range all {
		message := &strictyaml.Error{Path: e.Path, Message: e.Message}
		out = append(out, fmt.Errorf("%s: line %d: %w", key, e.Line, message))
	}
	return errors.Join(out...)
}

// Spec describes the tool.
func (d declared) Spec() tool.Spec { return Spec(d.name, d.file) }

// Open returns the tool. Its digest is that of the file without comments and spaces.
func (d declared) Open(context.Context) (tool.Tool, string, error) {
	t, err := New(d.name, d.file, d.settings, d.run)
	if errors.Is(err, ask.ErrNoKey) {
		err = fmt.Errorf("the tool cannot be used: %w, or leave it out with --without %s", err, d.name)
	}
	if err != nil {
		return nil, "", err
	}
	return t, Version + " " + d.file.Hash, nil
}
