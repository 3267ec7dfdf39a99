package lines_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/lines"
)

// A list gives back its texts, also empty and long ones, wherever a chunk ends.
func TestList(t *testing.T) {
	var list lines.List
	text := func(i int) string {
		switch i % 500 {
		case 0:
			return ""
		case 1:
			return strings.Repeat("long ", i)
		}
		return fmt.Sprint("id ", i)
	}
	for n := range 3000 {
		if got := list.Len(); got != n {
			t.Fatalf("%d texts, want %d", got, n)
		}
		list.Add(text(n))
		for _, i := range []int{n, n / 2, max(0, n-1)} {
			if got := list.At(i); got != text(i) {
				t.Fatalf("of %d texts, number %d is %.20q, want %.20q", n+1, i, got, text(i))
			}
		}
	}
}

// Full chunks are not copied when they are read.
func TestListGivesItsOwnTexts(t *testing.T) {
	var list lines.List
	for i := range 3000 {
		list.Add(fmt.Sprint("id ", i))
	}
	if n := testing.AllocsPerRun(100, func() { _ = list.At(1500) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
