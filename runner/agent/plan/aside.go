package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/asking"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
)

// Tasks of side requests.
const (
	taskAnalysis   = "analysis"
	taskReflection = "reflection"
)

// Bounds of the data of a side request, in bytes.
const (
	maxTask   = 8 << 10
	maxResult = 4 << 10
	maxRound  = 32 << 10
)

// analyse asks what the task takes, and shows the model the result.
func (p *rounds) analyse(ctx context.Context) error {
	return p.aside(ctx, taskAnalysis, p.AsideAbout(taskAnalysis, p.config.Prompts.Analysis, promptAnalysis,
		asking.Data("task", p.Question(), maxTask), asking.Data("tools", p.Listing(), maxRound)))
}

// reflects says whether the round that has ended is reflected on.
func (p *rounds) reflects() bool {
	switch r := p.config.Plan.Reflection; {
	case r.IsZero():
		return true
	case r == config.OnFailure:
		return slices.ContainsFunc(p.Outcomes(), func(o session.Outcome) bool { return o.Failed })
	}
	return false
}

// reflect asks what the results of the round mean for the task, and shows the model the reply.
func (p *rounds) reflect(ctx context.Context) error {
	var results []string
	for _, o := range p.Outcomes() {
		results = append(results, fmt.Sprintf("%s %s\n→ %s", o.Call.Name, o.Call.Arguments, asking.Cut(o.Shown, maxResult)))
	}
	p.reflections++
	return p.aside(ctx, taskReflection, p.AsideAbout(fmt.Sprintf("%s#%d", taskReflection, p.reflections), p.config.Prompts.Reflection, promptReflection,
		asking.Data("task", p.Question(), maxTask), asking.Data("results", strings.Join(results, "\n\n"), maxRound)))
}

func (p *rounds) aside(ctx context.Context, name string, a session.Aside) error {
	a.Schema = session.TextSchema(name, name)
	text, _, err := session.Ask(ctx, p.Session, a, textOf(name))
	if err != nil {
		return err
	}
	p.Note(name, *text)
	return nil
}

// textOf reads an object with one text. A model that writes prose instead has said the same: it is taken as
// it is.
func textOf(field string) func(string) (string, error) {
	return func(reply string) (string, error) {
		if object, err := asking.ReadObject(reply, field); err == nil {
			var text string
			if json.Unmarshal(object[field], &text) == nil {
				return text, nil
			}
		}
		return strings.TrimSpace(reply), nil
	}
}
