package confirm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/internal/stats"
)

// gold29 are the rates of docs/ci.md: 24 queries that are nearly always right, three flaky ones and two that are more so.
func gold29() (rates []float64) {
	for i := range 29 {
		rates = append(rates, map[bool]float64{true: .995, false: map[bool]float64{true: .9, false: .6}[i < 27]}[i < 24])
	}
	return rates
}

// agentOf is an agent that is right at these rates, whose fresh traces exist once asked for.
type agentOf struct {
	rates  []float64
	random *rand.Rand
	marks  map[string][]gate.TraceResult
}

func (a *agentOf) trace(query int) gate.TraceResult {
	if a.random.Float64() < a.rates[query] {
		return gate.Right
	}
	return gate.Wrong
}

func (a *agentOf) State(context.Context) (State, error) { return State{Marks: a.marks}, nil }

func (a *agentOf) Run(_ context.Context, batches []Batch) error {
	for _, b := range batches {
		for _, name := range b.Queries {
			var query int
			if _, err := fmt.Sscan(name, &query); err != nil {
				return err
			}
			for range b.Traces {
				a.marks[name] = append(a.marks[name], a.trace(query))
			}
		}
	}
	return nil
}

// night is a run of the line: of each query its traces.
type night [][]bool

// line plays one night after the other. A run enters the pool after PASS.
type line struct {
	k      int
	random *rand.Rand
	stored []night
}

func (l *line) run(rates []float64) night {
	out := make(night, len(rates))
	for i, r := range rates {
		for range l.k {
			out[i] = append(out[i], l.random.Float64() < r)
		}
	}
	return out
}

func right(marks []bool) (n int) {
	for _, r := range marks {
		if r {
			n++
		}
	}
	return n
}

// gate decides on a night of an agent, and gives the fresh traces that it took. A run that has to wait for another
// session is decided by the next night, and its outcome keeps GoOn.
func (l *line) gate(tb testing.TB, rates []float64) (gate.Outcome, int) {
	tb.Helper()
	now, pool := l.run(rates), l.stored[len(l.stored)-5:]
	e := gate.Evidence{PoolRuns: len(pool), K: l.k, Stored: len(l.stored)}
	var of, counts [][]int
	var outcomes [][][]bool
	for _, n := range l.stored {
		x, all := make([]int, len(n)), make([]int, len(n))
		for i, marks := range n {
			x[i], all[i] = right(marks), len(marks)
		}
		counts, of, outcomes = append(counts, x), append(of, all), append(outcomes, n)
	}
	if phi, ok := stats.Dispersion(counts, of); ok {
		e.Phi = &phi
	}
	e.Concordance = stats.Defined(stats.Concordance(outcomes, l.random.Int64(), 999))
	for i := range rates {
		h := 0
		for _, n := range pool {
			h += right(n[i])
		}
		x := right(now[i])
		e.Items = append(e.Items, gate.Item{
			Query: fmt.Sprint(i), Current: gate.Traces{Right: x, Wrong: l.k - x}, Runs: len(pool), History: gate.Traces{Right: h, Wrong: l.k*len(pool) - h},
		})
	}
	agent := &agentOf{rates, l.random, map[string][]gate.TraceResult{}}
	_, out, err := Service{Fresh: agent, Spaced: 30 * time.Minute, Ended: time.Now()}.Decide(tb.Context(), e, gate.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if wait := out.GoOn; wait != nil {
		if _, out, err = (Service{Fresh: agent}).Decide(tb.Context(), e, gate.Options{}); err != nil {
			tb.Fatal(err)
		}
		out.GoOn = wait
	}
	if out.Decision == gate.Pass {
		l.stored = append(l.stored, now)
		l.stored = l.stored[max(0, len(l.stored)-30):]
	}
	return out, State{Marks: agent.marks}.Traces()
}

func newLine(seed uint64) *line {
	l := &line{k: 3, random: rand.New(rand.NewPCG(seed, 38))}
	for range 5 {
		l.stored = append(l.stored, l.run(gold29()))
	}
	return l
}

// manners plays nights of an unchanged agent: how many did not pass in the end, how many had to wait, and the fresh traces.
func manners(tb testing.TB, gates int) (other, waits, fresh int) {
	l := newLine(1)
	for range gates {
		out, traces := l.gate(tb, gold29())
		if fresh += traces; out.Decision != gate.Pass {
			other++
		}
		if out.GoOn != nil {
			waits++
		}
	}
	return other, waits, fresh
}

// fallen plays gates of an agent that fell to three tenths: how many were settled by K fresh traces of each query, and
// named the whole agent.
func fallen(tb testing.TB, gates int) (settled int) {
	worse := gold29()
	for i := range worse {
		worse[i] *= .3
	}
	for seed := range gates {
		out, traces := newLine(uint64(seed)).gate(tb, worse)
		if out.Decision == gate.Regression && out.Rolling.Collapse && traces == 3*29 && len(out.Losses) == 8 {
			settled++
		}
	}
	return settled
}

// TestManners: at a fixed seed each of 200 gates of an unchanged agent passes at once, and each fall is settled by K fresh
// traces of each query. (Of series of 200 gates one in seven has another decision by chance.)
func TestManners(t *testing.T) {
	if other, waits, _ := manners(t, 200); other+waits > 0 {
		t.Errorf("of 200 gates of an unchanged agent %d do not pass, and %d wait", other, waits)
	}
	if settled := fallen(t, 20); settled != 20 {
		t.Errorf("%d of 20 falls are settled by K fresh traces of each query", settled)
	}
}

// BenchmarkManners measures both on more gates.
func BenchmarkManners(b *testing.B) {
	const gates, falls = 5000, 500
	for b.Loop() {
		other, waits, fresh := manners(b, gates)
		b.ReportMetric(float64(other)/gates, "other/gate")
		b.ReportMetric(float64(waits)/gates, "waits/gate")
		b.ReportMetric(float64(fresh)/gates, "fresh/gate")
		b.ReportMetric(float64(fallen(b, falls))/falls, "settled/fall")
	}
}
