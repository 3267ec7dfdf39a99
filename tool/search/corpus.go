package search

import (
	"context"
	"errors"
	"fmt"

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
func NewCorpus(entries []Entry) (*Corpus, error) {
	if len(entries) == 0 {
		return nil, errors.New("index corpus: it has no entries")
	}
	texts := make([]string, len(entries))
	for i, e := range entries {
		texts[i] = e.Title + "\n" + e.Text
	}
	return &Corpus{entries, rank.NewIndex(texts)}, nil
}

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
