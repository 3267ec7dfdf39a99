package provider

import (
	"context"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
)

// answers is a model with one reply.
type answers struct{}

func (answers) Complete(context.Context, model.Request) (model.Response, error) {
	return model.Response{Message: model.Message{Role: model.Assistant, Content: "mine"}}, nil
}

// A new local model or protocol needs one line.
func TestOneLineAddsAProvider(t *testing.T) {
	a := New(variables(map[string]string{"MINE_KEY": "sk-mine"}))
	a.local["mine"] = localModel{func(spec) (model.Model, error) { return answers{}, nil }, func(s spec) string { return "mine/1" }}
	a.protocols["wire"] = func(s spec, e endpoints.Endpoint, key string) (model.Model, error) {
		if s.name != "small" || e.BaseURL != "http://h/v1" || key != "sk-mine" {
			t.Errorf("opened %q at %s with %q", s.name, e.BaseURL, key)
		}
		return answers{}, nil
	}
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
	if version := a.ModelVersion("mine:small", providers); version != "mine/1" {
		t.Errorf("the version is %q", version)
	}
	if _, err := a.Model("other:small", providers); err == nil || !strings.Contains(err.Error(), "known: mine, offline, ") || !strings.HasSuffix(err.Error(), "far; define others under providers in concur.yaml") {
		t.Errorf("an unknown provider: %v", err)
	}
}
