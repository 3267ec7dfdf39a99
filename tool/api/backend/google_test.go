package backend_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/trace"
)

func TestSerperDocuments(t *testing.T) {
	var asked *http.Request
	var body map[string]any
	b := open(t, serper, options{settings: map[string]any{"language": "en", "country": "us"}}, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		io.WriteString(w, recording(t, "serper.json"))
	})
	docs, err := b.Search(context.Background(), "apple inc", 10)
	if err != nil {
		t.Fatal(err)
	}
	if asked.Method != "POST" || asked.URL.Path != "/search" || asked.Header.Get("X-API-KEY") != key || asked.Header.Get("Content-Type") != "application/json" {
		t.Errorf("asked %s %s %v", asked.Method, asked.URL, asked.Header)
	}
	if diff := cmp.Diff(map[string]any{"q": "apple inc", "num": 10.0, "gl": "us", "hl": "en"}, body); diff != "" {
		t.Error("request body:", diff)
	}
	if strings.Contains(asked.URL.String(), "k3y") {
		t.Error("the key stands in the URL")
	}
	want := []trace.Document{
		{Ref: "https://www.britannica.example/money/Apple-Inc", Title: "Apple Inc. / CEO", Source: "www.britannica.example",
			Snippet: "Tim Cook — Tim Cook has led the company since 2011. … American manufacturer of computers."},
		{Ref: "https://en.wikipedia.example/wiki/Apple_Inc.", Title: "Apple", Source: "en.wikipedia.example",
			Snippet: "Technology company. Apple Inc. is an American technology company. CEO: Tim Cook (Aug 24, 2011–). Headquarters: Cupertino, CA"},
		{Ref: "https://www.apple.example/", Title: "Apple", Source: "www.apple.example", Snippet: "Discover the innovative world of Apple."},
		{Ref: "https://bare.example:8443/x", Title: "No snippet here", Source: "bare.example:8443"},
	}
	compareSerp(t, docs, want)
	if b.Name() != "serper" {
		t.Error(b.Name())
	}
}

func TestSerpAPIDocuments(t *testing.T) {
	var asked url.Values
	b := open(t, serpapi, options{settings: map[string]any{"language": "en", "country": "us"}}, func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Query()
		if r.Method != "GET" || r.URL.Path != "/search.json" {
			t.Errorf("asked %s %s", r.Method, r.URL.Path)
		}
		io.WriteString(w, recording(t, "serpapi.json"))
	})
	docs, err := b.Search(context.Background(), "eiffel tower height", 10)
	if err != nil {
		t.Fatal(err)
	}
	wantAsked := url.Values{"engine": {"google"}, "q": {"eiffel tower height"}, "api_key": {key}, "num": {"10"}, "start": {"0"},
		"gl": {"us"}, "hl": {"en"}, "google_domain": {"google.com"}}
	if diff := cmp.Diff(wantAsked, asked); diff != "" {
		t.Error("request:", diff)
	}
	compareSerp(t, docs, []trace.Document{
		{Ref: "serpapi:answerBox?q=eiffel+tower+height", Title: "Eiffel Tower / Height", Source: "serpapi.com", Snippet: "330 m"},
		{Ref: "https://en.wikipedia.example/wiki/Eiffel_Tower", Title: "Eiffel Tower", Source: "en.wikipedia.example",
			Snippet: "Tower in Paris, France. A wrought-iron lattice tower. construction started: January 28, 1887. height: 330 m"},
		{Ref: "https://www.toureiffel.example/en", Title: "Eiffel Tower", Source: "www.toureiffel.example", Snippet: "It is 330 metres high."},
	})
	if b.Name() != "serpapi" {
		t.Error(b.Name())
	}
}

func compareSerp(t *testing.T, got, want []trace.Document) {
	t.Helper()
	for i := range want {
		want[i].Backend = "serp"
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(trace.Document{}, "Score")); diff != "" {
		t.Error(diff)
	}
	for _, d := range got {
		if d.Score < 0 || d.Score > 1 {
			t.Errorf("%s: score %v", d.Ref, d.Score)
		}
	}
	if got[0].Score == 0 {
		t.Error("what covers the query scores nothing")
	}
}

