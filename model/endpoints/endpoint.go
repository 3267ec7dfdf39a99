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

// Names of request fields for Omit.
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

// The forms of response_format for a reply with a schema.
const (
	JSONSchema = "json_schema" // the schema is sent and enforced
	JSONObject = "json_object" // any JSON object; only the prompt describes its form
)

// Values of Stream.
const (
	StreamAuto   = "auto"   // stream if a caller watches the text
	StreamAlways = "always" // always stream, because some models require it
	StreamNever  = "never"
)

// Values of CallIDs: the forms of ids of tool calls.
const (
	AnyID     = "any"    // sent unchanged
	AlnumNine = "alnum9" // exactly nine letters and digits
)

// Values of AssistantPrefix: how an endpoint is asked to continue the text of a conversation that ends with an
// assistant's message.
const (
	PrefixNone     = "none"                   // it cannot: it begins a new message, or refuses the request
	PrefixContinue = "continue"               // it always continues such a message
	PrefixField    = "prefix"                 // the message has prefix: true
	PrefixPartial  = "partial"                // the message has partial: true
	PrefixFinal    = "continue_final_message" // the request has it, and add_generation_prompt: false
)

// Endpoint describes one endpoint. An empty field is not set: Over sets it from a preset. A field that stays
// empty means the behaviour of OpenAI's endpoint.
type Endpoint struct {
	Name string `yaml:"-"` // name of the preset, or of the entry in a configuration
	// AddressEnv is the variable that overrides the address; only presets have one.
	AddressEnv string `yaml:"-"`
	// Filled reports whether Fill has inserted values of variables. Secrets has those values, which must not be
	// shown.
	Filled  bool     `yaml:"-"`
	Secrets []string `yaml:"-"`

	Kind    Kind   `yaml:"kind,omitempty"`
	BaseURL string `yaml:"base_url,omitempty"` // the URL before /chat/completions, /responses, or /v1/messages
	// Path is added to an address without a path, such as https://example.com. {model} in it is the model's name. It may
	// have a query, which every request then has too.
	Path string `yaml:"path,omitempty"`
	Auth Auth   `yaml:"auth,omitempty"`
	// KeyHeader is the header that has only the key, in place of Authorization: Bearer.
	KeyHeader string `yaml:"key_header,omitempty"`
	// Headers are sent with every request. Because they are recorded, a secret in them must be written as
	// ${NAME}; see Fill.
	Headers map[string]string `yaml:"headers,omitempty"`
	// ExtraBody is added to every request's body; null removes a preset's field.
	ExtraBody map[string]any `yaml:"extra_body,omitempty"`

	MaxTokensField string `yaml:"max_tokens_field,omitempty"` // max_tokens or max_completion_tokens
	SeedField      string `yaml:"seed_field,omitempty"`       // the seed's field; default "seed", for Responses none
	Format         string `yaml:"response_format,omitempty"`  // JSONSchema, the default, or JSONObject
	Stream         string `yaml:"stream,omitempty"`           // StreamAuto, the default, StreamAlways or StreamNever
	CallIDs        string `yaml:"tool_call_ids,omitempty"`    // AnyID, the default, or AlnumNine
	// Omit names fields that the endpoint does not support. These fields are not sent, so their settings have no
	// effect.
	Omit []string `yaml:"omit,omitempty"`
	// Keep names fields of an assistant's message that are sent back with it, such as reasoning_content;
	// tool_calls.x is the field x of each call. Other additional fields are dropped.
	Keep []string `yaml:"keep,omitempty"`
	// MaxTools is the largest number of tools that a request may have; 0 if there is no limit, or it is unknown. It does
	// not change requests.
	MaxTools int `yaml:"max_tools,omitempty"`
	// AssistantPrefix is the way to let the endpoint continue an assistant's text; "" means PrefixNone. It changes only
	// requests that end with an assistant's message.
	AssistantPrefix string `yaml:"assistant_prefix,omitempty"`
	// Models has exceptions for some models; the first rule that matches applies.
	Models []Rule `yaml:"models,omitempty"`
}

// Rule is an exception for some models of an endpoint. Its fields override the endpoint's fields; its Omit is
// added to the endpoint's.
type Rule struct {
	Match     string         `yaml:"match"` // a model's name, in which * matches any characters
	ExtraBody map[string]any `yaml:"extra_body,omitempty"`
	Format    string         `yaml:"response_format,omitempty"`
	Stream    string         `yaml:"stream,omitempty"`
	Omit      []string       `yaml:"omit,omitempty"`
	// AssistantPrefix replaces the endpoint's.
	AssistantPrefix string `yaml:"assistant_prefix,omitempty"`
}

// Over returns base with the fields that are set in e. ExtraBody and Headers are merged by key, the rules of
// e come first, and other lists are replaced.
//
// If base uses chat completions and e uses Responses, settings that only chat completions have are not copied
// from base.
func (e Endpoint) Over(base Endpoint) Endpoint {
	if e.Kind == Responses && base.Kind == OpenAI {
		base.MaxTokensField, base.SeedField, base.CallIDs, base.Keep = "", "", "", nil
		base.AssistantPrefix = ""
	}
	out := base
	for _, f := range []struct {
		field *string
		with  string
	}{
		{&out.Name, e.Name}, {&out.AddressEnv, e.AddressEnv}, {(*string)(&out.Kind), string(e.Kind)},
		{&out.BaseURL, e.BaseURL}, {&out.Path, e.Path}, {&out.KeyHeader, e.KeyHeader},
		{&out.MaxTokensField, e.MaxTokensField}, {&out.SeedField, e.SeedField}, {&out.Format, e.Format},
		{&out.Stream, e.Stream}, {&out.CallIDs, e.CallIDs}, {&out.AssistantPrefix, e.AssistantPrefix},
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
	out.MaxTools = cmp.Or(e.MaxTools, base.MaxTools)
	out.Models = slices.Concat(e.Models, base.Models)
	return out
}

// For returns the endpoint for one model: with the first matching rule applied, and without rules.
func (e Endpoint) For(model string) Endpoint {
	rules := e.Models
	e.Models = nil
	for _, r := range rules {
		if !matches(r.Match, model) {
			continue
		}
		omit := slices.Concat(e.Omit, r.Omit)
		slices.Sort(omit)
		e = Endpoint{ExtraBody: r.ExtraBody, Format: r.Format, Stream: r.Stream, Omit: slices.Compact(omit),
			AssistantPrefix: r.AssistantPrefix}.Over(e)
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

// Reasons reports whether the model of an endpoint is known to reason before it replies: the body turns
// reasoning on, or the model refuses a temperature, as reasoning models do. Other reasoning models are only
// recognised by their replies.
func (e Endpoint) Reasons() bool {
	effort, given := e.ExtraBody[Effort]
	if nested, ok := e.ExtraBody["reasoning"].(map[string]any); ok && !given {
		effort, given = nested["effort"]
	}
	return e.ExtraBody["enable_thinking"] == true || given && effort != "none" || e.ExtraBody["thinking"] != nil ||
		!given && slices.Contains(e.Omit, Temperature)
}

// Continues reports whether the endpoint continues an assistant's text.
func (e Endpoint) Continues() bool { return e.AssistantPrefix != "" && e.AssistantPrefix != PrefixNone }

func mergeMaps[V any](base, over map[string]V) map[string]V {
	out := maps.Clone(base)
	if out == nil {
		return maps.Clone(over)
	}
	maps.Copy(out, over)
	return out
}
