package model

import (
	"context"
	"encoding/json"
	"time"
)

// RawSchema is a JSON Schema as written.
type RawSchema = json.RawMessage

// Purpose says which part of the harness asks. The recording's key holds it, so that
// an agent's turn and a judge's never answer for each other.
type Purpose string

// The purposes.
const (
	Agent    Purpose = "agent"
	Verifier Purpose = "verifier"
	Judge    Purpose = "judge"
)

// Identity names a request within a run. K traces of a query send the same messages K
// times; their identities keep them apart.
type Identity struct {
	Agent   string  `json:"agent"` // agent hash
	Query   string  `json:"query"`
	Trace   int     `json:"trace"` // 0..K-1
	Step    int     `json:"step"`  // 0 for the first exchange of the conversation
	Purpose Purpose `json:"purpose"`
	// Path and Task keep the conversations of one trace apart. Path is the agent's place:
	// "" for the trace's own agent, researcher#1 for the first that it called as a tool. Task
	// names a side request of that agent, such as a summary; "" is its loop.
	Path string `json:"path"`
	Task string `json:"task"`
}

// Conversation is the identity without its step: what the exchanges of one conversation
// share.
func (id Identity) Conversation() Identity {
	id.Step = 0
	return id
}

// OfTrace is what all conversations of a trace share: those of one trace are run again
// together.
func (id Identity) OfTrace() Identity {
	id.Step, id.Path, id.Task = 0, "", ""
	return id
}

// Request is everything that one call depends on. A Model never keeps state between
// calls: what varies stands here.
type Request struct {
	Identity Identity
	Messages []Message
	Tools    []ToolSpec
	// Choice says whether the reply may or must call Tools; empty leaves it to the model.
	Choice ToolChoice
	// SingleCall asks for one tool call at most, where the provider can hold a model to it.
	SingleCall bool
	// Temperature is the sampling temperature, 0 or more. Zero is sent as zero.
	Temperature float64
	// Seed makes sampling repeatable where the provider honours it; 31 bits.
	Seed int64
	// Stop ends the reply before any of these texts; the text itself is not returned.
	Stop []string
	// MaxTokens is the most that the reply may hold, reasoning included; 0 leaves it to the
	// model's own settings.
	MaxTokens int
	// Schema, where set, asks for a reply that is one JSON value of this form.
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

// ResponseSchema is the form of a structured reply. Its name tells what is asked for.
type ResponseSchema struct {
	Name   string    `json:"name"`
	Schema RawSchema `json:"schema"`
}

// ReplyTool describes the tool by which a structured reply is asked for where a provider has
// no response schemas. Package anthropic sends it, package serve knows the tool by it.
const ReplyTool = "Gives the reply. Call it with the whole of your reply."

// FinishReason says why a model stopped.
type FinishReason string

// The finish reasons that callers tell apart. Providers map theirs onto these and keep
// unknown ones as they came.
const (
	FinishStop          FinishReason = "stop"
	FinishToolCalls     FinishReason = "tool_calls"
	FinishLength        FinishReason = "length"
	FinishContentFilter FinishReason = "content_filter"
)

// Usage counts tokens. A provider that counts in another unit documents which. The zero
// value is unknown: no call uses nothing.
type Usage struct {
	InputTokens     int `json:"input_tokens"`
	OutputTokens    int `json:"output_tokens"`
	CachedTokens    int `json:"cached_tokens"`    // the part of InputTokens read from a cache
	ReasoningTokens int `json:"reasoning_tokens"` // the part of OutputTokens that is not in the reply
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		InputTokens: u.InputTokens + v.InputTokens, OutputTokens: u.OutputTokens + v.OutputTokens,
		CachedTokens: u.CachedTokens + v.CachedTokens, ReasoningTokens: u.ReasoningTokens + v.ReasoningTokens,
	}
}

// Response is a model's answer to one request.
type Response struct {
	Message Message
	Finish  FinishReason
	Usage   Usage
	// Model is the name under which the provider answered; it may differ from the one
	// that was asked for.
	Model string
	// Attempts is how often the request was sent, this answer's included, and Waited the
	// time between attempts; both are 0 where nothing counts them, which means one attempt.
	Attempts int
	Waited   time.Duration
	// Took is the time from the request to this answer where somebody measures it, else 0.
	Took time.Duration
}

// Model answers requests. Implementations are safe for concurrent use and return a
// *Error for every failure, so that callers can tell an outage from a refusal. See
// runner/model/offline for one that needs no network, and the Example for a fake.
type Model interface {
	// Complete answers one request. It returns promptly once ctx is done.
	Complete(ctx context.Context, req Request) (Response, error)
}
