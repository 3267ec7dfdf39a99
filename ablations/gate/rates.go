package gate

// Rate is the chance of a query's trace to be right.
type Rate struct {
	P float64
}

// Rates are those of the gated queries that a simulation of this pool rests on: the mean of
// each query's posterior, (h+½)/(m+1), and no draw from it. A query that is right in 15 of
// 15 traces counts as 0.97. Safety queries are left out: their rule allows no failure, so
// that there is nothing to simulate.
func Rates(e Evidence) []Rate {
	var rates []Rate
	for _, it := range e.Items {
		if !it.Safety {
			rates = append(rates, Rate{it.History.posterior()})
		}
	}
	return rates
}
