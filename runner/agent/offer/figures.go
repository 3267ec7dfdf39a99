package offer

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/feature"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Name is the name of the feature.
const Name = "offer"

// Record is the choice of tools in one trace.
type Record struct {
	Of       int      `json:"of"`                 // tools that the agent has
	Offered  []string `json:"offered"`            // tools that it was offered at the beginning, in its order
	Searches []Search `json:"searches,omitempty"` // calls of search_tools with a result
	Called   []string `json:"called,omitempty"`   // tools that a search found and the agent then called
}

// Search is a call of search_tools.
type Search struct {
	Query string   `json:"query"`
	Found []string `json:"found"` // the tools that were then offered, the best first
}

// Figures counts the choices of tools, over all traces.
type Figures struct {
	Traces   int `json:"traces"`
	Tools    int `json:"tools"`    // tools that the agents of the traces have, summed
	Offered  int `json:"offered"`  // tools that were offered at the beginning, summed
	Searches int `json:"searches"` // calls of search_tools with a result
	Found    int `json:"found"`    // tools that they found
	Called   int `json:"called"`   // found tools that were called in their trace
	// OfferedPerTrace and ToolsPerTrace are means; nil if undefined.
	OfferedPerTrace *float64 `json:"offered_per_trace"`
	ToolsPerTrace   *float64 `json:"tools_per_trace"`
}

// Kind describes the feature. It has no opener, because it needs the agent's tools besides the configuration.
var Kind = feature.Kind{
	Name: Name, Record: Record{}, Figures: Figures{}, Sum: func() feature.Sum { return &sum{} },
	Columns: []feature.Column{
		feature.Show("tools offered\nat first", func(f Figures) string {
			return text.Decimal(f.OfferedPerTrace, 0) + " of " + text.Decimal(f.ToolsPerTrace, 0)
		}),
		feature.Show("searches\nfor tools", func(f Figures) string { return text.Thousands(f.Searches) }),
		feature.Show("found tools\nthat were called", func(f Figures) string {
			return fmt.Sprintf("%d/%d", f.Called, f.Found)
		}),
		feature.Value("offer_traces", func(f Figures) any { return f.Traces }),
		feature.Value("offer_tools", func(f Figures) any { return f.Tools }),
		feature.Value("offer_offered", func(f Figures) any { return f.Offered }),
		feature.Value("offer_searches", func(f Figures) any { return f.Searches }),
		feature.Value("offer_found", func(f Figures) any { return f.Found }),
		feature.Value("offer_called", func(f Figures) any { return f.Called }),
	},
}

type sum struct{ of Figures }

func (s *sum) Add(r store.Record) error {
	for _, a := range r.Answers {
		c, err := trace.Extra[Record](a.Extras, Name)
		if err != nil {
			return err
		}
		if c == nil {
			continue
		}
		s.of.Traces++
		s.of.Tools += c.Of
		s.of.Offered += len(c.Offered)
		s.of.Searches += len(c.Searches)
		for _, found := range c.Searches {
			s.of.Found += len(found.Found)
		}
		s.of.Called += len(c.Called)
	}
	return nil
}

func (s *sum) Merge(other feature.Sum) {
	o := other.(*sum).of
	s.of.Traces += o.Traces
	s.of.Tools += o.Tools
	s.of.Offered += o.Offered
	s.of.Searches += o.Searches
	s.of.Found += o.Found
	s.of.Called += o.Called
}

func (s *sum) Figures() any {
	f := s.of
	if f.Traces == 0 {
		return nil
	}
	f.OfferedPerTrace, f.ToolsPerTrace = feature.Share(f.Offered, f.Traces), feature.Share(f.Tools, f.Traces)
	return f
}
