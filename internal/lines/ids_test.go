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
