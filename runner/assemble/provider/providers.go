package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/anthropic"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/model/lapse"
	"github.com/seed-5817661a/concur/model/openai"
	"github.com/seed-5817661a/concur/model/responses"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/offline"
	"github.com/seed-5817661a/concur/runner/offline/ngram"
)

// localModel is a provider that needs neither a key nor a network.
type localModel struct {
	open    func(spec) (model.Model, error)
	version func(spec) string // changes when its replies could change
}

// protocol opens a model at an endpoint that uses one of the known protocols.
type protocol func(s spec, e endpoints.Endpoint, key string) (model.Model, error)

// Providers are the endpoints of a configuration, by name.
type Providers = map[string]endpoints.Endpoint

// Model opens a model without limits.
func (o *Opener) Model(text string, providers Providers) (model.Model, error) {
	s, err := parseSpec(text)
	if err != nil {
		return nil, err
	}
	var m model.Model
	if local, ok := o.local[s.provider]; ok {
		m, err = local.open(s)
	} else {
		m, err = o.openEndpoint(s, providers)
	}
	if err != nil {
		return nil, fmt.Errorf("model %q: %w", text, err)
	}
	return m, nil
}

// CheckProviders returns an error for a model of the configuration whose provider is not known. It needs no key.
func (o *Opener) CheckProviders(c config.Configuration) error {
	for _, text := range ModelNames(c.Effective()) {
		s, err := parseSpec(text)
		if _, local := o.local[s.provider]; err == nil && !local {
			_, err = o.endpoint(c.Providers, s.provider)
		}
		if err != nil {
			return fmt.Errorf("model %q: %w", text, err)
		}
	}
	return nil
}

