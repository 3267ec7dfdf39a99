package endpoints_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model/endpoints"
)

func lookup(t testing.TB, name string) endpoints.Endpoint {
	t.Helper()
	e, ok := endpoints.Lookup(name)
	if !ok {
		t.Fatalf("there is no preset %q", name)
	}
	return e
}

func TestPresetsAreValid(t *testing.T) {
	names := endpoints.Names()
	want := []string{"openai", "dashscope", "ollama", "openrouter", "deepseek", "groq", "mistral", "gemini", "azure", "anthropic"}
	if !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	for _, name := range names {
		e := lookup(t, name)
		if err := e.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if e.AddressEnv != strings.ToUpper(name)+"_BASE_URL" && (name != "azure" || e.AddressEnv != "AZURE_OPENAI_ENDPOINT") {
			t.Errorf("%s: address from %s", name, e.AddressEnv)
		}
		if !e.Auth.None && !strings.HasPrefix(e.Auth.Env[0], strings.ToUpper(name)) {
			t.Errorf("%s: key from %s", name, e.Auth.Env)
		}
		for _, r := range e.Models {
			if err := e.For(strings.ReplaceAll(r.Match, "*", "x")).Validate(); err != nil {
				t.Errorf("%s, %s: %v", name, r.Match, err)
			}
		}
	}
	if _, ok := endpoints.Lookup("nobody"); ok {
		t.Error("found nobody")
	}
}

// Callers may change their copy of a preset.
func TestPresetsAreNotShared(t *testing.T) {
	e := lookup(t, "dashscope")
	e.ExtraBody["enable_thinking"] = true
	e.Models[0].Omit[0] = "stop"
	e.Auth.Env[0] = "MINE"
	if again := lookup(t, "dashscope"); again.ExtraBody["enable_thinking"] != false || again.Models[0].Omit[0] == "stop" || again.Auth.Env[0] == "MINE" {
		t.Errorf("%+v", again)
	}
}

func read(t *testing.T, text string) (endpoints.Endpoint, error) {
	t.Helper()
	var e endpoints.Endpoint
	err := strictyaml.Decode("concur.yaml", []byte(text), &e)
	return e, err
}

func TestEntriesGoOverPresets(t *testing.T) {
	e, err := read(t, `
base_url: https://dashscope-intl.aliyuncs.com/compatible-mode/v1
headers: {X-Title: t}
extra_body: {enable_thinking: null, top_k: 20}
omit: [seed]
models: [{match: "qwq*", stream: never}]
`)
	if err != nil {
		t.Fatal(err)
	}
	base := lookup(t, "dashscope")
	got := e.Over(base)
	if err := got.Validate(); err != nil {
		t.Fatal(err)
	}
	if got.Name != "dashscope" || got.AddressEnv != base.AddressEnv || !cmp.Equal(got.Auth, base.Auth) || got.Format != base.Format || got.BaseURL == base.BaseURL {
		t.Errorf("%+v", got)
	}
	plus := got.For("qwen-plus")
	if diff := cmp.Diff(map[string]any{"top_k": 20}, plus.ExtraBody); diff != "" || !slices.Equal(plus.Omit, []string{"seed"}) {
		t.Errorf("%s %q", diff, plus.Omit)
	}
	if q := got.For("qwq-plus"); q.Stream != endpoints.StreamNever || !slices.Equal(q.Omit, []string{"seed"}) {
		t.Errorf("the user's rule does not come first: %+v", q)
	}
	if diff := cmp.Diff(lookup(t, "dashscope"), base); diff != "" {
		t.Errorf("the base was changed: %s", diff)
	}
}

func TestRulesOfModels(t *testing.T) {
	e := lookup(t, "openai")
	e.Omit = []string{"seed"}
	for _, c := range []struct {
		model string
		omit  []string
	}{
		{"gpt-4o", []string{"seed"}}, {"gpt-5-chat-latest", []string{"seed"}},
		{"o3", []string{"parallel_tool_calls", "seed", "stop", "temperature"}}, {"O3-mini", []string{"parallel_tool_calls", "seed", "stop", "temperature"}},
		{"gpt-5", []string{"seed", "stop", "temperature"}}, {"gpt-5.2", []string{"seed", "stop"}}, {"foo1", []string{"seed"}},
	} {
		if got := e.For(c.model); !slices.Equal(got.Omit, c.omit) || got.Models != nil {
			t.Errorf("%s: %+v", c.model, got)
		}
	}
	if effort := e.For("gpt-6-luna").ExtraBody["reasoning_effort"]; effort != "none" {
		t.Errorf("gpt-6-luna reasons: %v", effort)
	}
}

