package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// site is a search backend on the loopback, and a configuration that leads to it.
func site(t *testing.T, search string, handler http.HandlerFunc) (configuration string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	path := filepath.Join(t.TempDir(), "concur.yaml")
	text := "search:\n  allow_private: true\n" + strings.ReplaceAll(search, "URL", server.URL)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// article answers like MediaWiki with one page.
func article(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"batchcomplete":"","query":{"pages":{"7":{"pageid":7,"ns":0,"title":"Danube","index":1,
		"extract":"The Danube is the second-longest river in Europe. Asked for %s.","fullurl":"https://en.wikipedia.org/wiki/Danube","canonicalurl":"https://en.wikipedia.org/wiki/Danube"}}}}`,
		r.URL.Query().Get("gsrsearch"))
}

func TestSearchToolsOverTheWire(t *testing.T) {
	t.Setenv("SERPER_API_KEY", "")
	wiki := site(t, "  urls: {wikipedia: \"URL/w/api.php\"}\n", article)
	code, out, errs := invoke("tools", "call", "--config", wiki, "wiki_search", `{"query":"longest river"}`)
	if code != exitOK || !strings.Contains(out, `"id":"wiki_1"`) || !strings.Contains(out, "Asked for longest") {
		t.Errorf("wiki_search: exit %d\n%s%s", code, out, errs)
	}
	code, _, errs = invoke("tools", "call", "--config", wiki, "serper_search", `{"query":"x"}`)
	if code != exitUsage || !strings.Contains(errs, "SERPER_API_KEY is not set") {
		t.Errorf("serper_search without a key: exit %d, %s", code, errs)
	}
	cascade := site(t, "  cascade: [serper, wikipedia]\n  urls: {wikipedia: \"URL/w/api.php\"}\n", article)
	code, out, errs = invoke("tools", "call", "--config", cascade, "web_search", `{"query":"Danube"}`)
	for _, want := range []string{`"source_used":"wikipedia"`, `"skipped":[{"backend":"serper","reason":"SERPER_API_KEY is not set"}]`, `"tried":[]`} {
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("web_search: exit %d, no %s\n%s%s", code, want, out, errs)
		}
	}
}

// A private address is refused unless the configuration allows it, and a key is shown
// nowhere.
func TestSearchToolsRefuseAndRedact(t *testing.T) {
	const key = "sk-test-0123456789abcdef"
	t.Setenv("SERPAPI_API_KEY", key)
	var asked atomic.Bool
	private := site(t, "  vendor: serpapi\n  urls: {serper: \"URL\", wikipedia: \"URL/w/api.php\"}\n", func(w http.ResponseWriter, r *http.Request) {
		asked.Store(true)
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":"Invalid API key %s"}`, r.URL.Query().Get("api_key"))
	})
	_, out, errs := invoke("tools", "call", "--config", private, "serper_search", `{"query":"x"}`)
	if !asked.Load() || strings.Contains(out+errs, key) || !strings.Contains(errs, "auth") {
		t.Errorf("asked %t:\n%s%s", asked.Load(), out, errs)
	}
	asked.Store(false)
	raw, err := os.ReadFile(private)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(private, []byte(strings.Replace(string(raw), "allow_private: true", "allow_private: false", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, errs = invoke("tools", "call", "--config", private, "wiki_search", `{"query":"x"}`)
	if asked.Load() || !strings.Contains(errs, "not of the public Internet") {
		t.Errorf("a private address: asked %t, %s", asked.Load(), errs)
	}
}
