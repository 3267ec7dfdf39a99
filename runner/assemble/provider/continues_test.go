package provider

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/runner/config"
)

// TestContinues checks for which models the protocol inline is refused.
func TestContinues(t *testing.T) {
	own := func(way string) map[string]endpoints.Endpoint {
		return map[string]endpoints.Endpoint{"own": {Kind: endpoints.OpenAI, BaseURL: "http://127.0.0.1:9/v1",
			Auth: endpoints.Auth{None: true}, AssistantPrefix: way}}
	}
	for _, c := range []struct {
		model     string
		environ   map[string]string
		providers map[string]endpoints.Endpoint
		way       string
	}{
		{model: "offline:reader"},
		{model: "openai:gpt-4o", way: "none"},
		{model: "gemini:gemini-3-pro", way: "none"},
		{model: "mistral:mistral-large", environ: map[string]string{"MISTRAL_API_KEY": "k"}, way: "prefix"},
		{model: "mistral:mistral-large", environ: map[string]string{"MISTRAL_BASE_URL": "http://127.0.0.1:9/v1"}, way: "none"},
		{model: "dashscope:qwen-plus", environ: map[string]string{"DASHSCOPE_API_KEY": "k"}, way: "partial"},
		{model: "dashscope:qwq-plus", environ: map[string]string{"DASHSCOPE_API_KEY": "k"}, way: "none"},
		{model: "anthropic:claude-sonnet-4-5", environ: map[string]string{"ANTHROPIC_API_KEY": "k"}, way: "continue"},
		{model: "anthropic:claude-opus-4-6", environ: map[string]string{"ANTHROPIC_API_KEY": "k"}, way: "none"},
		{model: "anthropic:claude-opus-5-5", environ: map[string]string{"ANTHROPIC_API_KEY": "k"}, way: "none"},
		{model: "ollama:qwen3:8b", way: "continue"},
		{model: "own:m", providers: own(""), way: "none"},
		{model: "own:m", providers: own("continue_final_message"), way: "continue_final_message"},
	} {
		a := New(variables(c.environ))
		conf := config.New()
		conf.Model, conf.Providers, conf.Agent.Protocol = c.model, c.providers, config.ProtocolInline
		if way := a.AssistantPrefix(conf); c.way != "" && way != c.way {
			t.Errorf("%s: %q, want %q", c.model, way, c.way)
		}
		err := a.CheckContinues(conf)
		if (err != nil) != (c.way == endpoints.PrefixNone) {
			t.Errorf("%s: %v", c.model, err)
		}
		if err != nil && (!strings.Contains(err.Error(), ".assistant_prefix, or use --protocol text") || len(err.Error()) > 160) {
			t.Errorf("%v", err)
		}
		if conf.Agent.Protocol = config.ProtocolText; a.CheckContinues(conf) != nil {
			t.Errorf("%s: the text protocol is refused", c.model)
		}
	}
}

// How a provider continues a text changes no other request, so it is not in a model's version, and agent hashes stay.
func TestAssistantPrefixIsInNoHash(t *testing.T) {
	a := New(variables(nil))
	c := config.New()
	c.Model = "openai:gpt-4o"
	preset := a.ModelVersion(c.Model, nil)
	if got := a.ModelVersion(c.Model, map[string]endpoints.Endpoint{"openai": {AssistantPrefix: "continue"}}); got != preset {
		t.Errorf("with another way the version is %s, not %s", got, preset)
	}
}
