package wikipedia_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/tool/search/wikipedia"
	"github.com/seed-5817661a/concur/trace"
)

// article is a page of a small wiki. Its introduction is the first line of the text.
type article struct {
	title, text, redirect string
}

// miniature is a small wiki that replies like MediaWiki. Its own search looks for all words in titles or in
// texts, without a ranking and without stems. CirrusSearch looks in both, supports OR, and has no search of
// titles.
type miniature struct {
	articles         []article
	cirrus, extracts bool
	broken           func(url.Values) bool // reports whether a request fails

	mu       sync.Mutex
	requests []url.Values
}

func (m *miniature) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	m.mu.Lock()
	m.requests = append(m.requests, q)
	m.mu.Unlock()
	out := map[string]any{"batchcomplete": ""}
	switch {
	case m.broken != nil && m.broken(q):
		w.WriteHeader(http.StatusInternalServerError)
	case q.Get("action") == "parse":
		var id int
		fmt.Sscan(q.Get("pageid"), &id)
		out = map[string]any{"parse": map[string]any{"pageid": id, "text": map[string]any{"*": "<div><style>p{}</style><p>" +
			strings.ReplaceAll(m.articles[id-1].text, "\n", `<sup class="reference">[1]</sup></p><p>`) + "</p></div>"}}}
	case m.cirrus && q.Get("gsrwhat") == "title":
		fmt.Fprint(w, apiError("search-title-disabled", "title search is disabled."))
		return
	default:
		out["query"] = map[string]any{"pages": m.pages(q), "redirects": m.redirects()}
		if strings.Contains(q.Get("prop"), "extracts") && !m.extracts {
			out["warnings"] = map[string]any{"query": map[string]any{"*": `Unrecognized value for parameter "prop": extracts`}}
		}
	}
	if err := json.NewEncoder(w).Encode(out); err != nil {
		panic(err)
	}
}

func (m *miniature) redirects() (out []map[string]string) {
	for _, a := range m.articles {
		if a.redirect != "" {
			out = append(out, map[string]string{"from": a.redirect, "to": a.title})
		}
	}
	return out
}

func (m *miniature) pages(q url.Values) map[string]any {
	pages := map[string]any{}
	for i, a := range m.articles {
		id := fmt.Sprint(i + 1)
		if q.Get("pageids") != id && (q.Get("gsrsearch") == "" || !m.matches(a, q)) {
			continue
		}
		p := map[string]any{"pageid": i + 1, "index": len(pages) + 1, "title": a.title, "fullurl": "https://w.example/" + url.PathEscape(a.title)}
		if m.extracts && strings.Contains(q.Get("prop"), "extracts") {
			p["extract"] = a.text
			if q.Get("exintro") != "" {
				p["extract"], _, _ = strings.Cut(a.text, "\n")
			}
		}
		pages[id] = p
	}
	return pages
}

func (m *miniature) matches(a article, q url.Values) bool {
	field := a.text
	switch {
	case m.cirrus:
		field += " " + a.title + " " + a.redirect
	case q.Get("gsrwhat") == "title":
		field = a.title + " " + a.redirect
	}
	words := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" .,-?\n", r) })
	}
	held := words(field)
	if m.cirrus && strings.Contains(q.Get("gsrsearch"), " OR ") {
		return slices.ContainsFunc(words(q.Get("gsrsearch")), func(w string) bool { return slices.Contains(held, w) })
	}
	return !slices.ContainsFunc(words(q.Get("gsrsearch")), func(w string) bool { return !slices.Contains(held, w) })
}

var geography = []article{
	{title: "Egypt", text: "Egypt is a country.\nThe dam at Aswan was finished in 1970."},
	{title: "Nile", redirect: "Father of rivers", text: "It flows northward.\nAt Khartoum two branches meet.\nThe yearly flood is held back."},
	{title: "Khartoum", text: "A capital.\nNothing else is said of it."},
	{title: "Volga", text: "The longest one of Europe.\nIts delta is in the Caspian Sea."},
}

