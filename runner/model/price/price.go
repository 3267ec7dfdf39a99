package price

import "github.com/seed-5817661a/concur/runner/model"

// Price is what a model costs, in USD per million tokens.
type Price struct {
	Input  float64
	Cached float64 // of input that was read from a cache
	Output float64
	AsOf   string // month of the source, such as 2025-08; "" in a user's file that does not say
	Source string // where it was published; "" as above
}

// perMillion is the unit of prices.
const perMillion = 1e6

// Cost is what a usage costs in USD. CachedTokens are a part of InputTokens and are paid
// at their own price; figures that cannot be are taken to the nearest that can.
func (p Price) Cost(u model.Usage) float64 {
	input := max(0, u.InputTokens)
	cached := min(max(0, u.CachedTokens), input)
	return (float64(input-cached)*p.Input + float64(cached)*p.Cached + float64(max(0, u.OutputTokens))*p.Output) / perMillion
}
