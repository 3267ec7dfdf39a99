package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/view"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/serve"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/mcp"
	"github.com/seed-5817661a/concur/tool/planner"
	"github.com/seed-5817661a/concur/trace"
)

func (c *console) toolsList(ctx context.Context, given *toolsListOptions) error {
	conf, err := c.configuration(&given.settings, "")
	if err != nil {
		return err
	}
	names := c.assembler.ToolNames()
	for _, server := range slices.Sorted(maps.Keys(conf.MCP)) {
		names = append(names, mcp.Qualified(server, mcp.All))
	}
	names = slices.Concat(names, slices.Sorted(maps.Keys(conf.Tools)), slices.Sorted(maps.Keys(conf.Agents)))
	rows := tabwriter.NewWriter(c.out, 15, 0, 1, ' ', 0)
	for _, name := range names {
		conf.Agent.Tools = []string{name}
		err := c.assembler.WithTools(ctx, conf, nil, func(r *tool.Registry, leftOut []assemble.LeftOut) error {
			for _, spec := range r.Specs() {
				text := reports.Clean(spec.Description)
				if given.schema {
					text += fmt.Sprintf("\n%s\n", spec.Parameters)
				}
				fmt.Fprintf(rows, "%s\t%s\n", spec.Name, text)
			}
			for _, t := range leftOut {
				fmt.Fprintf(rows, "%s\tleft out: %s\n", t.Name, t.Reason)
			}
			return nil
		})
		if err != nil {
			fmt.Fprintf(rows, "%s\tnot usable: %v\n", name, err)
		}
	}
	return rows.Flush()
}

func (c *console) note(text string) { fmt.Fprintln(c.err, "concur: "+text) }

