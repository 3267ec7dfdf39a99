package memo_test

import (
	"context"
	"errors"
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

// TestOnce: of concurrent callers one computes; what is not kept and what fails is computed again; a caller that waits
// ends with its context.
func TestOnce(t *testing.T) {
	var o memo.Once[string, int]
	var computed atomic.Int64
	started, release := make(chan struct{}), make(chan struct{})
	slow := func() (int, bool, error) {
		if computed.Add(1) == 1 {
			close(started)
		}
		<-release
		return 7, true, nil
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if got, err := o.Get(t.Context(), "slow", slow); got != 7 || err != nil {
				t.Errorf("%d, %v", got, err)
			}
		})
	}
	<-started
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := o.Get(ended, "slow", slow); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller without time: %v", err)
	}
	close(release)
	group.Wait()
	if n := computed.Load(); n != 1 {
		t.Errorf("computed %d times", n)
	}
	for name, c := range map[string]struct {
		keep bool
		err  error
		want int
	}{"kept": {true, nil, 1}, "not kept": {false, nil, 2}, "failed": {true, errors.New("down"), 2}} {
		calls := 0
		for range 2 {
			got, err := o.Get(t.Context(), name, func() (int, bool, error) { calls++; return 3, c.keep, c.err })
			if got != 3 || !errors.Is(err, c.err) {
				t.Errorf("%s: %d, %v", name, got, err)
			}
		}
		if calls != c.want {
			t.Errorf("%s: computed %d times, want %d", name, calls, c.want)
		}
	}
}
