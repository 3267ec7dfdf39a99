package assemble

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble/provider"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/calc"
)

// unset is an environment without variables.
func unset(string) string { return "" }

func environ(variables map[string]string) provider.Environ {
	return func(name string) string { return variables[name] }
}

func draft(confs ...config.Configuration) runner.Draft {
	var d runner.Draft
	for _, c := range confs {
		d.Manifest.Configurations = append(d.Manifest.Configurations, store.Configuration{Name: c.Name, Configuration: c})
	}
	return d
}

// A strategy without tools opens neither a corpus nor a search, so none can be missing. Its agent hash is the
// same with and without them.
func TestStrategiesWithoutToolsOpenNone(t *testing.T) {
	open := func(strategy string) error {
		c := config.New().Completed()
		c.Agent.Strategy, c.Search.Corpus = strategy, filepath.Join(t.TempDir(), "gone")
		d := draft(c)
		return New(unset, Build{}).While(t.Context(), d, Options{}, func(_ context.Context, s *Session) error {
			if a := s.Arms[0]; a.AgentHash == "" || a.Correctness == nil || len(s.Manifest().Agents) != 1 {
				t.Errorf("%s: opened %+v", strategy, a)
			}
			return nil
		})
	}
	for _, strategy := range []string{config.StrategyCoT, config.StrategyDirect} {
		if err := open(strategy); err != nil {
			t.Errorf("%s: %v", strategy, err)
		}
	}
	if open(config.StrategyReact) == nil {
		t.Error("react opens a corpus that is not there")
	}
}

// A problem of several configurations is reported as one error, with their names.
func TestWhatIsWrongIsReportedOnce(t *testing.T) {
	var confs []config.Configuration
	for _, name := range []string{"a", "b", "c"} {
		c := config.New().Completed()
		c.Name = name
		if name != "b" {
			c.Model = "openai:m"
		}
		confs = append(confs, c)
	}
	err := New(unset, Build{}).While(t.Context(), draft(confs...), Options{}, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "configuration a, c: ") || strings.Count(err.Error(), "OPENAI_API_KEY is not set") != 1 {
		t.Errorf("%v", err)
	}
}

// A new tool needs one line.
func TestOneLineAddsATool(t *testing.T) {
	a := New(unset, Build{})
	a.tools = append(a.tools, toolKind{name: "mine", open: func(context.Context, *searcher) (tool.Tool, error) { return named{calc.Tool}, nil }})
	c := config.New().Completed()
	c.Agent.Tools = []string{"planner", "mine"}
	err := a.While(t.Context(), draft(c), Options{}, func(_ context.Context, s *Session) error {
		for _, facts := range s.Manifest().Agents {
			if facts.Tools["mine"] == "" || s.Arms[0].AgentHash == "" {
				t.Errorf("%+v, %+v", facts, s.Arms[0])
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if names := a.ToolNames(); names[len(names)-1] != "mine" {
		t.Errorf("tools %v", names)
	}
}

// named is a tool with another name.
type named struct{ tool.Tool }

func (n named) Spec() tool.Spec {
	s := n.Tool.Spec()
	s.Name = "mine"
	return s
}
