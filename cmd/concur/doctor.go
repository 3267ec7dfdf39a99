package main

import (
	"cmp"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/internal/doctor"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) doctor(ctx *cli.Context, o *output) error {
	d := &doctor.Examination{Assembler: c.assembler, Network: !ctx.Bool("no-network")}
	conf, err := c.configuration(ctx, "")
	d.Tried("configuration", cmp.Or(configurationFile(ctx), "defaults"), true, err, "mend the file or the flag that it names")
	if err != nil {
		conf = config.New().Completed() // the rest is looked at with the defaults
	}
	d.Tried("runs folder", ctx.String(flagRunsDir), true, store.Check(ctx.String(flagRunsDir)), "choose a folder that can be written with --runs-dir")
	d.Try(ctx.Context, conf)
	err = o.write(func() error {
		if o.format == formatJSON {
			return reports.ChecksJSON(o, d.Checks)
		}
		return reports.Checks(o, d.Checks, o.screen(false))
	})
	if err == nil && d.Failed() {
		return usagef("something that the configuration needs does not work; the table says how to mend it")
	}
	return err
}
