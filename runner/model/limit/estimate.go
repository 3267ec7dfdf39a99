package limit

import (
	"cmp"

	"github.com/seed-5817661a/concur/runner/model"
)

// DefaultOutputGuess is the estimated length of a reply in tokens.
const DefaultOutputGuess = 512

// bytesPerToken is the usual estimate for English text.
const bytesPerToken = 4

// estimate estimates a request's usage before it is sent.
func estimate(req model.Request, outputGuess int) model.Usage {
	n := 0
	for _, m := range req.Messages {
		n += len(m.Content) + len(m.Role) + len(m.ToolCallID)
		for _, c := range m.ToolCalls {
			n += len(c.ID) + len(c.Name) + len(c.Arguments)
		}
	}
	for _, t := range req.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	if req.Schema != nil {
		n += len(req.Schema.Schema)
	}
	return model.Usage{InputTokens: (n + bytesPerToken - 1) / bytesPerToken, OutputTokens: cmp.Or(outputGuess, DefaultOutputGuess)}
}

// actual is the usage of a reply, or the estimate if the provider reports none.
func actual(reported, estimated model.Usage) model.Usage {
	if reported.InputTokens <= 0 && reported.OutputTokens <= 0 {
		return estimated
	}
	reported.InputTokens, reported.OutputTokens = max(0, reported.InputTokens), max(0, reported.OutputTokens)
	return reported
}

func total(u model.Usage) int { return u.InputTokens + u.OutputTokens }
