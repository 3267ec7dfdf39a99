package result

import (
	"github.com/seed-5817661a/concur/runner/store"
)

// Playbook counts what traces had of a playbook.
type Playbook struct {
	Traces   int `json:"traces"`   // with a playbook, whether or not bullets fitted
	Shown    int `json:"shown"`    // bullets, over all traces
	Named    int `json:"named"`    // that the model named
	Followed int `json:"followed"` // whose sequence of tools occurs in the trace
	Tokens   int `json:"tokens"`   // estimate of what they took of one prompt of each trace
	// ShownPerTrace and TokensPerTrace are means, FollowedShare is Followed/Shown; nil if undefined.
	ShownPerTrace  *float64 `json:"shown_per_trace"`
	TokensPerTrace *float64 `json:"tokens_per_trace"`
	FollowedShare  *float64 `json:"followed_share"`
}

func (p *Playbook) add(r store.Record) {
	for _, a := range r.Answers {
		if u := a.Playbook; u != nil {
			p.Traces++
			p.Shown += len(u.Shown)
			p.Named += len(u.Named)
			p.Followed += len(u.Followed)
			p.Tokens += u.Tokens
		}
	}
}

// figures is nil if no trace had a playbook.
func (p Playbook) figures() *Playbook {
	if p.Traces == 0 {
		return nil
	}
	p.ShownPerTrace, p.TokensPerTrace = share(p.Shown, p.Traces), share(p.Tokens, p.Traces)
	p.FollowedShare = share(p.Followed, p.Shown)
	return &p
}
