package text_test

import (
	"testing"

	"github.com/seed-5817661a/concur/internal/text"
)

func TestCounted(t *testing.T) {
	for _, c := range []struct {
		n           int
		thing, want string
	}{{1, "query", "1 query"}, {2, "query", "2 queries"}, {0, "trace", "0 traces"}, {2, "loss", "2 losses"}, {1, "loss", "1 loss"}} {
		if got := text.Counted(c.n, c.thing); got != c.want {
			t.Errorf("Counted(%d, %q) = %q, want %q", c.n, c.thing, got, c.want)
		}
	}
}

func TestCountedOf(t *testing.T) {
	if got := text.CountedOf(1, 1, "query") + ", " + text.CountedOf(1, 2, "query"); got != "1 of 1 query, 1 of 2 queries" {
		t.Error(got)
	}
	if got := text.Verb(1, "is", "are") + text.Verb(0, "is", "are") + text.Verb(2, "is", "are"); got != "isareare" {
		t.Error(got)
	}
}

func TestListed(t *testing.T) {
	numbers := []int{1, 2, 3, 4, 5, 6, 7}
	for most, want := range map[int]string{3: "1, 2, 3 and 4 more", 7: "1, 2, 3, 4, 5, 6, 7"} {
		if got := text.ListedUpTo(most, numbers); got != want {
			t.Errorf("ListedUpTo(%d) = %q, want %q", most, got, want)
		}
	}
	if got := text.Listed([]string{}); got != "" {
		t.Errorf("Listed() = %q, want nothing", got)
	}
}
