package provider

import (
	"cmp"
	"fmt"

	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/runner/config"
)

// CheckContinues returns an error if the agent writes its calls within one text, and the agent's model is not known to
// continue a text. Such a model would begin a new message behind each result.
func (o *Opener) CheckContinues(c config.Configuration) error {
	if c.Agent.Protocol != config.ProtocolInline || !c.Agent.Loops() {
		return nil
	}
	s, err := parseSpec(c.Model)
	if err != nil {
		return err
	}
	if _, local := o.local[s.provider]; local || o.AssistantPrefix(c) != endpoints.PrefixNone {
		return nil
	}
	return fmt.Errorf("agent.protocol inline: %.60s is not known to continue a text: set "+
		"providers.%.20s.assistant_prefix, or use --protocol text", c.Model, s.provider)
}

// AssistantPrefix returns how the endpoint of the agent's model continues a text. The way of a preset is not known of a
// server at another address.
func (o *Opener) AssistantPrefix(c config.Configuration) string {
	s, err := parseSpec(c.Model)
	if err != nil {
		return endpoints.PrefixNone
	}
	e, known := endpointOf(c.Providers, s.provider)
	if !known {
		return endpoints.PrefixNone
	}
	preset, listed := endpoints.Lookup(s.provider)
	resolved, _, err := e.Resolve(o.environ)
	if listed && (err != nil || resolved.BaseURL != preset.BaseURL) {
		e = c.Providers[s.provider]
	}
	return cmp.Or(e.For(s.name).AssistantPrefix, endpoints.PrefixNone)
}

// ToolLimit returns the largest number of tools in a request to the agent's model; 0 if it is unknown. The limit of a
// preset is not known of a server at another address.
func (o *Opener) ToolLimit(c config.Configuration) int {
	s, err := parseSpec(c.Model)
	if err != nil {
		return 0
	}
	if _, local := o.local[s.provider]; local {
		return 0
	}
	e, known := endpointOf(c.Providers, s.provider)
	if !known {
		return 0
	}
	preset, listed := endpoints.Lookup(s.provider)
	resolved, _, err := e.Resolve(o.environ)
	if listed && preset.BaseURL != "" && (err != nil || resolved.BaseURL != preset.BaseURL) {
		return c.Providers[s.provider].MaxTools
	}
	return e.MaxTools
}
