package wikipedia_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/tool/search/wikipedia"
	"github.com/seed-5817661a/concur/trace"
)

const agent = "concur/test (https://example.org/contact) net/http"

// serve serves the wikis of all languages; the language is the first part of the path.
func serve(t testing.TB, h http.HandlerFunc) *wikipedia.Backend {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return backend(t, s.URL+"/{lang}/w/api.php", fetch.Options{})
}

func backend(t testing.TB, base string, o fetch.Options) *wikipedia.Backend {
	t.Helper()
	o.AllowPrivate = true
	o.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	c := fetch.New(o)
	t.Cleanup(c.Close)
	b, err := wikipedia.New(wikipedia.Options{BaseURL: base, UserAgent: agent, Client: c})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// says returns a handler that replies with a status and a body.
func says(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// cirrus replies like CirrusSearch to a search of titles, and gives all other requests to h.
func cirrus(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("gsrwhat") == "title" {
			says(200, apiError("search-title-disabled", "title search is disabled."))(w, r)
			return
		}
		h(w, r)
	}
}

func recording(t testing.TB, name string) string {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func search(b *wikipedia.Backend, query string) ([]trace.Document, error) {
	return b.Search(context.Background(), query, 5)
}

func wantKind(t *testing.T, name string, err error, kind fetch.Kind) *fetch.Error {
	t.Helper()
	e, ok := errors.AsType[*fetch.Error](err)
	if !ok || e.Kind != kind {
		t.Errorf("%s: error %v (%+v), want kind %s", name, err, e, kind)
		return &fetch.Error{}
	}
	return e
}

func ExampleBackend_Search() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"batchcomplete":"","query":{"pages":{"21244":{"pageid":21244,"title":"Nile","index":1,`+
			`"extract":"The Nile is a river.","canonicalurl":"https://en.wikipedia.org/wiki/Nile"}}}}`)
	}))
	defer server.Close()
	client := fetch.New(fetch.Options{AllowPrivate: true}) // the example's server is local
	defer client.Close()
	b, err := wikipedia.New(wikipedia.Options{BaseURL: server.URL + "/w/api.php", UserAgent: "concur/1.0 (https://example.org) net/http", Client: client})
	if err != nil {
		fmt.Println(err)
		return
	}
	docs, err := b.Search(context.Background(), "nile", 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(docs[0].Title, docs[0].Ref, docs[0].Score)
	// Output: Nile https://en.wikipedia.org/wiki/Nile 1
}

func TestSearch(t *testing.T) {
	page := recording(t, "found.json")
	var asked *http.Request
	b := serve(t, cirrus(func(w http.ResponseWriter, r *http.Request) {
		if asked == nil {
			asked = r
		}
		io.WriteString(w, page)
	}))
	docs, err := search(b, "Nile River")
	if err != nil {
		t.Fatal(err)
	}
	doc := func(title, ref, snippet string, score float64) trace.Document {
		return trace.Document{Backend: "wiki", Ref: "https://en.wikipedia.org/wiki/" + ref, Title: title, Source: "en.wikipedia.org", Snippet: snippet, Score: score}
	}
	want := []trace.Document{
		doc("Nile", "Nile", "The Nile is a major north-flowing river in northeastern Africa.", 1),
		doc("Blue Nile & White Nile", "Blue_Nile", "The Blue Nile is a river originating at Lake Tana – in Ethiopia.\nIt is long.", 1),
		doc("Nile (disambiguation)", "Nile_(disambiguation)", "Nile may refer to:", docs[2].Score),
	}
	if diff := cmp.Diff(want, docs); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if s := docs[2].Score; !(s > 0 && s < 1) {
		t.Errorf("half of the query covered scores %v", s)
	}
	q := asked.URL.Query()
	for k, v := range map[string]string{
		"action": "query", "format": "json", "generator": "search", "gsrsearch": "Nile River", "gsrlimit": "5", "gsrwhat": "text", "gsrprop": "snippet|redirecttitle",
		"prop": "extracts|info", "exintro": "1", "explaintext": "1", "inprop": "url", "redirects": "1", "maxlag": "5",
	} {
		if q.Get(k) != v {
			t.Errorf("%s=%q, want %q", k, q.Get(k), v)
		}
	}
	if asked.URL.Path != "/en/w/api.php" || asked.UserAgent() != agent || asked.Header.Get("Accept-Language") != "en" {
		t.Errorf("asked %s as %q", asked.URL.Path, asked.UserAgent())
	}
}

func TestAnswersWithoutResults(t *testing.T) {
	for name, body := range map[string]string{
		"generator":    `{"batchcomplete":""}`,
		"version 2":    `{"batchcomplete":true}`,
		"suggestion":   `{"batchcomplete":"","query":{"searchinfo":{"totalhits":0,"suggestion":"nile river","suggestionsnippet":"<em>nile</em> river"},"search":[]}}`,
		"no pages":     `{"batchcomplete":true,"query":{"pages":[]}}`,
		"only missing": `{"batchcomplete":"","query":{"pages":{"-1":{"title":"X","missing":""},"-2":{"title":"|","invalid":"","invalidreason":"…"}}}}`,
		"null":         `{"query":{"pages":null}}`,
	} {
		if docs, err := search(serve(t, says(200, body)), "nil river"); err != nil || len(docs) != 0 {
			t.Errorf("%s: %v, %v", name, docs, err)
		}
	}
	b := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the wiki was asked") })
	for _, query := range []string{"", " ", "\x00\x1b"} {
		if docs, err := search(b, query); err != nil || len(docs) != 0 {
			t.Errorf("%q: %v, %v", query, docs, err)
		}
	}
	if docs, err := b.Search(context.Background(), "nile", 0); err != nil || len(docs) != 0 {
		t.Errorf("limit 0: %v, %v", docs, err)
	}
}

func TestVariantsOfPages(t *testing.T) {
	body := `{"batchcomplete":true,"query":{"pages":[
	  {"pageid":3,"title":"C","extract":"c"},
	  {"pageid":2,"title":"B","index":2,"extract":"b","missing":false,"fullurl":"https://x.example/B"},
	  {"pageid":1,"title":"A","index":1,"canonicalurl":"javascript:alert(1)"},
	  {"pageid":9,"title":"B again","index":3,"fullurl":"https://x.example/B"},
	  {"ns":0,"title":"No id","index":4}]}}`
	b := serve(t, says(200, body))
	docs, err := search(b, "a")
	if err != nil || len(docs) != 3 {
		t.Fatal(docs, err)
	}
	if docs[0].Title != "A" || !strings.HasSuffix(docs[0].Ref, "/?curid=1") || docs[0].Snippet != "" || docs[0].Score == 0 || !strings.HasPrefix(docs[0].Source, "127.0.0.1") {
		t.Errorf("%+v", docs[0])
	}
	if docs[1].Ref != "https://x.example/B" || docs[1].Source != "x.example" || docs[2].Title != "C" {
		t.Errorf("%+v", docs[1:])
	}
	if docs, err := b.Search(context.Background(), "a", 1); err != nil || len(docs) != 1 {
		t.Errorf("limit 1: %v, %v", docs, err)
	}
}

func TestLongExtractIsCutToTheRelevantPart(t *testing.T) {
	filler := strings.Repeat("Nothing of interest happened in that year. ", 2000)
	b := serve(t, says(200, `{"batchcomplete":"","query":{"pages":{"1":{"pageid":1,"title":"Annals","extract":"`+filler[:40000]+" Then the zeppelin landed. "+filler+`"}}}}`))
	docs, err := search(b, "zeppelin")
	if err != nil || len(docs) != 1 || len(docs[0].Snippet) > 1200 || !strings.Contains(docs[0].Snippet, "the zeppelin landed") || docs[0].Score != 1 {
		t.Errorf("%v, %v", docs, err)
	}
}