// ModelNames returns the models of a configuration without repeats, the agent's model first.
func ModelNames(c config.Configuration) []string {
	var out []string
	named := append([]string{c.Model, c.ExtractorModel(), c.Verifier.Model, c.Judge.Quality}, c.CorrectnessModels()...)
	for _, agent := range c.SubAgents() {
		named = append(named, c.ModelAt(agent))
	}
	for _, text := range named {
		if text != "" && text != config.SameModel && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// endpointOf returns the endpoint of a provider. If the configuration has an endpoint with this name, it is
// used instead of the preset.
func endpointOf(providers Providers, name string) (e endpoints.Endpoint, known bool) {
	preset, known := endpoints.Lookup(name)
	own, configured := providers[name]
	if !configured {
		return preset, known
	}
	own.Name = name
	return own.Over(preset), true
}

// endpoint returns the endpoint of a provider, or an error that lists the known providers.
func (o *Opener) endpoint(providers Providers, name string) (endpoints.Endpoint, error) {
	if e, known := endpointOf(providers, name); known {
		return e, nil
	}
	names := slices.Concat(slices.Sorted(maps.Keys(o.local)), endpoints.Names(), slices.Sorted(maps.Keys(providers)))
	hint := ""
	if meant := strictyaml.Closest(name, names); meant != "" {
		hint = fmt.Sprintf("did you mean %q? ", meant)
	} else if endpoints.Guess(name) != "" { // the provider is a model of Ollama, as in qwen3:8b
		hint = fmt.Sprintf("did you mean \"ollama:%s:…\"? ", name)
	}
	return endpoints.Endpoint{}, fmt.Errorf("there is no provider %q; %sknown: %s; define others under providers "+
		"in concur.yaml",
		name, hint, strings.Join(slices.Compact(names), ", "))
}

// openEndpoint opens a model at an endpoint. Key and address come from the environment variables that the
// provider's own clients use.
func (o *Opener) openEndpoint(s spec, providers Providers) (model.Model, error) {
	e, err := o.endpoint(providers, s.provider)
	if err != nil {
		return nil, err
	}
	e, key, err := e.Resolve(o.environ)
	if err == nil {
		e, err = e.Fill(o.environ)
	}
	if err != nil {
		return nil, err
	}
	open, known := o.protocols[e.Kind]
	if !known {
		open = openOpenAI
	}
	return open(s, e, key)
}

// ModelVersion returns what identifies a model: the version of a local model, or the address and the settings
// of an endpoint. If it changes, the agent's hash changes.
func (o *Opener) ModelVersion(text string, providers Providers) string {
	s, err := parseSpec(text)
	if err != nil {
		return offline.Version
	}
	if local, ok := o.local[s.provider]; ok {
		return local.version(s)
	}
	e, err := o.endpoint(providers, s.provider)
	if err != nil {
		return s.provider // Model has reported the unknown provider
	}
	if resolved, _, err := e.Resolve(o.environ); err == nil {
		e = resolved
	}
	e = e.For(s.name)
	e.MaxTools = 0         // it changes no request
	e.AssistantPrefix = "" // it changes only requests of agents that have it in their hash, see AssistantPrefix
	raw, err := yaml.Marshal(e)
	if err != nil {
		return o.withoutKeys(e.BaseURL)
	}
	sum := sha256.Sum256(raw)
	return o.withoutKeys(e.BaseURL) + " " + hex.EncodeToString(sum[:4])
}

// reasons reports whether a model is known to reason before it replies.
func (o *Opener) reasons(text string, providers Providers) bool {
	s, err := parseSpec(text)
	if err != nil {
		return false
	}
	e, err := o.endpoint(providers, s.provider)
	return err == nil && s.reasoning(e).Fitted(s.name).Reasons()
}

func openOffline(s spec) (model.Model, error) {
	if s.name == ngram.Name {
		return nil, errors.New("it writes no replies, it only gives log-probabilities: use it as a scorer")
	}
	latency, rate := s.duration("latency"), s.probability("lapse")
	if err := s.check(); err != nil {
		return nil, err
	}
	m, err := offline.New(s.name, offline.Options{Latency: latency})
	if rate > 0 && err == nil {
		m = lapse.Model{Inner: m, Rate: rate}
	}
	return m, err
}

// offlineVersion returns the version of the offline model's rules. If the model has lapses, it also has their
// version.
func offlineVersion(s spec) string {
	if s.name == ngram.Name {
		return ngram.Version
	}
	if s.options.Has("lapse") {
		return offline.Version + " " + lapse.Version
	}
	return offline.Version
}

func openOpenAI(s spec, e endpoints.Endpoint, key string) (model.Model, error) {
	o := openai.Options{
		Endpoint: s.reasoning(e), APIKey: key, Model: s.name, Timeout: s.duration("timeout"),
		MaxTokens: s.number("max_tokens"),
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return openai.New(o)
}

func openResponses(s spec, e endpoints.Endpoint, key string) (model.Model, error) {
	o := responses.Options{
		Endpoint: s.reasoning(e), APIKey: key, Model: s.name, Timeout: s.duration("timeout"),
		MaxTokens: s.number("max_tokens"),
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return responses.New(o)
}

func openAnthropic(s spec, e endpoints.Endpoint, key string) (model.Model, error) {
	e = e.Fitted(s.name)
	o := anthropic.Options{
		BaseURL: e.BaseURL, APIKey: key, Secrets: e.Secrets, Model: s.name, Timeout: s.duration("timeout"),
		MaxTokens:     s.number("max_tokens"),
		NoForcedTool:  s.flag("no_forced_tool") || slices.Contains(e.Omit, endpoints.ToolChoice),
		NoTemperature: slices.Contains(e.Omit, endpoints.Temperature),
		Stream:        e.Stream == endpoints.StreamAlways,
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if thinking, ok := e.ExtraBody["thinking"]; ok {
		var err error
		if o.Thinking, err = json.Marshal(thinking); err != nil {
			return nil, fmt.Errorf("extra_body.thinking: %w", err)
		}
	}
	return anthropic.New(o)
}
