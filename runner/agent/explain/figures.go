package explain

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/feature"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Name is the name of the feature.
const Name = "explain"

// Counts counts the requests to explain a call before it is made, and their results.
type Counts struct {
	Due   int `json:"due"`   // turns on which an explanation was demanded
	Given int `json:"given"` // turns with an explanation
	// Followed counts explanations after which the model called tools or answered. Kept counts those of them
	// after which the model did what it had announced.
	Followed int `json:"followed"`
	Kept     int `json:"kept"`
	Tokens   int `json:"tokens"` // input and output of replies that were only an explanation
}

// Figures counts the effects of agent.explain, over all traces.
type Figures struct {
	Counts
	// GivenShare is Given/Due, KeptShare Kept/Followed; nil if undefined.
	GivenShare *float64 `json:"given_share"`
	KeptShare  *float64 `json:"kept_share"`
	// TokenShare is the share of the agent's tokens that were in explanations. It is nil if there are no
	// tokens.
	TokenShare *float64 `json:"token_share"`
}

// Kind describes the feature.
var Kind = feature.Kind{
	Name: Name, New: New, Record: Counts{}, Figures: Figures{}, Sum: func() feature.Sum { return &sum{} },
	Columns: []feature.Column{
		feature.Show("turns\nexplained", func(f Figures) string { return fmt.Sprintf("%d/%d", f.Given, f.Due) }),
		feature.Show("announced tool\nwas called", func(f Figures) string {
			return fmt.Sprintf("%d/%d, %s", f.Kept, f.Followed, text.Share(f.KeptShare))
		}),
		feature.Show("tokens on\nexplanations", func(f Figures) string {
			return text.Thousands(f.Tokens) + ", " + text.Share(f.TokenShare)
		}),
		feature.Value("explain_due", func(f Figures) any { return f.Due }),
		feature.Value("explain_given", func(f Figures) any { return f.Given }),
		feature.Value("explain_followed", func(f Figures) any { return f.Followed }),
		feature.Value("explain_kept", func(f Figures) any { return f.Kept }),
		feature.Value("explain_tokens", func(f Figures) any { return f.Tokens }),
	},
}

type sum struct {
	counts Counts
	traces int // with explanations
	tokens int // of the agent, input and output
}

func (s *sum) Add(r store.Record) error {
	agent := r.Usage.Roles[store.AgentRole]
	s.tokens += agent.InputTokens + agent.OutputTokens
	for _, a := range r.Answers {
		c, err := trace.Extra[Counts](a.Extras, Name)
		if err != nil {
			return err
		}
		if c == nil {
			continue
		}
		s.traces++
		s.counts.Due += c.Due
		s.counts.Given += c.Given
		s.counts.Followed += c.Followed
		s.counts.Kept += c.Kept
		s.counts.Tokens += c.Tokens
	}
	return nil
}

func (s *sum) Merge(other feature.Sum) {
	o := other.(*sum)
	s.traces += o.traces
	s.tokens += o.tokens
	s.counts.Due += o.counts.Due
	s.counts.Given += o.counts.Given
	s.counts.Followed += o.counts.Followed
	s.counts.Kept += o.counts.Kept
	s.counts.Tokens += o.counts.Tokens
}

func (s *sum) Figures() any {
	if s.traces == 0 {
		return nil
	}
	c := s.counts
	return Figures{Counts: c, GivenShare: feature.Share(c.Given, c.Due), KeptShare: feature.Share(c.Kept, c.Followed),
		TokenShare: feature.Share(c.Tokens, s.tokens)}
}
