package endpoints

import (
	"maps"
	"slices"
)

// Kind is the wire that an endpoint speaks.
type Kind string

// The kinds.
const (
	OpenAI    Kind = "openai"    // chat completions
	Anthropic Kind = "anthropic" // Messages
)

// The fields of a request that an endpoint may not understand, as Omit names them.
const (
	Temperature    = "temperature"
	Seed           = "seed"
	Stop           = "stop"
	ResponseFormat = "response_format"
	ToolChoice     = "tool_choice"
	ParallelCalls  = "parallel_tool_calls"
	StreamOptions  = "stream_options"
	MaxTokens      = "max_tokens"
)

// omittable lists them.
func omittable() []string {
	return []string{Temperature, Seed, Stop, ResponseFormat, ToolChoice, ParallelCalls, StreamOptions, MaxTokens}
}

// The forms of response_format for a reply of a given schema.
const (
	JSONSchema = "json_schema" // the schema is sent, and the reply keeps to it
	JSONObject = "json_object" // some JSON object; its form rests on the prompt
)

// When replies are streamed.
const (
	StreamAuto   = "auto"   // when a caller wants to watch
	StreamAlways = "always" // some models give no reply in one piece
	StreamNever  = "never"
)

// AlnumNine is a form of tool call ids: nine letters and digits.
const AlnumNine = "alnum9"

// AnyID is the other: whatever the endpoint or the caller gave.
const AnyID = "any"

// Endpoint is how to speak to one endpoint. An empty field is not set: Over fills it from
// a preset, and what is empty in the end is as at OpenAI.
type Endpoint struct {
	Name string `yaml:"-"` // of the preset, or the entry of a configuration
	// AddressEnv is the variable that can give another address; only presets have one.
	AddressEnv string `yaml:"-"`

	Kind    Kind   `yaml:"kind,omitempty"`
	BaseURL string `yaml:"base_url,omitempty"` // all that stands before /chat/completions, or /v1/messages
	Auth    Auth   `yaml:"auth,omitempty"`
	// Headers are sent with every request. They are recorded, so they hold no secrets.
	Headers map[string]string `yaml:"headers,omitempty"`
	// ExtraBody is added to every request's body; null takes away what a preset adds.
	ExtraBody map[string]any `yaml:"extra_body,omitempty"`

	MaxTokensField string `yaml:"max_tokens_field,omitempty"` // max_tokens or max_completion_tokens
	SeedField      string `yaml:"seed_field,omitempty"`       // what the seed is called; default seed
	Format         string `yaml:"response_format,omitempty"`  // JSONSchema, the default, or JSONObject
	Stream         string `yaml:"stream,omitempty"`           // StreamAuto, the default, StreamAlways or StreamNever
	CallIDs        string `yaml:"tool_call_ids,omitempty"`    // AnyID, the default, or AlnumNine
	// Omit names fields that the endpoint does not understand. They are not sent, so what a
	// configuration says about them has no effect there.
	Omit []string `yaml:"omit,omitempty"`
	// Keep names fields of an assistant's message that go back with it in later turns, such
	// as reasoning_content; tool_calls.x is the field x of each call. All others are
	// dropped.
	Keep []string `yaml:"keep,omitempty"`
	// Models says in what single models differ; the first rule that matches holds.
	Models []Rule `yaml:"models,omitempty"`
}

// Rule is what is special about some models of an endpoint. Its fields go over the
// endpoint's; Omit adds to the endpoint's.
type Rule struct {
	Match     string         `yaml:"match"` // a name; * stands for any characters
	ExtraBody map[string]any `yaml:"extra_body,omitempty"`
	Format    string         `yaml:"response_format,omitempty"`
	Stream    string         `yaml:"stream,omitempty"`
	Omit      []string       `yaml:"omit,omitempty"`
}

// Over gives base with the fields of e in front. ExtraBody and Headers are joined by key,
// and the rules of e come first; lists replace. e keeps its name, and base gives one where
// it has none.
func (e Endpoint) Over(base Endpoint) Endpoint {
	out := base
	for _, f := range []struct {
		field *string
		with  string
	}{
		{&out.Name, e.Name}, {&out.AddressEnv, e.AddressEnv}, {(*string)(&out.Kind), string(e.Kind)}, {&out.BaseURL, e.BaseURL},
		{&out.MaxTokensField, e.MaxTokensField}, {&out.SeedField, e.SeedField}, {&out.Format, e.Format},
		{&out.Stream, e.Stream}, {&out.CallIDs, e.CallIDs},
	} {
		if f.with != "" {
			*f.field = f.with
		}
	}
	if e.Auth.set() {
		out.Auth = e.Auth
	}
	out.Headers, out.ExtraBody = joined(base.Headers, e.Headers), joined(base.ExtraBody, e.ExtraBody)
	if e.Omit != nil {
		out.Omit = slices.Clone(e.Omit)
	}
	if e.Keep != nil {
		out.Keep = slices.Clone(e.Keep)
	}
	out.Models = slices.Concat(e.Models, base.Models)
	return out
}

// For gives the endpoint as it is for one model: the first rule that matches is applied,
// and no rules are left.
func (e Endpoint) For(model string) Endpoint {
	rules := e.Models
	e.Models = nil
	for _, r := range rules {
		if !matches(r.Match, model) {
			continue
		}
		omit := slices.Concat(e.Omit, r.Omit)
		slices.Sort(omit)
		e = Endpoint{ExtraBody: r.ExtraBody, Format: r.Format, Stream: r.Stream, Omit: slices.Compact(omit)}.Over(e)
		break
	}
	e.ExtraBody = maps.Clone(e.ExtraBody)
	maps.DeleteFunc(e.ExtraBody, func(_ string, value any) bool { return value == nil })
	return e
}

// Reasons reports whether an endpoint, as it is for one model, is known to reason before
// it replies: its body turns that on, or it refuses a temperature, as reasoning models do.
// One that also does it unasked is found out by its replies.
func (e Endpoint) Reasons() bool {
	effort, given := e.ExtraBody["reasoning_effort"]
	return e.ExtraBody["enable_thinking"] == true || given && effort != "none" || e.ExtraBody["thinking"] != nil ||
		!given && slices.Contains(e.Omit, Temperature)
}

func joined[V any](base, over map[string]V) map[string]V {
	out := maps.Clone(base)
	if out == nil {
		return maps.Clone(over)
	}
	maps.Copy(out, over)
	return out
}
