package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/store"
)

// parents keeps the values of traceparent that servers got, "" for a request without one.
type parents struct {
	mu  sync.Mutex
	got map[string][]string // by kind of server
}

func (p *parents) add(kind, value string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got[kind] = append(p.got[kind], value)
}

// servers returns the configuration of an agent whose model calls a tool of an MCP server, both on loopback.
func (p *parents) servers(t *testing.T) string {
	endpoint := serving(t, func(r *http.Request, body string) string {
		p.add("model", r.Header.Get("traceparent"))
		message := `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"peer__ask","arguments":"{}"}}]}`
		if strings.Contains(body, `"role":"tool"`) {
			message = `{"role":"assistant","content":"Answer: 7"}`
		}
		return `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":` + message + `}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`
	})
	peer := serving(t, func(_ *http.Request, body string) string {
		var in struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Meta struct {
					Traceparent string `json:"traceparent"`
				} `json:"_meta"`
			} `json:"params"`
		}
		if err := json.Unmarshal([]byte(body), &in); err != nil || in.ID == nil {
			return ""
		}
		result := map[string]string{
			"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`,
			"tools/list": `{"tools":[{"name":"ask","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}`,
			"tools/call": `{"content":[{"type":"text","text":"fine"}]}`,
		}[in.Method]
		if in.Method == "tools/call" {
			p.add("tool", in.Params.Meta.Traceparent)
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, in.ID, result)
	})
	return fmt.Sprintf("model: mine:m\nprices: ''\nk: 2\nagent: {tools: [peer__ask]}\nconsensus: {stages: [exact, majority]}\n"+
		"providers: {mine: {kind: openai, base_url: '%s/v1', auth: none}}\nmcp: {peer: {url: '%s', allow_private: true}}\n"+
		"tests: [{id: one, query: 'How many?', gold: {type: integer, answer: '7'}}, {id: two, query: 'How many days?', gold: {type: integer, answer: '7'}}]\n", endpoint.URL, peer.URL)
}

// serving returns a server that answers POST with JSON; "" is the answer to a notification.
func serving(t *testing.T, answer func(r *http.Request, body string) string) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		text := answer(r, string(body))
		if text == "" {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	return s
}

// sentParents returns the traceparents of the spans that a backend got, by the beginnings of their names.
func (b *tracingBackend) sentParents(name string) (out []string) {
	for _, s := range b.got.Spans {
		if strings.HasPrefix(s.Name, name) {
			out = append(out, fmt.Sprintf("00-%x-%x-01", s.TraceId, s.SpanId))
		}
	}
	return out
}

// Endpoints and MCP servers get the span of each request, so that their own spans join. A run without telemetry sends
// no such thing, and the recordings of both are alike: a replay needs neither.
func TestTraceparent(t *testing.T) {
	p := &parents{got: map[string][]string{}}
	settings, backend := p.servers(t), newTracingBackend(t)
	plain, _ := runOf(t, "run", "--config", settingsFile(t, settings))
	for kind, got := range p.got {
		if slices.ContainsFunc(got, func(value string) bool { return value != "" }) {
			t.Errorf("without telemetry, %s gets %v", kind, got)
		}
	}
	p.got = map[string][]string{}
	file := settingsFile(t, settings+"telemetry: {otlp: '"+backend.URL+"'}\n")
	run, _ := runOf(t, "run", "--config", file)
	for kind, name := range map[string]string{"model": "chat ", "tool": "tools/call "} {
		if diff := gocmp.Diff(slices.Sorted(slices.Values(backend.sentParents(name))), slices.Sorted(slices.Values(p.got[kind]))); diff != "" {
			t.Errorf("%s: traceparents (-spans +requests)\n%s", kind, diff)
		}
		if len(p.got[kind]) < 4 {
			t.Errorf("%s: %d requests", kind, len(p.got[kind]))
		}
	}
	if diff := gocmp.Diff(records(t, plain), records(t, run)); diff != "" {
		t.Errorf("records without and with telemetry differ:\n%s", diff)
	}
	requests := func(run *store.Run) []string {
		return run.Manifest.Agents[run.Manifest.Configurations[0].Agent].Requests
	}
	if diff := gocmp.Diff(requests(plain), requests(run)); diff != "" {
		t.Errorf("digests of the requests differ:\n%s", diff)
	}
	for _, of := range []*store.Run{plain, run} {
		if code, _, errs := invoke("run", "--replay", of.Dir, "--check", "--config", file, "--runs-dir", t.TempDir()); code != exitOK {
			t.Errorf("replay of %s: exit %d\n%s", of.Manifest.Run, code, errs)
		}
	}
}

// The spans of queries that are not sent are marked as not sampled.
func TestTraceparentOfASample(t *testing.T) {
	p := &parents{got: map[string][]string{}}
	settings, backend := p.servers(t), newTracingBackend(t)
	runOf(t, "run", "--config", settingsFile(t, settings+"telemetry: {otlp: '"+backend.URL+"', sample: 0.000001}\n"))
	flags := map[string]int{}
	for _, value := range p.got["model"] {
		flags[value[len(value)-2:]]++
	}
	if got := slices.Collect(maps.Keys(flags)); !slices.Equal(got, []string{"00"}) || len(backend.got.Spans) > 0 {
		t.Errorf("flags %v, %d spans", flags, len(backend.got.Spans))
	}
}

// An agent that is a server gets the span of its trace as a header and in the request.
func TestTraceparentOfAnAgent(t *testing.T) {
	backend := newTracingBackend(t)
	p := &parents{got: map[string][]string{}}
	agent := serving(t, func(r *http.Request, body string) string {
		var in struct{ Traceparent string }
		if err := json.Unmarshal([]byte(body), &in); err != nil {
			t.Error(err)
		}
		p.add("header", r.Header.Get("traceparent"))
		p.add("request", in.Traceparent)
		return `{"answer": "7"}`
	})
	runOf(t, "run", "--config", settingsFile(t, "k: 2\nagent: {http: '"+agent.URL+"'}\nconsensus: {stages: [exact, majority]}\n"+
		"tests: [{id: one, query: 'How many?', gold: {type: integer, answer: '7'}}]\ntelemetry: {otlp: '"+backend.URL+"'}\n"))
	want := slices.Sorted(slices.Values(backend.sentParents("invoke_agent ")))
	for kind, got := range p.got {
		if diff := gocmp.Diff(want, slices.Sorted(slices.Values(got))); diff != "" || len(want) != 2 {
			t.Errorf("%s: (-spans +requests)\n%s", kind, diff)
		}
	}
}
