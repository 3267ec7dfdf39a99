package advise

import (
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/feature"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Figures counts the effects of a playbook, over all traces.
type Figures struct {
	Traces   int `json:"traces"`   // traces with a playbook, also those without a suitable bullet
	Shown    int `json:"shown"`    // bullets in prompts, over all traces
	Named    int `json:"named"`    // bullets that the model named in a reply
	Followed int `json:"followed"` // shown bullets whose sequence of tools occurs in the trace
	Tokens   int `json:"tokens"`   // estimated tokens of the bullets in one prompt of each trace
	// ShownPerTrace and TokensPerTrace are means, FollowedShare is Followed/Shown; nil if undefined.
	ShownPerTrace  *float64 `json:"shown_per_trace"`
	TokensPerTrace *float64 `json:"tokens_per_trace"`
	FollowedShare  *float64 `json:"followed_share"`
}

// Kind describes the feature. It has no opener, because the feature also needs a file, and an opener gets only
// the configuration.
var Kind = feature.Kind{
	Name: playbook.UseName, Record: playbook.Use{}, Figures: Figures{}, Sum: func() feature.Sum { return &sum{} },
	Columns: []feature.Column{
		feature.Show("bullets\na trace", func(f Figures) string { return text.Decimal(f.ShownPerTrace, 1) }),
		feature.Show("of them\nnamed", func(f Figures) string { return text.Thousands(f.Named) }),
		feature.Show("followed", func(f Figures) string {
			return text.Thousands(f.Followed) + ", " + text.Share(f.FollowedShare)
		}),
		feature.Show("tokens of\nadvice a trace", func(f Figures) string { return text.Decimal(f.TokensPerTrace, 0) }),
		feature.Value("playbook_traces", func(f Figures) any { return f.Traces }),
		feature.Value("playbook_shown", func(f Figures) any { return f.Shown }),
		feature.Value("playbook_named", func(f Figures) any { return f.Named }),
		feature.Value("playbook_followed", func(f Figures) any { return f.Followed }),
		feature.Value("playbook_tokens", func(f Figures) any { return f.Tokens }),
	},
}

type sum struct{ of Figures }

func (s *sum) Add(r store.Record) error {
	for _, a := range r.Answers {
		use, err := trace.Extra[playbook.Use](a.Extras, playbook.UseName)
		if err != nil {
			return err
		}
		if use == nil {
			continue
		}
		s.of.Traces++
		s.of.Shown += len(use.Shown)
		s.of.Named += len(use.Named)
		s.of.Followed += len(use.Followed)
		s.of.Tokens += use.Tokens
	}
	return nil
}

func (s *sum) Merge(other feature.Sum) {
	o := other.(*sum).of
	s.of.Traces += o.Traces
	s.of.Shown += o.Shown
	s.of.Named += o.Named
	s.of.Followed += o.Followed
	s.of.Tokens += o.Tokens
}

func (s *sum) Figures() any {
	f := s.of
	if f.Traces == 0 {
		return nil
	}
	f.ShownPerTrace, f.TokensPerTrace = feature.Share(f.Shown, f.Traces), feature.Share(f.Tokens, f.Traces)
	f.FollowedShare = feature.Share(f.Followed, f.Shown)
	return f
}
