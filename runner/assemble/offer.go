package assemble

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent/offer"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
)

// addOffer adds the choice of tools to an agent, unless all tools are offered. It checks the number of tools in a
// request, and notes their size if they are large.
func (s *Session) addOffer(ctx context.Context, a *runner.Arm, to *session.Settings) error {
	c, specs := a.Configuration.Effective(), to.Tools.Specs()
	if note := s.toolsNote(c, specs); note != "" && !slices.Contains(s.notes, note) {
		s.notes = append(s.notes, note)
	}
	if !s.Replays() {
		if err := s.a.checkToolLimit(c, agentTools, len(specs)); err != nil {
			return err
		}
	}
	o := c.Agent.Offer
	if o.K == 0 {
		return nil
	}
	if _, clashes := to.Tools.Lookup(config.SearchTools); clashes {
		return fmt.Errorf("agent.offer adds a tool %s, and a tool of the dataset has this name: rename that tool, or "+
			"leave agent.offer out", config.SearchTools)
	}
	embedder, err := s.a.embedder("agent.offer", o.Embeddings, c, s.Replays())
	if err != nil {
		return err
	}
	f, err := offer.New(ctx, specs, o.K, embedder)
	if err != nil {
		return err
	}
	if o.Embeddings != "" {
		f.Embeddings = s.a.embeddingsVersion(o.Embeddings, c)
	}
	to.Features = append(to.Features, f)
	return nil
}

// checkToolLimit returns an error if requests may have more tools than the endpoint of the agent's model takes. key is
// the setting that names the tools. If calls are text, requests have no tools.
func (a *Assembler) checkToolLimit(c config.Configuration, key string, tools int) error {
	limit := a.ToolLimit(c)
	if limit == 0 || c.Agent.WritesCalls() {
		return nil
	}
	own := 0
	if !c.Agent.Explain.IsZero() {
		own++
	}
	if c.Agent.Strategy == config.StrategyPlan {
		own++ // complete_task
	}
	most, k := tools, c.Agent.Offer.K
	if k > 0 && k < tools {
		own++ // search_tools
		most = min(tools, k+offer.MostFound*c.Agent.MaxSteps)
	}
	provider, _, _ := strings.Cut(c.Model, ":")
	switch {
	case most+own <= limit:
		return nil
	case most < tools || k > 0 && k < tools:
		return fmt.Errorf("agent.offer.k is %d; with the tools that searches find, a request may have %d, and %s takes "+
			"%d: give a smaller k, or a smaller agent.max_steps", k, most+own, provider, limit)
	case key != agentTools:
		return fmt.Errorf("%s: a request would have %d tools, and %s takes %d: name fewer tools", key, tools+own, provider,
			limit)
	}
	return fmt.Errorf("%s: a request would have %d tools, and %s takes %d: set agent.offer: {k: 20}, or name fewer tools",
		key, tools+own, provider, limit)
}

// agentTools is the key that names the agent's tools.
const agentTools = "agent.tools"

// largeTools is the size of the tools in a request, in bytes, from which a run says it: about 8,000 tokens, more than
// concur's own instructions and the results of some calls.
const largeTools = 32 << 10

// bytesPerToken is the usual estimate for English text and JSON.
const bytesPerToken = 4

// toolsNote describes the size and the price of the agent's tools in each request; "" if they are small.
func (s *Session) toolsNote(c config.Configuration, specs []tool.Spec) string {
	size := 0
	for _, t := range specs {
		size += len(t.Line)
	}
	all, k := len(specs), cmp.Or(c.Agent.Offer.K, len(specs))
	if k < all {
		size = size * k / all // tools have about the same size
	}
	if size < largeTools {
		return ""
	}
	tokens := size / bytesPerToken
	price := ""
	if usd, known := s.Plan.Price(c.Model, model.Usage{InputTokens: tokens}); known && usd > 0 {
		price = ", " + text.Dollars(&usd)
	}
	way := ": agent.offer: {k: 20} sends the 20 that fit the question"
	if k < all {
		way = ": a smaller agent.offer.k sends fewer"
	}
	return fmt.Sprintf("%d tools are sent with every request: %d KB, about %s tokens%s%s", min(k, all), size/1000,
		text.Thousands(tokens), price, way)
}
