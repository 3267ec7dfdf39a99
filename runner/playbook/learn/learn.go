package learn

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/playbook"
)

// Golds returns the answers and aliases of a dataset, for Options.Known.
func Golds(d *datasets.Dataset) (out []string) {
	for _, q := range d.Queries {
		if q.Gold.Answer != "" {
			out = append(append(out, q.Gold.Answer), q.Gold.Aliases...)
		}
	}
	return out
}

// GivenAway returns the ids of the bullets that contain a gold answer of a dataset, such as "str-00001".
func GivenAway(b *playbook.Book, golds []string) (out []string) {
	for _, x := range b.Bullets {
		if hasAny(x.Text, golds) {
			out = append(out, x.ID)
		}
	}
	return out
}

// SeenQueries returns the ids of the dataset's queries that the playbook learned from. A query counts if its
// hash is equal, or if it is in the same cluster as such a query.
func SeenQueries(b *playbook.Book, d *datasets.Dataset) []string {
	hashes, clusters := map[string]bool{}, map[string]bool{}
	for _, l := range b.Learned {
		for _, q := range l.Queries {
			hashes[q.Hash], clusters[q.Cluster] = true, true
		}
	}
	for _, x := range b.Bullets {
		for _, o := range x.Origin {
			hashes[o.Hash] = true
		}
	}
	delete(clusters, "")
	var out []string
	for _, q := range d.Queries {
		if hashes[q.Hash()] || clusters[q.Cluster] {
			out = append(out, q.ID)
		}
	}
	return out
}

// AddLesson applies a lesson to the playbook at a path. If the same reflector has already learned from the
// run, nothing changes and the batch is nil.
func AddLesson(ctx context.Context, path string, l *Lesson, budget int) (*Batch, error) {
	return Update(ctx, path, func(b *playbook.Book) (*Batch, error) {
		if slices.ContainsFunc(b.Learned, func(have playbook.Learned) bool { return sameLesson(have, l.Learned) }) {
			return nil, nil
		}
		changes, refused := b.Apply(l.Operations, budget)
		b.Learned = append(b.Learned, l.Learned)
		return &Batch{Why: fmt.Sprintf("%s of run %s", l.Learned.Reflector, l.Learned.Run), Learned: &l.Learned,
			Changes: changes, Refused: refused}, nil
	})
}
