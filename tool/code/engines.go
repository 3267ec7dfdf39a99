package code

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/bwrap"
	"github.com/seed-5817661a/concur/internal/sandbox/quickjs"
)

// Names of sandboxes in settings.
const (
	Auto       = "auto"
	ownCommand = "command"
)

// source is an engine that settings can name. open starts what the engine keeps ready, and fails if the engine cannot
// be used on this machine.
type source struct {
	name      string
	languages []string
	open      func(ctx context.Context, s Settings, getenv func(string) string) (sandbox.Engine, error)
}

// sources are the engines in the order in which auto tries them. QuickJS is the first for JavaScript: it is there on
// every machine, so that the same configuration is the same agent everywhere.
var sources = []source{
	{quickjs.Name, []string{sandbox.JavaScript}, openQuickJS},
	{bwrap.Name, []string{sandbox.Python, sandbox.JavaScript}, openBwrap},
}

// engineNames lists what sandbox can be.
func engineNames() []string {
	names := []string{Auto}
	for _, s := range sources {
		names = append(names, s.name)
	}
	return names
}

func openBwrap(ctx context.Context, s Settings, getenv func(string) string) (sandbox.Engine, error) {
	return bwrap.New(ctx, bwrap.Options{Languages: s.needed(bwrap.Name), Getenv: getenv})
}

func openQuickJS(ctx context.Context, s Settings, _ func(string) string) (sandbox.Engine, error) {
	e := quickjs.New()
	if err := e.Prepare(ctx, s.limits()); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// needed returns the languages that an engine is opened for: with auto, JavaScript is left to quickjs.
func (s Settings) needed(engine string) []string {
	var languages []string
	for _, l := range s.Languages {
		if s.Sandbox.Name == engine || l != sandbox.JavaScript {
			languages = append(languages, l)
		}
	}
	return languages
}

// engines are the open engines by language.
type engines map[string]sandbox.Engine

// open opens an engine for each language.
func (s Settings) open(ctx context.Context, getenv func(string) string) (engines, error) {
	opened, byLanguage := map[string]sandbox.Engine{}, engines{}
	for _, language := range s.Languages {
		e, err := s.openFor(ctx, language, opened, getenv)
		if err != nil {
			for _, other := range opened {
				err = errors.Join(err, other.Close())
			}
			return nil, err
		}
		byLanguage[language] = e
	}
	return byLanguage, nil
}

// openFor opens the first usable engine for a language, or returns it if it is open.
func (s Settings) openFor(ctx context.Context, language string, opened map[string]sandbox.Engine,
	getenv func(string) string) (sandbox.Engine, error) {
	var causes []string
	for _, from := range sources {
		if !slices.Contains(from.languages, language) || s.Sandbox.Name != Auto && s.Sandbox.Name != from.name {
			continue
		}
		e := opened[from.name]
		if e == nil {
			var err error
			if e, err = from.open(ctx, s, getenv); err != nil {
				causes = append(causes, strings.TrimPrefix(err.Error(), "sandbox "))
				continue
			}
			opened[from.name] = e
		}
		if slices.Contains(e.Languages(), language) {
			return e, nil
		}
		causes = append(causes, fmt.Sprintf("%s found no interpreter for %s", from.name, language))
	}
	if len(causes) == 0 {
		causes = []string{s.Sandbox.Name + " cannot run it"}
	}
	return nil, fmt.Errorf("no sandbox can run %s here: %s", language, strings.Join(causes, "; "))
}

// version identifies the engines.
func (e engines) version(languages []string) string {
	var parts []string
	for _, language := range languages {
		parts = append(parts, language+": "+e[language].Name()+" "+e[language].Version())
	}
	return strings.Join(parts, "; ")
}

// Close closes the engines.
func (e engines) Close() error {
	var errs []error
	closed := map[sandbox.Engine]bool{}
	for _, engine := range e {
		if !closed[engine] {
			closed[engine] = true
			errs = append(errs, engine.Close())
		}
	}
	return errors.Join(errs...)
}
