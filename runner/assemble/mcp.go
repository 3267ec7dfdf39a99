package assemble

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/guard/inject"
	"github.com/seed-5817661a/concur/internal/sandbox/confine"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/mcp"
)

// server returns an MCP server. If the server is not yet open, it opens it.
func (b *toolbox) server(ctx context.Context, name string, conf config.MCPServer) (*mcp.Client, error) {
	raw, err := yaml.Marshal([]any{name, conf.Command, conf.Env, conf.URL, conf.Auth, conf.AllowPrivate,
		conf.Session, conf.Trust, conf.Sandbox, conf.SandboxAllow})
	if err != nil {
		return nil, fmt.Errorf("encode MCP server: %w", err)
	}
	key := string(raw)
	if b.servers[key] != nil {
		return b.servers[key], nil
	}
	argv, values := config.FillCommand(conf.Command, conf.Env, b.a.Variable)
	s := mcp.Server{
		Name: name, Command: argv, Dir: string(b.programs), Env: b.a.environment(conf.Env...), URL: conf.URL,
		AllowPrivate: conf.AllowPrivate, PerTrace: conf.Session == config.SessionTrace, Log: b.log,
	}
	err = cmp.Or(b.a.checkSet("mcp."+name, slices.Concat(conf.Env, conf.Auth.Env)),
		b.programs.Check("mcp."+name+".command", conf.Command))
	if err != nil {
		return nil, err
	}
	if !conf.Sandbox.IsZero() {
		command := confine.Command{Folder: s.Dir, Argv: argv, Allow: conf.SandboxAllow}
		s.Command, s.Env, err = b.a.confine(ctx, "mcp."+name, command, s.Env)
		if err != nil {
			return nil, err
		}
	}
	if len(conf.Auth.Env) > 0 {
		s.Token = b.a.Variable(conf.Auth.Env[0])
	}
	s.Hider = b.a.HiderOf(conf.Env, append(values, s.Token)...)
	c, err := mcp.Open(ctx, s)
	if err != nil {
		return nil, err
	}
	b.servers[key] = c
	b.a.killAtEnd(c)
	if !conf.Trust {
		err = suspicious(name, c.About)
	}
	return c, err
}

// suspicious returns an error if a server's description looks like an injection. Such a description would be
// sent in every prompt.
func suspicious(server string, a mcp.About) error {
	check := func(what, text string) error {
		f := inject.Scan(text, inject.ToolOutput)
		if !f.Flagged {
			return nil
		}
		return fmt.Errorf("the MCP server %s: %s looks like an injection (%s: %q): do not use it, or set "+
			"mcp.%s.trust: true if you have read it", server, what, f.Hits[0].Family, f.Hits[0].Match, server)
	}
	wrong := []error{check("its instructions", a.Instructions)}
	for _, t := range a.Tools {
		wrong = append(wrong, check("its tool "+t.Remote, t.Description+"\n"+string(t.Schema)))
	}
	return errors.Join(wrong...)
}

// LeftOut is a tool of an MCP server that is not offered to an agent.
type LeftOut struct{ Name, Reason string }

