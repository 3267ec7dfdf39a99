package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"slices"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/serve"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/mcp"
)

func mcpServe(ctx context.Context, c *console.Console, given *mcpServeOptions) error {
	conf, err := flags.ReadConfiguration(c, &given.Settings, "")
	if err != nil {
		return err
	}
	conf.Agent.Tools = slices.DeleteFunc(conf.Agent.Tools,
		func(name string) bool { // tools of other servers are not served
			_, ofServer := config.ServerOf(name)
			return ofServer
		})
	if len(conf.Agent.Tools) == 0 {
		return console.Usagef("agent.tools names no tool of concur to serve: name some, such as calc and web_search")
	}
	running, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return c.Assembler.WithTools(running, conf, c.Note, func(r *tool.Registry, _ []assemble.LeftOut) error {
		offer := mcp.Offer{Tools: r, Version: version, Timeout: conf.Agent.ToolTimeout}
		if given.addr != "" {
			return serveHTTP(running, c, given.addr, serve.LocalOnly(offer.Handler()), served{
				what: fmt.Sprintf("%d tools", len(r.Specs())), path: "/mcp",
				refusal: "could use the tools: take one such as 127.0.0.1:8422",
			})
		}
		err := offer.ServeStreams(running, io.NopCloser(c.In), keptOpen{c.Out})
		if err == nil || errors.Is(err, context.Canceled) {
			return nil
		}
		return console.Usagef("read standard input as MCP, a JSON message a line: %w; over HTTP it is --addr", err)
	})
}

// keptOpen is standard output without a Close method, so that the end of a session does not close it.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }

func mcpCommand(c *console.Console) *cli.Command {
	return &cli.Command{
		Name:   "mcp",
		Usage:  "serve concur's tools by the Model Context Protocol",
		Action: flags.ShowCommands,
		Subcommands: []*cli.Command{
			mcpServeCommand(c),
		},
	}
}

//go:embed help/mcp-serve.txt
var mcpServeHelp string

// mcpServeOptions holds the arguments and flags of concur mcp serve.
type mcpServeOptions struct {
	flags.Arguments
	flags.Settings

	addr string
}

func mcpServeCommand(c *console.Console) *cli.Command {
	var given mcpServeOptions
	return &cli.Command{
		Name: "serve", Description: flags.Described(mcpServeHelp),
		Usage: "serve the tools of the configuration, over standard input and output or HTTP",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "addr", Destination: &given.addr,
				Usage: "`HOST:PORT` of this machine for HTTP; port 0 chooses a free port",
			},
			flags.Texts(&given.Settings),
			flags.Config(&given.Settings),
		},
		Action: flags.Takes(&given.Arguments, "no arguments; name the tools as agent.tools in concur.yaml",
			func(ctx context.Context) error {
				return mcpServe(ctx, c, &given)
			}),
	}
}
