package assemble

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
)

// checkContinues returns an error if the agent writes its calls within one text, and the agent's model is not known to
// continue a text. Such a model would begin a new message behind each result.
func (a *Assembler) checkContinues(c config.Configuration) error {
	if c.Agent.Protocol != config.ProtocolInline || !c.Agent.Loops() {
		return nil
	}
	s, err := parseSpec(c.Model)
	if err != nil {
		return err
	}
	if _, local := a.local[s.provider]; local || a.assistantPrefix(c) != endpoints.PrefixNone {
		return nil
	}
	return fmt.Errorf("agent.protocol inline: %.60s is not known to continue a text: set "+
		"providers.%.20s.assistant_prefix, or use --protocol text", c.Model, s.provider)
}

// assistantPrefix returns how the endpoint of the agent's model continues a text. The way of a preset is not known of a
// server at another address.
func (a *Assembler) assistantPrefix(c config.Configuration) string {
	s, err := parseSpec(c.Model)
	if err != nil {
		return endpoints.PrefixNone
	}
	e, known := endpointOf(c.Providers, s.provider)
	if !known {
		return endpoints.PrefixNone
	}
	preset, listed := endpoints.Lookup(s.provider)
	resolved, _, err := e.Resolve(a.environ)
	if listed && (err != nil || resolved.BaseURL != preset.BaseURL) {
		e = c.Providers[s.provider]
	}
	return cmp.Or(e.For(s.name).AssistantPrefix, endpoints.PrefixNone)
}

// WithSampler opens a scorer and a model that continues texts, with one budget. It calls do, and then closes them. spec
// may be ""; then there is no model. The context of do ends when the budget is spent.
func (a *Assembler) WithSampler(ctx context.Context, c config.Configuration, scorer, spec string,
	do func(context.Context, model.Scorer, model.Model) error) error {
	if spec != "" {
		if config.IsOffline(spec) {
			return fmt.Errorf("%s writes no calls into texts: leave --model out, and rules propose calls", spec)
		}
		if c.Model = spec; a.assistantPrefix(c) == endpoints.PrefixNone {
			provider, _, _ := strings.Cut(spec, ":")
			return fmt.Errorf("%.60s is not known to continue a text: set providers.%.20s.assistant_prefix, or leave --model "+
				"out", spec, provider)
		}
	}
	return a.within(ctx, runner.Plan{}, c, Options{}, func(ctx context.Context, s *Session) error {
		opened, err := s.OpenScorer(ctx, c.ModelOf(scorer), nil)
		var m model.Model
		if err == nil && spec != "" {
			m, err = s.Models.open(spec)
		}
		if err != nil {
			return err
		}
		return do(ctx, opened, m)
	})
}
