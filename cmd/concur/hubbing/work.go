package hubbing

import (
	"context"
	"crypto/rand"
	_ "embed"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/plan"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/hub/worker"
)

// workAction makes traces for the runs of a hub until a signal comes.
func workAction(ctx context.Context, c *console.Console, version string, given *workOptions) error {
	if given.places < 1 || given.places > maxPlaces {
		return console.Usagef("--places is %d: give 1 to %d", given.places, maxPlaces)
	}
	given.URL = given.Word(0)
	switch {
	case given.check:
		return checkAction(ctx, c, given)
	case given.URL == "":
		return console.Usagef("work takes the URL of a hub, such as nats://127.0.0.1:4222")
	}
	say := func(text string) { fmt.Fprintf(c.Err, "concur: %s\n", text) }
	running, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	l, err := dialPatiently(running, c, &given.HubOptions, say)
	if err != nil || l == nil {
		return err
	}
	defer l.Close()
	name := workerName()
	say(fmt.Sprintf("worker %s waits for work, with %d places; Ctrl-C ends it", name, given.places))
	err = worker.Work(running, worker.Options{
		Link: l, Name: name, Version: version, Places: given.places, Grace: grace,
		Open: plan.Worker{Name: name, Places: given.places, Programs: given.programs}.Opener(l, c.Assembler), Log: say,
	})
	say("the worker has ended")
	return err
}

// grace is the time for active traces after a signal.
const grace = 10 * time.Second

// maxPlaces is the maximum number of traces that one worker makes at the same time.
const maxPlaces = 4096

// dialPatiently connects to a hub that may not have started yet. It returns nil if ctx is done.
func dialPatiently(ctx context.Context, c *console.Console, h *flags.HubOptions, say func(string)) (*link.Link, error) {
	for told := false; ; {
		l, err := connect(ctx, c, h, say)
		if err == nil || !link.Unreachable(err) {
			return l, err
		}
		if !told {
			say(err.Error() + "; trying again every second")
			told = true
		}
		select {
		case <-ctx.Done():
			return nil, nil
		case <-time.After(time.Second):
		}
	}
}

// workerName returns a name that tells people the machine, and is different for each process.
func workerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	var random [3]byte
	rand.Read(random[:]) // never fails
	return fmt.Sprintf("%.40s-%x", wire.RunOf(host), random)
}

//go:embed help/work.txt
var workHelp string

// workOptions holds the arguments and flags of concur work.
type workOptions struct {
	flags.Arguments
	flags.HubOptions
	flags.Settings

	places   int
	programs bool
	check    bool
}

// WorkCommand returns the command work. version is the version of the program.
func WorkCommand(c *console.Console, version string) *cli.Command {
	var given workOptions
	return &cli.Command{
		Name: "work", ArgsUsage: "[URL]", Description: flags.Described(workHelp),
		Usage: "make traces for the runs of a hub",
		Flags: slices.Concat([]cli.Flag{
			&cli.IntFlag{
				Name: "places", Destination: &given.places, Value: 16, EnvVars: []string{"CONCUR_PLACES"},
				Usage: "how many `TRACES` run at the same time",
			},
			&cli.BoolFlag{
				Name: "allow-programs", Destination: &given.programs, EnvVars: []string{"CONCUR_WORK_ALLOW_PROGRAMS"},
				Usage: "let runs start the agents and MCP servers that come with them: whoever can reach the hub can start " +
					"programs here",
			},
			&cli.BoolFlag{
				Name: flags.NameCheck, Destination: &given.check,
				Usage: "say whether this machine can work on the runs that wait at URL or, without a URL, on runs of the " +
					"configuration",
			},
			flags.Config(&given.Settings),
		}, flags.ConnectionGroup(&given.HubOptions)),
		Action: flags.Takes(&given.Arguments, "the URL of a hub, such as nats://127.0.0.1:4222",
			func(ctx context.Context) error { return workAction(ctx, c, version, &given) }),
	}
}
