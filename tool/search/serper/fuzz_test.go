package serper

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"testing"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/fetch"
)

func FuzzSerper(f *testing.F)  { fuzz(f, SerperDev, "serper.json", "serper-empty.json") }
func FuzzSerpAPI(f *testing.F) { fuzz(f, SerpAPI, "serpapi.json", "serpapi-empty.json") }

// fuzz checks, for any body and status, that there are either documents, which are fit to show, within the
// limit and with permanent unique names, or an error with a known kind.
func fuzz(f *testing.F, vendor Vendor, seeds ...string) {
	for _, name := range seeds {
		raw, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(200, raw)
	}
	for _, s := range []string{
		`{"message":"Not enough credits","statusCode":400}`, `{"error":"Invalid API key"}`, `{"organic":[{}]}`, `[]`, "\xff", `{"organic`,
		`{"answerBox":{"answer":[[1]],"snippet":"\ud800\u0000"},"answer_box":{"list":["a"]},"organic":[{"title":"t","link":"https://a b/"}]}`,
		`{"search_metadata":{"status":"Queued"}}`,
	} {
		f.Add(200, []byte(s))
		f.Add(429, []byte(s))
	}
	b, err := New(Options{Vendor: vendor, APIKey: "secret", Client: fetch.New(fetch.Options{})})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		resp := &fetch.Response{Status: status, Header: http.Header{}, Body: body, URL: &url.URL{Scheme: "https", Host: "h.example"}}
		hits, err := b.readReply(resp)
		if err != nil {
			e, ok := errors.AsType[*fetch.Error](err)
			if !ok || e.Kind == "" || !utf8.ValidString(err.Error()) || hits != nil {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		docs := b.documents(hits, "some query", 7)
		if len(docs) > 7 {
			t.Fatalf("%d documents", len(docs))
		}
		refs := map[string]bool{}
		for _, d := range docs {
			switch {
			case d.Ref == "" || d.Title == "" || d.Source == "" || d.Backend != "serp" || refs[d.Ref]:
				t.Fatalf("%+v", d)
			case !utf8.ValidString(d.Ref + d.Title + d.Snippet + d.Source):
				t.Fatalf("no UTF-8: %+v", d)
			case len(d.Snippet) > 2*maxText || len(d.Title) > 2*maxTitle || !(d.Score >= 0 && d.Score <= 1):
				t.Fatalf("out of bounds: %+v", d)
			}
			refs[d.Ref] = true
		}
	})
}
