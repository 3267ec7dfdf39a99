package store

import (
	"cmp"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/runner/trace"
)

// Sorted reads the records in the order of configurations, categories and queries.
func (r *Run) Sorted() ([]Record, error) {
	var records []Record
	for rec, err := range r.Records() {
		if err != nil {
			return nil, err
		}
		records = append(records, rec)
	}
	order := r.Manifest.Dataset.Categories
	place := map[string]int{}
	for i, c := range r.Manifest.Configurations {
		place[c.Name] = i
	}
	slices.SortStableFunc(records, func(a, b Record) int {
		return cmp.Or(
			cmp.Compare(place[a.Configuration], place[b.Configuration]),
			cmp.Compare(slices.Index(order, a.Category), slices.Index(order, b.Category)),
			cmp.Compare(a.Query, b.Query),
		)
	})
	return records, nil
}

// TracesOf reads the events of a query's traces; order holds the traces by agent and index.
func (r *Run) TracesOf(query string) (traces map[trace.ID][]trace.Event, order []trace.ID, err error) {
	traces = map[trace.ID][]trace.Event{}
	for e, err := range r.Events() {
		if err != nil {
			return nil, nil, err
		}
		if e.Query == query {
			traces[e.ID] = append(traces[e.ID], e)
		}
	}
	return traces, slices.SortedFunc(maps.Keys(traces), func(a, b trace.ID) int {
		return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Trace, b.Trace))
	}), nil
}
