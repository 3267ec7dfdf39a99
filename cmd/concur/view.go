package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/reports/view"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) viewCommand() *cli.Command {
	return &cli.Command{
		Name:      "view",
		Usage:     "look at runs in a browser, also while they go on",
		ArgsUsage: "[RUN]",
		Description: `It prints an address on this machine, with a random token that nobody else knows, and
serves until Ctrl-C: the runs of the folder with their pass rates over time and the gate's
decisions, the report of each run, each trace with the exact requests and replies, and the
figures of runs that go on. With RUN, a run folder, its name, or latest, the address is that of
the run. Nothing is changed, but for an index of large runs in their folders.

Examples:
  concur view
  concur view latest
  concur view --runs-dir artifacts/runs --port 8422`,
		Flags: []cli.Flag{
			runsDirFlag(),
			&cli.IntFlag{Name: "port", Usage: "`PORT` on 127.0.0.1", DefaultText: "a free one"},
		},
		Action: c.viewAction,
	}
}

func (c *console) viewAction(ctx *cli.Context) (err error) {
	o := view.Options{RunsDir: ctx.String(flagRunsDir), Token: view.NewToken()}
	name := ""
	switch ctx.NArg() {
	case 0:
	case 1:
		run, err := findRun(ctx, 1)
		if err != nil {
			return usagef("%w", err)
		}
		dir, err := filepath.Abs(run.Dir)
		if err != nil {
			return usagef("view %s: %w", run.Dir, err)
		}
		o.RunsDir, name = filepath.Dir(dir), filepath.Base(dir)
	default:
		return usagef("view takes one RUN at most; without one it shows all of --%s", flagRunsDir)
	}
	if _, err := os.Stat(o.RunsDir); ctx.IsSet(flagRunsDir) && err != nil {
		return usagef("--%s: %w: name a folder of runs", flagRunsDir, err)
	}
	if _, _, err := store.List(o.RunsDir); err != nil {
		return usagef("%w", err)
	}
	signals := notified() // before anybody can find the port open
	defer signal.Stop(signals)
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(ctx.Int("port")))
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return usagef("listen on %s: %w; choose another with --port", address, err)
	}
	running, stop := context.WithCancel(ctx.Context)
	defer stop()
	go func() {
		select {
		case <-signals:
			stop()
		case <-running.Done():
		}
	}()
	if _, err := fmt.Fprintln(c.out, view.Address(listener.Addr(), o.Token, name)); err != nil {
		return errors.Join(err, listener.Close())
	}
	return view.Serve(running, listener, o)
}
