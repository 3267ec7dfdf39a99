package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/tool"
)

// opened is what a plan's configurations have opened in common.
type opened struct {
	corpora corpora
	sets    map[string]*toolset // by the tools and where they search
	asked   remembered
	search  *tool.Circuit // of all evidence tools; nil where their outage ends nothing
	note    func(string)  // what search backends tell of themselves; may be nil
}

func newOpened() *opened {
	return &opened{sets: map[string]*toolset{}, asked: remembered{verifiers: map[string]*consensus.Cache{}, judges: &judge.Cache{}}}
}

func (o *opened) close() error {
	for _, set := range o.sets {
		set.close()
	}
	return o.corpora.close()
}

// tools opens the tools of a configuration, or finds them opened by another.
func (o *opened) tools(ctx context.Context, c config.Configuration, recorded *replaying) (*toolset, error) {
	key, err := yaml.Marshal([]any{c.Agent.Tools, c.Search})
	if err != nil {
		return nil, fmt.Errorf("encode tools: %w", err)
	}
	if set := o.sets[string(key)]; set != nil {
		return set, nil
	}
	set, err := openTools(ctx, c.Agent.Tools, c.Search, o, recorded)
	if err == nil {
		o.sets[string(key)] = set
	}
	return set, err
}

// whileOpen opens the plan's models and tools for as long as do takes. What do is given
// ends when a model says that the run cannot go on.
func (p *runPlan) whileOpen(ctx context.Context, do func(context.Context) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	o := newOpened()
	o.search = &tool.Circuit{OnOpen: func(e *tool.OutageError) { stop(e) }}
	o.note = func(text string) { p.models.log(text) }
	err := p.open(ctx, o, stop)
	if err != nil {
		return usagef("%w", errors.Join(err, o.close()))
	}
	err = do(ctx)
	if closeErr := o.close(); closeErr != nil {
		err = errors.Join(err, fmt.Errorf("close tools: %w", closeErr))
	}
	return err
}

// open turns the names in the configurations into models, tools and agents. Everything
// that is wrong is told at once, each thing once however many configurations have it.
func (p *runPlan) open(ctx context.Context, o *opened, stop context.CancelCauseFunc) error {
	var err error
	if p.models, err = newModels(p.first(), stop); err != nil {
		return err
	}
	p.models.onText, p.models.replay = p.onText, p.replay
	p.Price = p.models.price
	var texts, names []string
	for i := range p.Arms {
		err := p.openArm(ctx, &p.Arms[i], o)
		if err == nil {
			continue
		}
		if len(texts) == 0 || texts[len(texts)-1] != err.Error() {
			texts, names = append(texts, err.Error()), append(names, "")
		}
		of := &names[len(names)-1]
		*of = strings.TrimPrefix(*of+", "+p.Arms[i].Configuration.Name, ", ")
	}
	var wrong []error
	for i, text := range texts {
		if len(p.Arms) > 1 {
			text = "configuration " + names[i] + ": " + text
		}
		wrong = append(wrong, errors.New(text))
	}
	return errors.Join(wrong...)
}

func (p *runPlan) openArm(ctx context.Context, a *runner.Arm, o *opened) error {
	var err error
	if a.Model, err = p.models.open(a.Configuration.Model); err != nil {
		return err
	}
	set, err := o.tools(ctx, a.Configuration.Effective(), p.replay) // cot and direct have none to open
	if err != nil {
		return err
	}
	if err := p.openAsked(a, &o.asked); err != nil {
		return err
	}
	a.Agent = &react.Agent{Config: a.Configuration.Agent, Tools: set.registry}
	if p.searchChanged != "" { // traces of one run have one name; resumeAction says that they differ
		return nil
	}
	if p.replay != nil { // whatever a key or an address would now make of it
		a.AgentHash = p.replay.of.Configurations[0].Agent
		return nil
	}
	a.AgentHash, err = agentHash(a.Configuration, set)
	if p.agents == nil {
		p.agents = map[string]store.AgentFacts{}
	}
	p.agents[a.AgentHash] = set.facts
	return err
}
