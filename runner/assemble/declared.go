package assemble

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api"
	"github.com/seed-5817661a/concur/tool/api/catalog"
	"github.com/seed-5817661a/concur/tool/code"
	"github.com/seed-5817661a/concur/tool/kb"
	"github.com/seed-5817661a/concur/tool/sql"
)

// kindsOf lists the kinds of tools that concur.yaml can declare. services is what tools of APIs share; nil if no tool
// is opened.
func kindsOf(services *api.Run) []tool.Kind {
	return []tool.Kind{kb.Kind, sql.Kind, code.Kind, api.Kind(services)}
}

// kindOf returns the kind of a declared tool. An error begins with the key that is wrong.
func kindOf(name string, t config.DeclaredTool, services *api.Run) (tool.Kind, error) {
	var keys, chosen []string
	var kind tool.Kind
	for _, k := range kindsOf(services) {
		keys = append(keys, k.Key)
		if _, given := t.Settings[k.Key]; given {
			kind, chosen = k, append(chosen, k.Key)
		}
	}
	switch len(chosen) {
	case 0:
		return kind, fmt.Errorf("tools.%s: no setting selects the kind of tool; give one of: %s", name,
			strings.Join(keys, ", "))
	case 1:
		return kind, nil
	}
	return kind, fmt.Errorf("tools.%s: %s select different kinds of tools: give one of them", name,
		strings.Join(chosen, " and "))
}

// readDeclared reads the settings of a declared tool. The error lists all mistakes, and each begins with its
// key.
func readDeclared(name string, t config.DeclaredTool, services *api.Run) (tool.Declared, error) {
	kind, err := kindOf(name, t, services)
	if err != nil {
		return nil, err
	}
	return readAs(kind.Read, name, name, t)
}

// readAs reads the settings under tools.NAME with a reader, which gets the name of the tool.
func readAs(read tool.Reader, toolName, name string, t config.DeclaredTool) (tool.Declared, error) {
	var settings yaml.Node
	if err := settings.Encode(t.Settings); err != nil {
		return nil, fmt.Errorf("tools.%s: encode settings: %w", name, err)
	}
	key := "tools." + name
	var wrong []error
	declared, err := read(toolName, func(into any) error {
		for _, e := range strictyaml.DecodeAt("", key, &settings, into) {
			wrong = append(wrong, fmt.Errorf("%s: %s", e.Path, e.Message))
		}
		return errors.Join(wrong...)
	})
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return declared, withKey(key, err)
}

// withKey adds a key before each of the joined errors.
func withKey(key string, err error) error {
	joined, several := err.(interface{ Unwrap() []error })
	if !several {
		return err
	}
	var out []error
	for _, e := range joined.Unwrap() {
		out = append(out, fmt.Errorf("%s.%w", key, e))
	}
	return errors.Join(out...)
}

// checkDeclared returns all mistakes in the declared tools.
func (a *Assembler) checkDeclared(c config.Configuration) (wrong []error) {
	for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
		if slices.Contains(a.ToolNames(), name) {
			wrong = append(wrong, fmt.Errorf("tools.%s: concur has a tool of this name: choose another", name))
			continue
		}
		_, err := readDeclared(name, c.Tools[name], nil)
		switch joined := err.(type) {
		case nil:
		case interface{ Unwrap() []error }:
			wrong = append(wrong, joined.Unwrap()...)
		default:
			wrong = append(wrong, err)
		}
	}
	return wrong
}

// DeclaredTools lists the names of all tools that a configuration declares.
func DeclaredTools(c config.Configuration) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
		names = append(names, name)
		if kind, err := kindOf(name, c.Tools[name], nil); err == nil {
			for _, suffix := range slices.Sorted(maps.Keys(kind.Second)) {
				names = append(names, name+suffix)
			}
		}
	}
	return names
}

// declaredTools is the source of the tools that the configuration declares.
type declaredTools struct {
	*toolbox
	conf config.Configuration
}

