package endpoints

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Kind is the API of an endpoint.
type Kind string

const (
	OpenAI    Kind = "openai"    // chat completions
	Anthropic Kind = "anthropic" // Messages
	Responses Kind = "responses" // OpenAI's Responses
)

// Names in Omit: request fields that an endpoint may not support.
const (
	Temperature    = "temperature"
	Seed           = "seed"
	Stop           = "stop"
	ResponseFormat = "response_format"
	ToolChoice     = "tool_choice"
	ParallelCalls  = "parallel_tool_calls"
	StreamOptions  = "stream_options"
	MaxTokens      = "max_tokens"
	Include        = "include" // Responses: asks for encrypted reasoning
	Store          = "store"   // Responses: asks to store nothing
)

// Effort is the request field for the amount of reasoning before a reply.
const Effort = "reasoning_effort"

// The forms of response_format for a reply of a given schema.
const (
	JSONSchema = "json_schema" // the schema is sent and enforced
	JSONObject = "json_object" // any JSON object; only the prompt describes its form
)

// Values of Stream: when to stream replies.
const (
	StreamAuto   = "auto"   // when a caller wants to watch
	StreamAlways = "always" // some models give no reply in one piece
	StreamNever  = "never"
)

// Values of CallIDs: the forms of tool call ids.
const (
	AnyID     = "any"    // not changed
	AlnumNine = "alnum9" // nine letters and digits
)

// Endpoint describes one endpoint. An empty field is not set: Over fills it from a preset, and a field that
// remains empty has OpenAI's value.
type Endpoint struct {
	Name string `yaml:"-"` // of the preset, or the entry of a configuration
	// AddressEnv is the variable for another address; only presets have one.
	AddressEnv string `yaml:"-"`
	// Filled reports that Fill has inserted values of variables. Secrets are those values; they must not be
	// shown.
	Filled  bool     `yaml:"-"`
	Secrets []string `yaml:"-"`

	Kind    Kind   `yaml:"kind,omitempty"`
	BaseURL string `yaml:"base_url,omitempty"` // the URL before /chat/completions, /responses, or /v1/messages
	Auth    Auth   `yaml:"auth,omitempty"`
	// Headers are sent with every request. They are recorded, so a secret in them is written as ${NAME}; see Fill.
	Headers map[string]string `yaml:"headers,omitempty"`
	// ExtraBody is added to every request's body; null removes a preset's field.
	ExtraBody map[string]any `yaml:"extra_body,omitempty"`

	MaxTokensField string `yaml:"max_tokens_field,omitempty"` // max_tokens or max_completion_tokens
	SeedField      string `yaml:"seed_field,omitempty"`       // the seed's field; default seed, and none for Responses
	Format         string `yaml:"response_format,omitempty"`  // JSONSchema, the default, or JSONObject
	Stream         string `yaml:"stream,omitempty"`           // StreamAuto, the default, StreamAlways or StreamNever
	CallIDs        string `yaml:"tool_call_ids,omitempty"`    // AnyID, the default, or AlnumNine
	// Omit names fields that the endpoint does not support. They are not sent, so their settings have no effect.
	Omit []string `yaml:"omit,omitempty"`
	// Keep names fields of an assistant's message that are sent back with it, such as
	// reasoning_content; tool_calls.x is the field x of each call. All others are dropped.
	Keep []string `yaml:"keep,omitempty"`
	// Models has exceptions for single models; the first matching rule applies.
	Models []Rule `yaml:"models,omitempty"`
}

// Rule is an exception for some models of an endpoint. Its fields override the endpoint's; Omit adds to it.
type Rule struct {
	Match     string         `yaml:"match"` // a name; * matches any characters
	ExtraBody map[string]any `yaml:"extra_body,omitempty"`
	Format    string         `yaml:"response_format,omitempty"`
	Stream    string         `yaml:"stream,omitempty"`
	Omit      []string       `yaml:"omit,omitempty"`
}

// Over returns base with the set fields of e. ExtraBody and Headers are merged by key, the rules of e come
// first, and lists are replaced.
//
// If base uses chat completions and e uses Responses, the settings that only chat completions have are not
// taken over.
func (e Endpoint) Over(base Endpoint) Endpoint {
	if e.Kind == Responses && base.Kind == OpenAI {
		base.MaxTokensField, base.SeedField, base.CallIDs, base.Keep = "", "", "", nil
	}
	out := base
	for _, f := range []struct {
		field *string
		with  string
	}{
		{&out.Name, e.Name}, {&out.AddressEnv, e.AddressEnv}, {(*string)(&out.Kind), string(e.Kind)},
		{&out.BaseURL, e.BaseURL},
		{&out.MaxTokensField, e.MaxTokensField}, {&out.SeedField, e.SeedField}, {&out.Format, e.Format},
		{&out.Stream, e.Stream}, {&out.CallIDs, e.CallIDs},
	} {
		*f.field = cmp.Or(f.with, *f.field)
	}
	if e.Auth.set() {
		out.Auth = e.Auth
	}
	out.Headers, out.ExtraBody = mergeMaps(base.Headers, e.Headers), mergeMaps(base.ExtraBody, e.ExtraBody)
	if e.Omit != nil {
		out.Omit = slices.Clone(e.Omit)
	}
	if e.Keep != nil {
		out.Keep = slices.Clone(e.Keep)
	}
	out.Models = slices.Concat(e.Models, base.Models)
	return out
}

// For returns the endpoint for one model: it applies the first matching rule and removes the rules.
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

// matches reports whether a model's name matches a pattern, ignoring case.
func matches(pattern, name string) bool {
	form := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")
	return regexp.MustCompile("(?is)^" + form + "$").MatchString(name)
}

// Reasons reports whether an endpoint's model is known to reason before it replies: its body turns reasoning
// on, or it refuses a temperature, as reasoning models do. Other reasoning models are recognised by their
// replies.
func (e Endpoint) Reasons() bool {
	effort, given := e.ExtraBody[Effort]
	if nested, ok := e.ExtraBody["reasoning"].(map[string]any); ok && !given {
		effort, given = nested["effort"]
	}
	return e.ExtraBody["enable_thinking"] == true || given && effort != "none" || e.ExtraBody["thinking"] != nil ||
		!given && slices.Contains(e.Omit, Temperature)
}

func mergeMaps[V any](base, over map[string]V) map[string]V {
	out := maps.Clone(base)
	if out == nil {
		return maps.Clone(over)
	}
	maps.Copy(out, over)
	return out
}
