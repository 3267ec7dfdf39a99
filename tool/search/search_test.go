package search_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/trace"
)

var entries = []search.Entry{
	{ID: "nile", Title: "Nile", Text: "The Nile is a river of north-eastern Africa.", Source: "Atlas"},
	{ID: "volga", Title: "Volga", Text: "The Volga, Europe's longest river, ends in the Caspian Sea.", Source: "Atlas"},
	{ID: "curie", Title: "Marie Curie", Text: "Marie Curie discovered polonium and radium.", Source: "Who's Who"},
	{ID: "sao", Title: "São Paulo", Text: "São Paulo is the largest city of Brazil.", Source: "Atlas"},
}

func corpus(t testing.TB, entries []search.Entry) *search.Corpus {
	t.Helper()
	c, err := search.NewCorpus(entries)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ExampleCorpus_Search() {
	c, err := search.NewCorpus([]search.Entry{
		{ID: "nile", Title: "Nile", Text: "The Nile is a river of Africa."},
		{ID: "volga", Title: "Volga", Text: "The Volga is the longest river of Europe."},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	docs, err := c.Search(context.Background(), "longest European rivers", 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %.2f\n", docs[0].Title, docs[0].Score)
	// Output: Volga 0.50
}

func TestSearch(t *testing.T) {
	c := corpus(t, entries)
	for _, q := range []struct{ query, first string }{
		{"Who discovered radium?", "curie"},
		{"sao paulo", "sao"},
		{"RIVERS of europe", "volga"},
		{`AND OR NOT "nile" NEAR(`, "nile"},
		{"curie's discoveries", "curie"},
	} {
		docs, err := c.Search(context.Background(), q.query, 3)
		if err != nil || len(docs) == 0 || docs[0].Ref != q.first {
			t.Errorf("%q: %v, %v; want %s first", q.query, docs, err, q.first)
		}
	}
	for _, q := range []string{"", "…", "xylophone"} {
		if docs, err := c.Search(context.Background(), q, 3); err != nil || len(docs) != 0 {
			t.Errorf("%q: %v, %v; want nothing", q, docs, err)
		}
	}
}

func TestScoreIsTheShareOfTheQueryThatIsCovered(t *testing.T) {
	c := corpus(t, entries)
	score := func(query string) float64 {
		docs, err := c.Search(context.Background(), query, 1)
		if err != nil || len(docs) != 1 {
			t.Fatalf("%q: %v, %v", query, docs, err)
		}
		return docs[0].Score
	}
	if got := score("Marie Curie radium"); got != 1 {
		t.Errorf("all terms covered: %v, want 1", got)
	}
	rare, common := score("polonium xylophone"), score("the xylophone")
	if !(rare > common && rare < 1 && common > 0) {
		t.Errorf("a rare term covered gives %v, a common one %v: the rare one must weigh more", rare, common)
	}
}

// A small corpus has too few texts for its own word frequencies. The same document must not have a low score
// there (C8 of the citation audit) and a high one elsewhere.
func TestScoreDoesNotDependOnTheCorpus(t *testing.T) {
	const query = "Who discovered polonium and when was it?"
	for n := range 3 {
		c := corpus(t, append(append([]search.Entry(nil), entries[:n]...), entries[2]))
		docs, err := c.Search(context.Background(), query, 1)
		if err != nil || len(docs) != 1 || docs[0].Ref != "curie" {
			t.Fatal(docs, err)
		}
		d := docs[0]
		if want := search.Score(query, d.Title, d.Snippet); d.Score != want || d.Score < 0.5 {
			t.Errorf("%d entries: score %v, want %v, and 0.5 at least", n+1, d.Score, want)
		}
		if d.BackendScore == nil || *d.BackendScore == d.Score {
			t.Errorf("%d entries: the corpus's own score is %v", n+1, d.BackendScore)
		}
	}
}

func TestSnippetIsTheRelevantPart(t *testing.T) {
	filler := strings.Repeat("Nothing of interest happened in that year. ", 60)
	c := corpus(t, []search.Entry{{ID: "long", Title: "Annals", Text: filler + "Then the zeppelin landed at dawn. " + filler}})
	docs, err := c.Search(context.Background(), "zeppelin landed", 1)
	if err != nil || len(docs) != 1 {
		t.Fatal(docs, err)
	}
	if s := docs[0].Snippet; !strings.Contains(s, "zeppelin landed at dawn") || len(s) > 1200 {
		t.Errorf("snippet of %d bytes: %q", len(s), s)
	}
}

func TestSearchIsRepeatableAndConcurrent(t *testing.T) {
	c := corpus(t, entries)
	want, err := c.Search(context.Background(), "river city sea", 10)
	if err != nil {
		t.Fatal(err)
	}
	shown := func(docs []trace.Document) string {
		text, err := json.Marshal(docs)
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := c.Search(context.Background(), "river city sea", 10)
			if err != nil || shown(got) != shown(want) {
				t.Errorf("%v, %v; want %v", got, err, want)
			}
		})
	}
	wg.Wait()
}

func TestAnyQueryIsSafe(t *testing.T) {
	c := corpus(t, entries)
	rapid.Check(t, func(r *rapid.T) {
		docs, err := c.Search(context.Background(), rapid.String().Draw(r, "query"), 3)
		if err != nil {
			r.Fatal(err)
		}
		for _, d := range docs {
			if d.Score < 0 || d.Score > 1 {
				r.Fatalf("score %v", d.Score)
			}
		}
	})
}

type down struct{}

func (down) Name() string { return "down" }
func (down) Search(context.Context, string, int) ([]trace.Document, error) {
	return nil, errors.New("connection refused")
}

func TestTool(t *testing.T) {
	web := search.Cascade{Backends: []search.Backend{corpus(t, entries)}}
	if _, err := tool.New(web); err != nil {
		t.Fatal(err)
	}
	out, err := web.Call(context.Background(), json.RawMessage(`{"query":"river","limit":1}`))
	if err != nil || len(out.Documents) != 1 || out.Object["source_used"] != "corpus" {
		t.Errorf("%v, %v", out, err)
	}
	if out, err := web.Call(context.Background(), json.RawMessage(`{"query":"xylophone"}`)); err != nil || out.Documents == nil {
		t.Errorf("a search that finds nothing gives an empty list, not %v, %v", out.Documents, err)
	}
	if _, err := web.Call(context.Background(), json.RawMessage(`{"query":"  "}`)); err == nil {
		t.Error("an empty query was searched")
	}
	_, err = search.Cascade{Backends: []search.Backend{down{}}}.Call(context.Background(), json.RawMessage(`{"query":"river"}`))
	if b, ok := errors.AsType[*tool.BackendError](err); !ok || b.Kind != "upstream" {
		t.Errorf("a backend that is down gives %v", err)
	}
}

func TestEmptyCorpus(t *testing.T) {
	if _, err := search.NewCorpus(nil); err == nil {
		t.Error("an empty corpus was indexed")
	}
}

func TestCancelledSearch(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := corpus(t, entries).Search(ctx, "river", 3); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search gives %v", err)
	}
}
