package view_test

import (
	"net/http"
	"strings"
	"testing"
)

// Only who has the address that was printed is served, and only to look.
func TestAccess(t *testing.T) {
	dir := t.TempDir()
	plainRun(t, dir, "run-1", start)
	s := served(t, dir)
	port := s.base[strings.LastIndex(s.base, ":"):]
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	method := func(name string) func(*http.Request) { return func(r *http.Request) { r.Method = name } }
	for name, c := range map[string]struct {
		path   string
		change func(*http.Request)
		want   int
	}{
		"the list":                     {s.root + "/", nil, 200},
		"the list by localhost":        {s.root + "/", host("LocalHost" + port), 200},
		"HEAD":                         {s.root + "/", method("HEAD"), 200},
		"HEAD of events":               {s.root + "/events", method("HEAD"), 200},
		"its own origin":               {s.root + "/", header("Origin", s.base), 200},
		"no token":                     {"/", nil, 403},
		"no token, a run":              {"/run/run-1/", nil, 403},
		"another token":                {"/AAAAAAAAAAAAAAAAAAAAAAAAAA/", nil, 403},
		"a part of the token":          {s.root[:10] + "/", nil, 403},
		"more than the token":          {s.root + "A/", nil, 403},
		"another host":                 {s.root + "/", host("evil.example"), 403},
		"a host that resolves here":    {s.root + "/", host("127.0.0.1.evil.example" + port), 403},
		"another port":                 {s.root + "/", host("127.0.0.1:1"), 403},
		"no port":                      {s.root + "/", host("127.0.0.1"), 403},
		"another origin":               {s.root + "/", header("Origin", "http://evil.example"), 403},
		"another origin on this host":  {s.root + "/", header("Origin", "http://127.0.0.1:1"), 403},
		"an origin that hides":         {s.root + "/", header("Origin", "null"), 403},
		"an origin by TLS":             {s.root + "/", header("Origin", strings.Replace(s.base, "http", "https", 1)), 403},
		"POST":                         {s.root + "/", method("POST"), 405},
		"DELETE":                       {s.root + "/run/run-1/", method("DELETE"), 405},
		"OPTIONS":                      {s.root + "/", method("OPTIONS"), 405},
		"no such page":                 {s.root + "/secret", nil, 404},
		"no such run":                  {s.root + "/run/run-9/", nil, 404},
		"a run above the folder":       {s.root + "/run/..%2F..%2Fetc/", nil, 404},
		"the folder itself":            {s.root + "/run/%2E/", nil, 404},
		"the folder above":             {s.root + "/run/%2E%2E/", nil, 404},
		"a name with NUL":              {s.root + "/run/a%00b/", nil, 404},
		"a trace that there is not":    {s.root + traceOf("run-1", "q9"), nil, 404},
		"a trace without a number":     {s.root + "/run/run-1/trace?query=q1", nil, 404},
		"a comparison with itself":     {s.root + "/compare?before=run-1&after=run-1", nil, 409},
		"a comparison without a run":   {s.root + "/compare?before=run-1", nil, 400},
		"queries far beyond the last":  {s.root + "/run/run-1/queries?from=99999999999999999999", nil, 200},
		"queries from below the first": {s.root + "/run/run-1/queries?from=-5", nil, 200},
	} {
		status, h, text := s.ask(c.path, c.change)
		if status != c.want {
			t.Errorf("%s: status %d, want %d: %s", name, status, c.want, text)
		}
		for key, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
			"X-Content-Type-Options":  "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "Set-Cookie": "",
		} {
			if got := h.Get(key); got != want {
				t.Errorf("%s: %s is %q", name, key, got)
			}
		}
		if status == http.StatusForbidden && (strings.Contains(text, s.root[1:]) || strings.Contains(text, "run-1")) {
			t.Errorf("%s: who is refused learns %s", name, text)
		}
	}
}
