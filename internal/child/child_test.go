package child_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/child"
)

type setup struct{ Refuse string }

type question struct {
	Do    string
	Value int
}

type answer struct {
	Value, PID int
}

func init() {
	child.Main("test", func(s setup) (func(question) any, error) {
		if s.Refuse != "" {
			return nil, errors.New(s.Refuse)
		}
		return func(q question) any {
			switch q.Do {
			case "hang":
				time.Sleep(time.Hour)
			case "die":
				fmt.Fprintln(os.Stderr, "it cannot go on")
				os.Exit(7)
			case "crash":
				fmt.Fprintln(os.Stderr, "fatal error: runtime: out of memory\n"+strings.Repeat("goroutine 1\n", 10_000)+"the end")
				os.Exit(2)
			case "flood":
				return strings.Repeat("x", 9<<20)
			}
			return answer{2 * q.Value, os.Getpid()}
		}, nil
	})
}

func newPool(t *testing.T, s setup) *child.Pool {
	t.Helper()
	p, err := child.NewPool("test", s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

const long = time.Minute

// A child is kept between questions.
func TestKept(t *testing.T) {
	p := newPool(t, setup{})
	pids := map[int]bool{}
	for i := range 5 {
		var a answer
		if err := p.Ask(context.Background(), question{Value: i}, &a, long); err != nil {
			t.Fatal(err)
		}
		if a.Value != 2*i || a.PID == os.Getpid() {
			t.Errorf("question %d: %+v", i, a)
		}
		pids[a.PID] = true
	}
	if len(pids) != 1 {
		t.Errorf("%d processes answered, want 1", len(pids))
	}
}

// After a child that does not answer in time, ends or floods, the next question gets an answer.
func TestBadChildren(t *testing.T) {
	p := newPool(t, setup{})
	for do, want := range map[string]string{
		"hang": child.ErrTime.Error(), "die": "exit status 7; its standard error: it cannot go on",
		"flood": "a line of more than 8388608 bytes",
	} {
		limit := long
		if do == "hang" {
			limit = 50 * time.Millisecond
		}
		err := p.Ask(context.Background(), question{Do: do}, &answer{}, limit)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", do, err, want)
		}
		var a answer
		if err := p.Ask(context.Background(), question{Value: 4}, &a, long); err != nil || a.Value != 8 {
			t.Errorf("after %s: %+v, %v", do, a, err)
		}
	}
}

// A child whose memory is used up says so at the beginning of a long report.
func TestReasonOfACrash(t *testing.T) {
	err := newPool(t, setup{}).Ask(context.Background(), question{Do: "crash"}, &answer{}, long)
	ended, is := errors.AsType[*child.EndedError](err)
	if !is || !ended.Memory || len(err.Error()) > 5000 {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{"exit status 2; its standard error: fatal error: runtime: out of memory", " … ", "the end"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("lacks %q: %v", want, err)
		}
	}
}

// A work can refuse its setup, in its own words.
func TestRefused(t *testing.T) {
	p := newPool(t, setup{Refuse: "there is no such file"})
	for _, err := range []error{p.Check(context.Background()), p.Ask(context.Background(), question{}, &answer{}, long)} {
		refused, is := errors.AsType[*child.StartError](err)
		if !is || !refused.Refused || err.Error() != "there is no such file" {
			t.Errorf("%v", err)
		}
	}
}

// A cancelled question ends at once.
func TestCancelled(t *testing.T) {
	p := newPool(t, setup{})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := p.Ask(ctx, question{Do: "hang"}, &answer{}, long); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// Questions that come at the same time get their own answers.
func TestAtOnce(t *testing.T) {
	p := newPool(t, setup{})
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			var a answer
			if err := p.Ask(context.Background(), question{Value: i}, &a, long); err != nil || a.Value != 2*i {
				t.Errorf("question %d: %+v, %v", i, a, err)
			}
		})
	}
	all.Wait()
}

// A pool whose children are used once gives each question a fresh child, and each session one of its own.
func TestSingle(t *testing.T) {
	p, err := child.NewSinglePool("test", setup{})
	if err != nil {
		t.Fatal(err)
	}
	pids := map[int]bool{}
	for range 3 {
		var a answer
		if err := p.Ask(context.Background(), question{}, &a, long); err != nil {
			t.Fatal(err)
		}
		pids[a.PID] = true
	}
	if len(pids) != 3 {
		t.Errorf("%d processes answered, want 3", len(pids))
	}
	s, err := p.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var first, second answer
	if err := errors.Join(s.Ask(context.Background(), question{}, &first, long),
		s.Ask(context.Background(), question{}, &second, long)); err != nil || first.PID != second.PID || pids[first.PID] {
		t.Errorf("%v %+v %+v", err, first, second)
	}
	if err := s.Ask(context.Background(), question{Do: "die"}, &first, long); err == nil {
		t.Error("a child that ends has answered")
	}
	if err := s.Ask(context.Background(), question{}, &first, long); err == nil {
		t.Error("a child that has ended has answered")
	}
	s.Close()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	for pid := range pids {
		if process, err := os.FindProcess(pid); err == nil && process.Signal(syscall.Signal(0)) == nil {
			t.Errorf("process %d is left", pid)
		}
	}
}
