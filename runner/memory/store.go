package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/rank"
)

// Version changes when a question can be given other items of the same file, or in another form.
const Version = "memory/v1"

// Store finds items. It does not change, and is safe for concurrent use.
type Store struct {
	// Digest is of the content, in whatever order: "sha256:…".
	Digest string
	owners map[string]*shelf
}

// shelf has the items of one owner that nothing supersedes. Each owner has an index of its own,
// so that not even the weights of words depend on what others are remembered by.
type shelf struct {
	items  []Item
	finder *rank.Finder
}

// NewStore indexes items that Read has read: by the cosine of vectors with an embedder, else by BM25.
func NewStore(ctx context.Context, items []Item, embedder rank.Embedder) (*Store, error) {
	s := &Store{
		Digest: lines.Hash("concur/memory/v1", items, func(i *Item) string { return i.ID },
			func(i *Item) any { return i }),
		owners: map[string]*shelf{},
	}
	for _, item := range Current(items) {
		if s.owners[item.Owner] == nil {
			s.owners[item.Owner] = &shelf{}
		}
		s.owners[item.Owner].items = append(s.owners[item.Owner].items, item)
	}
	for _, own := range s.owners {
		texts := make([]string, len(own.items))
		for i, item := range own.items {
			texts[i] = item.Text
		}
		var err error
		if own.finder, err = rank.NewFinder(ctx, texts, embedder); err != nil {
			return nil, fmt.Errorf("embed memory: %w", err)
		}
	}
	return s, nil
}

// Current are the items that no other supersedes, in their order.
func Current(items []Item) []Item {
	superseded := map[string]bool{}
	for _, item := range items {
		superseded[item.Supersedes] = true
	}
	return slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return superseded[i.ID] })
}

// All gives an owner's items that nothing supersedes, in the order of the file.
func (s *Store) All(owner string) []Item {
	if own := s.owners[owner]; own != nil {
		return own.items
	}
	return nil
}

// Found is an item that fits a question.
type Found struct {
	Item
	Score float64 // BM25, or the cosine
}

// Search gives the items of an owner that fit a question best, at most k, best first. Items
// without a word of the question, or with a cosine of 0 or less, are left out.
func (s *Store) Search(ctx context.Context, owner, question string, k int) ([]Found, error) {
	own := s.owners[owner]
	if own == nil {
		return nil, nil
	}
	hits, err := own.finder.Find(ctx, question, k, nil)
	if err != nil {
		return nil, fmt.Errorf("embed question: %w", err)
	}
	out := make([]Found, len(hits))
	for i, h := range hits {
		out[i] = Found{own.items[h.Document], h.Score}
	}
	return out, nil
}
