package reading

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/reports/view"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

func viewAction(ctx context.Context, c *console.Console, given *viewOptions) (err error) {
	o := view.Options{RunsDir: given.runsDir, Token: view.NewToken()}
	name := ""
	if len(given.Words) == 1 {
		run, err := c.FindRun(given.runsDir, given.Word(0))
		if err != nil {
			return err
		}
		dir, err := filepath.Abs(run.Dir)
		if err != nil {
			return console.Usagef("view %s: %w", run.Dir, err)
		}
		o.RunsDir, name = filepath.Dir(dir), filepath.Base(dir)
	}
	if _, err := os.Stat(o.RunsDir); given.named && err != nil {
		return console.Usagef("--runs-dir: %w: name a folder of runs", err)
	}
	if _, _, err := runlist.List(o.RunsDir); err != nil {
		return err
	}
	if given.label {
		if o.Label, err = viewerLabels(ctx, c, given, filepath.Join(o.RunsDir, name)); err != nil {
			return err
		}
	} else if err := given.Idle("without --label", flags.NameAuthor, flags.NameUniform); err != nil {
		return err
	}
	running, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM) // before the port is open
	defer stop()
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(given.port))
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return console.Usagef("listen on %s: %w; choose another with --port", address, err)
	}
	shown := view.Address(listener.Addr(), o.Token, name)
	if o.Label != nil {
		shown = view.LabelAddress(listener.Addr(), o.Token, o.Label)
	}
	if _, err := fmt.Fprintln(c.Out, shown); err != nil {
		return errors.Join(err, listener.Close())
	}
	if err := view.Serve(running, listener, o); err != nil || o.Label == nil {
		return err
	}
	return afterLabels(c, filepath.Join(o.RunsDir, name), o.Label.Given())
}

// viewerLabels returns the settings that the viewer needs to write labels of a run.
func viewerLabels(ctx context.Context, c *console.Console, given *viewOptions, dir string) (*view.Labelling, error) {
	if len(given.Words) == 0 {
		return nil, console.Usagef("--label is for one run: name it, as in `concur view latest --label`")
	}
	run, err := CompleteRun(dir)
	if err != nil {
		return nil, err
	}
	records, err := run.Sorted()
	if err != nil {
		return nil, err
	}
	order, err := labels.Order(records, run.Manifest.Seed, given.uniform)
	if err != nil {
		return nil, console.Usagef("label run %s: %w", run.Manifest.Run, err)
	}
	return &view.Labelling{Run: filepath.Base(dir), Author: cmp.Or(given.author, c.Author(ctx)), Order: order}, nil
}

// CompleteRun opens a run whose answers are to be labelled.
func CompleteRun(dir string) (*store.Run, error) {
	run, err := store.Open(dir)
	if err == nil && run.Manifest.State != store.Complete {
		err = console.Usagef("run %s is not complete (state: %s): finish it first with `%s`", run.Manifest.Run,
			run.Manifest.State, store.ResumeCommand(run.Dir, run.Manifest))
	}
	return run, err
}

// afterLabels writes the figures of a run again, if labels were given.
func afterLabels(c *console.Console, dir string, given int) error {
	if given == 0 {
		return nil
	}
	run, err := store.Open(dir)
	if err != nil {
		return err
	}
	c.Note(fmt.Sprintf("labels given: %d. See `concur report %s`.", given, store.ShellQuoted(dir)))
	return SummarizeAgain(run)
}

//go:embed help/view.txt
var viewHelp string

// viewOptions holds the arguments and flags of concur view.
type viewOptions struct {
	flags.Arguments

	runsDir, author string
	port            int
	named           bool // the folder was named
	label, uniform  bool
}

// ViewCommand returns the command `concur view`.
func ViewCommand(c *console.Console) *cli.Command {
	var given viewOptions
	return &cli.Command{
		Name: "view", ArgsUsage: "[RUN]", Description: flags.Described(viewHelp),
		Usage: "show runs in a browser, including runs in progress",
		Flags: []cli.Flag{
			flags.NamedRunsDir(&given.runsDir, &given.named),
			&cli.IntFlag{
				Name: "port", Destination: &given.port, DefaultText: "a free one",
				Usage: "`PORT` on 127.0.0.1",
			},
			&cli.BoolFlag{Name: "label", Destination: &given.label, Usage: "write your verdicts on the answers of RUN"},
			flags.Author(&given.author), flags.Uniform(&given.uniform),
		},
		Action: flags.Takes(&given.Arguments, "one RUN at most; without one it shows all of --runs-dir",
			func(ctx context.Context) error {
				return viewAction(ctx, c, &given)
			}),
	}
}
