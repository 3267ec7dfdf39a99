package assemble

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/runner/assemble/kinds"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api"
	"github.com/seed-5817661a/concur/tool/api/catalog"
	"github.com/seed-5817661a/concur/tool/code"
	"github.com/seed-5817661a/concur/tool/kb"
)

// Place returns the place of a setting in the user's file, such as concur.yaml:6:15; "" if the configuration does not
// have the setting from there.
type Place func(c config.Configuration, key string) string

// SetPlaces sets a function with which errors of tools name the place of a setting.
func (a *Assembler) SetPlaces(place Place) { a.place = place }

// located adds the place of a setting to an error.
func (a *Assembler) located(c config.Configuration, key string, err error) error {
	if a.place == nil {
		return err
	}
	if place := a.place(c, key); place != "" {
		return fmt.Errorf("%s: %w", place, err)
	}
	return err
}

// checkDeclared returns all mistakes in the declared tools.
func (a *Assembler) checkDeclared(c config.Configuration) (wrong []error) {
	for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
		if slices.Contains(a.ToolNames(), name) {
			wrong = append(wrong, fmt.Errorf("tools.%s: concur has a tool of this name: choose another", name))
			continue
		}
		_, err := kinds.Read(name, c.Tools[name], nil)
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
		kind, err := kinds.Of(of, t, nil)
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
	kind, err := kinds.Of(of, settings, services)
	if err != nil {
		return nil, "", err
	}
	read := kind.Read
	if of != name {
		read = kind.Second[name[len(of):]]
	}
	declared, err := kinds.ReadAs(read, name, of, settings)
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
