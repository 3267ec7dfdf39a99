package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/rank"
)

// Version changes when the same file could give other items for a question, or the same items in another
// form.
const Version = "memory/v1"

// Store finds items. It is immutable and safe for concurrent use.
type Store struct {
	// Digest is a hash of the items that does not depend on their order: "sha256:…".
	Digest string
	owners map[string]*shelf
}

// shelf has an owner's items that are not superseded. Each owner has a separate index, so that items of
// other people do not affect the weights of words.
type shelf struct {
	items  []Item
	finder *rank.Finder
}

// NewStore indexes items from Read: by the cosine of vectors if there is an embedder, otherwise by BM25.
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

// Current returns the items that no other item supersedes, in their order.
func Current(items []Item) []Item {
	superseded := map[string]bool{}
	for _, item := range items {
		superseded[item.Supersedes] = true
	}
	return slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return superseded[i.ID] })
}

// All returns an owner's current items, in the order of the file.
func (s *Store) All(owner string) []Item {
	if own := s.owners[owner]; own != nil {
		return own.items
	}
	return nil
}

// Found is an item that fits a question.
type Found struct {
	Item
	Score float64 // BM25 or cosine
}

// Search returns at most k items of an owner that fit a question, best first. It leaves out items that share no
// word with the question, or have a cosine of 0 or less.
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
