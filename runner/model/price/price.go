package price

import (
	"regexp"

	"github.com/seed-5817661a/concur/runner/model"
)

// Price is the price of a model, in USD per million tokens.
type Price struct {
	Input  float64
	Cached float64 // of input read from a cache
	Output float64
}

const perMillion = 1e6

// Cost is the cost of a usage in USD. CachedTokens are a part of InputTokens with their own
// price; impossible figures are clamped.
func (p Price) Cost(u model.Usage) float64 {
	input := max(0, u.InputTokens)
	cached := min(max(0, u.CachedTokens), input)
	return (float64(input-cached)*p.Input + float64(cached)*p.Cached + float64(max(0, u.OutputTokens))*p.Output) / perMillion
}

// Table holds prices by provider:model. The zero value is empty. It does not change once
// made, so it is safe for concurrent use.
type Table struct {
	prices map[string]Price // aliases included
}

// snapshot is the date at the end of a name: gpt-4o-2024-08-06, claude-3-5-sonnet-20241022.
// Shorter ones (-0613, -2407) are not removed, because prices often differ by snapshot.
var snapshot = regexp.MustCompile(`-20[0-9]{2}(-[01][0-9]-[0-3][0-9]|[01][0-9][0-3][0-9])$`)

// Price finds a model's price by its name, else by its name without the date of a snapshot.
func (t *Table) Price(provider, name string) (p Price, ok bool) {
	key := provider + ":" + name
	if p, ok = t.prices[key]; ok {
		return p, true
	}
	if at := snapshot.FindStringIndex(name); at != nil {
		p, ok = t.prices[provider+":"+name[:at[0]]]
	}
	return p, ok
}

// Cost is the cost of a usage of a model in USD; ok is false without a price.
func (t *Table) Cost(provider, name string, u model.Usage) (usd float64, ok bool) {
	p, ok := t.Price(provider, name)
	return p.Cost(u), ok
}
