package assemble

import (
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/model/endpoints"
	"github.com/seed-5817661a/concur/runner/model/price"
)

// Prices are what the models of a run cost.
type Prices struct {
	a     *Assembler
	conf  config.Configuration
	table *price.Table
	own   *price.Table // those of the price file alone; nil where there is no file
}

// Prices reads the built-in prices and the price file of a configuration.
func (a *Assembler) Prices(conf config.Configuration) (*Prices, error) {
	p := &Prices{a: a, conf: conf}
	var err error
	if p.table, err = price.Builtin(); err != nil || conf.Prices == "" {
		return p, err
	}
	if p.table, err = p.table.Load(conf.Prices); err != nil {
		return nil, err
	}
	p.own, err = (&price.Table{}).Load(conf.Prices)
	return p, err
}

// Price is what a usage of a model costs in USD. At an address that is not the provider's
// own, only a price file knows it.
func (p *Prices) Price(text string, u model.Usage) (usd float64, known bool) {
	cost, known := p.cost(text)
	if !known {
		return 0, false
	}
	return cost(u), true
}

func (p *Prices) cost(text string) (func(model.Usage) float64, bool) {
	if text == config.SameModel {
		text = p.conf.Model
	}
	s, err := parseSpec(text)
	if err != nil {
		return nil, false
	}
	table := p.table
	preset, known := endpoints.Lookup(s.provider)
	if e, err := p.a.endpoint(p.conf.Providers, s.provider); known && err == nil {
		if resolved, _, err := e.Resolve(p.a.environ); err == nil && resolved.BaseURL != preset.BaseURL {
			table = p.own
		}
	}
	if table == nil {
		return nil, false
	}
	rate, ok := table.Price(s.provider, s.name)
	if !ok {
		return nil, false
	}
	return rate.Cost, true
}
