package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/tool/search"
)

// probeTimeout bounds each thing that doctor tries.
const probeTimeout = 15 * time.Second

func (c *console) doctorCommand() *cli.Command {
	flags := append(configurationFlags(), runsDirFlag(), configFlag(),
		&cli.BoolFlag{Name: "no-network", Usage: "try nothing that leaves this machine"})
	return &cli.Command{
		Name:  "doctor",
		Usage: "try which models, keys and search backends work from here, and how to mend those that do not",
		Description: `The models of the configuration are each asked for one word, and each search backend
for one document. A model that is not offline is then asked twice with one long beginning:
what part of the second request came from a cache is printed where the provider tells it.
That takes some 3,500 tokens a model, and one search. Exit code 2 means that something
which the configuration needs does not work.

Examples:
  concur doctor
  concur doctor --model openai:gpt-4o-mini
  concur doctor --no-network`,
		Flags:        append(flags, outputFlags(plainFormats())...),
		OnUsageError: usageError,
		Action: func(ctx *cli.Context) error {
			return c.withOutput(ctx, plainFormats(), func(o *output) error { return doctor(ctx, o) })
		},
	}
}

// doctor tries everything, one thing after another, so that an error is easy to place.
func doctor(ctx *cli.Context, o *output) error {
	d := &examination{ctx: ctx.Context, network: !ctx.Bool("no-network")}
	conf, err := configuration(ctx, "")
	d.note("configuration", configurationFile(ctx), true, err, "mend the file or the flag that it names")
	if err != nil {
		conf = withJudges(config.New()).WithCascade(true) // the rest is looked at with the defaults
	}
	d.note("runs folder", ctx.String(flagRunsDir), true, store.Check(ctx.String(flagRunsDir)), "choose a folder that can be written with --runs-dir")
	d.models(conf)
	d.keys()
	d.search(conf)
	err = o.write(func() error {
		if o.format == formatJSON {
			return reports.ChecksJSON(o, d.checks)
		}
		return reports.Checks(o, d.checks)
	})
	if err == nil && slices.ContainsFunc(d.checks, func(c reports.Check) bool {
		return c.Needed && (c.State == reports.Fails || c.State == reports.NotSet)
	}) {
		return usagef("something that the configuration needs does not work; the table says how to mend it")
	}
	return err
}

func configurationFile(ctx *cli.Context) string {
	if path := ctx.String(flagConfig); path != "" {
		return path
	}
	if _, err := os.Stat("concur.yaml"); err == nil {
		return "concur.yaml"
	}
	return "defaults"
}

// examination collects what was tried.
type examination struct {
	ctx     context.Context
	network bool
	checks  []reports.Check
}

// note adds a check that worked, or failed with an error.
func (d *examination) note(what, name string, needed bool, err error, mend string) {
	c := reports.Check{What: what, Name: name, Needed: needed, State: reports.Works}
	if err != nil {
		c.State, c.Detail, c.Mend = reports.Fails, err.Error(), mend
	}
	d.checks = append(d.checks, c)
}

func (d *examination) skip(what, name string, needed bool, state reports.CheckState, mend string) {
	d.checks = append(d.checks, reports.Check{What: what, Name: name, Needed: needed, State: state, Mend: mend})
}

// models asks each model of the configuration for one word.
func (d *examination) models(conf config.Configuration) {
	var specs []string
	for _, s := range []string{conf.Model, conf.Verifier.Model, conf.Judge.Correctness, conf.Judge.Quality} {
		if s != "" && s != config.SameModel && !slices.Contains(specs, s) {
			specs = append(specs, s)
		}
	}
	for _, spec := range specs {
		m, err := openModel(spec, conf.Providers)
		switch {
		case err != nil:
			d.note("model", spec, true, err, "set the key or the address that it names, or use another model with --model")
		case !d.network && !isOffline(spec):
			d.skip("model", spec, true, reports.NotTried, "")
		default:
			err := d.word(m, spec)
			d.note("model", spec, true, err, "check key, address and the model's name; docs/models.md has a line to copy for each provider")
			if err == nil && !isOffline(spec) {
				d.checks[len(d.checks)-1].Detail = d.cached(m)
			}
		}
	}
}

// word asks a model for one word.
func (d *examination) word(m model.Model, spec string) error {
	ctx, cancel := context.WithTimeout(d.ctx, probeTimeout)
	defer cancel()
	_, err := m.Complete(ctx, model.Request{
		Identity: model.Identity{Agent: "doctor", Query: "doctor", Purpose: model.Agent},
		Messages: []model.Message{{Role: model.User, Content: "Reply with the word ok."}}, Seed: 1,
	})
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%s gave no answer within %s", spec, probeTimeout)
	}
	return err
}

