package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/tool/api"
)

// An argument cannot leave its place in a request: neither its part of the path nor its field, header or line.
func TestArgumentsStayInTheirPlace(t *testing.T) {
	file := strings.NewReplacer("query: {q: =$args.query}", `path: [v1, =$args.query]
    query: {q: =$args.query}
    headers: {X-Q: =$args.query}`).Replace(stones)
	var got *http.Request
	s := service(t, func(w http.ResponseWriter, r *http.Request) { got = r; io.WriteString(w, ruby) })
	one := open(t, file, map[string]any{"host": s.URL}, api.NewRun(api.Options{}))
	for _, query := range []string{"red", "a?b#c&d=e", "%2e%2e%2f", "@evil.example", ":80", "a b+c", "…", "a;b", "..%2f", "...",
		"..", ".", "", "../x", "a/b", `a\b`, "a\r\nX-Evil: 1", "a\nb", "a\x00b", "a\x7f", "\u202e", "évil"} {
		got = nil
		raw, _ := json.Marshal(map[string]string{"query": query})
		res := call(t, one, string(raw))
		plain := query != "" && query != "." && query != ".." && !strings.ContainsFunc(query, func(r rune) bool {
			return r < ' ' || r > '~' || r == '/' || r == '\\'
		})
		if !plain {
			if got != nil || res.Kind != "bad_request" {
				t.Errorf("%q was sent: %+v, %s", query, got, res.Error)
			}
			continue
		}
		if got == nil || got.URL.Path != "/find/v1/"+query || got.URL.Query().Get("q") != query || len(got.URL.Query()) != 1 ||
			got.Header.Get("X-Q") != query || got.Header.Get("X-Evil") != "" || "http://"+got.Host != s.URL {
			t.Errorf("%q: %+v, %s", query, got, res.Error)
		}
	}
}

// Replies that were made to harm end soon, as malformed.
func TestHostileReplies(t *testing.T) {
	xml := strings.NewReplacer("query: {q: =$args.query}", `query: {q: =$args.query}
    read: {xml: {total: //total, items: {each: //item, id: ./id, title: ./title}}}`).Replace(stones)
	html := strings.NewReplacer("query: {q: =$args.query}", `query: {q: =$args.query}
    read: {html: {total: //total, items: {each: "//p[ancestor::*[@id='x'] or not(//*[@id='x'])]", id: ./@id, title: .}}}`).Replace(stones)
	bomb := `<!DOCTYPE z [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><list><item><id>1</id><title>&b;</title></item></list>`
	external := `<!DOCTYPE z [<!ENTITY a SYSTEM "file:///etc/passwd">]><list><item><id>1</id><title>&a;</title></item></list>`
	for name, c := range map[string]struct{ file, body string }{
		"entities":            {xml, bomb},
		"external entity":     {xml, external},
		"deep XML":            {xml, strings.Repeat("<item>", 300_000)},
		"deep closed XML":     {xml, strings.Repeat("<item>", 100_000) + strings.Repeat("</item>", 100_000)},
		"deep JSON":           {stones, strings.Repeat("[", 1_000_000)},
		"deep closed JSON":    {stones, strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)},
		"deep HTML":           {html, strings.Repeat("<p><b>", 300_000)},
		"wide HTML":           {html, strings.Repeat("<p>", 200_000)},
		"two values":          {stones, ruby + ruby},
		"3 MB":                {stones, `{"items":[{"id":"1","title":"` + strings.Repeat("x", 3<<20) + `"}]}`},
		"bytes":               {stones, "\xff\xfe\x00\x01\x80"},
		"an error in a row":   {stones, `{"items":[{"id":"1","title":{"a":1}}]}`},
		"rows of texts":       {stones, `{"items":["a","b"]}`},
		"10 million numbers":  {strings.Replace(stones, "'.items[]'", "'.items | range(0; 10000000)'", 1), ruby},
		"jq without end":      {strings.Replace(stones, "'.items[]'", "'def f: f; f'", 1), ruby},
		"failure without end": {stones + "failures: [{when: 'def f: f; f', kind: auth}]\n", ruby},
	} {
		s := service(t, reply(c.body))
		one := open(t, c.file, map[string]any{"host": s.URL}, api.NewRun(quick(api.Options{})))
		began := time.Now()
		res := call(t, one, `{"query": "red"}`)
		if res.Kind != "malformed" || len(res.Output.Documents) > 0 || len(res.Error) > 600 {
			t.Errorf("%s: %.300s, %d documents", name, res.Error, len(res.Output.Documents))
		}
		if took := time.Since(began); took > 5*time.Minute {
			t.Errorf("%s took %v", name, took)
		}
	}
}

