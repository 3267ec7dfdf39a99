package assemble

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/calc"
)

// unset is an environment without variables.
func unset(string) string { return "" }

func environ(variables map[string]string) Environ {
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

// answers is both a model and a tool.
type answers struct{ tool.Tool }

func (answers) Complete(context.Context, model.Request) (model.Response, error) {
	return model.Response{Message: model.Message{Role: model.Assistant, Content: "mine"}}, nil
}

// A new local model, protocol or tool needs one line.
func TestOneLineAddsAProviderOrATool(t *testing.T) {
	a := New(environ(map[string]string{"MINE_KEY": "sk-mine"}), Build{})
	a.local["mine"] = localModel{func(spec) (model.Model, error) { return answers{calc.Tool}, nil }, func(s spec) string { return "mine/1" }}
	a.protocols["wire"] = func(s spec, e endpoints.Endpoint, key string) (model.Model, error) {
		if s.name != "small" || e.BaseURL != "http://h/v1" || key != "sk-mine" {
			t.Errorf("opened %q at %s with %q", s.name, e.BaseURL, key)
		}
		return answers{calc.Tool}, nil
	}
	a.tools = append(a.tools, toolKind{name: "mine", open: func(context.Context, *searcher) (tool.Tool, error) { return named{answers{calc.Tool}}, nil }})

	providers := Providers{"far": {Kind: "wire", BaseURL: "http://h/v1", Auth: endpoints.Auth{Env: []string{"MINE_KEY"}}}}
	for _, name := range []string{"mine:small", "far:small"} {
		m, err := a.Model(name, providers)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r, err := m.Complete(t.Context(), model.Request{}); err != nil || r.Message.Content != "mine" {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	c := config.New().Completed()
	c.Model, c.Agent.Tools = "mine:small", []string{"planner", "mine"}
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
	if _, err := a.Model("other:small", providers); err == nil || !strings.Contains(err.Error(), "known: mine, offline, ") || !strings.HasSuffix(err.Error(), "far; define others under providers in concur.yaml") {
		t.Errorf("an unknown provider: %v", err)
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
