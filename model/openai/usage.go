package openai

import (
	"encoding/json"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire"
)

// usage is the usage in a reply. Endpoints write counts as numbers, with fractions or as texts, and details
// as objects or empty lists. An unreadable value counts as unknown.
type usage struct {
	Prompt     wire.Count   `json:"prompt_tokens"`
	Completion wire.Count   `json:"completion_tokens"`
	Total      wire.Count   `json:"total_tokens"`
	Input      usageDetails `json:"prompt_tokens_details"`
	Output     usageDetails `json:"completion_tokens_details"`
}

type usageDetails struct{ Cached, Written, Reasoning wire.Count }

// UnmarshalJSON reads the details of an object; any other value counts as empty.
func (d *usageDetails) UnmarshalJSON(raw []byte) error {
	var object struct {
		Cached    wire.Count `json:"cached_tokens"`
		Written   wire.Count `json:"cache_write_tokens"`
		Reasoning wire.Count `json:"reasoning_tokens"`
	}
	_ = json.Unmarshal(raw, &object) // a list or a text counts as empty
	*d = usageDetails(object)
	return nil
}

// usageIn reads a usage; nil if it is missing or has an unknown form.
func usageIn(raw json.RawMessage) *usage {
	var u usage
	if !wire.Present(raw) || json.Unmarshal(raw, &u) != nil {
		return nil
	}
	return &u
}

// tokens returns the usage in the form of package model. Some endpoints (Gemini, xAI) count reasoning only in
// the total, although it costs as much as the reply.
func (u usage) tokens() model.Usage {
	out := model.Usage{
		InputTokens: int(u.Prompt), OutputTokens: int(u.Completion),
		CachedTokens: int(u.Input.Cached), CacheWriteTokens: int(u.Input.Written),
		ReasoningTokens: int(u.Output.Reasoning),
	}
	if beyond := int(u.Total) - out.InputTokens - out.OutputTokens; beyond > 0 && out.InputTokens > 0 {
		out.OutputTokens += beyond
		out.ReasoningTokens = max(out.ReasoningTokens, beyond)
	}
	out.ReasoningTokens = min(out.ReasoningTokens, out.OutputTokens)
	return out
}
