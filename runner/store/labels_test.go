package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// If a label is cut off while it is written, only that label is lost.
func TestLabelsAfterAPowerFailure(t *testing.T) {
	run := &store.Run{Dir: t.TempDir()}
	for _, query := range []string{"a", "b"} {
		if err := run.AddLabel(t.Context(), store.Label{Query: query, Verdict: judge.Correct}); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(run.Dir, "labels.jsonl")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := len(raw) - 1; cut >= 0; cut-- {
		if err := os.WriteFile(path, raw[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		whole := max(0, strings.Count(string(raw[:cut]), "\n")-1)
		if whole == 0 && !strings.Contains(string(raw[:cut]), "\n") {
			continue // half of the first line, so the file never had a label
		}
		labels, err := run.Labels()
		if err != nil || len(labels) != whole {
			t.Fatalf("cut at %d: %d labels, %v; want %d", cut, len(labels), err, whole)
		}
		if err := run.AddLabel(t.Context(), store.Label{Query: "c", Verdict: judge.Incorrect}); err != nil {
			t.Fatal(err)
		}
		if labels, err = run.Labels(); err != nil || len(labels) != whole+1 || labels[whole].Query != "c" {
			t.Fatalf("cut at %d, one more: %+v, %v", cut, labels, err)
		}
	}
	if err := os.WriteFile(path, []byte(`{"schema":"concur/labels/v1"}`+"\n"+`{"query":"a","verdict":"maybe"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Labels(); err == nil || !strings.Contains(err.Error(), `labels.jsonl:2: the verdict "maybe"`) {
		t.Errorf("%v", err)
	}
}

// Several people label at the same time, and each label is kept.
func TestLabelsSideBySide(t *testing.T) {
	run := &store.Run{Dir: t.TempDir()}
	var people errgroup.Group
	for i := range 20 {
		people.Go(func() error {
			return run.AddLabel(t.Context(), store.Label{Query: fmt.Sprint(i), Verdict: judge.Correct})
		})
	}
	if err := people.Wait(); err != nil {
		t.Fatal(err)
	}
	if labels, err := run.Labels(); err != nil || len(labels) != 20 {
		t.Errorf("%d labels, %v", len(labels), err)
	}
}
