package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/trace"
)

// Add adds items to a file, which may be missing. Under a lock on the file's folder, it calls items with the
// present items, and adds the items that this call returns. It replaces the file as a whole, and only if the
// result has no errors.
func Add(ctx context.Context, path string, items func(have []Item) ([]Item, error)) (added []Item, err error) {
	release, err := disk.LockFolder(ctx, filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("add to memory %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, release()) }()
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("add to memory: %w", err)
	}
	have, err := Read(path, strings.NewReader(string(text)))
	if err != nil {
		return nil, err
	}
	if added, err = items(have); err != nil || len(added) == 0 {
		return nil, err
	}
	if n := len(text); n > 0 && text[n-1] != '\n' {
		text = append(text, '\n')
	}
	for _, item := range added {
		line, err := lines.Encode(item)
		if err != nil {
			return nil, fmt.Errorf("add to memory %s: %w", path, err)
		}
		text = append(append(text, line...), '\n')
	}
	if _, err := Read(path, strings.NewReader(string(text))); err != nil {
		return nil, err
	}
	return added, disk.Deliver(path, text)
}

// NewID returns the first of m1, m2, … that no item has.
func NewID(have []Item) string {
	for n := len(have) + 1; ; n++ {
		id := fmt.Sprintf("m%d", n)
		if !slices.ContainsFunc(have, func(i Item) bool { return i.ID == id }) {
			return id
		}
	}
}

// FromRun turns the right answers in a run's records into items, each with the question as the agent rewrote it, if it
// did: "And the Volga?" says nothing to a later reader. Each right turn of a conversation is an item. The
// records belong to one configuration. owners maps queries to their owners.
func FromRun(m store.Manifest, records []store.Record, owners map[string]string) (out []Item) {
	for _, of := range records {
		for n, r := range of.ByTurn() {
			if item, ok := fromRecord(m, r, owners[r.Query]); ok {
				if len(of.Turns) > 0 {
					item.ID += fmt.Sprintf("/turn-%d", n+1)
					item.Source += fmt.Sprintf(", turn %d", n+1)
				}
				out = append(out, item)
			}
		}
	}
	return out
}

// fromRecord returns the item of a right answer.
func fromRecord(m store.Manifest, r store.Record, owner string) (item Item, ok bool) {
	answer := r.Consensus.Answer
	if r.Verdict.Verdict != judge.Correct || answer == nil || r.Consensus.Outcome != trace.Answered {
		return item, false
	}
	item = Item{
		ID: m.Run + "/" + r.Query, Owner: owner, Source: "run " + m.Run + ", query " + r.Query,
		Time: m.Start.UTC().Format(time.DateOnly),
		Text: fmt.Sprintf("To the question %q the answer was: %s", cmp.Or(r.Rewritten, r.Question), *answer),
	}
	return item, len(item.Text) <= MaxText
}

// Without returns the items whose ids do not occur in have.
func Without(items, have []Item) []Item {
	ids := map[string]bool{}
	for _, item := range have {
		ids[item.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return ids[i.ID] })
}
