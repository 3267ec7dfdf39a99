package confirm_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
)

// wrong is an agent whose every fresh trace is wrong. A real one would run them.
type wrong struct{ marks map[string][]gate.TraceResult }

func (w wrong) State(context.Context) (confirm.State, error) {
	return confirm.State{Marks: w.marks}, nil
}

func (w wrong) Run(_ context.Context, batches []confirm.Batch) error {
	for _, b := range batches {
		fmt.Printf("run %d traces of %s from number %d\n", b.Traces, strings.Join(b.Queries, ", "), b.First)
		for _, query := range b.Queries {
			w.marks[query] = append(w.marks[query], make([]gate.TraceResult, b.Traces)...)
		}
	}
	return nil
}

func ExampleService() {
	e := gate.Evidence{PoolRuns: 5, K: 3}
	for _, query := range []string{"refunds", "opening-hours", "parking"} {
		e.Items = append(e.Items, gate.Item{Query: query, Current: gate.Traces{Right: 3}, History: gate.Traces{Right: 15}, Runs: 5})
	}
	e.Items[0].Current = gate.Traces{Wrong: 3}
	s := confirm.Service{Fresh: wrong{map[string][]gate.TraceResult{}}}
	_, out, err := s.Decide(context.Background(), e, gate.Options{})
	fmt.Println(out.Decision, err)
	// Output:
	// run 3 traces of refunds from number 0
	// run 3 traces of refunds from number 3
	// REGRESSION <nil>
}
