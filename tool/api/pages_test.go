package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/tool/api"
)

// paged is a file whose replies have several pages.
var paged = strings.NewReplacer("    empty:", "    pages: {next: .next, at_most: 5}\n    empty:",
	"requests:", "auth: [{env: STONES_KEY, query: key}]\nrequests:").Replace(stones)

const stonesKey = "stones-key-4711"

// pagesOf replies with one stone on each page, and with the given handler on page bad.
func pagesOf(bad int, fail http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n := 1
		fmt.Sscan(r.URL.Query().Get("page"), &n)
		if n == bad {
			fail(w, r)
			return
		}
		fmt.Fprintf(w, `{"items":[{"id":"%d","title":"Stone %d"}],"next":{"page":%d}}`, n, n, n+1)
	}
}

// The documents of earlier pages are kept, and agent and log learn why there are no more.
func TestLaterPageFails(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	for _, c := range []struct {
		name string
		bad  int
		fail http.HandlerFunc
		want string
	}{
		{"500", 3, status(500), "page 3 failed: "}, {"429", 2, status(429), "page 2 failed: "},
		{"404", 2, status(404), "page 2 failed: "}, {"no JSON", 4, reply("<html>"), "page 4 failed: "},
		{"a broken row", 2, reply(`{"items":[{"id":[1]}]}`), "document 1: id is neither a text nor a number"},
		{"the key", 2, func(w http.ResponseWriter, r *http.Request) { http.Error(w, r.URL.RawQuery, http.StatusForbidden) }, "page 2 failed: "},
		{"no address of a third page", 2, reply(`{"items":[{"id":"2","title":"x"}],"next":"http://elsewhere.example/"}`), "page 3 failed: "},
	} {
		s := service(t, pagesOf(c.bad, c.fail))
		var mu sync.Mutex
		var logged []string
		run := api.NewRun(quick(api.Options{Environ: func(string) string { return stonesKey },
			Log: func(text string) { mu.Lock(); defer mu.Unlock(); logged = append(logged, text) }}))
		res := call(t, open(t, paged, map[string]any{"host": s.URL}, run), `{"query": "red"}`)
		shown, _ := res.Output.Object[api.Incomplete].(string)
		if res.Error != "" || len(res.Output.Documents) == 0 || !strings.Contains(shown, c.want) {
			t.Errorf("%s: %d documents, %q, %s", c.name, len(res.Output.Documents), shown, res.Error)
		}
		if len(logged) != 1 || logged[0] != "tool stones: "+shown || strings.Contains(shown, stonesKey) {
			t.Errorf("%s: logged %q, shown %q", c.name, logged, shown)
		}
		if raw, err := res.Output.Render(res.Output.Documents); err != nil || !strings.Contains(string(raw), `"incomplete":"page `) {
			t.Errorf("%s: the agent sees %s, %v", c.name, raw, err)
		}
	}
	s := service(t, pagesOf(1, status(500)))
	run := api.NewRun(quick(api.Options{Environ: func(string) string { return stonesKey }}))
	if res := call(t, open(t, paged, map[string]any{"host": s.URL}, run), `{"query": "red"}`); res.Kind != "upstream" {
		t.Errorf("the first page: %+v", res)
	}
	s = service(t, pagesOf(0, nil))
	res := call(t, open(t, paged, map[string]any{"host": s.URL}, run), `{"query": "red"}`)
	if _, has := res.Output.Object[api.Incomplete]; has || len(res.Output.Documents) != 5 {
		t.Errorf("all pages: %+v", res)
	}
}
