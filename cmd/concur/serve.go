package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/reports/view"
	"github.com/seed-5817661a/concur/runner/model/serve"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) serveAction(ctx *cli.Context) error {
	if ctx.NArg() > 0 {
		return usagef("serve takes no arguments; name the model with --model")
	}
	spec := ctx.String("model")
	m, err := c.assembler.Model(spec, nil)
	if err != nil {
		return err
	}
	key := ctx.String("key")
	var handler http.Handler = &serve.Server{
		Model: m, Name: spec, Key: key, Now: time.Now, Log: progress.NewLines(c.err, time.DateTime, slog.LevelInfo),
	}
	if key == "" {
		handler = serve.LocalOnly(handler)
	}
	running, stop := signal.NotifyContext(ctx.Context, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.serveHTTP(running, ctx.String("addr"), handler, served{
		what: reports.ModelKind(spec), path: "/v1", anywhere: key != "", refusal: "could use the model: set --key",
	})
}

// served is what serveHTTP puts behind an address, and where.
type served struct {
	what, path string
	anywhere   bool   // also for other machines
	refusal    string // of an address that they reach: "anyone … could …"
}

// serveHTTP prints an address and serves there until the context ends.
func (c *console) serveHTTP(ctx context.Context, addr string, handler http.Handler, s served) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return usagef("listen on %s: %w; choose another with --addr", addr, err)
	}
	if address, ok := listener.Addr().(*net.TCPAddr); !ok || !address.IP.IsLoopback() && !s.anywhere {
		err = usagef("%s is not a loopback address, and anyone who reaches it %s", listener.Addr(), s.refusal)
	} else {
		_, err = fmt.Fprintf(c.out, "serving %s at http://%s%s\n", s.what, listener.Addr(), s.path)
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	return serve.Until(ctx, listener, handler)
}

func (c *console) viewAction(ctx *cli.Context) (err error) {
	o := view.Options{RunsDir: ctx.String(flagRunsDir), Token: view.NewToken()}
	name := ""
	switch ctx.NArg() {
	case 0:
	case 1:
		run, err := findRun(ctx, 1)
		if err != nil {
			return err
		}
		dir, err := filepath.Abs(run.Dir)
		if err != nil {
			return usagef("view %s: %w", run.Dir, err)
		}
		o.RunsDir, name = filepath.Dir(dir), filepath.Base(dir)
	default:
		return usagef("view takes one RUN at most; without one it shows all of --runs-dir")
	}
	if _, err := os.Stat(o.RunsDir); ctx.IsSet(flagRunsDir) && err != nil {
		return usagef("--runs-dir: %w: name a folder of runs", err)
	}
	if _, _, err := store.List(o.RunsDir); err != nil {
		return err
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
