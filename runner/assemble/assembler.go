package assemble

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble/provider"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api"
	"github.com/seed-5817661a/concur/tool/calc"
	"github.com/seed-5817661a/concur/tool/calendar"
	"github.com/seed-5817661a/concur/tool/planner"
	"github.com/seed-5817661a/concur/tool/search"
)

// Assembler builds models, tools and judges from the names in a configuration. New opens none of them.
type Assembler struct {
	*provider.Opener
	build    Build
	tools    []toolKind // in the order in which they are shown
	backends map[string]backendKind
	services func(*api.Options) // see ChangeServices; may be nil
	place    Place              // see SetPlaces; may be nil

	mu      sync.Mutex
	started []killer
}

// killer has processes of other programs that can be killed.
type killer interface{ Kill() }

// Kill kills the processes of external agents and of tools. Call it if the program ends while a run is in
// progress.
func (a *Assembler) Kill() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, k := range a.started {
		k.Kill()
	}
}

func (a *Assembler) killAtEnd(k killer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.started = append(a.started, k)
}

// Build identifies this build of concur. Manifests have it, and the sites that concur searches get it.
type Build struct{ Version, Commit string }

// New returns an Assembler with all models, tools and search backends.
func New(environ provider.Environ, build Build) *Assembler {
	return &Assembler{
		Opener: provider.New(environ),
		build:  build,
		tools: []toolKind{
			{name: planner.Name, open: func(context.Context, *searcher) (tool.Tool, error) {
				return planner.New(), nil
			}},
			{name: calc.Name, open: func(context.Context, *searcher) (tool.Tool, error) { return calc.Tool, nil }},
			{name: calendar.Name, open: func(context.Context, *searcher) (tool.Tool, error) {
				return calendar.New(time.Now), nil
			}},
			{name: search.Name, open: openCascade},
			backendTool("wiki_search", config.BackendWikipedia, "Search Wikipedia's articles."),
			backendTool("serper_search", config.BackendSerper, "Search the web with Google."),
			backendTool("baidu_search", config.BackendBaidu, "Search the web with Baidu; best for Chinese."),
		},
		backends: map[string]backendKind{
			config.BackendCorpus:    openCorpus,
			config.BackendWikipedia: openWikipedia,
			config.BackendSerper:    openSerper,
			config.BackendBaidu:     openBaidu,
		},
	}
}

// Forecast returns the forecast of the part of a draft that remains after prior. It needs no key. It returns an
// error for an unknown provider. For a replay, the costs are 0.
func (a *Assembler) Forecast(d runner.Draft, prior *store.Prior) (runner.Forecast, error) {
	if d.Manifest.ReplayOf != "" {
		return d.Forecast(prior, nil)
	}
	for _, c := range d.Manifest.Configurations {
		if err := a.CheckProviders(c.Configuration); err != nil {
			return runner.Forecast{}, err
		}
	}
	prices, err := a.Prices(d.First())
	if err = errors.Join(err, a.checkFiles(d)); err != nil {
		return runner.Forecast{}, err
	}
	return d.Forecast(prior, prices.Price)
}
