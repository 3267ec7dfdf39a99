package main

import (
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

	"github.com/seed-5817661a/concur/reports/view"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) viewAction(ctx context.Context, given *viewOptions) (err error) {
	o := view.Options{RunsDir: given.runsDir, Token: view.NewToken()}
	name := ""
	if len(given.words) == 1 {
		run, err := c.findRun(given.runsDir, given.word(0))
		if err != nil {
			return err
		}
		dir, err := filepath.Abs(run.Dir)
		if err != nil {
			return usagef("view %s: %w", run.Dir, err)
		}
		o.RunsDir, name = filepath.Dir(dir), filepath.Base(dir)
	}
	if _, err := os.Stat(o.RunsDir); given.named && err != nil {
		return usagef("--runs-dir: %w: name a folder of runs", err)
	}
	if _, _, err := store.List(o.RunsDir); err != nil {
		return err
	}
	running, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM) // before the port is open
	defer stop()
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(given.port))
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return usagef("listen on %s: %w; choose another with --port", address, err)
	}
	if _, err := fmt.Fprintln(c.out, view.Address(listener.Addr(), o.Token, name)); err != nil {
		return errors.Join(err, listener.Close())
	}
	return view.Serve(running, listener, o)
}

//go:embed help/view.txt
var viewHelp string

// viewOptions holds the arguments and flags of concur view.
type viewOptions struct {
	arguments

	runsDir string
	port    int
	named   bool // the folder was named
}

func viewCommand(c *console) *cli.Command {
	var given viewOptions
	return &cli.Command{
		Name: "view", ArgsUsage: "[RUN]", Description: described(viewHelp),
		Usage: "show runs in a browser, including runs in progress",
		Flags: []cli.Flag{
			namedRunsDir(&given.runsDir, &given.named),
			&cli.IntFlag{
				Name: "port", Destination: &given.port, DefaultText: "a free one",
				Usage: "`PORT` on 127.0.0.1",
			},
		},
		Action: takes(&given.arguments, "one RUN at most; without one it shows all of --runs-dir",
			func(ctx context.Context) error {
				return c.viewAction(ctx, &given)
			}),
	}
}
