package price

import (
	"slices"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/model"
)

// Price is the price of a model, in USD per million tokens.
type Price struct {
	Input     float64
	Cached    float64 // input that is read from a cache
	Write     float64 // input that is written to a cache
	WriteLong float64 // input that is written to a cache for the longer of two terms
	Output    float64
}

const perMillion = 1e6

// Cost returns the cost of a usage in USD. Tokens read from a cache and written to it are parts of
// InputTokens with their own prices. Counts outside the possible range are set to its nearest end.
func (p Price) Cost(u model.Usage) float64 {
	input := max(0, u.InputTokens)
	cached := min(max(0, u.CachedTokens), input)
	written := min(max(0, u.CacheWriteTokens), input-cached)
	long := min(max(0, u.CacheLongTokens), written)
	return (float64(input-cached-written)*p.Input + float64(cached)*p.Cached +
		float64(written-long)*p.Write + float64(long)*p.WriteLong +
		float64(max(0, u.OutputTokens))*p.Output) / perMillion
}

// times returns the price with every rate multiplied by factor.
func (p Price) times(factor float64) Price {
	return Price{p.Input * factor, p.Cached * factor, p.Write * factor, p.WriteLong * factor, p.Output * factor}
}

// Table has prices by provider:model. The zero value is empty. A table never changes, so it is safe for
// concurrent use.
type Table struct {
	prices map[string]Price              // has an entry for each alias, too
	tiers  map[string]map[string]float64 // multiple of the base price, by provider and service tier
	asOf   string                        // month when the rows were last checked
}

// AsOf returns the month in which the table was last checked, such as 2026-11; "" if the table has no date.
func (t *Table) AsOf() string { return t.asOf }

// AtTier returns a model's price at a service tier, such as batch, flex or priority. The tiers "", auto,
// default and standard have the base price. ok is false if the price is unknown.
func (t *Table) AtTier(provider, name, tier string) (p Price, ok bool) {
	p, ok = t.Price(provider, name)
	if !ok || slices.Contains(baseTiers, tier) {
		return p, ok
	}
	factor, ok := t.tiers[provider][tier]
	return p.times(factor), ok
}

var baseTiers = []string{"", "auto", "default", "standard", "standard_only"}

// snapshot matches the date at the end of a name: gpt-4o-2024-08-06, claude-3-5-sonnet-20241022. It does not
// match shorter dates (-0613, -2407), because these snapshots often have different prices.
var snapshot = lazy.Compile(`-20[0-9]{2}(-[01][0-9]-[0-3][0-9]|[01][0-9][0-3][0-9])$`)

// Price returns a model's price. It looks for the whole name, and then for the name without a snapshot's
// date.
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

// Cost returns the cost of a model's usage in USD; ok is false if the price is unknown.
func (t *Table) Cost(provider, name string, u model.Usage) (usd float64, ok bool) {
	p, ok := t.Price(provider, name)
	return p.Cost(u), ok
}
