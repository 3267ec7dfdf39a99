package search_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/trace"
)

// own is a Local backend that takes an hour, as on a very busy machine.
type own struct{ source }

func (own) Local() {}
func (o own) Search(ctx context.Context, query string, limit int) ([]trace.Document, error) {
	time.Sleep(time.Hour)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return o.source.Search(ctx, query, limit)
}

// TestNoDeadlineBoundsALocalBackend checks that a local backend may take any time, at any place in a cascade,
// and takes no time from the others, which share the minute of the call.
func TestNoDeadlineBoundsALocalBackend(t *testing.T) {
	slow := source{name: "slow", wait: true}
	for _, c := range []struct {
		name string
		tool tool.Tool
		used any // expected source_used; nil for none
		took time.Duration
	}{
		{"alone", search.Tool{ToolName: "own_search", Backend: own{finds("own")}}, "own", time.Hour},
		{"cascade of one", search.Cascade{Backends: []search.Backend{own{finds("own")}}}, "own", time.Hour},
		{"first", search.Cascade{Backends: []search.Backend{own{source{name: "own"}}, slow, finds("b")}}, "b", time.Hour + 28500*time.Millisecond},
		{"last", search.Cascade{Backends: []search.Backend{slow, slow, own{finds("own")}}}, "own", time.Hour + 58425*time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			res := invoke(t, c.tool, `{"query":"nile"}`)
			if res.Error != "" || res.Output.Object["source_used"] != c.used || res.Duration != c.took {
				t.Errorf("%s: %v %q after %v, want %v after %v", c.name, res.Output.Object, res.Error, res.Duration, c.used, c.took)
			}
		})
	}
}

// TestCorpusWaitsForASlot checks that a search of the corpus begins when a slot is free, and ends if its
// caller leaves while it waits.
func TestCorpusWaitsForASlot(t *testing.T) {
	c, err := search.NewCorpus([]search.Entry{{ID: "nile", Title: "Nile", Text: "A river."}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := slot.With(t.Context(), 1)
	leave, err := slot.Enter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	impatient, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	if docs, err := c.Search(impatient, "nile", 1); err == nil {
		t.Errorf("no slot was free, and %v was found", docs)
	}
	leave()
	for range 2 { // each search frees its slot
		if docs, err := c.Search(ctx, "nile", 1); err != nil || len(docs) != 1 {
			t.Errorf("%v, %v", docs, err)
		}
	}
}
