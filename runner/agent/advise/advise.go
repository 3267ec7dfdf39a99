// Package advise shows an agent the bullets of a playbook before its first turn, as a session.Source. It does
// not change the playbook, so all traces of a run see the same one.
package advise

import (
	"context"

	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/playbook"
)

// Source shows the bullets of a shelf, by the effective settings (config.Playbook.Effective).
type Source struct {
	Shelf    *playbook.Shelf
	Settings config.Playbook
}

// Prepare chooses bullets by the question and by the available tools.
func (a Source) Prepare(ctx context.Context, s *session.Session) (session.Prepared, error) {
	c := playbook.Choice{K: a.Settings.K, Section: a.Settings.Section, WithTools: a.Settings.WithTools}
	for _, t := range s.Tools() {
		c.Offered = append(c.Offered, t.Name)
	}
	var bullets []playbook.Bullet
	switch a.Settings.Mode {
	case config.PlaybookAll:
		bullets = a.Shelf.All(c)
	case config.PlaybookShuffled:
		bullets = a.Shelf.Random(s.Question(), c)
	default:
		var err error
		if bullets, err = a.Shelf.Find(ctx, s.Question(), c); err != nil {
			return session.Prepared{}, err
		}
	}
	bullets = within(a.Settings.Budget, bullets)
	p := session.Prepared{Name: "playbook", Advised: []session.Advised{}}
	for _, b := range bullets {
		p.Advised = append(p.Advised, session.Advised{ID: b.ID, Tools: b.Tools})
	}
	text, tokens := playbook.Prompt(bullets)
	if p.AdviceTokens = tokens; a.Settings.Where == config.PlaybookInUser {
		p.User = text
	} else {
		p.System = text
	}
	return p, nil
}

// within returns the first bullets that fit the budget, in tokens; 0 means no limit.
func within(budget int, bullets []playbook.Bullet) []playbook.Bullet {
	total := 0
	for i, b := range bullets {
		if total += b.Tokens(); budget > 0 && total > budget {
			return bullets[:i]
		}
	}
	return bullets
}
