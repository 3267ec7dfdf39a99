package outputtest

import (
	"encoding/json"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// witness checks the calls to an output. One half of it is called before the output, the other half after it.
type witness struct {
	prior   *store.Prior
	first   func() // called before the first record
	records int

	busy  atomic.Bool // a call is between the first half and the second
	calls []any
	now   string // the present call, as JSON
	wrong []string
	ends  []error
}

type (
	before struct{ *witness }
	after  struct{ *witness }
)

func (b before) Exchange(x store.Exchange) { b.begin(x) }
func (b before) Event(e trace.Event)       { b.begin(e) }
func (b before) Record(r store.Record) {
	if b.records++; b.records == 1 {
		b.first()
	}
	b.begin(r)
}

func (a after) Exchange(x store.Exchange) { a.end(x) }
func (a after) Event(e trace.Event)       { a.end(e) }
func (a after) Record(r store.Record)     { a.end(r) }
func (a after) End(err error)             { a.ends = append(a.ends, err) }

func (w *witness) begin(call any) {
	if w.busy.Swap(true) {
		w.wrong = append(w.wrong, "a call began before the last had reached every output")
	}
	w.now, w.calls = encoded(call), append(w.calls, call)
	if len(w.ends) > 0 {
		w.wrong = append(w.wrong, "a call came after the end: "+w.now)
	}
}

func (w *witness) end(call any) {
	if now := encoded(call); now != w.now {
		w.wrong = append(w.wrong, "the output changed its argument: "+w.now+"\ninto: "+now)
	}
	w.busy.Store(false)
}

func encoded(call any) string {
	raw, err := json.Marshal(call)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// texts returns the texts that an output should keep for the calls.
func (w *witness) texts(keeps func(any) string) (out []string) {
	for _, c := range w.calls {
		out = append(out, keeps(c))
	}
	return out
}

// check fails if the calls are not in the order of runner.Output. begun are the traces that began.
func (w *witness) check(t *testing.T, begun []trace.ID, runErr error) {
	t.Helper()
	for _, wrong := range w.wrong {
		t.Error(wrong)
	}
	exchanges, ended := map[model.Identity]bool{}, map[trace.ID]int{}
	for _, c := range w.calls {
		switch c := c.(type) {
		case store.Exchange:
			exchanges[c.Identity] = true
		case trace.Event:
			_, ends := c.End()
			_, reads := c.Body.(trace.Extraction)
			if ended[c.ID] > 0 != reads {
				t.Errorf("trace %v has ended %d times when its event %s comes", c.ID, ended[c.ID], c.Name())
			}
			if ends {
				ended[c.ID]++
			}
			asked := model.Identity{Agent: c.Agent, Query: c.Query, Trace: c.ID.Trace, Path: c.Path, Step: c.Step,
				Purpose: model.Agent}
			if _, thought := c.Body.(trace.Thought); thought && !exchanges[asked] {
				t.Errorf("trace %v: the thought of step %d %s comes before its exchange", c.ID, c.Step, c.Path)
			}
		case store.Record:
			for _, a := range c.Answers {
				id := trace.ID{Agent: c.Agent, Query: c.Query, Trace: a.Trace}
				if _, earlier := w.prior.Trace(id); !earlier && ended[id] != 1 {
					t.Errorf("the record of %s comes before the end of its trace %d", c.Query, a.Trace)
				}
			}
		}
	}
	for _, id := range begun {
		if ended[id] != 1 {
			t.Errorf("trace %v began and ended %d times", id, ended[id])
		}
	}
	if len(begun) != len(ended) {
		t.Errorf("%d traces began, and %d ended", len(begun), len(ended))
	}
	if !slices.Equal(w.ends, []error{runErr}) {
		t.Errorf("the run ended with %v, and the ends are %v", runErr, w.ends)
	}
}

var _ runner.Ender = after{}
