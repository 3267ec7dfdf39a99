package search

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/datasets/corpus"
	"github.com/seed-5817661a/concur/internal/rank"
	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/trace"
)

// Entry is one text of a corpus.
type Entry struct {
	ID, Title, Text, Source string
}

// Corpus searches a fixed collection of entries by BM25, with equal weights for title and text. Entries of
// equal rank keep the collection's order, so searches are repeatable. It is safe for concurrent use.
type Corpus struct {
	entries []Entry
	index   *rank.Index
}

// NewCorpus indexes the entries in memory.
func NewCorpus(entries []Entry) (*Corpus, error) { return OpenCorpus(entries, "", "") }

// OpenCorpus does the same, and keeps the index of many entries in a file of dir, from which the next OpenCorpus
// reads it; dir may be "". key identifies titles and texts of all entries, in any order: with their ids, which
// are unique, it identifies the index. The entries themselves never come from a file of dir.
func OpenCorpus(entries []Entry, key, dir string) (*Corpus, error) {
	if len(entries) == 0 {
		return nil, errors.New("index corpus: it has no entries")
	}
	texts := make([]string, len(entries))
	order := sha256.New()
	for i, e := range entries {
		texts[i] = e.whole()
		fmt.Fprintf(order, "%q\n", e.ID)
	}
	return &Corpus{entries, rank.OpenIndex(dir, fmt.Sprintf("%s %x", key, order.Sum(nil)), texts)}, nil
}

// OfCorpus opens a corpus that was read from files, as OpenCorpus does.
func OfCorpus(c *corpus.Corpus, dir string) (*Corpus, error) {
	entries := make([]Entry, len(c.Documents))
	for i, d := range c.Documents {
		entries[i] = Entry{ID: d.ID, Title: d.Title, Text: d.Text, Source: d.Source}
	}
	return OpenCorpus(entries, c.Hash, dir)
}

// whole returns the text that is indexed and embedded.
func (e Entry) whole() string { return e.Title + "\n" + e.Text }

// Name returns the backend's name in results, and the prefix of its documents' ids.
func (c *Corpus) Name() string { return "corpus" }

// Local marks a Backend that does not wait for other processes or machines. Such a search has no deadline,
// because its time depends on the load of the machine; the length of the query limits its work.
func (c *Corpus) Local() {}

// Search returns at most limit entries for a query, best first.
func (c *Corpus) Search(ctx context.Context, query string, limit int) ([]trace.Document, error) {
	leave, err := slot.Enter(ctx)
	if err != nil {
		return nil, fmt.Errorf("search corpus: %w", err)
	}
	defer leave()
	var found []trace.Document
	terms := rank.Terms(query)
	for _, hit := range c.index.Search(query, limit, nil) {
		found = append(found, c.document(c.entries[hit.Document], query, terms))
	}
	return found, nil
}

// Vectors are the embeddings of a corpus's entries, in their order, and the source of further vectors.
type Vectors struct {
	Of       [][]float32
	Embedder rank.Embedder
}

// Embed returns the vectors of all entries.
func (c *Corpus) Embed(ctx context.Context, embedder rank.Embedder) (Vectors, error) {
	texts := make([]string, len(c.entries))
	for i, e := range c.entries {
		texts[i] = e.whole()
	}
	vectors, err := embedder.Embed(ctx, texts)
	if err != nil {
		return Vectors{}, fmt.Errorf("embed %d passages: %w", len(texts), err)
	}
	return Vectors{vectors, embedder}, nil
}

// candidates is the number of entries that each of the two rankings of Hybrid proposes, for each result.
const candidates = 8

// Hybrid returns at most limit entries for a query by two similarities, each from 0 to 1: the score of Search, and
// the cosine of the embeddings of query and entry (0 if it is negative). The score of a result is their mean with
// the weights keywords and 1 − keywords. Hybrid compares the entries that BM25 or the cosine ranks first, eight
// times as many as it returns. Results of equal score keep the collection's order.
func (c *Corpus) Hybrid(ctx context.Context, query string, limit int, v Vectors,
	keywords float64) ([]trace.Document, error) {
	asked, err := v.Embedder.Embed(ctx, []string{query})
	if err != nil {
		return nil, fmt.Errorf("embed query: %w", err)
	}
	leave, err := slot.Enter(ctx)
	if err != nil {
		return nil, fmt.Errorf("search corpus: %w", err)
	}
	defer leave()
	proposed := map[int]bool{}
	for _, hit := range c.index.Search(query, candidates*limit, nil) {
		proposed[hit.Document] = true
	}
	for _, hit := range rank.Nearest(asked[0], v.Of, candidates*limit, nil) {
		proposed[hit.Document] = true
	}
	terms := rank.Terms(query)
	var found []trace.Document
	for _, i := range slices.Sorted(maps.Keys(proposed)) {
		d := c.document(c.entries[i], query, terms)
		d.Score = round(keywords*d.Score + (1-keywords)*similarity(asked[0], v.Of[i]))
		found = append(found, d)
	}
	slices.SortStableFunc(found, func(a, b trace.Document) int { return cmp.Compare(b.Score, a.Score) })
	return found[:min(limit, len(found))], nil
}

// document returns an entry as a document, with the score that all backends use. The corpus's own word
// frequencies decide only the BackendScore: in a small corpus a word is either common, or so rare that its
// absence outweighs all other words.
func (c *Corpus) document(e Entry, query string, terms []string) trace.Document {
	snippet := Snippet(c.index.Weights, e.Text, terms)
	own := round(c.index.Weights.Relevance(terms, rank.Terms(e.Title+" "+snippet)))
	return trace.Document{
		Backend: c.Name(), Ref: e.ID, Title: e.Title, Source: e.Source, Snippet: snippet,
		Score: Score(query, e.Title, snippet), BackendScore: &own,
	}
}

// similarity returns the cosine of two vectors; 0 if it is negative or undefined.
func similarity(u, v []float32) float64 {
	if c := rank.Cosine(u, v); c > 0 {
		return c
	}
	return 0
}