func (c *console) toolsCall(ctx context.Context, given *toolsCallOptions) error {
	conf, err := c.configuration(&given.settings, "")
	if err != nil {
		return err
	}
	call := model.ToolCall{ID: "call_1", Name: given.word(0), Arguments: given.word(1)}
	if call.Name != planner.Name { // which plans for the others that the agent has
		conf.Agent.Tools = []string{call.Name}
	}
	if server, _, ofServer := mcp.Split(call.Name); ofServer { // a person calls once, and sees what it does
		if s, known := conf.MCP[server]; known {
			s.Writes = config.WritesAllow
			conf.MCP[server] = s
		}
	}
	return c.assembler.WithTools(ctx, conf, c.note, func(r *tool.Registry, _ []assemble.LeftOut) error {
		res := r.Invoke(ctx, call, conf.Agent.ToolTimeout)
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

func (c *console) mcpServe(ctx context.Context, given *mcpServeOptions) error {
	conf, err := c.configuration(&given.settings, "")
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
	running, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return c.assembler.WithTools(running, conf, c.note, func(r *tool.Registry, _ []assemble.LeftOut) error {
		offer := mcp.Offer{Tools: r, Version: version, Timeout: conf.Agent.ToolTimeout}
		if given.addr != "" {
			return c.serveHTTP(running, given.addr, serve.LocalOnly(offer.Handler()), served{
				what: fmt.Sprintf("%d tools", len(r.Specs())), path: "/mcp",
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

func (c *console) serveAction(ctx context.Context, given *serveOptions) error {
	spec := given.model
	m, err := c.assembler.Model(spec, nil)
	if err != nil {
		return err
	}
	key := given.key
	var handler http.Handler = &serve.Server{
		Model: m, Name: spec, Key: key, Now: time.Now, Log: slog.New(slog.NewTextHandler(c.err, nil)),
	}
	if key == "" {
		handler = serve.LocalOnly(handler)
	}
	running, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.serveHTTP(running, given.addr, handler, served{
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
	running, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM) // before anybody can find the port open
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

// viewOptions are the arguments and flags of concur view.
type viewOptions struct {
	arguments

	runsDir string
	port    int
	named   bool // the folder
}

func viewCommand(c *console) *cli.Command {
	var given viewOptions
	return &cli.Command{
		Name: "view", ArgsUsage: "[RUN]", Description: described(viewHelp),
		Usage: "look at runs in a browser, also while they go on",
		Flags: []cli.Flag{
			namedRunsDir(&given.runsDir, &given.named),
			&cli.IntFlag{
				Name: "port", Destination: &given.port, DefaultText: "a free one",
				Usage: "`PORT` on 127.0.0.1",
			},
		},
		Action: takes(&given.arguments, "one RUN at most; without one it shows all of --runs-dir", func(ctx context.Context) error {
			return c.viewAction(ctx, &given)
		}),
	}
}

func toolsCommand(c *console) *cli.Command {
	return &cli.Command{
		Name:   "tools",
		Usage:  "list the agent's tools, or call one",
		Action: showCommands,
		Subcommands: []*cli.Command{
			toolsListCommand(c),
			toolsCallCommand(c),
		},
	}
}

// toolsListOptions are the arguments and flags of concur tools list.
type toolsListOptions struct {
	arguments
	settings

	schema bool
}

func toolsListCommand(c *console) *cli.Command {
	var given toolsListOptions
	return &cli.Command{
		Name:  "list",
		Usage: "list the tools, those of the configuration's MCP servers too; with --schema, their " + "arguments",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "schema", Destination: &given.schema, Usage: "print each tool's JSON Schema"},
			textsFlag(&given.settings),
			configFlag(&given.settings),
		},
		Action: takes(&given.arguments, "", func(ctx context.Context) error {
			return c.toolsList(ctx, &given)
		}),
	}
}

//go:embed help/tools-call.txt
var toolsCallHelp string

// toolsCallOptions are the arguments and flags of concur tools call.
type toolsCallOptions struct {
	arguments
	settings
}

func toolsCallCommand(c *console) *cli.Command {
	var given toolsCallOptions
	return &cli.Command{
		Name: "call", ArgsUsage: "TOOL [ARGUMENTS]", Description: described(toolsCallHelp),
		Usage: "call a tool as an agent would, and print its output",
		Flags: []cli.Flag{
			textsFlag(&given.settings),
			configFlag(&given.settings),
			toolTimeoutKey(&given.settings),
		},
		Action: takes(&given.arguments, "a tool and its arguments, such as: concur tools call calc '{\"expression\":\"2**10\"}'", func(ctx context.Context) error {
			return c.toolsCall(ctx, &given)
		}),
	}
}

//go:embed help/serve.txt
var serveHelp string

// serveOptions are the arguments and flags of concur serve.
type serveOptions struct {
	arguments

	model, addr, key string
}

func serveCommand(c *console) *cli.Command {
	var given serveOptions
	return &cli.Command{
		Name: "serve", Description: described(serveHelp),
		Usage: "put a model behind an OpenAI-compatible endpoint on this machine",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "model", Destination: &given.model, Value: config.DefaultModel, EnvVars: []string{"CONCUR_MODEL"},
				Usage: "`PROVIDER:MODEL` to serve",
			},
			&cli.StringFlag{
				Name: "addr", Destination: &given.addr, Value: "127.0.0.1:8421",
				Usage: "`HOST:PORT` to listen on; port 0 takes a free one",
			},
			&cli.StringFlag{
				Name: "key", Destination: &given.key, EnvVars: []string{"CONCUR_SERVE_KEY"},
				Usage: "`KEY` that requests must bring as a bearer token",
			},
		},
		Action: takes(&given.arguments, "no arguments; name the model with --model", func(ctx context.Context) error {
			return c.serveAction(ctx, &given)
		}),
	}
}

func mcpCommand(c *console) *cli.Command {
	return &cli.Command{
		Name:   "mcp",
		Usage:  "put concur's tools behind a server of the Model Context Protocol",
		Action: showCommands,
		Subcommands: []*cli.Command{
			mcpServeCommand(c),
		},
	}
}

//go:embed help/mcp-serve.txt
var mcpServeHelp string

// mcpServeOptions are the arguments and flags of concur mcp serve.
type mcpServeOptions struct {
	arguments
	settings

	addr string
}

func mcpServeCommand(c *console) *cli.Command {
	var given mcpServeOptions
	return &cli.Command{
		Name: "serve", Description: described(mcpServeHelp),
		Usage: "serve the tools of the configuration, over standard streams or HTTP",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "addr", Destination: &given.addr,
				Usage: "`HOST:PORT` of this machine to serve HTTP on; port 0 takes a free one",
			},
			textsFlag(&given.settings),
			configFlag(&given.settings),
		},
		Action: takes(&given.arguments, "no arguments; name the tools as agent.tools in concur.yaml", func(ctx context.Context) error {
			return c.mcpServe(ctx, &given)
		}),
	}
}