func TestValidate(t *testing.T) {
	const good = "kind: openai\nbase_url: http://127.0.0.1:8000/v1\nauth: none\n"
	const secret = "sk-0123456789abcdef"
	for _, c := range []struct{ text, says string }{
		{good, ""},
		{good + "headers: {X-Title: a b}\nextra_body: {top_p: 0.9, thinking: {type: disabled}}\nkeep: [reasoning_content, tool_calls.extra]\n", ""},
		{"kind: openai\nbase_url: https://h/v1/chat/completions/\nauth: {env: MY_KEY}", ""},
		{"base_url: http://h\nauth: none", "kind"},
		{"kind: opnai\nbase_url: http://h\nauth: none", `kind "opnai" is not known: openai, anthropic`},
		{"kind: openai\nauth: none", "providers.mine.base_url"},
		{"kind: openai\nbase_url: h/v1\nauth: none", "providers.mine.base_url"},
		{"kind: openai\nbase_url: http://me:" + secret + "@h/v1\nauth: none", "user name"},
		{"kind: openai\nbase_url: http://h/v1?key=" + secret + "\nauth: none", "query"},
		{"kind: openai\nbase_url: http://h/v1", "auth is missing"},
		{"kind: openai\nbase_url: http://h/v1\nauth: " + secret, "none, or {env: NAME}"},
		{"kind: openai\nbase_url: http://h/v1\nauth: {env: " + secret + "}", "name of a variable"},
		{"kind: openai\nbase_url: http://h/v1\nauth: {key: A}", "unknown field"},
		{"kind: openai\nbase_url: http://h/v1\nauth: [a]", "auth"},
		{good + "headers: {Authorization: " + secret + "}", "headers.Authorization is a secret"},
		{good + "headers: {X-Api-Key: " + secret + "}", "headers.X-Api-Key is a secret"},
		{good + "headers: {Host: h}", "the client sets it"},
		{good + "headers: {\"X Y\": h}", "invalid name"},
		{good + "headers: {X: \"a\\nb\"}", "headers cannot have"},
		{good + "extra_body: {temperature: 1}", "extra_body.temperature"},
		{good + "extra_body: {messages: []}", "extra_body.messages"},
		{good + "max_tokens_field: tokens", "max_tokens_field"},
		{good + "seed_field: s", "seed_field"},
		{good + "response_format: xml", "response_format"},
		{good + "stream: sometimes", "stream"},
		{good + "tool_call_ids: long", "tool_call_ids"},
		{good + "omit: [messages]", `omit names "messages"`},
		{good + "keep: [content]", `keep names "content"`},
		{good + "keep: [tool_calls.id]", "keep names"},
		{good + "keep: ['a\"b']", "keep names"},
		{good + "models: [{omit: [seed]}]", "models[0].match is missing"},
		{good + "models: [{match: a, omit: [x], stream: x, response_format: x, extra_body: {n: 2}}]", "models[0].stream"},
		{good + "bas_url: x", "unknown field"},
	} {
		e, err := read(t, c.text)
		e.Name = "mine"
		if err == nil {
			err = e.Validate()
		}
		switch {
		case c.says == "" && err != nil, c.says != "" && err == nil:
			t.Errorf("%s: %v", c.text, err)
		case err != nil && (!strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), secret)):
			t.Errorf("%s:\n%v\nlacks %q, or shows the key", c.text, err, c.says)
		}
	}
}

// The canonical form has the form of a user's entry, and reading it gives the same endpoint.
func TestWrittenAndReadBack(t *testing.T) {
	for _, name := range endpoints.Names() {
		e := lookup(t, name)
		if len(e.Auth.Env) > 1 {
			e.Auth.Env = e.Auth.Env[:1]
		}
		raw, err := yaml.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		got, err := read(t, string(raw))
		if err != nil {
			t.Fatalf("%v\n%s", err, raw)
		}
		got.Name, got.AddressEnv = e.Name, e.AddressEnv
		if diff := cmp.Diff(e, got); diff != "" {
			t.Errorf("%s\n%s", diff, raw)
		}
	}
	if raw, err := yaml.Marshal(endpoints.Endpoint{Kind: endpoints.OpenAI}); err != nil || string(raw) != "kind: openai\n" {
		t.Errorf("%s, %v", raw, err)
	}
}

