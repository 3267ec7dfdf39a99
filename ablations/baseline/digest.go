package baseline

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

const (
	fewestDigested = 2000 // with fewer bytes, all replies of two runs may be equal by chance
	fewestLong     = 200  // with fewer bytes, two traces may be equal by chance
	fewestCached   = 5    // queries whose replies are copies in two runs
	fewestCopies   = 4    // traces that repeat another one, if most queries have such traces
)

// Copies lists the queries for which the replies of all traces of a run are identical. Long lists those of them
// with at least 200 bytes of replies in each trace. LongOf counts the queries with long replies in at least two
// traces.
type Copies struct {
	Long   []string `json:"long,omitempty"` // sorted
	Short  []string `json:"short,omitempty"`
	LongOf int      `json:"-"`
}

// replies holds a hash of the replies of the agent's model for each trace.
type replies map[trace.ID]*reply

// reply hashes the replies of a trace. It does not keep the texts, because those of a whole run may be larger
// than the memory.
type reply struct {
	digest hash.Hash
	bytes  int
}

// add adds an exchange of the agent. The exchanges of a trace must come in their order.
func (r replies) add(x store.Exchange, agent string) {
	if x.Purpose != model.Agent || x.Identity.Agent != agent || x.Response == nil {
		return
	}
	id := trace.ID{Agent: agent, Query: x.Query, Trace: x.Trace}
	if r[id] == nil {
		r[id] = &reply{digest: sha256.New()}
	}
	said := fmt.Sprintf("%q", x.Response.Content)
	for _, call := range x.Response.ToolCalls {
		said += fmt.Sprintf(" %q %q", call.Name, call.Arguments)
	}
	r[id].digest.Write([]byte(said)) // writing to a hash never fails
	r[id].bytes += len(said)
}

// digest returns a hash that identifies traces: it is the same for the same traces, even if their run, seed or
// model has another name. It is "" if the replies are too few to distinguish traces. The hash includes the
// configuration, because configurations of one run may use the same traces.
func (r replies) digest(configuration string) string {
	ids := slices.SortedFunc(maps.Keys(r), func(a, b trace.ID) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.Trace, b.Trace))
	})
	length := 0
	all := sha256.New()
	fmt.Fprintf(all, "%q", configuration)
	for _, id := range ids {
		length += r[id].bytes
		fmt.Fprintf(all, " %q %x", id.Query, r[id].digest.Sum(nil))
	}
	if length <= fewestDigested {
		return ""
	}
	return hex.EncodeToString(all.Sum(nil)[:16])
}

func (r replies) copies() Copies {
	queries := map[string][]*reply{}
	for id, said := range r {
		queries[id.Query] = append(queries[id.Query], said)
	}
	var c Copies
	for _, id := range slices.Sorted(maps.Keys(queries)) {
		said := queries[id]
		if len(said) < 2 {
			continue
		}
		long := !slices.ContainsFunc(said, func(s *reply) bool { return s.bytes < fewestLong })
		if long {
			c.LongOf++
		}
		first := said[0].digest.Sum(nil)
		switch {
		case slices.ContainsFunc(said, func(s *reply) bool { return !bytes.Equal(s.digest.Sum(nil), first) }):
		case long:
			c.Long = append(c.Long, id)
		default:
			c.Short = append(c.Short, id)
		}
	}
	return c
}

// Cached returns sentences about traces of a run that look like copies of each other (docs/method.md §6.2).
// copies are the copies in the run with the name other.
//
//   - invalid has a sentence in two cases: for most queries with long replies, all traces have the same
//     replies; or this is so for at least five queries in both runs.
//   - warnings has a sentence if there are at least five such queries in both runs only when short replies are
//     counted, too.
//
// Equal replies are not reported if they are expected: from deterministic models, and at temperature 0.
func Cached(p Pass, other string, copies Copies) (invalid, warnings []string) {
	c := p.Configuration
	if c.Configuration.Agent.Temperature == 0 || c.K < 2 || p.Deterministic {
		return nil, nil
	}
	say := func(queries, what, also, so string) []string {
		return []string{fmt.Sprintf("in %s all traces of %s hold identical %s%s at temperature %g: %s",
			queries, p.Manifest.Run, what, also, c.Configuration.Agent.Temperature, so)}
	}
	const caches = "a cache seems to answer, and copies are not evidence; switch it off and begin a new run " +
		"with concur run"
	also := ", and so they do in " + other + ","
	if n := len(p.Copies.Long); 2*n > p.Copies.LongOf && n*(c.K-1) >= fewestCopies {
		return say(fmt.Sprintf("%d of %d queries", n, p.Copies.LongOf), "replies", "", caches), nil
	}
	if n := shared(p.Copies.Long, copies.Long); n >= fewestCached {
		return say(text.Counted(n, "query"), "replies", also, caches), nil
	}
	if n := shared(slices.Concat(p.Copies.Long, p.Copies.Short),
		slices.Concat(copies.Long, copies.Short)); n >= fewestCached {
		return nil, say(text.Counted(n, "query"), "short replies", also,
			"a very certain model may do so, but also a cache, whose copies are not evidence")
	}
	return nil, nil
}

func shared(a, b []string) int {
	return len(slices.DeleteFunc(slices.Clone(a), func(name string) bool { return !slices.Contains(b, name) }))
}

// merged returns a sorted list with names added.
func merged(to []string, names ...string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(to, names))))
}
