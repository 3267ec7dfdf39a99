package model

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// RawSchema is a JSON Schema as written.
type RawSchema = json.RawMessage

// Purpose names the part of the harness that sends a request. It is part of the key of a recording, so that
// replies to an agent and to a judge are not confused.
type Purpose string

const (
	Agent     Purpose = "agent"
	Extractor Purpose = "extractor"
	Verifier  Purpose = "verifier"
	Judge     Purpose = "judge"
)

// Identity names a request within a run. The K traces of a query send equal messages, but have different identities.
type Identity struct {
	Agent   string  `json:"agent"` // agent hash
	Query   string  `json:"query"`
	Trace   int     `json:"trace"` // 0..K-1
	Step    int     `json:"step"`  // 0 for the first exchange of the conversation
	Purpose Purpose `json:"purpose"`
	// Path and Task distinguish the conversations of one trace. Path is the agent: "" for the trace's own
	// agent, researcher#1 for the first agent that it called as a tool. In a conversation with a scripted
	// person, paths begin with the turn: turn#2, turn#2/researcher#1. Task names a side request of that agent,
	// such as a summary; "" means the turns of its loop.
	Path string `json:"path"`
	Task string `json:"task"`
}

// Conversation returns the identity without its step, which all exchanges of a conversation share.
func (id Identity) Conversation() Identity {
	id.Step = 0
	return id
}

// OfTrace returns the part of the identity that is common to all conversations of a trace.
func (id Identity) OfTrace() Identity {
	id.Step, id.Path, id.Task = 0, "", ""
	return id
}

// Request is the complete input of one call. A Model keeps no state between calls.
type Request struct {
	Identity Identity
	Messages []Message
	Tools    []ToolSpec
	// Choice allows, forbids or requires calls of Tools in the reply; "" lets the model choose.
	Choice ToolChoice
	// SingleCall asks for at most one tool call, if the provider can enforce it.
	SingleCall bool
	// Temperature is the sampling temperature, 0 or more. Zero is sent as zero.
	Temperature float64
	// Seed makes sampling repeatable if the provider supports it; 31 bits.
	Seed int64
	// NoTemperature and NoSeed mean that the setting is not sent, so the provider's default applies. Package
	// offline has no provider, and always uses both settings.
	NoTemperature, NoSeed bool
	// Extra has further settings, such as top_p, by their names in the provider's API. They are sent unchanged,
	// in addition to the settings above. The provider refuses unknown settings. Package offline refuses settings
	// that change the form of the reply, and ignores all others.
	Extra map[string]json.RawMessage
	// Stop ends the reply before any of these texts. The reply does not contain the text.
	Stop []string
	// MaxTokens limits the reply, including reasoning; 0 means the limit of the model's settings.
	MaxTokens int
	// Schema, if set, requires a reply that is one JSON value of this form.
	Schema *ResponseSchema
}

// ToolChoice is one of the choices below, or the name of the only tool to call.
type ToolChoice string

// The choices that do not name a tool.
const (
	ChooseFreely   ToolChoice = ""
	ChooseNone     ToolChoice = "none"     // call no tool
	ChooseRequired ToolChoice = "required" // call one or more
)

// ResponseSchema describes the form of a structured reply.
type ResponseSchema struct {
	Name        string    `json:"name"`
	Schema      RawSchema `json:"schema"`
	Description string    `json:"description,omitempty"`
	Lax         bool      `json:"lax,omitempty"` // the provider need not enforce all of Schema
}

// ReplyTool is the description of the tool that replaces a response schema at a provider that has no schemas.
// Package anthropic sends it; package serve recognises the tool by this description.
const ReplyTool = "Gives the reply. Call it with the whole of your reply."

// FinishReason is the reason why a model stopped.
type FinishReason string

// Finish reasons that callers distinguish. Providers convert their own reasons to these, and leave unknown
// reasons unchanged.
const (
	FinishStop          FinishReason = "stop"
	FinishToolCalls     FinishReason = "tool_calls"
	FinishLength        FinishReason = "length"
	FinishContentFilter FinishReason = "content_filter"
	// FinishMalformedCall means that the endpoint could not parse the model's tool call.
	FinishMalformedCall FinishReason = "malformed_function_call"
)