func (s declaredTools) has(name string) bool {
	_, _, known := s.a.declaration(s.conf.Tools, name)
	return known
}

// declaration returns the declaration of a tool and its name: that of concur.yaml, or for a tool of the catalog its
// file.
func (a *Assembler) declaration(declared map[string]config.DeclaredTool, name string) (of string,
	t config.DeclaredTool, known bool) {
	if of, is := config.DeclarationOf(name, declared); is {
		t = declared[of]
		kind, err := kindOf(of, t, nil)
		if of == name || err == nil && kind.Second[name[len(of):]] != nil {
			return of, t, true
		}
	}
	if !slices.Contains(a.CatalogNames(), name) {
		return "", config.DeclaredTool{}, false
	}
	return name, config.DeclaredTool{Settings: map[string]any{api.Key: string(catalog.Text(name))}}, true
}

// CatalogNames lists the tools of the catalog that agents can name. A tool of concur with the same name comes first.
func (a *Assembler) CatalogNames() []string {
	own := a.ToolNames()
	return slices.DeleteFunc(catalog.Names(), func(name string) bool { return slices.Contains(own, name) })
}

func (s declaredTools) open(ctx context.Context, name string, set *toolset) ([]tool.Tool, error) {
	t, part, err := s.openOne(ctx, name)
	if err == nil && part != "" {
		set.parts["tool "+name] = part
	}
	return listOf(t, err)
}

// openOne opens a tool. part is its part of the agent hash; "" for a tool that a recording replaces.
func (s declaredTools) openOne(ctx context.Context, name string) (t tool.Tool, part string, err error) {
	of, settings, _ := s.a.declaration(s.conf.Tools, name)
	services := s.services
	if s.conf.Search.AllowPrivate {
		services = services.AllowingPrivate()
	}
	kind, err := kindOf(of, settings, services)
	if err != nil {
		return nil, "", err
	}
	read := kind.Read
	if of != name {
		read = kind.Second[name[len(of):]]
	}
	declared, err := readAs(read, name, of, settings)
	if err != nil {
		return nil, "", err
	}
	if s.replay != nil && !s.replay.Missing {
		return unaskedTool{declared.Spec()}, "", nil
	}
	if base, is := declared.(kb.Declared); is {
		if declared, err = s.withSources(name, base); err != nil {
			return nil, "", err
		}
	}
	if programs, is := declared.(code.Declared); is {
		declared = programs.With(s.a.ProcessVariable)
	}
	if needs, is := declared.(tool.NeedsEnviron); is {
		declared = needs.WithEnviron(s.a.Variable)
	}
	t, rests, err := declared.Open(ctx)
	if err != nil {
		return nil, "", s.a.located(s.conf, "tools."+of+"."+kind.Key, fmt.Errorf("tools.%s: %w", of, err))
	}
	s.warnings.add(t)
	if c, closes := t.(io.Closer); closes {
		s.closers = append(s.closers, c)
	}
	beside := maps.Clone(settings.Settings)
	for _, key := range append(slices.Collect(maps.Keys(kind.Texts)), kind.Paths...) {
		delete(beside, key) // rests has the content of these files
	}
	raw, err := yaml.Marshal(beside) // yaml.Marshal sorts the keys
	if err != nil {
		return nil, "", fmt.Errorf("tools.%s: encode settings: %w", name, err)
	}
	return t, digest(fmt.Appendf(nil, "%s\n%s\n%s", kind.Key, raw, rests)), nil
}

// withSources gives a knowledge base its model for embeddings and the folder of its index.
func (s declaredTools) withSources(name string, base kb.Declared) (tool.Declared, error) {
	sources := kb.Sources{Cache: s.a.indexes()}
	if base.Embeddings != "" {
		var err error
		if sources.Embedder, err = s.a.embedder("tools."+name, base.Embeddings, s.conf, false); err != nil {
			return nil, err
		}
		sources.Version = s.a.embeddingsVersion(base.Embeddings, s.conf)
	}
	return base.With(sources), nil
}
