package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/signal"
	"slices"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model/serve"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/tool/mcp"
)

func (c *console) mcpCommand() *cli.Command {
	return &cli.Command{
		Name:   "mcp",
		Usage:  "put concur's tools behind a server of the Model Context Protocol",
		Action: group,
		Subcommands: []*cli.Command{{
			Name:  "serve",
			Usage: "serve the tools of the configuration, over standard streams or HTTP",
			Description: `Other people's agents can then be compared on the same tools. Without --addr it
speaks over standard input and output, as a client that starts it expects.

Examples:
  concur mcp serve
  concur mcp serve --addr 127.0.0.1:8422
  npx @modelcontextprotocol/inspector concur mcp serve`,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "addr", Usage: "`HOST:PORT` of this machine to serve HTTP on; port 0 takes a free one"},
				corpusFlag(), configFlag(),
			},
			Action: c.mcpServe,
		}},
	}
}

func (c *console) mcpServe(ctx *cli.Context) error {
	if ctx.NArg() > 0 {
		return usagef("mcp serve takes no arguments; name the tools as agent.tools in concur.yaml")
	}
	conf, err := c.configuration(ctx, "")
	if err != nil {
		return err
	}
	conf.Agent.Tools = slices.DeleteFunc(conf.Agent.Tools, func(name string) bool { // those of other servers are theirs to serve
		_, ofServer := config.ServerOf(name)
		return ofServer
	})
	if len(conf.Agent.Tools) == 0 {
		return usagef("agent.tools names no tool of concur to serve: name some, such as calc and web_search")
	}
	running, stop := signal.NotifyContext(ctx.Context, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	note := func(text string) { fmt.Fprintln(c.err, "concur: "+text) }
	return c.assembler.WithTools(running, conf, note, func(r *tool.Registry, _ []assemble.LeftOut) error {
		offer := mcp.Offer{Tools: r, Version: version, Timeout: conf.Agent.ToolTimeout}
		if ctx.String("addr") != "" {
			return c.mcpListen(running, ctx.String("addr"), offer)
		}
		err := offer.ServeStreams(running, io.NopCloser(c.in), keptOpen{c.out})
		if err == nil || errors.Is(err, context.Canceled) {
			return nil
		}
		return usagef("read standard input as MCP, a JSON message a line: %w; over HTTP it is --addr", err)
	})
}

func (c *console) mcpListen(ctx context.Context, addr string, offer mcp.Offer) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return usagef("listen on %s: %w; choose another with --addr", addr, err)
	}
	if address, ok := listener.Addr().(*net.TCPAddr); !ok || !address.IP.IsLoopback() {
		return errors.Join(usagef("%s is not a loopback address, and anyone who reaches it could use the tools: take one such as 127.0.0.1:8422", listener.Addr()), listener.Close())
	}
	if _, err := fmt.Fprintf(c.out, "serving %d tools at http://%s/mcp\n", len(offer.Tools.Names()), listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	return serve.Until(ctx, listener, serve.LocalOnly(offer.Handler()))
}

// keptOpen is standard output, which the end of a session does not close.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }
