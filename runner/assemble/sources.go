package assemble

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/calendar"
	"github.com/seed-5817661a/concur/tool/mcp"
	"github.com/seed-5817661a/concur/tool/planner"
	"github.com/seed-5817661a/concur/tool/table"
)

// source opens tools by name. A toolset tries its sources in order; the first source that knows a name opens
// its tool.
type source interface {
	has(name string) bool
	// open opens the tools for a name: one tool or, for SERVER__*, all tools of the server. It adds to the set
	// everything on which the results of the tools depend.
	open(ctx context.Context, name string, set *toolset) ([]tool.Tool, error)
}

// sources returns the sources of a configuration's tools, in order.
func (b *toolbox) sources(conf config.Configuration, s *searcher) []source {
	return []source{
		servers{b, conf},
		declaredTools{b, conf},
		subAgents{b, conf},
		tables{b},
		builtin{b.a.tools, s},
	}
}

// openTools opens the tools for some names, without repeats.
func (set *toolset) openTools(ctx context.Context, sources []source, names []string, known []string) ([]tool.Tool,
	error) {
	var tools []tool.Tool
	for _, name := range names {
		at := slices.IndexFunc(sources, func(s source) bool { return s.has(name) })
		if at < 0 {
			return nil, unknownTool(name, known)
		}
		opened, err := sources[at].open(ctx, name, set)
		if err != nil {
			return nil, err
		}
		for _, t := range opened {
			// a tool of a server may be named both by its name and by *
			if !slices.ContainsFunc(tools, func(have tool.Tool) bool { return have.Spec().Name == t.Spec().Name }) {
				tools = append(tools, t)
			}
		}
	}
	return tools, nil
}

func unknownTool(name string, known []string) error {
	return fmt.Errorf("there is no tool %q; known: %s, and those that concur tools list shows", name,
		strings.Join(known, ", "))
}

// servers is the source of the tools of MCP servers.
type servers struct {
	*toolbox
	conf config.Configuration
}

func (s servers) has(name string) bool {
	_, _, ofServer := mcp.Split(name)
	return ofServer
}

func (s servers) open(ctx context.Context, name string, set *toolset) ([]tool.Tool, error) {
	return s.servedTools(ctx, set, name, s.conf)
}

// subAgents is the source of agents that the agent calls as tools.
type subAgents struct {
	*toolbox
	conf config.Configuration
}

func (s subAgents) has(name string) bool {
	_, known := s.conf.Agents[name]
	return known
}

func (s subAgents) open(ctx context.Context, name string, set *toolset) ([]tool.Tool, error) {
	return listOf(s.openAgent(ctx, s.conf, name, set))
}

// tables is the source of the tables that a dataset offers as tools.
type tables struct{ *toolbox }

func (s tables) has(name string) bool { return s.table(name) >= 0 }

func (s tables) table(name string) int {
	return slices.IndexFunc(s.toolbox.tables, func(t datasets.Tool) bool { return t.Name == name })
}

func (s tables) open(_ context.Context, name string, _ *toolset) ([]tool.Tool, error) {
	return []tool.Tool{table.New(s.toolbox.tables[s.table(name)])}, nil
}

// builtin is the source of concur's own tools.
type builtin struct {
	kinds []toolKind
	s     *searcher
}

func (b builtin) kind(name string) int {
	return slices.IndexFunc(b.kinds, func(k toolKind) bool { return k.name == name })
}

func (b builtin) has(name string) bool { return b.kind(name) >= 0 }

func (b builtin) open(ctx context.Context, name string, set *toolset) ([]tool.Tool, error) {
	if name == calendar.Name {
		set.parts["tool "+name] = calendar.Version
	}
	set.planner = set.planner || name == planner.Name
	return listOf(b.kinds[b.kind(name)].open(ctx, b.s))
}

// listOf returns a list with one tool.
func listOf(t tool.Tool, err error) ([]tool.Tool, error) {
	if err != nil {
		return nil, err
	}
	return []tool.Tool{t}, nil
}
