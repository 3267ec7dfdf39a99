package consensus_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
)

func bg() context.Context { return context.Background() }

func TestCacheAnswersAgain(t *testing.T) {
	m := askingtest.Script(verdict(true), verdict(true), verdict(false), verdict(false), verdict(false))
	v := consensus.Verifier{Model: m, Name: "m1", Cache: &consensus.Cache{}}
	for _, c := range []struct {
		name, question, a, b string
		sent                 int
		equivalent           bool
	}{
		{"m1", "q", "a", "b", 2, true},
		{"m1", "q", "b", "A.", 2, true}, // unordered, and by key
		{"m1", "another q", "a", "b", 3, false},
		{"m1", "q", "a", "c", 4, false},
		{"m2", "q", "a", "b", 5, false},
		{"m1", "q", "a", "b", 5, true},
	} {
		v.Name = c.name
		o, err := v.Equivalent(t.Context(), consensus.Question{ID: "x", Text: c.question}, c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		if sent := len(m.Requests()); sent != c.sent || o.Equivalent != c.equivalent {
			t.Errorf("%+v: equivalent %v after %d requests", c, o.Equivalent, sent)
		}
		if o.Equivalent && o.Effort.Calls != 2 {
			t.Errorf("%+v rests on %d calls, want 2, cached or not", c, o.Effort.Calls)
		}
	}
}

func TestFailuresAreNotRemembered(t *testing.T) {
	v := consensus.Verifier{Model: askingtest.Script("!", verdict(false)), Cache: &consensus.Cache{}}
	for i, wantErrors := range []int{1, 0, 0} {
		o, err := v.Equivalent(t.Context(), question(), "a", "b")
		if err != nil || o.Effort.Errors != wantErrors || o.Equivalent {
			t.Errorf("time %d: %+v, %v", i, o, err)
		}
	}
}

func TestUnreadableRepliesAreRemembered(t *testing.T) {
	v := consensus.Verifier{Model: askingtest.Script("?", "?"), Cache: &consensus.Cache{}}
	for range 2 {
		if o, err := v.Equivalent(t.Context(), question(), "a", "b"); err != nil || o.Effort.Unparseable != 1 || o.Effort.Calls != 2 {
			t.Errorf("%+v, %v", o, err)
		}
	}
}

// Many that want to know the same at one time ask once and get one answer.
func TestOneAsksForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		m := &askingtest.Fake{Answer: func(context.Context, model.Request) (string, error) {
			<-gate
			return verdict(true), nil
		}}
		v := consensus.Verifier{Model: m, Cache: &consensus.Cache{}}
		opinions := make([]consensus.Opinion, 50)
		var all sync.WaitGroup
		for i := range opinions {
			all.Go(func() {
				var err error
				if opinions[i], err = v.Equivalent(t.Context(), question(), "a", "b"); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if sent := len(m.Requests()); sent != 1 {
			t.Errorf("%d requests at the same time, want 1", sent)
		}
		close(gate)
		all.Wait()
		if sent := len(m.Requests()); sent != 2 {
			t.Errorf("%d requests in all, want 2", sent)
		}
		for _, o := range opinions {
			if !o.Equivalent || o.Effort.Calls != 2 {
				t.Errorf("opinion %+v", o)
			}
		}
	})
}

// Whoever asks may be cancelled; who waits for it then asks in its place, and who waits
// and is cancelled itself does not wait any longer.
func TestCancelledAskerIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		m := &askingtest.Fake{Answer: func(ctx context.Context, _ model.Request) (string, error) {
			select {
			case <-ctx.Done():
				return "", ctx.Err()
			case <-gate:
				return verdict(false), nil
			}
		}}
		v := consensus.Verifier{Model: m, Cache: &consensus.Cache{}}
		start := func(ctx context.Context) <-chan error {
			done := make(chan error, 1)
			go func() {
				_, err := v.Equivalent(ctx, question(), "a", "b")
				done <- err
			}()
			synctest.Wait()
			return done
		}
		first, cancelFirst := context.WithCancel(t.Context())
		second, cancelSecond := context.WithCancel(t.Context())
		asker, impatient, patient := start(first), start(second), start(t.Context())
		cancelSecond()
		if err := <-impatient; !errors.Is(err, context.Canceled) {
			t.Errorf("the one who gave up waiting: %v", err)
		}
		cancelFirst()
		if err := <-asker; !errors.Is(err, context.Canceled) {
			t.Errorf("the one who asked first: %v", err)
		}
		close(gate)
		if err := <-patient; err != nil {
			t.Errorf("the one who waited: %v", err)
		}
	})
}

// A model that panics does not leave others waiting.
func TestPanicReleasesWaiters(t *testing.T) {
	first := true
	m := &askingtest.Fake{Answer: func(context.Context, model.Request) (string, error) {
		if first {
			first = false
			panic("broken model")
		}
		return verdict(false), nil
	}}
	v := consensus.Verifier{Model: m, Cache: &consensus.Cache{}}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_, _ = v.Equivalent(t.Context(), question(), "a", "b")
	}()
	if o, err := v.Equivalent(t.Context(), question(), "a", "b"); err != nil || o.Effort.Calls != 1 {
		t.Errorf("after the panic: %+v, %v", o, err)
	}
}