// Settings that the Anthropic client ignores are refused, and so are texts that look like keys, because
// settings are recorded.
func TestValidateRefusesWhatWouldNotHold(t *testing.T) {
	at := func(e endpoints.Endpoint) endpoints.Endpoint {
		e.Name, e.BaseURL, e.Auth = "x", "https://llm.example.com", endpoints.Auth{None: true}
		return e
	}
	for name, e := range map[string]endpoints.Endpoint{
		"headers is not supported":                     {Kind: endpoints.Anthropic, Headers: map[string]string{"X-Team": "evals"}},
		"extra_body.reasoning_effort is not supported": {Kind: endpoints.Anthropic, ExtraBody: map[string]any{"reasoning_effort": "low"}},
		"omit: stop is not supported":                  {Kind: endpoints.Anthropic, Omit: []string{endpoints.Stop}},
		"max_tokens_field is not supported":            {Kind: endpoints.Responses, MaxTokensField: "max_tokens"},
		"keep is not supported":                        {Kind: endpoints.Responses, Keep: []string{"reasoning"}},
		"extra_body.previous_response_id is not":       {Kind: endpoints.Responses, ExtraBody: map[string]any{"previous_response_id": "resp_1"}},
		"headers.X-Gw looks like a key":                {Kind: endpoints.OpenAI, Headers: map[string]string{"X-Gw": "Bearer sk-0123456789"}},
		"extra_body.api_key looks like a key":          {Kind: endpoints.OpenAI, ExtraBody: map[string]any{"api_key": "0123"}},
		"extra_body.other looks like a key":            {Kind: endpoints.OpenAI, ExtraBody: map[string]any{"other": "sk-0123456789"}},
	} {
		if err := at(e).Validate(); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "0123456789") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The preset of OpenAI uses chat completions, and a configuration may select Responses instead.
	if e := (endpoints.Endpoint{Kind: endpoints.Responses}).Over(lookup(t, "openai")); e.Validate() != nil || e.MaxTokensField != "" || !slices.Contains(e.For("o3").Omit, endpoints.Temperature) {
		t.Errorf("%+v: %v", e, e.Validate())
	}
	fine := at(endpoints.Endpoint{Kind: endpoints.Anthropic, ExtraBody: map[string]any{"thinking": map[string]any{"type": "adaptive"}}, Omit: []string{endpoints.Temperature}})
	if err := fine.Validate(); err != nil {
		t.Error(err)
	}
}

func TestReasons(t *testing.T) {
	for model, want := range map[string]bool{
		"openai:gpt-4o-mini": false, "openai:o3-mini": true, "openai:gpt-5-mini": true, "openai:gpt-5-chat-latest": false,
		"openai:gpt-6-luna": false, "deepseek:deepseek-reasoner": true, "deepseek:deepseek-chat": false, "dashscope:qwen-plus": false,
	} {
		provider, name, _ := strings.Cut(model, ":")
		if got := lookup(t, provider).For(name).Reasons(); got != want {
			t.Errorf("%s reasons: %t", model, got)
		}
	}
	for value, want := range map[string]bool{"high": true, "none": false} {
		for _, body := range []map[string]any{{"reasoning_effort": value}, {"reasoning": map[string]any{"effort": value}}} {
			if e := (endpoints.Endpoint{ExtraBody: body}); e.Reasons() != want {
				t.Errorf("effort %s: %t", value, !want)
			}
		}
	}
}

// Azure's addresses as its portal and its documentation write them.
func TestAzure(t *testing.T) {
	set := func(address, key string) func(string) string {
		return func(name string) string {
			return map[string]string{"AZURE_OPENAI_ENDPOINT": address, "AZURE_OPENAI_API_KEY": key}[name]
		}
	}
	const key = "0123456789abcdef0123456789abcdef"
	classic := "https://mine.openai.azure.com/openai/deployments/my-4o?api-version=2024-10-21"
	for address, want := range map[string]string{
		"https://mine.openai.azure.com/": classic, "https://mine.openai.azure.com": classic,
		"https://mine.openai.azure.com/openai/v1/":          "https://mine.openai.azure.com/openai/v1",
		"https://gateway.example.com/team/deployments/mine": "https://gateway.example.com/team/deployments/mine",
	} {
		e, got, err := lookup(t, "azure").Resolve(set(address, key))
		if err != nil || got != key {
			t.Fatalf("%s: %v", address, err)
		}
		if u, err := e.AddressOf("my-4o"); err != nil || u.String() != want {
			t.Errorf("%s: %v, %v; want %s", address, u, err, want)
		}
	}
	if u, err := (endpoints.Endpoint{BaseURL: "http://h", Path: "/d/{model}?v=1"}).AddressOf("a/b c?d"); err != nil || u.String() != "http://h/d/a%2Fb%20c%3Fd?v=1" {
		t.Errorf("%v, %v", u, err)
	}
	for _, c := range []struct{ address, key, want string }{
		{"", key, "AZURE_OPENAI_ENDPOINT is not set: set it to the address of azure"},
		{"https://mine.openai.azure.com", "", "AZURE_OPENAI_API_KEY is not set: set it to a key for azure"},
	} {
		if _, _, err := lookup(t, "azure").Resolve(set(c.address, c.key)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
	for text, want := range map[string]string{
		"{path: openai}": "path is not a path", "{path: '//evil.example/x'}": "path is not a path", "{path: '/a#b'}": "path is not a path",
		"{path: '/{deployment}'}": "path is not a path", "{path: '/a?api-key=x'}": "path has a secret", "{key_header: 'a b'}": "key_header cannot",
		"{key_header: Host}": "key_header cannot", "{path: '/a/{model}?api-version=1', key_header: x-key}": "",
	} {
		e, err := read(t, text)
		if err == nil {
			err = e.Over(lookup(t, "azure")).Validate()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}
