package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/signal"
	"slices"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/serve"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/tool/mcp"
	"github.com/seed-5817661a/concur/runner/tool/planner"
	"github.com/seed-5817661a/concur/runner/trace"
)

func (c *console) toolsList(ctx *cli.Context) error {
	conf, err := c.configuration(ctx, "")
	if err != nil {
		return err
	}
	names := c.assembler.ToolNames()
	for _, server := range slices.Sorted(maps.Keys(conf.MCP)) {
		names = append(names, mcp.Qualified(server, mcp.All))
	}
	names = append(names, slices.Sorted(maps.Keys(conf.Agents))...)
	var rows [][2]string
	width := 14
	row := func(name, text string) {
		rows, width = append(rows, [2]string{name, text}), max(width, len(name))
	}
	for _, name := range names {
		conf.Agent.Tools = []string{name}
		err := c.assembler.WithTools(ctx.Context, conf, nil, func(r *tool.Registry, leftOut []assemble.LeftOut) error {
			for _, spec := range r.Specs() {
				text := reports.Clean(spec.Description)
				if ctx.Bool("schema") {
					text += fmt.Sprintf("\n%s\n", spec.Parameters)
				}
				row(spec.Name, text)
			}
			for _, t := range leftOut {
				row(t.Name, "left out: "+t.Reason)
			}
			return nil
		})
		if err != nil {
			row(name, "not usable: "+err.Error())
		}
	}
	for _, r := range rows {
		if _, err := fmt.Fprintf(c.out, "%-*s %s\n", width, r[0], r[1]); err != nil {
			return err
		}
	}
	return nil
}

func (c *console) toolsCall(ctx *cli.Context) error {
	if ctx.NArg() < 1 || ctx.NArg() > 2 {
		return usagef("tools call takes a tool and its arguments, such as: concur tools call calc '{\"expression\":\"2**10\"}'")
	}
	conf, err := c.configuration(ctx, "")
	if err != nil {
		return err
	}
	call := model.ToolCall{ID: "call_1", Name: ctx.Args().First(), Arguments: ctx.Args().Get(1)}
	if call.Name != planner.Name { // which plans for the others that the agent has
		conf.Agent.Tools = []string{call.Name}
	}
	if server, _, ofServer := mcp.Split(call.Name); ofServer { // a person calls once, and sees what it does
		if s, known := conf.MCP[server]; known {
			s.Writes = config.WritesAllow
			conf.MCP[server] = s
		}
	}
	note := func(text string) { fmt.Fprintln(c.err, "concur: "+text) }
	return c.assembler.WithTools(ctx.Context, conf, note, func(r *tool.Registry, _ []assemble.LeftOut) error {
		res := r.Invoke(ctx.Context, call, conf.Agent.ToolTimeout)
		if res.Error != "" {
			return usagef("%s", reports.Printable(res.Error))
		}
		var ledger trace.Ledger
		docs := res.Output.Documents
		if docs != nil {
			docs = ledger.Enter(docs)
		}
		raw, err := res.Output.Render(docs)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.out, "%s\n", raw)
		return err
	})
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
			return c.serveHTTP(running, ctx.String("addr"), serve.LocalOnly(offer.Handler()), served{
				what: fmt.Sprintf("%d tools", len(r.Names())), path: "/mcp",
				refusal: "could use the tools: take one such as 127.0.0.1:8422",
			})
		}
		err := offer.ServeStreams(running, io.NopCloser(c.in), keptOpen{c.out})
		if err == nil || errors.Is(err, context.Canceled) {
			return nil
		}
		return usagef("read standard input as MCP, a JSON message a line: %w; over HTTP it is --addr", err)
	})
}

// keptOpen is standard output, which the end of a session does not close.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }
