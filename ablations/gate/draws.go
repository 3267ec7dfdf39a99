package gate

import (
	"math/rand/v2"
	"strconv"
)

// draws makes simulated evidence. A run draws the same numbers whatever the change: that
// makes two changes comparable run by run.
type draws struct {
	cfg   SimConfig
	items []Rate
	among []int // queries that can break
	names []string

	source  *rand.PCG
	uniform *rand.Rand
	fresh   []Traces // the confirmations in store, by item
	replica []Traces
	current []Item
}

func newDraws(items []Rate, cfg SimConfig) *draws {
	source := rand.NewPCG(0, 0)
	d := &draws{
		cfg: cfg, items: items, among: breakable(items, cfg), names: make([]string, len(items)),
		source: source, uniform: rand.New(source),
		fresh: make([]Traces, len(items)), replica: make([]Traces, len(items)), current: make([]Item, len(items)),
	}
	for i := range d.names {
		d.names[i] = strconv.Itoa(i)
	}
	return d
}

// breakable are the queries that Test B guards, as the decision tells them; all where there
// are none.
func breakable(items []Rate, cfg SimConfig) []int {
	var guarded, all []int
	for i, r := range items {
		all = append(all, i)
		m := float64(cfg.history(i))
		right := r.P*(m+1) - 0.5 // what the posterior mean was made from
		if right >= 2*m/3-1e-9 {
			guarded = append(guarded, i)
		}
	}
	if len(guarded) == 0 {
		return all
	}
	return guarded
}

// run simulates one run from the accepted pool to the decision, and counts the fresh traces
// that it took.
func (d *draws) run(number int, c Change) (Outcome, int) {
	broken := d.broken(number, c)
	d.source.Seed(uint64(d.cfg.Seed), uint64(number)<<1)
	e := Evidence{Items: d.current, PoolRuns: d.cfg.PoolRuns, K: d.cfg.K}
	for i, r := range d.items {
		p := max(0, r.P-c.Drop)
		if broken[i] {
			p = min(p, c.To)
		}
		it := Item{Query: d.names[i], History: d.traces(r.P, d.cfg.history(i))}
		it.Current, d.replica[i] = d.traces(p, d.cfg.K), d.traces(p, d.cfg.K)
		d.fresh[i] = d.traces(p, held{&it, it.History}.freshTraces())
		d.current[i] = it
	}
	if d.cfg.Frozen != nil {
		e.Frozen = &Frozen{Runs: max(fewestFrozenRuns, d.cfg.PoolRuns), History: map[string]Traces{}}
		for i, r := range d.items {
			e.Frozen.History[d.names[i]] = d.traces(r.P, d.cfg.Frozen[i])
		}
	}
	if d.cfg.Dependent {
		e.Concordance = new(float64) // p = 0
	}
	return d.decide(e)
}

// broken draws the queries that break. Its stream is not that of the traces.
func (d *draws) broken(number int, c Change) map[int]bool {
	if len(c.Items) == 0 && c.Broken == 0 {
		return nil
	}
	out := map[int]bool{}
	for _, i := range c.Items {
		out[i] = true
	}
	if len(c.Items) > 0 {
		return out
	}
	d.source.Seed(uint64(d.cfg.Seed), uint64(number)<<1|1)
	for _, i := range d.uniform.Perm(len(d.among))[:min(c.Broken, len(d.among))] {
		out[d.among[i]] = true
	}
	return out
}

func (d *draws) traces(p float64, n int) Traces {
	right := 0
	for range n {
		if d.uniform.Float64() < p {
			right++
		}
	}
	return Traces{Right: right, Wrong: n - right}
}

// decide hands out what the gate asks for, as a caller of Needs does.
func (d *draws) decide(e Evidence) (Outcome, int) {
	fresh := 0
	for {
		out := settle(e, d.cfg.Options)
		if d.cfg.Options.NoConfirm || out.Need.Empty() {
			return out, fresh
		}
		for _, ask := range out.Need.Confirm {
			i, _ := strconv.Atoi(ask.Query)
			e.Items[i].Fresh = &d.fresh[i]
			fresh += ask.Traces
		}
		if out.Need.Replicate {
			for i := range e.Items {
				e.Items[i].Replica = &d.replica[i]
			}
			fresh += d.cfg.K * len(e.Items)
		}
	}
}
