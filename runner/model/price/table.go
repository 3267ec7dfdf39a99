package price

import (
	"maps"
	"regexp"

	"github.com/seed-5817661a/concur/runner/model"
)

// Table holds prices by provider:model. The zero value is empty. It does not change once
// made, so it is safe for concurrent use.
type Table struct {
	asOf   string
	prices map[string]Price // aliases included
}

// AsOf is the month in which the built-in rows were last checked, such as 2025-12.
func (t *Table) AsOf() string { return t.asOf }

// Len is the number of names with a price, aliases included.
func (t *Table) Len() int { return len(t.prices) }

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
	if !ok {
		return 0, false
	}
	return p.Cost(u), true
}

// over gives t with the rows of another table added.
func (t *Table) over(rows map[string]Price) *Table {
	merged := maps.Clone(t.prices)
	if merged == nil {
		merged = map[string]Price{}
	}
	maps.Copy(merged, rows)
	return &Table{asOf: t.asOf, prices: merged}
}
