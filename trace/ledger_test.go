package trace_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/trace"
)

func found(refs ...string) (out []trace.Document) {
	for _, r := range refs {
		out = append(out, trace.Document{Backend: "corpus", Ref: r})
	}
	return out
}

func idsIn(l *trace.Ledger, refs ...string) (out []string) {
	for _, d := range l.Enter(found(refs...)) {
		out = append(out, d.ID)
	}
	return out
}

// TestForkAndJoin: forks number new documents in turns, know what was found before, and after Join every id is
// the document that its fork meant.
func TestForkAndJoin(t *testing.T) {
	var l trace.Ledger
	idsIn(&l, "a", "b")
	forks := l.Fork(2)
	second := idsIn(forks[1], "x", "b", "y")
	first := idsIn(forks[0], "x", "a")
	if diff := cmp.Diff([][]string{{"corpus_3", "corpus_1"}, {"corpus_4", "corpus_2", "corpus_6"}}, [][]string{first, second}); diff != "" {
		t.Errorf("in the forks (-want +got):\n%s", diff)
	}
	forks[1].Calculated(trace.Calculation{Expression: "2"})
	forks[0].Calculated(trace.Calculation{Expression: "1"})
	l.Join(forks)
	if got := idsIn(&l, "x", "y", "z"); !cmp.Equal(got, []string{"corpus_3", "corpus_6", "corpus_7"}) {
		t.Errorf("after Join %v", got)
	}
	kept := l.Enter([]trace.Document{{ID: "corpus_4", Backend: "corpus", Ref: "x"}, {ID: "corpus_1", Backend: "corpus", Ref: "x"}})
	if kept[0].ID != "corpus_4" || kept[1].ID != "corpus_3" {
		t.Errorf("a document keeps its second id, and no id of another document: %+v", kept)
	}
	if got := l.Calculations(); len(got) != 2 || got[0].Expression != "1" {
		t.Errorf("calculations %v", got)
	}
}

// TestForkedIDsAreUnique: however forks are nested, no id has two documents, and all ids are found after Join.
func TestForkedIDsAreUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := map[string]string{}
		next := 0
		var work func(l *trace.Ledger, depth int)
		work = func(l *trace.Ledger, depth int) {
			for range rapid.IntRange(0, 3).Draw(t, "documents") {
				next++
				for _, d := range l.Enter(found(fmt.Sprint(next))) {
					if was, used := of[d.ID]; used {
						t.Fatalf("%s is document %s and document %s", d.ID, was, d.Ref)
					}
					of[d.ID] = d.Ref
				}
			}
			if depth == 3 {
				return
			}
			for range rapid.IntRange(0, 2).Draw(t, "turns") {
				forks := l.Fork(rapid.IntRange(2, 3).Draw(t, "agents"))
				for _, f := range forks {
					work(f, depth+1)
				}
				l.Join(forks)
			}
		}
		var l trace.Ledger
		work(&l, 0)
		for id, ref := range of {
			if d, known := l.Lookup(id); !known || d.Ref != ref {
				t.Fatalf("%s is %q, want %q", id, d.Ref, ref)
			}
		}
	})
}
