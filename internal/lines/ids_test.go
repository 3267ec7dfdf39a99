package lines_test

import (
	"fmt"
	"testing"

	"github.com/seed-5817661a/concur/internal/lines"
)

// Each id is known on the line where it was first, however often the tables grow.
func TestIDs(t *testing.T) {
	const n = 20_000
	var ids lines.IDs
	for round := range 2 {
		for i := range n {
			line, again := ids.First(fmt.Sprint("id ", i), i+1+round*n)
			if line != i+1 || again != (round == 1) {
				t.Fatalf("round %d: id %d is first on line %d, again %t", round, i, line, again)
			}
		}
	}
	for i, want := range []int{8, 1000, 1001} {
		if before, again := ids.Replace("id 7", 1000+i); before != want || !again {
			t.Errorf("before %d was %d, again %t, want %d", 1000+i, before, again, want)
		}
	}
	if before, again := ids.Replace("new", 3); before != 3 || again {
		t.Errorf("a new id has %d, again %t", before, again)
	}
	if line, again := ids.First("", 7); line != 7 || again {
		t.Errorf("a new id is first on line %d, again %t", line, again)
	}
}

// Numbers that are all 0 take no memory, and a later number changes only its id.
func TestIDsWithoutNumbers(t *testing.T) {
	const n = 3000
	var ids, other lines.IDs
	for round := range 2 {
		for i := range n {
			if line, again := ids.First(fmt.Sprint("id ", i), 0); line != 0 || again != (round == 1) {
				t.Fatalf("round %d: id %d has %d, again %t", round, i, line, again)
			}
		}
	}
	for i := range n {
		if before, again := ids.Replace(fmt.Sprint("id ", i), i%3); before != 0 || !again {
			t.Fatalf("id %d had %d, again %t", i, before, again)
		}
	}
	if other.First("new", 5); other.Merge(&ids) {
		t.Error("an id is in both")
	}
	for i := range n {
		if line, again := other.First(fmt.Sprint("id ", i), 9); line != i%3 || !again {
			t.Fatalf("id %d has %d, again %t, want %d", i, line, again, i%3)
		}
	}
	if line, again := other.First("new", 0); line != 5 || !again || !ids.Merge(&other) {
		t.Errorf("the id has %d, again %t", line, again)
	}
}
