package imports

import (
	"iter"
	"slices"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/trace"
)

// Row is one configuration: a model, a prompt, an agent.
type Row struct {
	Name   string
	Model  string             // provider:model; "" if unknown
	Traces map[string][]Trace // by query id, in the order of repeats; empty for spans, which are read by Trace

	answers *answers // of spans; nil for others
}

// row finds a row by its name, or adds it.
func (l *Log) row(name, model string) *Row {
	if i := slices.IndexFunc(l.Rows, func(r *Row) bool { return r.Name == name }); i >= 0 {
		return l.Rows[i]
	}
	r := &Row{Name: name, Model: model, Traces: map[string][]Trace{}}
	l.Rows = append(l.Rows, r)
	return r
}

// add adds a query's next trace.
func (r *Row) add(id string, t Trace) { r.Traces[id] = append(r.Traces[id], t) }

// fill adds lost traces, up to n, for repeats that are missing in the file.
func (r *Row) fill(id string, n int) {
	for len(r.Traces[id]) < n {
		r.add(id, noRepeat())
	}
}

func noRepeat() Trace {
	return Trace{}.lose(trace.AgentError, "the file has no such repeat of the query")
}

// Len returns the number of traces of a query, with those that are missing in the file.
func (r *Row) Len(query string) int {
	if r.answers != nil {
		return repeats(r.answers.of(query))
	}
	return len(r.Traces[query])
}

// lengths gives the number of traces of each query that has traces.
func (r *Row) lengths() iter.Seq[int] {
	return func(yield func(int) bool) {
		if r.answers != nil {
			for group := range r.answers.groups() {
				if !yield(repeats(group)) {
					return
				}
			}
		}
		for _, traces := range r.Traces {
			if !yield(len(traces)) {
				return
			}
		}
	}
}

// Trace returns the recorded trace of a query at a place from 0, or a lost trace if the file does not have it. It
// returns an error if a temporary file cannot be read.
func (r *Row) Trace(query string, place int) (Trace, error) {
	if r.answers != nil {
		if a, found := r.answers.at(query, place); found {
			c, err := a.ref.Read()
			return traceOf(c), err
		}
	} else if traces := r.Traces[query]; place < len(traces) {
		return traces[place], nil
	}
	return noRepeat(), nil
}

// recording returns the facts that were recorded about a trace.
func (r *Row) recording(query string, place int) runner.Recording {
	if r.answers != nil {
		a, _ := r.answers.at(query, place)
		return runner.Recording{Seconds: a.seconds}
	}
	if traces := r.Traces[query]; place < len(traces) {
		return runner.Recording{Verdict: traces[place].Verdict, Seconds: traces[place].Seconds}
	}
	return runner.Recording{}
}

// rulings counts the verdicts of the other harness, and the lost traces.
func (r *Row) rulings() (n map[judge.Ruling]int, lost int) {
	n = map[judge.Ruling]int{}
	for _, traces := range r.Traces {
		for _, t := range traces {
			if t.Outcome == trace.Infra {
				lost++
			} else if t.Verdict != nil {
				n[t.Verdict.Verdict]++
			}
		}
	}
	if r.answers != nil {
		lost = r.answers.losses()
	}
	return n, lost
}
