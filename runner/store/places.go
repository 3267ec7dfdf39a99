package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/trace"
)

// places has the offsets of a trace's lines in one file. If several sessions have lines of the trace, it has
// only those of the last session.
type places struct {
	session, n int
	last       int64
	at         []byte // the differences between offsets
}

// add appends a line's offset. If the trace already has lines of a later session than the new line, it adds
// nothing and returns false.
func (p *places) add(session int, offset int64) bool {
	if session < p.session {
		return false
	}
	if session > p.session {
		*p = places{session: session}
	}
	p.at = binary.AppendUvarint(p.at, uint64(offset-p.last))
	p.n, p.last = p.n+1, offset
	return true
}

// offsets returns the offsets, in order.
func (p *places) offsets() []int64 {
	if p == nil {
		return nil
	}
	out := make([]int64, 0, p.n)
	last, rest := int64(0), p.at
	for range p.n {
		step, n := binary.Uvarint(rest)
		last, rest = last+int64(step), rest[n:]
		out = append(out, last)
	}
	return out
}

// placeKey identifies a trace, a verifier or a judge by four numbers. Each number is the number of a text in
// names.
type placeKey struct{ agent, query, trace, purpose int32 }

// names gives each text a number, so that each text is in memory only once.
type names struct {
	numbers map[string]int32
	texts   []string
}

func (n *names) number(text string) int32 {
	if i, known := n.numbers[text]; known {
		return i
	}
	if n.numbers == nil {
		n.numbers = map[string]int32{}
	}
	i := int32(len(n.texts))
	n.numbers[text], n.texts = i, append(n.texts, text)
	return i
}

// shared returns the copy of the text that is already in memory.
func (n *names) shared(text string) string { return n.texts[n.number(text)] }

// key returns the key of a trace, or of a verifier's or judge's conversation about it. New texts get a number.
func (n *names) key(id trace.ID, purpose model.Purpose) placeKey {
	return placeKey{n.number(id.Agent), n.number(id.Query), int32(id.Trace), n.number(string(purpose))}
}

// known returns a key; ok is false if a text has no number.
func (n *names) known(id trace.ID, purpose model.Purpose) (placeKey, bool) {
	agent, is := n.numbers[id.Agent]
	query, asked := n.numbers[id.Query]
	role, used := n.numbers[string(purpose)]
	return placeKey{agent, query, int32(id.Trace), role}, is && asked && used
}

func (n *names) id(k placeKey) trace.ID {
	return trace.ID{Agent: n.texts[k.agent], Query: n.texts[k.query], Trace: int(k.trace)}
}

func (n *names) purpose(k placeKey) model.Purpose { return model.Purpose(n.texts[k.purpose]) }

// trace returns the offsets of a trace; nil for an unknown trace.
func (x *Index) trace(id trace.ID) *tracePlaces {
	if k, known := x.names[runfiles.Traces].known(id, ""); known {
		return x.traces[k]
	}
	return nil
}

// exchangesOf returns the offsets of the exchanges of a trace, a verifier or a judge. It is nil without
// exchanges.
func (x *Index) exchangesOf(id trace.ID, purpose model.Purpose) *places {
	if k, known := x.names[runfiles.Chat].known(id, purpose); known {
		return x.exchanges[k]
	}
	return nil
}

// queryPlaces has the offset of each query's line in places.jsonl.
type queryPlaces struct {
	placesReader
	at map[string]int64
}

// queryPlaces reads places.jsonl. Close its file after use.
func (r *Run) queryPlaces(ctx context.Context) (*queryPlaces, error) {
	in, err := r.openPlaces()
	if err != nil {
		return nil, err
	}
	p := &queryPlaces{in, map[string]int64{}}
	for line, err := range in.lines(ctx) {
		var of struct {
			Query string `json:"query"`
		}
		if err == nil {
			err = in.decode(line.Text, &of)
		}
		if err != nil {
			return nil, errors.Join(err, in.file.Close())
		}
		p.at[of.Query] = line.Offset
	}
	return p, nil
}

// index returns the index of a query. For an unknown query, the index is empty.
func (p *queryPlaces) index(query string) (*Index, error) {
	x := NewIndex()
	x.settings = p.of.Settings
	at, known := p.at[query]
	if !known {
		return x, nil
	}
	var e indexEntry
	err := disk.ReadLine(p.file, at, func(line []byte) error { return p.decode(line, &e) })
	if err != nil {
		return nil, fmt.Errorf("read %s at byte %d: %w", p.file.Name(), at, err)
	}
	x.enter(e)
	x.sorted()
	return x, nil
}
