// Package inline counts the calls of the protocol inline (agent.protocol), in which a model writes calls within one
// text, and gives the protocol its part in the agent's hash. Package session runs the protocol.
package inline

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/feature"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Version changes with the prompts of the protocol, and with the way in which its texts are read.
const Version = "inline/v1"

// Name is the name of the feature.
const Name = "inline"

// Counts counts the inline calls of a trace.
type Counts struct {
	Calls int `json:"calls"` // calls that the model wrote while it had calls left
	// Own counts results that the model wrote itself, and text that it wrote behind a call without waiting for the
	// result. They were cut off.
	Own  int `json:"own_results"`
	Over int `json:"over_limit"` // calls beyond agent.inline_calls, which were cut off
}

// Figures has the counts over all traces with the protocol.
type Figures struct {
	Counts
	Traces int `json:"traces"`
}

// Kind describes the feature.
var Kind = feature.Kind{
	Name: Name, New: New, Record: Counts{}, Figures: Figures{}, Sum: func() feature.Sum { return &sum{} },
	Columns: []feature.Column{
		feature.Show("inline calls,\ntexts", func(f Figures) string { return fmt.Sprintf("%d, %d", f.Calls, f.Traces) }),
		feature.Show("own results\ncut", func(f Figures) string { return fmt.Sprint(f.Own) }),
		feature.Value("inline_calls", func(f Figures) any { return f.Calls }),
		feature.Value("inline_own_results", func(f Figures) any { return f.Own }),
		feature.Value("inline_over_limit", func(f Figures) any { return f.Over }),
	},
}

// New returns the feature for agent.protocol inline; nil for other protocols, and for strategies without tools.
func New(c config.Configuration) session.Feature {
	a := c.Effective().Agent
	if a.Protocol != config.ProtocolInline || !a.Loops() {
		return nil
	}
	return Feature{}
}

// Feature counts inline calls. It is a session.Feature.
type Feature struct{}

// Versions returns the version of the protocol.
func (Feature) Versions() map[string]string { return map[string]string{Name: Version} }

// Begin begins to count.
func (Feature) Begin(_ context.Context, s *session.Session) (session.Part, error) {
	c := &counter{session: s}
	return session.Part{Name: Name, Turns: c, End: func() any { return c.counts }}, nil
}

// counter counts the calls of one trace.
type counter struct {
	session *session.Session
	counts  Counts
}

// Offer returns the tools unchanged.
func (c *counter) Offer(tools []model.ToolSpec) []model.ToolSpec { return tools }

// Request does not change the request.
func (c *counter) Request(*model.Request) {}

// Answer returns all calls.
func (c *counter) Answer(calls []model.ToolCall) (others []model.ToolCall, again bool) {
	return calls, false
}

// Reply counts the calls of a piece of text.
func (c *counter) Reply(t session.Turn, _ model.Usage) {
	if t.Invented() {
		c.counts.Own++
	}
	if c.session.CallsLeft() {
		c.counts.Calls += len(t.Calls)
	} else {
		c.counts.Over += len(t.Calls)
	}
}

type sum struct{ figures Figures }

func (s *sum) Add(r store.Record) error {
	for _, a := range r.Answers {
		c, err := trace.Extra[Counts](a.Extras, Name)
		if err != nil {
			return err
		}
		if c != nil {
			s.add(*c, 1)
		}
	}
	return nil
}

func (s *sum) add(c Counts, traces int) {
	s.figures.Traces += traces
	s.figures.Calls += c.Calls
	s.figures.Own += c.Own
	s.figures.Over += c.Over
}

func (s *sum) Merge(other feature.Sum) {
	o := other.(*sum).figures
	s.add(o.Counts, o.Traces)
}

func (s *sum) Figures() any {
	if s.figures.Traces == 0 {
		return nil
	}
	return s.figures
}
