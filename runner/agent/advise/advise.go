// Package advise shows the bullets of a playbook to an agent before its first turn, and counts which bullets
// the agent used. It does not change the playbook, so all traces of a run see the same bullets.
package advise

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/playbook"
)

// Feature is a session.Feature that shows the bullets of a playbook to the agent. The settings must be
// effective settings (config.Playbook.Effective).
type Feature struct {
	Shelf    *playbook.Shelf
	Settings config.Playbook
	// Embeddings is the version of the vectors by which bullets are found; "" if no vectors are used.
	Embeddings string
}

// Versions returns the hash of the bullets, with the version of the prompt that shows them, and the version of the
// vectors.
func (f Feature) Versions() map[string]string {
	out := map[string]string{playbook.UseName: f.Shelf.Hash() + " " + playbook.PromptVersion}
	if f.Embeddings != "" {
		out["playbook embeddings"] = f.Embeddings
	}
	return out
}

// Begin chooses bullets by the question and by the available tools.
func (f Feature) Begin(ctx context.Context, s *session.Session) (session.Part, error) {
	bullets, err := f.choose(ctx, s)
	if err != nil {
		return session.Part{}, err
	}
	text, tokens := playbook.Prompt(bullets)
	p := session.Part{Name: playbook.UseName, End: func() any { return useOf(bullets, tokens, s) }}
	if f.Settings.Where == config.PlaybookInUser {
		p.User = text
	} else {
		p.System = text
	}
	return p, nil
}

func (f Feature) choose(ctx context.Context, s *session.Session) (bullets []playbook.Bullet, err error) {
	c := playbook.Choice{K: f.Settings.K, Section: f.Settings.Section, WithTools: f.Settings.WithTools,
		Drafts: f.Settings.Stage == config.PlaybookDraft}
	if f.Settings.SameCategory {
		c.Category = s.Task().Query.Category
	}
	for _, t := range s.Tools() {
		c.Offered = append(c.Offered, t.Name)
	}
	switch f.Settings.Mode {
	case config.PlaybookAll:
		bullets = f.Shelf.All(c)
	case config.PlaybookShuffled:
		bullets = f.Shelf.Random(s.Question(), c)
	default:
		bullets, err = f.Shelf.Find(ctx, s.Question(), c)
	}
	return within(f.Settings.Budget, bullets), err
}

// useOf counts two kinds of used bullets: those that the model named in its replies, and those whose sequence
// of tools occurs in its calls. The tools must be called in order; other calls may be between them.
func useOf(bullets []playbook.Bullet, tokens int, s *session.Session) playbook.Use {
	use := playbook.Use{Shown: []string{}, Named: []string{}, Followed: []string{}, Tokens: tokens}
	replies := s.Replies()
	for _, b := range bullets {
		use.Shown = append(use.Shown, b.ID)
		if slices.ContainsFunc(replies, func(text string) bool { return strings.Contains(text, "["+b.ID+"]") }) {
			use.Named = append(use.Named, b.ID)
		}
		rest := b.Tools
		for _, name := range s.Called() {
			if len(rest) > 0 && rest[0] == name {
				rest = rest[1:]
			}
		}
		if len(b.Tools) > 0 && len(rest) == 0 {
			use.Followed = append(use.Followed, b.ID)
		}
	}
	return use
}

// within returns as many of the first bullets as the budget allows. budget is a number of tokens; 0 means no
// limit.
func within(budget int, bullets []playbook.Bullet) []playbook.Bullet {
	total := 0
	for i, b := range bullets {
		if total += b.Tokens(); budget > 0 && total > budget {
			return bullets[:i]
		}
	}
	return bullets
}
