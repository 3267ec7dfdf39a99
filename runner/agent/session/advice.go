package session

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Advised is a bullet of a playbook that the model is shown.
type Advised struct {
	ID    string
	Tools []string // the sequence of calls that it advises; empty for none
}

// advise notes the bullets that a source shows.
func (s *Session) advise(p Prepared) {
	if p.Advised == nil {
		return
	}
	s.advised = append(s.advised, p.Advised...)
	if s.result.Playbook == nil {
		s.result.Playbook = &trace.Advice{Shown: []string{}, Named: []string{}, Followed: []string{}}
	}
	for _, b := range p.Advised {
		s.result.Playbook.Shown = append(s.result.Playbook.Shown, b.ID)
	}
	s.result.Playbook.Tokens += p.AdviceTokens
}

// countAdvice notes which of the shown bullets the model named in its replies, and whose sequence
// of tools its calls contain, other calls between them or not.
func (s *Session) countAdvice() {
	use := s.result.Playbook
	if use == nil {
		return
	}
	for _, b := range s.advised {
		if slices.ContainsFunc(s.messages, func(m model.Message) bool {
			return m.Role == model.Assistant && strings.Contains(m.Content, "["+b.ID+"]")
		}) {
			use.Named = append(use.Named, b.ID)
		}
		rest := b.Tools
		for _, name := range s.called {
			if len(rest) > 0 && rest[0] == name {
				rest = rest[1:]
			}
		}
		if len(b.Tools) > 0 && len(rest) == 0 {
			use.Followed = append(use.Followed, b.ID)
		}
	}
}
