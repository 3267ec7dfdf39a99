package price

import "github.com/seed-5817661a/concur/runner/model"

// Price is the price of a model, in USD per million tokens.
type Price struct {
	Input  float64
	Cached float64 // of input read from a cache
	Output float64
	AsOf   string // month of the source, such as 2025-08; may be "" in a user's file
	Source string // page of publication; may be ""
}

const perMillion = 1e6

// Cost is the cost of a usage in USD. CachedTokens are a part of InputTokens with their own
// price; impossible figures are clamped.
func (p Price) Cost(u model.Usage) float64 {
	input := max(0, u.InputTokens)
	cached := min(max(0, u.CachedTokens), input)
	return (float64(input-cached)*p.Input + float64(cached)*p.Cached + float64(max(0, u.OutputTokens))*p.Output) / perMillion
}
