package model

import (
	"context"
	"encoding/json"
	"time"
)

// RawSchema is a JSON Schema as written.
type RawSchema = json.RawMessage

// Purpose names the part of the harness that asks. It is part of a recording's key, so that replies to an
// agent and replies to a judge are not confused.
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
	// Path and Task distinguish the conversations of one trace. Path is the agent: "" for
	// the trace's own agent, researcher#1 for the first that it called as a tool. Task names
	// a side request of that agent, such as a summary; "" is its loop.
	Path string `json:"path"`
	Task string `json:"task"`
}

// Conversation returns the identity without its step, which all exchanges of a conversation share.
func (id Identity) Conversation() Identity {
	id.Step = 0
	return id
}

// OfTrace returns the part of the identity that all conversations of a trace share.
func (id Identity) OfTrace() Identity {
	id.Step, id.Path, id.Task = 0, "", ""
	return id
}

// Request is the complete input of one call. A Model keeps no state between calls.
type Request struct {
	Identity Identity
	Messages []Message
	Tools    []ToolSpec
	// Choice sets whether the reply may or must call Tools; empty leaves it to the model.
	Choice ToolChoice
	// SingleCall asks for at most one tool call, if the provider can enforce it.
	SingleCall bool
	// Temperature is the sampling temperature, 0 or more. Zero is sent as zero.
	Temperature float64
	// Seed makes sampling repeatable if the provider supports it; 31 bits.
	Seed int64
	// NoTemperature and NoSeed leave the setting to the provider's default: it is not sent. Package offline,
	// which has no provider, uses both settings nevertheless.
	NoTemperature, NoSeed bool
	// Extra has further settings, such as top_p, by their names in the provider's API. They are sent
	// unchanged with the settings above and never replace them. The provider refuses those that it does not
	// know. Package offline refuses settings that ask for another form of reply, and ignores the rest.
	Extra map[string]json.RawMessage
	// Stop ends the reply before any of these texts; the text itself is not returned.
	Stop []string
	// MaxTokens limits the reply, reasoning included; 0 leaves it to the model's settings.
	MaxTokens int
	// Schema, if set, asks for a reply that is one JSON value of this form.
	Schema *ResponseSchema
}

// ToolChoice is one of the choices below, or the name of the one tool to call.
type ToolChoice string

// The choices that name no tool.
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
	Lax         bool      `json:"lax,omitempty"` // whether the provider need not enforce all of Schema
}

// ReplyTool is the description of the tool that replaces a response schema at providers without one. Package
// anthropic sends it; package serve recognises the tool by it.
const ReplyTool = "Gives the reply. Call it with the whole of your reply."

// FinishReason is the reason why a model stopped.
type FinishReason string

// Finish reasons that callers distinguish. Providers map their own to these and leave unknown ones unchanged.
const (
	FinishStop          FinishReason = "stop"
	FinishToolCalls     FinishReason = "tool_calls"
	FinishLength        FinishReason = "length"
	FinishContentFilter FinishReason = "content_filter"
	// FinishMalformedCall: the endpoint could not read the call that the model made.
	FinishMalformedCall FinishReason = "malformed_function_call"
)

// Usage counts tokens. A provider with another unit documents it. The zero value means unknown.
type Usage struct {
	InputTokens     int `json:"input_tokens"`
	OutputTokens    int `json:"output_tokens"`
	CachedTokens    int `json:"cached_tokens"`    // the part of InputTokens read from a cache
	ReasoningTokens int `json:"reasoning_tokens"` // the part of OutputTokens that is not in the reply
	// CacheWriteTokens is the part of InputTokens that was written to a cache, for which some providers charge.
	CacheWriteTokens int `json:"cache_write_tokens,omitempty"`
	// CacheLongTokens is the part of CacheWriteTokens that is kept for the longer of two terms, at another price.
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

// Sub returns the usage u minus its part v.
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
	// Model is the name that the provider reports; it may differ from the requested one.
	Model string
	// Attempts counts how often the request was sent, Waited the time between attempts; both
	// are 0 if not counted, which means one attempt.
	Attempts int
	Waited   time.Duration
	// Took is the time from the request to this response, if measured, else 0.
	Took time.Duration
	// Sent describes the first request of an agent's own conversation. It is nil for other requests, and for
	// models without a provider.
	Sent *Sent
}

// Sent describes the fields of a request besides the conversation and its tools.
type Sent struct {
	// Digest is the first 16 hexadecimal digits of a SHA-256 of all these fields except the seed.
	Digest string `json:"digest"`
	// Unset lists the request's settings that were not sent, because the model is known to refuse them or has
	// refused them.
	Unset []string `json:"unset,omitempty"`
}

// Model answers requests. Implementations are safe for concurrent use and return a *Error
// for every failure, so that callers can distinguish an outage from a refusal. See
// runner/offline for one without a network, and the Example for a fake.
type Model interface {
	// Complete answers one request. It returns promptly once ctx is done.
	Complete(ctx context.Context, req Request) (Response, error)
}

// Streamer is a Model that can also report its reply while it arrives.
type Streamer interface {
	Model
	// Stream answers like Complete. Meanwhile onText gets the pieces of the reply's Content
	// in order, never two at once; together they are the Content of the Response. After an
	// error, they are the beginning of an incomplete reply.
	Stream(ctx context.Context, req Request, onText func(string)) (Response, error)
}

// Stream asks m and passes the reply's Content to onText: in pieces if m is a Streamer, else at once.
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

// Watch returns a Model that answers like m and passes every reply's Content to onText. Put
// decorators that repeat calls around it: onText then gets every attempt.
func Watch(m Model, onText func(string)) Model { return watchedModel{m, onText} }

type watchedModel struct {
	inner  Model
	onText func(string)
}

func (w watchedModel) Complete(ctx context.Context, req Request) (Response, error) {
	return Stream(ctx, w.inner, req, w.onText)
}
