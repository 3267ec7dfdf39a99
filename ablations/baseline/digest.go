package baseline

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

const (
	// fewestDigested is the number of bytes up to which all replies of a run may be those of
	// another by chance: the answers to a few small sums.
	fewestDigested = 2000
	digestBytes    = 16
)

// replies collects what the model of an agent said, by trace.
type replies map[trace.ID]*reply

// reply is what a model said in a trace.
type reply struct {
	digest hash.Hash
	bytes  int
}

// add takes an exchange of the agent; exchanges of a trace come in their order.
func (r replies) add(x store.Exchange, agent string) {
	if x.Purpose != model.Agent || x.Identity.Agent != agent || x.Response == nil {
		return
	}
	id := trace.ID{Agent: agent, Query: x.Query, Trace: x.Trace}
	if r[id] == nil {
		r[id] = &reply{digest: sha256.New()}
	}
	s := r[id]
	n, _ := fmt.Fprintf(s.digest, "%q", x.Response.Content) // a hash takes everything
	for _, call := range x.Response.ToolCalls {
		more, _ := fmt.Fprintf(s.digest, " %q %q", call.Name, call.Arguments)
		n += more
	}
	s.bytes += n
}

// digest tells the traces of a pass from all others, whatever run, seed and model they are
// said to be of; "" where the replies are too few to tell. The configuration is a part of
// it, since configurations of one run may share their traces.
func (r replies) digest(configuration string) string {
	ids := make([]trace.ID, 0, len(r))
	bytes := 0
	for id, s := range r {
		ids, bytes = append(ids, id), bytes+s.bytes
	}
	if bytes <= fewestDigested {
		return ""
	}
	slices.SortFunc(ids, func(a, b trace.ID) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.Trace, b.Trace))
	})
	all := sha256.New()
	_, _ = fmt.Fprintf(all, "%q", configuration) // a hash takes everything
	for _, id := range ids {
		_, _ = fmt.Fprintf(all, " %q %x", id.Query, r[id].digest.Sum(nil))
	}
	return hex.EncodeToString(all.Sum(nil)[:digestBytes])
}

// digestFits reports whether a text is empty or can be a digest.
func digestFits(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && (s == "" || len(raw) == digestBytes)
}

// Copies are the queries of which all traces of a run hold the same replies to the byte. Long
// ones have replies of 200 bytes or more in each trace, below which two traces may well say
// the same by chance. LongOf counts the
// queries with long replies in two traces or more.
type Copies struct {
	Long   []string `json:"long,omitempty"` // sorted
	Short  []string `json:"short,omitempty"`
	LongOf int      `json:"-"`
}

const fewestBytes = 200

// IsZero reports whether no query has copies.
func (c Copies) IsZero() bool { return len(c.Long)+len(c.Short) == 0 }

func (r replies) copies() Copies {
	type query struct {
		first         string
		traces, least int
		differs       bool
	}
	queries := map[string]*query{}
	for id, s := range r {
		sum := string(s.digest.Sum(nil))
		q := queries[id.Query]
		if q == nil {
			q = &query{first: sum, least: s.bytes}
			queries[id.Query] = q
		}
		q.traces, q.least = q.traces+1, min(q.least, s.bytes)
		q.differs = q.differs || q.first != sum
	}
	var c Copies
	for id, q := range queries {
		long := q.least >= fewestBytes
		if q.traces < 2 {
			continue
		}
		if long {
			c.LongOf++
		}
		switch {
		case q.differs:
		case long:
			c.Long = append(c.Long, id)
		default:
			c.Short = append(c.Short, id)
		}
	}
	slices.Sort(c.Long)
	slices.Sort(c.Short)
	return c
}
