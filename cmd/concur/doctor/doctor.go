package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/dotenv"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/assemble/provider"
	"github.com/seed-5817661a/concur/runner/config"
)

// Examination collects the results of checks. The checks run one after another, so that an error is easy to
// place.
type Examination struct {
	Assembler *assemble.Assembler
	Network   bool      // allows requests to other machines
	Now       time.Time // the present time; zero means that of the clock
	Checks    []listing.Check
}

// Tried adds a check, which failed if err is not nil. mend is the action that the user should then take.
func (d *Examination) Tried(what, name string, needed bool, err error, mend string) *listing.Check {
	c := listing.Check{What: what, Name: name, Needed: needed, State: listing.Works}
	if err != nil {
		c.State, c.Detail, c.Mend = listing.Fails, err.Error(), mend
	}
	d.Checks = append(d.Checks, c)
	return &d.Checks[len(d.Checks)-1]
}

// Try checks the models, the search and the agent of a configuration, and lists the keys that are set and those that
// are missing.
func (d *Examination) Try(ctx context.Context, conf config.Configuration) {
	d.models(ctx, conf)
	for _, k := range d.Assembler.Keys() {
		check := listing.Check{What: "key", Name: k.Variable, State: listing.Present}
		if !k.Set {
			check.State, check.Mend = listing.NotSet, "export it to use "+k.Use
		}
		d.Checks = append(d.Checks, check)
	}
	d.search(ctx, conf)
	d.databases(ctx, conf)
	d.agent(ctx, conf)
	d.prices(conf)
}

// Variables lists the variables of a file, which the configuration's models, tools and agents can use. The environment
// replaces those that it has.
func (d *Examination) Variables(path string, variables []dotenv.Variable, inEnvironment func(name string) bool) {
	for _, v := range variables {
		check := listing.Check{What: "variable", Name: v.Name, State: listing.Present,
			Detail: fmt.Sprintf("from %s:%d", path, v.Line)}
		switch {
		case inEnvironment(v.Name):
			check.State, check.Detail = listing.NotUsed, check.Detail+", which the environment replaces"
		case v.Value == "":
			check.State, check.Detail = listing.NotSet, check.Detail+", where its value is empty"
		}
		d.Checks = append(d.Checks, check)
	}
}

// stale is the age in months from which a table of prices probably lacks new models, or has outdated prices.
const stale = 6

// prices reports the age of the built-in table of prices. The table is needed only for budgets in dollars.
func (d *Examination) prices(conf config.Configuration) {
	prices, err := d.Assembler.Prices(conf)
	mend := "correct the file that `prices` in concur.yaml names"
	age := 0
	var asOf time.Time
	if err == nil {
		if asOf, err = time.Parse("2006-01", prices.AsOf()); err == nil {
			now := cmp.Or(d.Now, time.Now())
			age = 12*(now.Year()-asOf.Year()) + int(now.Month()) - int(asOf.Month())
		}
	}
	check := d.Tried("prices", "built-in table", false, err, mend)
	if err == nil {
		check.Detail = fmt.Sprintf("checked in %s, %s ago", prices.AsOf(), text.Counted(max(0, age), "month"))
		if age > stale {
			check.Mend = "name newer prices in a file, with `prices: FILE` in concur.yaml"
		}
	}
}

// Failed reports whether a needed check failed, or a needed key is not set.
func (d *Examination) Failed() bool {
	return slices.ContainsFunc(d.Checks, func(c listing.Check) bool {
		return c.Needed && (c.State == listing.Fails || c.State == listing.NotSet)
	})
}

func (d *Examination) models(ctx context.Context, conf config.Configuration) {
	for _, spec := range provider.ModelNames(conf) {
		m, err := d.Assembler.Model(spec, conf.Providers)
		mend := "set the key or the address that it names, or use another model with --model"
		asked := err == nil && (d.Network || config.IsOffline(spec))
		if asked {
			err = probeModel(ctx, m, spec)
			mend = "check key, address and the model's name; docs/models.md has a line to copy for each provider"
		}
		switch check := d.Tried("model", spec, true, err, mend); {
		case err == nil && !asked:
			check.State = listing.NotTried
		case err == nil && !config.IsOffline(spec):
			check.Detail = probeCache(ctx, m)
		}
	}
}

// search asks each backend for one document. A backend is needed if a tool uses only this backend. At least one
// backend of a cascade must work.
func (d *Examination) search(ctx context.Context, conf config.Configuration) {
	alone, cascade := d.Assembler.SearchNeeds(conf)
	working, tried := false, true
	names := config.Backends()
	for _, name := range cascade {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		missing, asked, err := d.Assembler.ProbeSearch(ctx, conf, name, d.Network)
		check := d.Tried("search", name, alone[name], err, "choose other tools or backends, or search your own texts with "+
			"--corpus")
		switch {
		case missing != "":
			check.State, check.Mend = listing.NotSet, missing+": export it to search with "+name
		case !asked && err == nil:
			check.State = listing.NotTried
		}
		if slices.Contains(cascade, name) {
			working = working || check.State == listing.Works
			tried = tried && check.State != listing.NotTried
		}
	}
	if len(cascade) > 0 && !working && tried {
		d.Tried("search", "web_search", true, fmt.Errorf("all its backends failed: %s", strings.Join(cascade, ", ")),
			"name others in search.cascade, or search your own texts with --corpus")
	}
}

// probeModel asks a model for one word.
func probeModel(ctx context.Context, m model.Model, spec string) error {
	ctx, cancel := context.WithTimeout(ctx, assemble.ProbeTimeout)
	defer cancel()
	_, err := m.Complete(ctx, probe(0, model.Message{Role: model.User, Content: "Reply with the word ok."}))
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%s did not answer within %s", spec, assemble.ProbeTimeout)
	}
	return err
}

func probe(step int, messages ...model.Message) model.Request {
	return model.Request{Identity: model.Identity{Agent: "doctor", Query: "doctor", Step: step, Purpose: model.Agent},
		Messages: messages, Seed: 1}
}

// probeCache sends a model two requests with the same beginning. Most providers cache a beginning of 1,024
// tokens or more, and this one is longer. It returns the share of the second request that came from a cache; ""
// if a request failed.
func probeCache(ctx context.Context, m model.Model) string {
	ctx, cancel := context.WithTimeout(ctx, assemble.ProbeTimeout)
	defer cancel()
	var beginning strings.Builder
	for line := range 110 {
		fmt.Fprintf(&beginning, "This is line %d of a text that is there to be long.\n", line+1)
	}
	var second model.Usage
	for i := 1; i <= 2; i++ {
		r, err := m.Complete(ctx, probe(i, model.Message{Role: model.System, Content: beginning.String()},
			model.Message{Role: model.User, Content: fmt.Sprintf("Reply with the number %d.", i)}))
		if err != nil {
			return ""
		}
		second = r.Usage
	}
	if second.CachedTokens == 0 {
		return "it reports no cached tokens for a second request with the same beginning"
	}
	return fmt.Sprintf("%d %% of the %d tokens of a second request with the same beginning came from a cache",
		100*second.CachedTokens/max(1, second.InputTokens), second.InputTokens)
}
