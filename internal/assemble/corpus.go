package assemble

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/tool/search"
)

// WithCorpus names the corpus and the memory that a dataset brings, where the configuration has
// the default, and makes the path of any other hold from wherever the run is resumed. Whatever
// the model, such a dataset is searched for there unless a cascade is named. source is the
// dataset's, "" without one.
func WithCorpus(c config.Configuration, source string) (config.Configuration, error) {
	if c.Search.Corpus == datasets.OfflineCorpus && datasets.IsBuiltinCorpus(source) {
		c.Search.Corpus = source
		if len(c.Search.Cascade) == 0 {
			c.Search.Cascade = []string{config.BackendCorpus}
		}
	}
	c, err := withMemory(c, source)
	if err != nil || datasets.IsBuiltinCorpus(c.Search.Corpus) {
		return c, err
	}
	path, err := filepath.Abs(c.Search.Corpus)
	c.Search.Corpus = path
	return c, err
}

// corpora opens each corpus once, however many configurations search it.
type corpora map[string]indexedCorpus // by name

type indexedCorpus struct {
	corpus    *search.Corpus
	hash      string
	documents []string // see corpus.Corpus.Digests
}

func (c corpora) open(ctx context.Context, name string) (indexedCorpus, error) {
	if opened, ok := c[name]; ok {
		return opened, nil
	}
	data, err := datasets.OpenCorpus(name)
	if err != nil {
		return indexedCorpus{}, err
	}
	opened := indexedCorpus{hash: data.Hash, documents: data.Digests()}
	entries := make([]search.Entry, len(data.Documents))
	for i, d := range data.Documents {
		entries[i] = search.Entry{ID: d.ID, Title: d.Title, Text: d.Text, Source: d.Source}
	}
	if opened.corpus, err = search.NewCorpus(ctx, entries); err != nil {
		return indexedCorpus{}, err
	}
	c[name] = opened
	return opened, nil
}

func (c corpora) close() error {
	var wrong []error
	for _, opened := range c {
		wrong = append(wrong, opened.corpus.Close())
	}
	return errors.Join(wrong...)
}