// Usage counts tokens. A provider that counts in another unit documents it. The zero value means unknown.
type Usage struct {
	InputTokens     int `json:"input_tokens"`
	OutputTokens    int `json:"output_tokens"`
	CachedTokens    int `json:"cached_tokens"`    // the part of InputTokens read from a cache
	ReasoningTokens int `json:"reasoning_tokens"` // the part of OutputTokens that was used for reasoning
	// CacheWriteTokens is the part of InputTokens that was written to a cache, for which some providers charge.
	CacheWriteTokens int `json:"cache_write_tokens,omitempty"`
	// CacheLongTokens is the part of CacheWriteTokens that is cached for the longer of two terms, which has
	// another price.
	CacheLongTokens int `json:"cache_long_tokens,omitempty"`
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		InputTokens: u.InputTokens + v.InputTokens, OutputTokens: u.OutputTokens + v.OutputTokens,
		CachedTokens: u.CachedTokens + v.CachedTokens, ReasoningTokens: u.ReasoningTokens + v.ReasoningTokens,
		CacheWriteTokens: u.CacheWriteTokens + v.CacheWriteTokens,
		CacheLongTokens:  u.CacheLongTokens + v.CacheLongTokens,
	}
}

// Sub returns u minus v, which must be a part of it.
func (u Usage) Sub(v Usage) Usage {
	return u.Add(Usage{
		-v.InputTokens, -v.OutputTokens, -v.CachedTokens, -v.ReasoningTokens, -v.CacheWriteTokens, -v.CacheLongTokens,
	})
}

// Response is a model's answer to one request.
type Response struct {
	Message Message
	Finish  FinishReason
	Usage   Usage
	// Model is the model's name in the provider's reply; it may differ from the requested name.
	Model string
	// Attempts is the number of times that the request was sent. Waited is the time between the attempts. Both
	// are 0 if not counted; then there was one attempt.
	Attempts int
	Waited   time.Duration
	// Took is the time from the request to this response; 0 if not measured.
	Took time.Duration
	// Sent describes the request, if it was the first of an agent's own conversation. It is nil for other
	// requests, and for models without a provider.
	Sent *Sent
}

// Sent describes the fields of a request, without the conversation and its tools.
type Sent struct {
	// Digest is the first 16 hexadecimal digits of the SHA-256 of these fields, without the seed.
	Digest string `json:"digest"`
	// Unset lists the settings of the request that were not sent because the model refuses them.
	Unset []string `json:"unset,omitempty"`
}

// Model answers requests. Implementations are safe for concurrent use and return a *Error for every failure,
// so that callers can distinguish an outage from a refusal. Package runner/offline has an implementation
// without a network, and the Example has a fake.
type Model interface {
	// Complete sends one request and returns the reply. It returns soon after ctx is done.
	Complete(ctx context.Context, req Request) (Response, error)
}

// Streamer is a Model that can also report its reply while it arrives.
type Streamer interface {
	Model
	// Stream does the same as Complete, and calls onText with the pieces of the reply's Content, in order and
	// never concurrently. Together the pieces are the Content of the Response or, after an error, the beginning
	// of it.
	Stream(ctx context.Context, req Request, onText func(string)) (Response, error)
}

// Stream asks m, and passes the reply's Content to onText: in pieces if m is a Streamer, otherwise as a
// whole.
func Stream(ctx context.Context, m Model, req Request, onText func(string)) (Response, error) {
	if s, ok := m.(Streamer); ok {
		return s.Stream(ctx, req, onText)
	}
	resp, err := m.Complete(ctx, req)
	if err == nil && resp.Message.Content != "" {
		onText(resp.Message.Content)
	}
	return resp, err
}

// Watch returns a Model that does the same as m, and passes every reply's Content to onText. If decorators
// that repeat calls wrap the result, onText gets the text of every attempt.
func Watch(m Model, onText func(string)) Model { return watchedModel{m, onText} }

type watchedModel struct {
	inner  Model
	onText func(string)
}

func (w watchedModel) Complete(ctx context.Context, req Request) (Response, error) {
	return Stream(ctx, w.inner, req, w.onText)
}

// BareName removes provider and options from the name that a model has in a configuration: it returns small for
// PROVIDER:small?OPTION=VALUE. For a name without a provider it returns "".
func BareName(spec string) string {
	_, name, _ := strings.Cut(spec, ":")
	name, _, _ = strings.Cut(name, "?")
	return name
}
