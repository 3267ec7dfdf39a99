package main

import (
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

	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model/serve"
)

const defaultServeAddr = "127.0.0.1:8421"

func (c *console) serveCommand() *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "put a model behind an OpenAI-compatible endpoint on this machine",
		Description: `Clients of OpenAI's chat completions work with it, concur itself among them. Only
loopback addresses are served without a key.

Examples:
  concur serve
  OPENAI_BASE_URL=http://127.0.0.1:8421/v1 concur run --model openai:offline:reader`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "model", Value: config.DefaultModel, Usage: "`PROVIDER:MODEL` to serve", EnvVars: []string{"CONCUR_MODEL"}},
			&cli.StringFlag{Name: "addr", Value: defaultServeAddr, Usage: "`HOST:PORT` to listen on; port 0 takes a free one"},
			&cli.StringFlag{Name: "key", Usage: "`KEY` that requests must bring as a bearer token", EnvVars: []string{"CONCUR_SERVE_KEY"}},
		},
		Action: c.serveAction,
	}
}

func (c *console) serveAction(ctx *cli.Context) error {
	if ctx.NArg() > 0 {
		return usagef("serve takes no arguments; name the model with --model")
	}
	spec := ctx.String("model")
	m, err := c.assembler.Model(spec, nil)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", ctx.String("addr"))
	if err != nil {
		return usagef("listen on %s: %w; choose another with --addr", ctx.String("addr"), err)
	}
	if address, ok := listener.Addr().(*net.TCPAddr); !ok || !address.IP.IsLoopback() && ctx.String("key") == "" {
		return errors.Join(usagef("%s is not a loopback address, and anyone who reaches it could use the model: set --key", listener.Addr()), listener.Close())
	}
	var handler http.Handler = &serve.Server{
		Model: m, Name: spec, Key: ctx.String("key"), Now: time.Now,
		Log: progress.NewLines(c.err, time.DateTime, slog.LevelInfo),
	}
	if ctx.String("key") == "" {
		handler = serve.LocalOnly(handler)
	}
	if _, err := fmt.Fprintf(c.out, "serving %s at http://%s/v1\n", reports.ModelKind(spec), listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	running, stop := signal.NotifyContext(ctx.Context, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return serve.Until(running, listener, handler)
}
