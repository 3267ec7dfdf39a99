package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/tool/api/catalog"
	"github.com/seed-5817661a/concur/tool/api/fixtures"
	"github.com/seed-5817661a/concur/tool/api/spec"
	"github.com/seed-5817661a/concur/trace"
)

// fixtureServer is a service on the loopback with the replies of a case, one after another.
func fixtureServer(t *testing.T, replies []fixtures.Reply) *httptest.Server {
	t.Helper()
	var mu sync.Mutex
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		r := replies[min(n, len(replies)-1)]
		n++
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if r.Type != "" {
			w.Header().Set("Content-Type", r.Type)
		}
		for name, value := range r.Headers {
			w.Header().Add(name, value)
		}
		if r.Status != 0 {
			w.WriteHeader(r.Status)
		}
		io.WriteString(w, r.Body)
	}))
	t.Cleanup(server.Close)
	return server
}

// addressed returns the settings of a case with the addresses of a server.
func addressed(f *spec.File, c fixtures.Case, server string) map[string]any {
	out := map[string]any{}
	for name, value := range c.Settings {
		out[name] = value
	}
	for _, s := range f.Settings {
		if text, _ := s.Default.(string); s.Default == nil || strings.HasPrefix(text, "http") && s.Name != "contact" {
			out[s.Name] = server
		}
	}
	return out
}

// TestCatalogReplays runs an agent with all tools of the catalog over loopback servers, each with the replies of its
// first fixture, and replays the run when the servers are gone.
func TestCatalogReplays(t *testing.T) {
	moves, declared, offered := map[string][]move{}, map[string]any{}, []string{}
	var queries strings.Builder
	var servers []*httptest.Server
	baidu := ""
	for _, name := range catalog.Names() {
		f, err := spec.Read(name, catalog.Text(name))
		if err != nil {
			t.Fatal(err)
		}
		cases, err := fixtures.Load(filepath.Join("..", "..", "tool", "api", "catalog", "testdata", name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		first := cases[0]
		server := fixtureServer(t, first.Replies)
		servers = append(servers, server)
		for variable, value := range first.Env {
			t.Setenv(variable, value)
		}
		if name == "baidu_search" { // concur has a tool of this name, with settings under search
			baidu = server.URL
		} else {
			declared[name] = map[string]any{"api": name, "settings": addressed(f, first, server.URL)}
		}
		offered = append(offered, name)
		args, err := json.Marshal(first.Args)
		if err != nil {
			t.Fatal(err)
		}
		moves["Use "+name] = []move{{tool: name, call: string(args)}, {says: "Answer: 5"}}
		fmt.Fprintf(&queries, `{"id": %q, "category": "tools", "query": "Use %s?", "gold": {"type": "integer", "answer": "5"}, "source": "computed"}`+"\n", name, name)
	}
	conf := scripted(t, moves)
	tools, err := json.Marshal(declared)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(conf)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(raw), "tools: [calc]", "guards: [], tools: ["+strings.Join(offered, ", ")+"]", 1)
	text += "search: {allow_private: true, urls: {baidu: \"" + baidu + "\"}}\ntools: " + string(tools) + "\n"
	write(t, conf, text)
	dir := t.TempDir()
	dataset := filepath.Join(dir, "queries.jsonl")
	write(t, dataset, queries.String())
	code, out, errs := invoke("run", dataset, "--config", conf, "--runs-dir", dir, "--quiet", "--k", "1")
	if code != exitOK {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	run := newest(t, dir)
	observed := map[string]string{}
	for event, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if o, is := event.Body.(trace.Observation); is {
			observed[event.Query] = string(o.Output)
		}
	}
	for _, name := range offered {
		if o := observed[name]; o == "" || strings.Contains(o, "ERROR") || !strings.Contains(o, `"results":[{`) && !strings.Contains(o, `"translation"`) {
			t.Errorf("%s: observed %s", name, o)
		}
	}
	for _, name := range []string{"weather", "open_meteo", "stock"} {
		if !strings.Contains(observed[name], `"time":"2026-11-27T`) {
			t.Errorf("%s: no time of the observation in %s", name, observed[name])
		}
	}
	for _, s := range servers {
		s.Close()
	}
	for _, variable := range []string{"SERPER_API_KEY", "SERPAPI_API_KEY", "QWEATHER_API_KEY", "DEEPL_API_KEY", "TAVILY_API_KEY"} {
		os.Unsetenv(variable)
	}
	if code, _, errs := invoke("run", "--runs-dir", dir, "--quiet", "--replay", run.Dir); code != exitOK {
		t.Fatalf("replay: exit %d: %s", code, errs)
	}
	again := newest(t, dir)
	if diff := cmp.Diff(records(t, run), records(t, again)); diff != "" || again.Dir == run.Dir {
		t.Errorf("records (-recorded +replayed):\n%s", diff)
	}
}