// kinds returns a Wikipedia, a wiki with only TextExtracts, and a plain one.
func kinds(articles []article) []*miniature {
	return []*miniature{{cirrus: true, extracts: true, articles: articles}, {extracts: true, articles: articles}, {articles: articles}}
}

func (m *miniature) String() string {
	return fmt.Sprintf("CirrusSearch %t, TextExtracts %t", m.cirrus, m.extracts)
}

func TestEachKindOfWikiGivesThePassage(t *testing.T) {
	for _, c := range []struct {
		name, query, title, passage string
	}{
		{"all words, in the body", "finished dam", "Egypt", "The dam at Aswan was finished in 1970."},
		{"a title", "Volga", "Volga", "The longest one of Europe."},
		{"words that no page has together", "When was the Aswan dam inaugurated?", "Egypt", "finished in 1970"},
		{"a redirect's name", "father rivers flood", "Nile", "The yearly flood is held back."},
		{"a hyphen excludes nothing", "two-branches", "Nile", "At Khartoum two branches meet."},
	} {
		for _, m := range kinds(geography) {
			docs, err := search(serve(t, m.ServeHTTP), c.query)
			i := slices.IndexFunc(docs, func(d trace.Document) bool { return d.Title == c.title })
			if err != nil || i < 0 || i > 0 && !m.cirrus {
				t.Errorf("%s (%v): %v, %v; want %s first", c.name, m, docs, err, c.title)
				continue
			}
			if s := docs[i].Snippet; !strings.Contains(s, c.passage) || strings.Contains(s, "[1]") || strings.Contains(s, "p{}") {
				t.Errorf("%s (%v): %q", c.name, m, s)
			}
		}
	}
}

func TestNameOfARedirectCounts(t *testing.T) {
	for _, m := range kinds(geography) {
		docs, err := search(serve(t, m.ServeHTTP), "Father rivers")
		if err != nil || len(docs) == 0 || docs[0].Title != "Nile" || docs[0].Score != 1 {
			t.Errorf("%v: %v, %v", m, docs, err)
		}
	}
}

// TestRequestsAreFew has pages that each contain one different word of the query.
func TestRequestsAreFew(t *testing.T) {
	var articles []article
	for _, w := range []string{"apple", "banana", "cherry", "damson", "elder", "figs"} {
		articles = append(articles, article{title: "About " + w, text: "Fruit.\nThe " + w + " is one."})
	}
	for i, want := range [][]int{{1 + 2 + 2, 2 + 2}, {2 + 3 + 2, 2 + 3 + 2}, {2 + 3 + 2, 2 + 3 + 2}} {
		m := kinds(articles)[i]
		b := serve(t, m.ServeHTTP)
		for _, n := range want {
			m.requests = nil
			if docs, err := search(b, "apple banana cherry damson elder figs"); err != nil || len(docs) == 0 || len(m.requests) != n {
				t.Errorf("%v: %d requests, want %d: %v, %v", m, len(m.requests), n, docs, err)
			}
		}
	}
}

func TestAnIntroductionWithAllWordsIsEnough(t *testing.T) {
	for i, want := range []int{2, 2, 3} { // without TextExtracts there is no introduction
		m := kinds(geography)[i]
		if docs, err := serve(t, m.ServeHTTP).Search(t.Context(), "longest of Europe", 1); err != nil || len(docs) != 1 || len(m.requests) != want {
			t.Errorf("%v: %d requests, want %d: %v, %v", m, len(m.requests), want, docs, err)
		}
	}
}

