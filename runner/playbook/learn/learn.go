package learn

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/playbook"
)

// Golds returns the answers and aliases of a dataset, for Options.Known.
func Golds(d *datasets.Dataset) (out []string) {
	for _, q := range d.Queries {
		golds := []datasets.Gold{q.Gold}
		for _, t := range q.Turns {
			golds = append(golds, t.Gold)
		}
		for _, g := range golds {
			if g.Answer != "" {
				out = append(append(out, g.Answer), g.Aliases...)
			}
		}
	}
	return out
}

// GivenAway returns the ids of the bullets that contain a gold answer of a dataset, such as "str-00001".
func GivenAway(b *playbook.Book, golds []string) (out []string) {
	for _, x := range b.Bullets {
		if slices.ContainsFunc(append([]string{x.Text}, x.Tags...), func(s string) bool { return hasAny(s, golds) }) {
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
// run, nothing changes and the batch is nil. now is the time in the log.
func AddLesson(ctx context.Context, path string, l *Lesson, budget int, now time.Time) (*Batch, error) {
	return Update(ctx, path, func(b *playbook.Book) (*Batch, error) {
		if slices.ContainsFunc(b.Learned, func(have playbook.Learned) bool { return sameLesson(have, l.Learned) }) {
			return nil, nil
		}
		changes, refused := b.Apply(l.Operations, budget)
		b.Learned = append(b.Learned, l.Learned)
		return &Batch{Time: stamp(now), Why: fmt.Sprintf("%s of run %s", l.Learned.Reflector, l.Learned.Run),
			Learned: &l.Learned, Changes: changes, Refused: refused}, nil
	})
}

// MoveTo moves bullets of the playbook at a path to a stage: those with these ids or, without ids, all that are not
// there yet. An unknown id is an error, and then nothing changes. The batch is nil if all of them are there already.
func MoveTo(ctx context.Context, path string, to playbook.Stage, ids []string, now time.Time) (*Batch, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("read playbook: %w", err)
	}
	return Update(ctx, path, func(b *playbook.Book) (*Batch, error) {
		known := map[string]bool{}
		var moves []playbook.Operation
		for _, x := range b.Bullets {
			known[x.ID] = true
			if x.Stage != to && (len(ids) == 0 || slices.Contains(ids, x.ID)) {
				moves = append(moves, playbook.Operation{Type: playbook.Move, ID: x.ID, Stage: to,
					Reason: fmt.Sprintf("%s, now %s", x.Stage, to)})
			}
		}
		for _, id := range ids {
			if !known[id] {
				return nil, fmt.Errorf("%s: there is no bullet %q: `concur playbook show %s` lists the ids", path, id, path)
			}
		}
		if len(moves) == 0 {
			return nil, nil
		}
		changes, refused := b.Apply(moves, 0)
		return &Batch{Time: stamp(now), Why: "stage " + to.String(), Changes: changes, Refused: refused}, nil
	})
}

// stamp formats a time for the log.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
