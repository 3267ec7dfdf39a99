package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// doctor tries everything, one thing after another, so that an error is easy to place.
func (c *console) doctor(ctx *cli.Context, o *output) error {
	d := &examination{assembler: c.assembler, ctx: ctx.Context, network: !ctx.Bool("no-network")}
	conf, err := c.configuration(ctx, "")
	d.tried("configuration", cmp.Or(configurationFile(ctx), "defaults"), true, err, "mend the file or the flag that it names")
	if err != nil {
		conf = config.New().Completed() // the rest is looked at with the defaults
	}
	d.tried("runs folder", ctx.String(flagRunsDir), true, store.Check(ctx.String(flagRunsDir)), "choose a folder that can be written with --runs-dir")
	d.models(conf)
	for _, k := range c.assembler.Keys() {
		check := reports.Check{What: "key", Name: k.Variable, State: reports.Set}
		if !k.Set {
			check.State, check.Mend = reports.NotSet, "export it to use "+k.Use
		}
		d.checks = append(d.checks, check)
	}
	d.search(conf)
	err = o.write(func() error {
		if o.format == formatJSON {
			return reports.ChecksJSON(o, d.checks)
		}
		return reports.Checks(o, d.checks, o.screen(false))
	})
	if err == nil && slices.ContainsFunc(d.checks, func(c reports.Check) bool {
		return c.Needed && (c.State == reports.Fails || c.State == reports.NotSet)
	}) {
		return usagef("something that the configuration needs does not work; the table says how to mend it")
	}
	return err
}

type examination struct {
	assembler *assemble.Assembler
	ctx       context.Context
	network   bool
	checks    []reports.Check
}

// tried adds a check that worked, or failed with an error.
func (d *examination) tried(what, name string, needed bool, err error, mend string) *reports.Check {
	c := reports.Check{What: what, Name: name, Needed: needed, State: reports.Works}
	if err != nil {
		c.State, c.Detail, c.Mend = reports.Fails, err.Error(), mend
	}
	d.checks = append(d.checks, c)
	return &d.checks[len(d.checks)-1]
}

func (d *examination) models(conf config.Configuration) {
	for _, spec := range assemble.ModelNames(conf) {
		m, err := d.assembler.Model(spec, conf.Providers)
		mend := "set the key or the address that it names, or use another model with --model"
		asked := err == nil && (d.network || config.IsOffline(spec))
		if asked {
			err = assemble.ProbeModel(d.ctx, m, spec)
			mend = "check key, address and the model's name; docs/models.md has a line to copy for each provider"
		}
		switch check := d.tried("model", spec, true, err, mend); {
		case err == nil && !asked:
			check.State = reports.NotTried
		case err == nil && !config.IsOffline(spec):
			check.Detail = assemble.ProbeCache(d.ctx, m)
		}
	}
}

// search asks each backend for one document. A backend is needed where a tool rests on it
// alone; of a cascade, one that works is enough.
func (d *examination) search(conf config.Configuration) {
	alone, cascade := d.assembler.SearchNeeds(conf)
	working, tried := false, true
	for _, name := range config.Backends() {
		missing, asked, err := d.assembler.ProbeSearch(d.ctx, conf.Search, name, d.network)
		check := d.tried("search", name, alone[name], err, "choose other tools or backends, or search your own texts with --corpus")
		switch {
		case missing != "":
			check.State, check.Mend = reports.NotSet, missing+": export it to search with "+name
		case !asked && err == nil:
			check.State = reports.NotTried
		}
		if slices.Contains(cascade, name) {
			working = working || check.State == reports.Works
			tried = tried && check.State != reports.NotTried
		}
	}
	if len(cascade) > 0 && !working && tried {
		d.tried("search", "web_search", true, fmt.Errorf("none of its backends works: %s", strings.Join(cascade, ", ")),
			"name others in search.cascade, or search your own texts with --corpus")
	}
}