// Long texts of a reply are cut, and no part of a key is left at the cut.
func TestLongTextIsCut(t *testing.T) {
	const key = "stones-key-0123456789"
	s := service(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"items":[{"id":"1","title":"%s%s","snippet":"%s red %s"}]}`, strings.Repeat("x", 295), key,
			strings.Repeat("word. ", 20_000), strings.Repeat("end. ", 9))
	})
	run := api.NewRun(api.Options{Environ: func(string) string { return key }})
	file := strings.Replace(stones, "requests:", "auth: [{env: STONES_KEY, bearer: true}]\nrequests:", 1)
	res := call(t, open(t, file, map[string]any{"host": s.URL}, run), `{"query": "red"}`)
	if res.Error != "" || len(res.Output.Documents) != 1 {
		t.Fatal(res.Error)
	}
	d := res.Output.Documents[0]
	if len(d.Title) > 300 || len(d.Snippet) > 1200 || strings.Contains(d.Title, "stones-key") {
		t.Errorf("%d %d %q", len(d.Title), len(d.Snippet), d.Title[280:])
	}
}

// Documents have http addresses alone, on one line each.
func TestDocumentsAreClean(t *testing.T) {
	s := service(t, reply(`{"items":[{"id":"1","title":"a\u0000\u001b[31m\nb","source":"https://a.example/"},{"id":"2","title":"x","source":"javascript:alert(1)"},
		{"id":"3","title":"x","source":"https://u:p@a.example"},{"id":"4"},{"id":"5","title":" "},{"id":6,"title":7,"score":0.5,"time":2026},{"id":"1","snippet":"more"}]}`))
	res := call(t, open(t, stones, map[string]any{"host": s.URL}, api.NewRun(api.Options{})), `{"query": "red"}`)
	var got []string
	for _, d := range res.Output.Documents {
		got = append(got, fmt.Sprintf("%s %q %q %s %s", d.Ref, d.Title, d.Snippet, d.Source, d.Time))
	}
	want := `1 "a[31m b" "more" https://a.example/ ; 6 "7" ""  2026`
	if strings.Join(got, "; ") != want {
		t.Errorf("%s, want %s: %s", strings.Join(got, "; "), want, res.Error)
	}
}

// A broken body, an empty one and a slow drip are failures.
func TestBrokenReplies(t *testing.T) {
	for name, c := range map[string]struct {
		handle http.HandlerFunc
		kind   string
	}{
		"half": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100000")
			io.WriteString(w, ruby)
		}, "malformed"},
		"nothing": {func(http.ResponseWriter, *http.Request) {}, "malformed"},
		"closed":  {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "upstream"},
		"drip": {func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				io.WriteString(w, " ")
				w.(http.Flusher).Flush()
				time.Sleep(5 * time.Millisecond)
			}
		}, "timeout"},
	} {
		s := service(t, c.handle)
		run := api.NewRun(quick(api.Options{Timeout: 100 * time.Millisecond}))
		if name != "drip" {
			run = api.NewRun(quick(api.Options{}))
		}
		if res := call(t, open(t, stones, map[string]any{"host": s.URL}, run), `{"query": "red"}`); res.Kind != c.kind {
			t.Errorf("%s: %s, want %s: %s", name, res.Kind, c.kind, res.Error)
		}
	}
}
