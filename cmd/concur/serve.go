package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/reports/planning"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/serve"
)

func serveAction(ctx context.Context, c *console.Console, given *serveOptions) error {
	f, err := given.FromFile(config.New())
	if err != nil {
		return console.Usagef("%w", err)
	}
	spec := cmp.Or(given.model, f.Configuration.Model, config.DefaultModel)
	m, scores, err := c.Assembler.Served(spec, f.Configuration.Providers)
	if err != nil {
		return err
	}
	key := given.key
	var handler http.Handler = &serve.Server{
		Model: m, Scores: scores, Name: spec, Key: key, Now: time.Now,
		Log: slog.New(slog.NewTextHandler(c.Err, nil)),
	}
	if key == "" {
		handler = serve.LocalOnly(handler)
	}
	what := planning.ModelKind(spec)
	if scores != nil {
		what = spec + " (gives log-probabilities, writes no text)"
	}
	running, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return serveHTTP(running, c, given.addr, handler, served{
		what: what, path: "/v1", anywhere: key != "", refusal: "could use the model: set --key",
	})
}

// served describes a service that serveHTTP offers at an address.
type served struct {
	what, path string
	anywhere   bool   // other machines may use it too
	refusal    string // end of the error if they could: "anyone … could …"
}

// serveHTTP prints an address and serves there until ctx ends.
func serveHTTP(ctx context.Context, c *console.Console, addr string, handler http.Handler, s served) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return console.Usagef("listen on %s: %w; choose another with --addr", addr, err)
	}
	if address, ok := listener.Addr().(*net.TCPAddr); !ok || !address.IP.IsLoopback() && !s.anywhere {
		err = console.Usagef("%s is not a loopback address, and anyone who reaches it %s", listener.Addr(), s.refusal)
	} else {
		_, err = fmt.Fprintf(c.Out, "serving %s at http://%s%s\n", s.what, listener.Addr(), s.path)
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	return serve.Until(ctx, listener, handler)
}

//go:embed help/serve.txt
var serveHelp string

// serveOptions holds the arguments and flags of concur serve.
type serveOptions struct {
	flags.Arguments
	flags.Settings

	model, addr, key string
}

func serveCommand(c *console.Console) *cli.Command {
	var given serveOptions
	return &cli.Command{
		Name: "serve", Description: flags.Described(serveHelp),
		Usage: "serve a model as an OpenAI-compatible endpoint on this machine",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "model", Destination: &given.model, EnvVars: []string{"CONCUR_MODEL"},
				DefaultText: "that of the configuration", Usage: "`PROVIDER:MODEL` to serve",
			},
			&cli.StringFlag{
				Name: "addr", Destination: &given.addr, Value: "127.0.0.1:8421",
				Usage: "`HOST:PORT` to listen on; port 0 chooses a free port",
			},
			&cli.StringFlag{
				Name: "key", Destination: &given.key, EnvVars: []string{"CONCUR_SERVE_KEY"},
				Usage: "`KEY` that requests must have as a bearer token",
			},
			flags.Config(&given.Settings),
		},
		Action: flags.Takes(&given.Arguments, "no arguments; name the model with --model", func(ctx context.Context) error {
			return serveAction(ctx, c, &given)
		}),
	}
}