// cached asks a model twice with the same beginning, longer than the 1,024 tokens from which
// most providers keep one, and says what part of the second request came from a cache. It
// is "" where no answer came.
func (d *examination) cached(m model.Model) string {
	ctx, cancel := context.WithTimeout(d.ctx, probeTimeout)
	defer cancel()
	var beginning strings.Builder
	for line := range 110 {
		fmt.Fprintf(&beginning, "This is line %d of a text that is there to be long.\n", line+1)
	}
	var second model.Usage
	for i := range 2 {
		r, err := m.Complete(ctx, model.Request{
			Identity: model.Identity{Agent: "doctor", Query: "doctor", Step: 1 + i, Purpose: model.Agent},
			Messages: []model.Message{
				{Role: model.System, Content: beginning.String()},
				{Role: model.User, Content: fmt.Sprintf("Reply with the number %d.", i+1)},
			},
			Seed: 1,
		})
		if err != nil {
			return ""
		}
		second = r.Usage
	}
	if second.CachedTokens == 0 {
		return "it tells of no cached tokens, asked twice with the same beginning"
	}
	return fmt.Sprintf("%d %% of the %d tokens of a second request with the same beginning came from a cache",
		100*second.CachedTokens/max(1, second.InputTokens), second.InputTokens)
}

// keys tells which keys are set; it shows none.
func (d *examination) keys() {
	type key struct{ variable, of string }
	var keys []key
	for _, name := range endpoints.Names() {
		if e, known := endpoints.Lookup(name); known && len(e.Auth.Env) > 0 {
			keys = append(keys, key{e.Auth.Env[0], "models of " + name + ":"})
		}
	}
	keys = append(keys, key{"SERPER_API_KEY", "search.vendor serper"}, key{"SERPAPI_API_KEY", "search.vendor serpapi"})
	for _, k := range keys {
		if os.Getenv(k.variable) == "" {
			d.skip("key", k.variable, false, reports.NotSet, "export it to use "+k.of)
			continue
		}
		d.skip("key", k.variable, false, reports.Set, "")
	}
}

// search asks each backend for one document. A backend is needed where a tool rests on it
// alone; of a cascade, one that works is enough.
func (d *examination) search(conf config.Configuration) {
	var c corpora
	s := newSearcher(conf.Search, &c)
	alone, cascade := searchNeeds(conf)
	working, tried := false, true
	for _, name := range config.Backends() {
		state := d.backend(s, name, alone[name])
		if slices.Contains(cascade, name) {
			working = working || state == reports.Works
			tried = tried && state != reports.NotTried
		}
	}
	if len(cascade) > 0 && !working && tried {
		d.note("search", "web_search", true, fmt.Errorf("none of its backends works: %s", strings.Join(cascade, ", ")),
			"name others in search.cascade, or search your own texts with --corpus")
	}
	s.close()
	if err := c.close(); err != nil {
		d.note("search", config.BackendCorpus, false, err, "")
	}
}

// searchNeeds tells on which backends the agent's tools rest alone, and which web_search
// asks one after another.
func searchNeeds(conf config.Configuration) (alone map[string]bool, cascade []string) {
	alone = map[string]bool{}
	if conf.Agent.Strategy != config.StrategyReact {
		return alone, nil // without tools
	}
	for _, name := range conf.Agent.Tools {
		switch {
		case name == search.Name:
			cascade = conf.Search.Cascade
		case slices.Contains(searchTools(), name):
			alone[backendOf(name)] = true
		}
	}
	if len(cascade) == 1 {
		alone[cascade[0]] = true
	}
	return alone, cascade
}

func (d *examination) backend(s *searcher, name string, needed bool) reports.CheckState {
	mend := "choose other tools or backends, or search your own texts with --corpus"
	b, missing, err := s.backend(d.ctx, name)
	switch {
	case err != nil:
		d.note("search", name, needed, err, "mend search in the configuration")
	case missing != "":
		d.skip("search", name, needed, reports.NotSet, missing+": export it to search with "+name)
	case !d.network && name != config.BackendCorpus:
		d.skip("search", name, needed, reports.NotTried, "")
	default:
		ctx, cancel := context.WithTimeout(d.ctx, probeTimeout)
		docs, err := b.Search(ctx, "Danube", 1)
		cancel()
		if err == nil && len(docs) == 0 && name != config.BackendCorpus { // a corpus need not know it
			err = errors.New("it found nothing for a river of that name")
		}
		d.note("search", name, needed, err, mend)
	}
	return d.checks[len(d.checks)-1].State
}
