package replay_test

import (
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/replay"
)

// broken is a source that fails where it is told to.
type broken struct {
	replay.Memory
	index, read error
}

func (b broken) Index() iter.Seq2[replay.Entry, error] {
	return func(yield func(replay.Entry, error) bool) {
		for e := range b.Memory.Index() {
			if !yield(e, b.index) {
				return
			}
		}
	}
}

func (b broken) Read(position int64) (replay.Exchange, error) {
	x, err := b.Memory.Read(position)
	return x, errors.Join(err, b.read)
}

func TestBrokenRecordings(t *testing.T) {
	good, _ := record(t, 1, 1, nil)
	disk := errors.New("input/output error")
	if _, err := replay.Open(broken{Memory: good, index: disk}); !errors.Is(err, disk) {
		t.Errorf("%v", err)
	}
	many := 99
	for _, c := range []struct {
		name   string
		damage func(x *replay.Exchange) error
		want   string
	}{
		{"cannot be read", func(*replay.Exchange) error { return disk }, disk.Error()},
		{"no answer", func(x *replay.Exchange) error { x.Response = nil; return nil }, "damaged"},
		{"two answers", func(x *replay.Exchange) error { x.Failure = &replay.Failure{}; return nil }, "damaged"},
		{"keeps too much", func(x *replay.Exchange) error { x.Kept = &many; return nil }, "damaged"},
	} {
		bad := []replay.Exchange{good[0]}
		err := c.damage(&bad[0])
		rec, openErr := replay.Open(broken{Memory: bad, read: err})
		if openErr != nil {
			t.Fatal(openErr)
		}
		_, err = (&replay.Model{Recorded: rec}).Complete(t.Context(), turn(0, 0))
		if err == nil || !strings.Contains(err.Error(), c.want) || model.KindOf(err) != model.ErrUnavailable {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	t.Run("changed meanwhile", func(t *testing.T) {
		rec := open(t, good)
		good[0].Query = "q7"
		if _, err := (&replay.Model{Recorded: rec}).Complete(t.Context(), turn(0, 0)); err == nil || !strings.Contains(err.Error(), "changed since") {
			t.Error(err)
		}
	})
	if _, err := (replay.Memory{}).Read(0); err == nil {
		t.Error("an empty recording has an exchange")
	}
}
