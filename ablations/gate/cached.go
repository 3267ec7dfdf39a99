package gate

import (
	"fmt"
	"hash"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
)

// fewestBytes is the length of a trace's replies below which two may well be equal by
// chance.
const fewestBytes = 200

// fewestCopies is the number of traces that repeat another of their query before that is
// called a cache: a sure model may well say the same three times of one query.
const fewestCopies = 4

// Cached says why the traces of a run look like copies of each other, "" where they do not:
// of most queries all traces hold the same replies, byte for byte (methods.md §6.2). It is
// not for deterministic models, nor for temperature 0, where equal replies are what was
// asked for. Traces that never reached a model, and short replies, are left out.
func Cached(r *store.Run, configuration string) (string, error) {
	c, err := (RunPass{Manifest: r.Manifest}).configuration(configuration)
	if err != nil {
		return "", fmt.Errorf("read run %s: %w", r.Manifest.Run, err)
	}
	all := replies{}
	for x, err := range r.Exchanges() {
		if err != nil {
			return "", err
		}
		all.add(x, c.Agent)
	}
	same, of := all.copies(c)
	if same*(c.K-1) < fewestCopies || 2*same <= of {
		return "", nil
	}
	return fmt.Sprintf("in %d of %d queries all traces hold the same replies to the byte, at temperature %g: something caches, and copies are no evidence; switch the cache off and begin a new run with concur run (a folder of fresh traces that holds them goes with it)", same, of, c.Configuration.Agent.Temperature), nil
}

// said is what a model said in a trace.
type said struct {
	digest hash.Hash
	bytes  int
}

func (s *said) add(m model.Message) {
	n, _ := fmt.Fprintf(s.digest, "%q", m.Content) // a hash takes everything
	for _, call := range m.ToolCalls {
		more, _ := fmt.Fprintf(s.digest, " %q %q", call.Name, call.Arguments)
		n += more
	}
	s.bytes += n
}

// copies counts the queries of which two traces or more reached a model, and those among
// them whose traces are all the same.
func (r replies) copies(c store.Configuration) (same, of int) {
	type query struct {
		first   string
		traces  int
		differs bool
	}
	queries := map[string]*query{}
	for id, s := range r {
		if s.bytes < fewestBytes {
			continue
		}
		sum := string(s.digest.Sum(nil))
		q := queries[id.Query]
		if q == nil {
			q = &query{first: sum}
			queries[id.Query] = q
		}
		q.traces++
		q.differs = q.differs || q.first != sum
	}
	for _, q := range queries {
		if q.traces < 2 {
			continue
		}
		of++
		if !q.differs && q.traces == c.K {
			same++
		}
	}
	return same, of
}
