package baidu

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/tool/search"
)

func FuzzPage(f *testing.F) {
	for _, name := range []string{"results.html", "captcha.html", "empty.html", "topic.html"} {
		raw, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(200, "text/html; charset=utf-8", raw)
		f.Add(403, "text/html; charset=gbk", raw)
	}
	for _, s := range []string{"", "<div class=result><h3><a href=/x>\xff\x00t", "<div data-log><div data-log><h3><a href='//h/'>t</a>",
		"<svg><title>百度安全验证</title></svg>", "<template><div class=result>", "<table><div class=result><tr><h3><a href=http://h/>t"} {
		f.Add(200, "text/html", []byte(s))
		f.Add(200, "text/html; charset=utf-16", []byte(s))
	}
	f.Fuzz(fuzzed)
}

func FuzzFeed(f *testing.F) {
	for _, name := range []string{"feed.json", "antiflag.json"} {
		raw, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(200, "application/json", raw)
	}
	for _, s := range []string{`{"feed":{"entry":[{"title":"\ud800","url":"http://h/%zz","abs":"&#x110000;&#0;"}]}}`, `{"feed":null}`, `{"antiFlag":true}`, "{\x00}"} {
		f.Add(200, "application/json", []byte(s))
	}
	f.Fuzz(fuzzed)
}

// fuzzed checks, for any reply, that there are either documents, which are fit to show, within the limit and
// with permanent unique names, or an error with a known kind.
func fuzzed(t *testing.T, status int, contentType string, body []byte) {
	resp := &fetch.Response{Status: status, Header: http.Header{"Content-Type": {contentType}}, Body: body, URL: &url.URL{Scheme: "https", Host: "h.example"}}
	hits, err := readReply(resp, "some query")
	if err != nil {
		e, ok := errors.AsType[*fetch.Error](err)
		if !ok || e.Kind == "" || !utf8.ValidString(err.Error()) || hits != nil {
			t.Fatalf("%T %v", err, err)
		}
		return
	}
	docs := documents(hits, "some query", 7)
	if len(docs) > 7 {
		t.Fatalf("%d documents", len(docs))
	}
	refs := map[string]bool{}
	for _, d := range docs {
		switch {
		case d.Title == "" || d.Source == "" || d.Backend != "baidu" || refs[d.Ref]:
			t.Fatalf("%+v", d)
		case !strings.HasPrefix(d.Ref, "http://") && !strings.HasPrefix(d.Ref, "https://"):
			t.Fatalf("link %q", d.Ref)
		case !utf8.ValidString(d.Ref+d.Title+d.Snippet+d.Source) || strings.ContainsRune(d.Title+d.Snippet, 0):
			t.Fatalf("unfit to show: %+v", d)
		case len(d.Snippet) > maxSnippet || len(d.Title) > maxTitle || len(d.Ref) > search.MaxLink || !(d.Score >= 0 && d.Score <= 1):
			t.Fatalf("out of bounds: %+v", d)
		}
		refs[d.Ref] = true
	}
}

// Replies that would be slow for a bad parser. If one were read again for every element, the test would reach
// its deadline. The benchmark measures the time at the client's limit of 2 MB.
var hostile = []string{
	`<div class="result"><h3><a>t</a></h3></div>`, `<div class=result></div>`, `<div data-log></div>`, `<div class="ec_">`, `<p class="a b c d e f g h">`,
	`<a href=x>`, `<b><p></b>`, `<table><div class=result>`, `<em>长</em>`, `&amp;`, `<!--`, `<svg><title>`, "安全验证", `"`, `<h3><a href="http://h/">t</a></h3>`,
	`<div class="result"><div class="c-abstract">`, `{"feed":`, `{"feed":{"entry":[`,
}

func TestHostileReplies(t *testing.T) {
	for _, unit := range hostile {
		fuzzed(t, 200, "text/html; charset=utf-8", []byte(strings.Repeat(unit, 256<<10/len(unit))))
	}
}

func BenchmarkHostileReplies(b *testing.B) {
	for _, unit := range hostile {
		body := []byte(strings.Repeat(unit, 2<<20/len(unit)))
		b.Run(unit, func(b *testing.B) {
			for b.Loop() {
				resp := &fetch.Response{Status: 200, Header: http.Header{}, Body: body, URL: &url.URL{Scheme: "https", Host: "h.example"}}
				if _, err := readReply(resp, "q"); err != nil && err.Error() == "" {
					b.Fatal(err)
				}
			}
		})
	}
}
