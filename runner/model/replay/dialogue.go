package replay

import (
	"errors"
	"fmt"
	"sync"

	"github.com/seed-5817661a/concur/runner/model"
)

// dialogue is the exchanges of one conversation, in the order in which they were recorded.
// A recording writes each message once, so that a request is put together from all
// exchanges before it.
type dialogue struct {
	mu      sync.Mutex
	entries []entry
	first   int // all entries in front of it are used
	used    int

	told     int             // entries that conversation goes through
	messages []model.Message // their last request, with its reply
}

type entry struct {
	position int64
	step     int
	used     bool
}

// take gives the first entry of a step that was not given before: where one identity was
// asked several times, the nth request gets the nth answer.
func (d *dialogue) take(step int) (at int, ok bool) {
	for d.first < len(d.entries) && d.entries[d.first].used {
		d.first++
	}
	for i := d.first; i < len(d.entries); i++ {
		if e := &d.entries[i]; e.step == step && !e.used {
			e.used = true
			d.used++
			return i, true
		}
	}
	return 0, false
}

// forgetUsed gives the memory of a conversation back once all of it was asked for.
func (d *dialogue) forgetUsed() {
	if d.used == len(d.entries) {
		d.told, d.messages = 0, nil
	}
}

// request reads an exchange and puts its request's messages together. They are good until
// the next call.
func (d *dialogue) request(source Source, id model.Identity, at int) (x Exchange, messages []model.Message, err error) {
	if d.told > at { // asked in another order than recorded
		d.told, d.messages = 0, nil
	}
	for ; d.told <= at; d.told++ {
		id.Step = d.entries[d.told].step
		if x, err = source.Read(d.entries[d.told].position); err != nil {
			return x, nil, err
		}
		if err := check(x, id); err != nil {
			return x, nil, err
		}
		kept := keptUnsaid(x, d.messages)
		if x.Kept != nil {
			kept = *x.Kept
		}
		if kept < 0 || kept > len(d.messages) {
			return x, nil, fmt.Errorf("it keeps %d messages of an exchange with %d: the recording is damaged", kept, len(d.messages))
		}
		messages = append(d.messages[:kept], x.Messages...)
		d.messages = messages
		if x.Response != nil {
			d.messages = append(messages, x.Response.Message)
		}
	}
	return x, messages, nil
}

func check(x Exchange, want model.Identity) error {
	if x.Identity != want {
		return errors.New("the recording has changed since it was indexed: replay a copy that nothing writes to")
	}
	if (x.Response == nil) == (x.Failure == nil) {
		return errors.New("it has not exactly one of response and failure: the recording is damaged")
	}
	return nil
}

// keptUnsaid is Kept of an exchange that does not say: nothing for verifier and judges,
// whose requests stand alone. An agent's request that adds a reply has rewritten the last
// one, and one that adds a system message begins anew.
func keptUnsaid(x Exchange, before []model.Message) int {
	if x.Purpose != model.Agent {
		return 0
	}
	if len(x.Messages) == 0 || len(before) == 0 {
		return len(before)
	}
	switch x.Messages[0].Role {
	case model.System:
		return 0
	case model.Assistant:
		return len(before) - 1
	default:
		return len(before)
	}
}