func TestMissingTextExtractsAreToldOnce(t *testing.T) {
	m := &miniature{articles: geography}
	server := httptest.NewServer(m)
	defer server.Close()
	client := fetch.New(fetch.Options{AllowPrivate: true})
	defer client.Close()
	var notes []string
	b, err := wikipedia.New(wikipedia.Options{
		BaseURL: server.URL + "/w/api.php", UserAgent: agent, Client: client, Note: func(text string) { notes = append(notes, text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := search(b, "flood"); err != nil {
			t.Fatal(err)
		}
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "no TextExtracts") || !strings.Contains(notes[0], "127.0.0.1") {
		t.Errorf("notes %q", notes)
	}
	if last := m.requests[len(m.requests)-1]; last.Get("action") != "parse" {
		t.Errorf("the page is read by %v", last)
	}
}

func TestWhatWasFoundSurvivesALaterFailure(t *testing.T) {
	for _, c := range []struct {
		name   string
		broken func(url.Values) bool
		found  bool
	}{
		{"reading", func(q url.Values) bool { return q.Get("gsrsearch") == "" }, true},
		{"the second rarest word", func(q url.Values) bool { return q.Get("gsrsearch") == "flood" }, true},
		{"the rarest word", func(q url.Values) bool { return q.Get("gsrsearch") == "Khartoum" && q.Get("gsrwhat") == "text" }, true},
		{"all words", func(q url.Values) bool { return strings.Contains(q.Get("gsrsearch"), " ") }, false},
		{"titles", func(q url.Values) bool { return q.Get("gsrwhat") == "title" }, false},
	} {
		m := &miniature{articles: geography, broken: c.broken}
		docs, err := search(serve(t, m.ServeHTTP), "Khartoum flood inaugurated")
		if c.found && (err != nil || len(docs) == 0) {
			t.Errorf("%s: %v, %v", c.name, docs, err)
		}
		if !c.found {
			wantKind(t, c.name, err, fetch.Upstream)
		}
	}
}

func TestRedirectsAndHTMLOfEveryForm(t *testing.T) {
	for name, c := range map[string]struct{ pages, parse, query, snippet string }{
		"a chain":            {`{"pageid":1,"title":"C"}`, `"c"`, "alpha beta", "c"},
		"format version 1":   {`{"pageid":1,"title":"C"}`, `{"*":"<p>c &amp;lt; d</p>"}`, "x", "c &lt; d"},
		"no text":            {`{"pageid":1,"title":"C","snippet":"a <b>match</b> &amp; more"}`, `null`, "x", "a match & more"},
		"text of another":    {`{"pageid":1,"title":"C","snippet":"a match"}`, `["c"]`, "x", "a match"},
		"a table":            {`{"pageid":1,"title":"C"}`, `"<table><tr><th>Length</th><td>6650\nkm</td></tr><tr><td>a</td></tr></table>"`, "x", "Length 6650 km\na"},
		"hidden":             {`{"pageid":1,"title":"C"}`, `"<p>a<i style=\"Display : NONE\">x</i><i hidden>x</i><span class=\"a noprint\">x</span></p><script>x</script>b"`, "x", "a\nb"},
		"nested too deeply":  {`{"pageid":1,"title":"C","snippet":"a match"}`, `"` + strings.Repeat("<b>", 2000) + `"`, "x", "a match"},
		"control characters": {`{"pageid":1,"title":"C"}`, `"a\u0000b\ud800&#0;&#27;"`, "x", "ab"},
	} {
		b := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("action") == "parse" {
				fmt.Fprint(w, `{"parse":{"pageid":1,"text":`+c.parse+`}}`)
				return
			}
			fmt.Fprint(w, `{"warnings":{"query":{"*":"prop: extracts"}},"query":{"redirects":[{"from":"Alpha","to":"Beta"},{"from":"Beta","to":"C"},{"from":"C","to":"Beta"}],"pages":[`+c.pages+`]}}`)
		})
		docs, err := search(b, c.query)
		if err != nil || len(docs) != 1 || docs[0].Snippet != c.snippet {
			t.Errorf("%s: %+v, %v", name, docs, err)
			continue
		}
		if name == "a chain" && docs[0].Score != 1 {
			t.Errorf("%s: score %v", name, docs[0].Score)
		}
	}
}
