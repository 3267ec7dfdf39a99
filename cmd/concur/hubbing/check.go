package hubbing

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/plan"
)

// checkAction says whether this machine can work: on the runs that wait at a hub or, without a URL, on runs of the
// configuration.
func checkAction(ctx context.Context, c *console.Console, given *workOptions) error {
	var checks []listing.Check
	w := plan.Worker{Places: given.places, Programs: given.programs}
	add := func(what, name string, agents int, err error) {
		check := listing.Check{What: what, Name: name, Needed: true, State: listing.Works,
			Detail: text.Counted(agents, "agent") + " can work here"}
		if err != nil {
			check.State, check.Detail = listing.Fails, err.Error()
		}
		checks = append(checks, check)
	}
	if given.URL == "" {
		w.Programs = true // they are the user's own, and do not come from a hub
		agents, err := tryConfiguration(ctx, c, w, &given.Settings)
		name := given.ConfigurationFile()
		if name == "" {
			name = "defaults"
		}
		add("configuration", name, agents, err)
	} else {
		l, err := connect(ctx, c, &given.HubOptions, nil)
		if err != nil {
			return err
		}
		defer l.Close()
		within, cancel := context.WithTimeout(ctx, link.Timeout)
		runs, err := l.Runs(within)
		cancel()
		if err != nil {
			return fmt.Errorf("list the runs of the hub: %w", err)
		}
		if len(runs) == 0 {
			return console.Usagef("the hub has no run: begin one, or check a configuration with `concur work --check --config " +
				"FILE`")
		}
		for _, run := range runs {
			agents, err := w.TryRun(ctx, l, c.Assembler, run)
			add("run", string(run), agents, err)
		}
	}
	if err := listing.WriteChecks(c.Out, checks, console.ScreenOf(c.Out, c.Environ, console.UsualWidth)); err != nil {
		return err
	}
	for _, check := range checks {
		if check.State == listing.Fails {
			return console.Usagef("this machine cannot work on all of this; read in the table why")
		}
	}
	return nil
}

// tryConfiguration opens the agents of the configuration, with the first query of its dataset.
func tryConfiguration(ctx context.Context, c *console.Console, w plan.Worker, s *flags.Settings) (int, error) {
	source := s.DatasetOr("")
	conf, err := flags.ReadConfiguration(c, s, source)
	if err != nil {
		return 0, err
	}
	data, of, err := runner.Selection{Part: datasets.Part{Limit: 1}}.Open(source)
	if err != nil {
		return 0, err
	}
	seed := int64(1)
	d, err := runner.NewDraft(data, of, []config.Configuration{conf}, &seed, time.Now())
	if err != nil {
		data.Close() // a temporary file that cannot be removed is no reason to fail
		return 0, err
	}
	if err := plan.Check(d.Manifest); err != nil {
		data.Close() // as above
		return 0, err
	}
	return w.TryDraft(ctx, c.Assembler, d)
}