// Warnings lists agents whose tools are large, and settings that may be keys. It also lists tools of servers that
// agent.tools names but that the agent does not get.
func (s *Session) Warnings() []string {
	if s.tools == nil { // no tools are open, for example if stored traces are judged again
		return nil
	}
	names := map[string][]string{}
	for _, set := range s.tools.sets {
		for _, t := range set.leftOut {
			if !slices.Contains(names[t.Reason], t.Name) {
				names[t.Reason] = append(names[t.Reason], t.Name)
			}
		}
	}
	out := slices.Concat(s.notes, s.tools.warnings)
	for _, a := range s.Arms {
		for _, warning := range a.Configuration.PossibleKeys() {
			if !slices.Contains(out, warning) {
				out = append(out, warning)
			}
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(names)) {
		if reason != notNamed {
			out = append(out, fmt.Sprintf("the agent does not have %s: %s", strings.Join(names[reason], ", "), reason))
		}
	}
	return out
}

// notNamed is the reason for leaving out a tool that the configuration does not list.
const notNamed = "the tools of its server in concur.yaml do not name it"

// servedTools returns the tools of a server that a name in agent.tools means. It leaves out tools that the
// configuration excludes.
func (b *toolbox) servedTools(ctx context.Context, set *toolset, name string,
	conf config.Configuration) (out []tool.Tool, err error) {
	server, remote, _ := mcp.Split(name)
	s, ok := conf.MCP[server]
	if !ok {
		return nil, unknownServer(name, conf)
	}
	about, make, err := b.about(ctx, set, server, s)
	if err != nil {
		return nil, err
	}
	wanted := []string{remote}
	if remote == mcp.All {
		wanted = s.Tools
	}
	known := func(want string) func(mcp.Described) bool {
		return func(d mcp.Described) bool { return d.Remote == want || d.Name == mcp.Qualified(server, want) }
	}
	for _, want := range wanted {
		if !slices.ContainsFunc(about.Tools, known(want)) {
			names := []string{}
			for _, d := range about.Tools {
				names = append(names, d.Remote)
			}
			return nil, fmt.Errorf("the MCP server %s has no tool %q; it has %s", server, want,
				strings.Join(names, ", "))
		}
	}
	for _, d := range about.Tools {
		switch {
		case len(wanted) > 0 && !slices.ContainsFunc(wanted, func(want string) bool { return known(want)(d) }):
			if remote == mcp.All {
				set.leftOut = append(set.leftOut, LeftOut{d.Name, notNamed})
			}
		case d.Writes && s.Writes != config.WritesAllow:
			reason := fmt.Sprintf("calls may change something, in every trace: set mcp.%s.writes: allow if that "+
				"does no harm", server)
			set.leftOut = append(set.leftOut, LeftOut{d.Name, reason})
		default:
			made := make(d)
			if _, bad := tool.New(made); bad != nil && remote == mcp.All { // a named tool must work
				set.leftOut = append(set.leftOut, LeftOut{d.Name, "its server describes it wrongly: " + bad.Error()})
				continue
			}
			out = append(out, made)
		}
	}
	return out, nil
}

// about returns a server's description and a function that makes its tools. Both come from the server or, in a
// replay, from the recording.
func (b *toolbox) about(ctx context.Context, set *toolset, name string, conf config.MCPServer) (a mcp.About,
	make func(mcp.Described) tool.Tool, err error) {
	if b.replay != nil && !b.replay.Missing {
		recorded, ok := b.replay.servers[name]
		if !ok {
			return a, nil, fmt.Errorf("the recording does not say which tools the MCP server %s had: record "+
				"the run again", name)
		}
		a, make = aboutOf(recorded), func(d mcp.Described) tool.Tool { return unaskedTool{d.Spec()} }
	} else {
		c, err := b.server(ctx, name, conf)
		if err != nil {
			return a, nil, err
		}
		a, make = c.About, func(d mcp.Described) tool.Tool { return mcp.Tool{Client: c, Described: d} }
	}
	raw, err := json.Marshal(a)
	if err != nil {
		return a, nil, fmt.Errorf("encode MCP server: %w", err)
	}
	set.parts["mcp "+name] = digest(append(raw, conf.Session...))
	set.facts.Servers[name] = recordOf(a)
	return a, make, nil
}

func unknownServer(name string, conf config.Configuration) error {
	server, _, _ := mcp.Split(name)
	known := ""
	if len(conf.MCP) > 0 {
		known = ", or name one of " + strings.Join(slices.Sorted(maps.Keys(conf.MCP)), ", ")
	}
	return fmt.Errorf("there is no MCP server %q for the tool %s: give its command or its url as mcp.%s%s", server,
		name, server, known)
}

func recordOf(a mcp.About) store.ToolServer {
	s := store.ToolServer{Name: a.Name, Version: a.Version, Protocol: a.Protocol, Instructions: a.Instructions}
	for _, t := range a.Tools {
		s.Tools = append(s.Tools, store.ServedTool{Name: t.Name, Remote: t.Remote, Description: t.Description,
			Schema: string(t.Schema), Writes: t.Writes})
	}
	return s
}

func aboutOf(s store.ToolServer) mcp.About {
	a := mcp.About{Name: s.Name, Version: s.Version, Protocol: s.Protocol, Instructions: s.Instructions}
	for _, t := range s.Tools {
		a.Tools = append(a.Tools, mcp.Described{Name: t.Name, Remote: t.Remote, Description: t.Description,
			Schema: json.RawMessage(t.Schema), Writes: t.Writes})
	}
	return a
}

// unaskedTool takes the place of a tool in a replay. With it, no server is started and no folder is opened.
type unaskedTool struct{ spec tool.Spec }

func (t unaskedTool) Spec() tool.Spec { return t.spec }

func (t unaskedTool) Call(context.Context, json.RawMessage) (tool.Output, error) {
	return tool.Output{}, fmt.Errorf("%s is not called in a replay", t.spec.Name)
}
