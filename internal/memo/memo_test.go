package memo_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed-5817661a/concur/internal/memo"
)

func Example() {
	var squares memo.Memo[int, int]
	square := func(n int) int {
		return squares.Get(n, func() int { fmt.Println("computing"); return n * n })
	}
	fmt.Println(square(3), square(3))
	// Output:
	// computing
	// 9 9
}

// TestBound: 10,000 keys from four goroutines have their values, and are not all held.
func TestBound(t *testing.T) {
	const keys = 10_000
	var m memo.Memo[int, int]
	var again atomic.Int64
	ask := func(compute func(int) int) {
		for i := range keys {
			if got := m.Get(i, func() int { return compute(i) }); got != -i {
				t.Errorf("%d: %d", i, got)
			}
		}
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { ask(func(i int) int { return -i }) })
	}
	group.Wait()
	ask(func(i int) int { again.Add(1); return -i })
	if again.Load() < keys/2 {
		t.Errorf("%d of %d keys were computed again", again.Load(), keys)
	}
}