func TestAnswerBoxForms(t *testing.T) {
	for box, want := range map[string]string{
		`{"answer":"42"}`:                                             "42",
		`{"answer":42}`:                                               "42",
		`{"snippet":"so it is"}`:                                      "so it is",
		`{"snippetHighlighted":["a","b"]}`:                            "a; b",
		`{"snippetHighlighted":"a"}`:                                  "a",
		`{"answer":"x","snippet":"x"}`:                                "x",
		`{"snippet":{"odd":1},"answer":"x"}`:                          "x",
		`{"title":"only a title"}`:                                    "",
		`{"answer":"a\u0000b \ud800c\n\td","link":"ftp://a.example"}`: "ab c d",
	} {
		docs, err := answering(t, serper, 200, `{"organic":[],"answerBox":`+box+`}`).Search(context.Background(), "the q", 5)
		if err != nil || len(docs) != 1 || docs[0].Snippet != want || docs[0].Ref != "serper:answerBox?q=the+q" || docs[0].Title == "" {
			t.Errorf("%s: %+v, %v; want %q", box, docs, err, want)
		}
	}
	for _, box := range []string{`null`, `{}`, `"text"`, `[]`, `{"answer":[],"title":null}`} {
		docs, err := answering(t, serper, 200, `{"organic":[],"answerBox":`+box+`}`).Search(context.Background(), "q", 5)
		if err != nil || len(docs) != 0 {
			t.Errorf("%s: %+v, %v; want nothing", box, docs, err)
		}
	}
}

func TestEscapesAreUndone(t *testing.T) {
	const title, text = `AT&amp;T&nbsp;&#8211; &quot;Ma Bell&quot;`, `5 &lt; 6 &amp;amp; it&#39;s&#0; so &bogus; & k&#51;y/with+odd=signs&amp;more`
	const link = "https://h.example/?a=1&copy=2"
	for vendor, body := range map[string]string{
		serper:  `{"organic":[{"title":%q,"link":%q,"snippet":%q}]}`,
		serpapi: `{"search_metadata":{"status":"Success"},"organic_results":[{"title":%q,"link":%q,"snippet":%q}]}`,
	} {
		docs, err := answering(t, vendor, 200, fmt.Sprintf(body, title, link, text)).Search(context.Background(), "q", 5)
		if err != nil || len(docs) != 1 {
			t.Fatalf("%s: %v, %v", vendor, docs, err)
		}
		want := trace.Document{Title: `AT&T – "Ma Bell"`, Snippet: "5 < 6 &amp; it's so &bogus; & [API key]", Ref: link}
		if d := docs[0]; d.Title != want.Title || d.Snippet != want.Snippet || d.Ref != want.Ref {
			t.Errorf("%s: %+v, want %+v", vendor, d, want)
		}
	}
}

func TestAnswerBoxesOfTwoQueriesAreTwoDocuments(t *testing.T) {
	b := answering(t, serper, 200, `{"organic":[],"answerBox":{"answer":"42"}}`)
	one, err1 := b.Search(context.Background(), "one", 5)
	two, err2 := b.Search(context.Background(), "two", 5)
	if err1 != nil || err2 != nil || one[0].Ref == two[0].Ref {
		t.Errorf("%v %v: %v %v", one, two, err1, err2)
	}
}

func TestGoogleEmpty(t *testing.T) {
	for body, vendor := range map[string]string{
		recording(t, "serper-empty.json"):  serper,
		recording(t, "serpapi-empty.json"): serpapi,
		`{"search_metadata":{"status":"Success"},"search_information":{"organic_results_state":"Fully empty"}}`:            serpapi,
		`{"search_metadata":{"status":"Success"},"error":"Google hasn't returned any results for this query."}`:            serpapi,
		`{"search_metadata":{"status":"Success"},"search_information":{"organic_results_state":"x"},"organic_results":[]}`: serpapi,
	} {
		docs, err := answering(t, vendor, 200, body).Search(context.Background(), "qwzxvkj", 5)
		if err != nil || len(docs) != 0 {
			t.Errorf("%s: %v, %v", body, docs, err)
		}
	}
}

func TestGoogleLimit(t *testing.T) {
	var organic []string
	for i := range 30 {
		organic = append(organic, fmt.Sprintf(`{"title":"t","link":"https://h.example/%d"}`, i))
	}
	b := answering(t, serper, 200, `{"answerBox":{"answer":"x"},"organic":[`+strings.Join(organic, ",")+`]}`)
	for _, limit := range []int{-1, 0, 1, 10, 1000} {
		docs, err := b.Search(context.Background(), "q", limit)
		if want := max(0, min(limit, 10)); err != nil || len(docs) != want {
			t.Errorf("limit %d: %d documents, %v", limit, len(docs), err)
		}
	}
}
