package rank

import "context"

// Finder finds texts for a query: by BM25, or by the cosine of embeddings. It is safe for concurrent use.
type Finder struct {
	index    *Index
	embedder Embedder // nil means BM25
	vectors  [][]float32
}

// NewFinder indexes a fixed collection of texts. If embedder is not nil, it embeds the texts.
func NewFinder(ctx context.Context, texts []string, embedder Embedder) (*Finder, error) {
	if embedder == nil {
		return &Finder{index: NewIndex(texts)}, nil
	}
	vectors, err := embedder.Embed(ctx, texts)
	return &Finder{embedder: embedder, vectors: vectors}, err
}

// Find returns the most relevant texts, by Index.Search or Nearest.
func (f *Finder) Find(ctx context.Context, query string, limit int, keep func(document int) bool) ([]Hit, error) {
	if f.embedder == nil {
		return f.index.Search(query, limit, keep), nil
	}
	vectors, err := f.embedder.Embed(ctx, []string{query})
	if err != nil {
		return nil, err
	}
	return Nearest(vectors[0], f.vectors, limit, keep), nil
}
