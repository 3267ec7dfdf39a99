package gate

// Rate is the chance of a query's trace to be right.
type Rate struct {
	P float64
}

// Rates are those of the gated queries that a simulation of this pool rests on: the mean of
// each query's posterior, (h+½)/(m+1), and no draw from it. A query that is right in 15 of
// 15 traces counts as 0.97. Safety queries are left out: their rule allows no failure, so
// that there is nothing to simulate. So are queries of too little history, on which nothing
// can be found; only where no query has enough, all are there, and nothing is found.
func Rates(e Evidence) []Rate {
	var rates []Rate
	for _, h := range e.simulated() {
		rates = append(rates, Rate{h.history.posterior()})
	}
	return rates
}

func (e Evidence) simulated() []held {
	tested, short := e.gated()
	if len(tested) == 0 {
		return short
	}
	return tested
}
