package result

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Level is the confidence level of every interval.
const Level = 0.95

// Summarize computes the numbers of a run from its manifest and records. Every query
// stays in the denominator: of a run that is not complete, queries without a record count
// as unscored and widen the bounds; of a complete one they are an error, as is a record of
// a configuration that the manifest does not name, or with a verdict that this version
// does not know.
func Summarize(m store.Manifest, records iter.Seq2[store.Record, error]) (*Result, error) {
	r := &Result{
		Schema: Schema, Run: m.Run, State: m.State, Seed: m.Seed,
		Dataset:        Dataset{m.Dataset.Name, m.Dataset.Queries, m.Dataset.Of, m.Dataset.Hash, m.Dataset.Categories},
		Configurations: []Configuration{}, Comparisons: []Comparison{}, Warnings: []string{},
	}
	if r.Dataset.Categories == nil {
		r.Dataset.Categories = []string{}
	}
	tallies := map[string]*tally{}
	for _, c := range m.Configurations {
		tallies[c.Name] = newTally()
	}
	for rec, err := range records {
		if err != nil {
			return nil, err
		}
		t, known := tallies[rec.Configuration]
		if !known {
			return nil, fmt.Errorf("summarise run %s: the manifest has no configuration %q, of which there is a record", m.Run, rec.Configuration)
		}
		if err := t.add(rec); err != nil {
			return nil, fmt.Errorf("summarise run %s: %w", m.Run, err)
		}
	}
	for _, c := range m.Configurations {
		t := tallies[c.Name]
		missing := m.Dataset.Queries - len(t.seen)
		if missing < 0 || missing > 0 && m.State == store.Complete {
			return nil, fmt.Errorf("summarise run %s: configuration %s has records of %d queries, and the manifest says %d", m.Run, c.Name, len(t.seen), m.Dataset.Queries)
		}
		t.miss(missing, m.Dataset.ByCategory)
		row := t.row(c)
		if m.End != nil {
			wall := max(0, m.End.Sub(m.Start).Seconds()-m.PausedS)
			row.Timing.WallS = &wall
		}
		r.Configurations = append(r.Configurations, row)
		r.Warnings = append(r.Warnings, warnings(row)...)
	}
	return r, nil
}

// tally is the running count of one configuration. It holds numbers per query and
// trace, and nothing larger.
type tally struct {
	seen            map[string]bool // query ids
	counts          Counts
	byCategory      map[string]Counts
	methods         map[consensus.Method]int
	correctByMethod map[consensus.Method]int
	agreements      []float64
	traces          Traces
	withoutKCurve   int
	verifierErrors  int
	judges          judges
	citations       citations
	usage           store.Usage
	seconds         []float64
	sent            int
}

func newTally() *tally {
	return &tally{
		seen: map[string]bool{}, byCategory: map[string]Counts{},
		methods: map[consensus.Method]int{}, correctByMethod: map[consensus.Method]int{},
		traces: Traces{Outcomes: map[trace.Outcome]int{}, StopReasons: map[trace.StopReason]int{}},
	}
}

func (t *tally) add(r store.Record) error {
	if t.seen[r.Query] {
		return fmt.Errorf("query %s of configuration %s has two records", r.Query, r.Configuration)
	}
	switch r.Verdict.Verdict {
	case judge.Correct, judge.Incorrect, judge.Unscored:
	default:
		return fmt.Errorf("query %s of configuration %s has the unknown verdict %q; judge the run again", r.Query, r.Configuration, r.Verdict.Verdict)
	}
	t.seen[r.Query] = true
	t.counts = t.counts.with(r.Verdict.Verdict)
	t.byCategory[r.Category] = t.byCategory[r.Category].with(r.Verdict.Verdict)
	t.methods[r.Consensus.Method]++
	if r.Verdict.Verdict == judge.Correct {
		t.correctByMethod[r.Consensus.Method]++
	}
	if r.Consensus.Agreement != nil {
		t.agreements = append(t.agreements, *r.Consensus.Agreement)
	}
	valid := 0
	for _, a := range r.Answers {
		t.citations.add(a)
		t.traces.Total++
		t.traces.Replies += a.Steps
		t.traces.Outcomes[a.Outcome]++
		t.traces.StopReasons[a.StopReason]++
		t.traces.Format.Errors += a.Format.Errors
		t.traces.Format.Repaired += a.Format.Repaired
		t.traces.Format.Invented += a.Format.Invented
		t.traces.Format.Dropped += a.Format.Dropped
		if a.Outcome != trace.Infra {
			valid++
		}
		if a.Verdict == judge.Correct {
			t.traces.Correct++
		}
	}
	if valid == 0 {
		t.traces.QueriesWithoutValid++
	}
	if !r.Consensus.KCurve {
		t.withoutKCurve++
	}
	t.verifierErrors += r.Consensus.VerifierErrors
	t.judges.add(r)
	t.usage.Add(r.Usage)
	t.seconds = append(t.seconds, r.Timing.TracesS...)
	t.sent += r.Timing.CallsSent
	return nil
}

// miss counts the queries that have no record, also by category where the manifest tells
// how many each has.
func (t *tally) miss(n int, byCategory map[string]int) {
	t.counts = t.counts.missing(n)
	for category, queries := range byCategory {
		c := t.byCategory[category]
		t.byCategory[category] = c.missing(queries - c.Queries)
	}
}

func (c Counts) missing(n int) Counts {
	c.Queries += n
	c.Unscored += n
	c.Missing += n
	return c
}

func (c Counts) with(v judge.Ruling) Counts {
	c.Queries++
	switch v {
	case judge.Correct:
		c.Correct++
	case judge.Unscored:
		c.Unscored++
	default:
		c.Incorrect++
	}
	return c
}

func (t *tally) row(c store.Configuration) Configuration {
	row := Configuration{
		Name: c.Name, Model: c.Model, K: c.K, Agent: c.Agent, Pass: c.Pass,
		Counts: t.counts, ByCategory: t.byCategory,
		Consensus: Consensus{Methods: t.methods, CorrectByMethod: t.correctByMethod, WithoutKCurve: t.withoutKCurve, VerifierErrors: t.verifierErrors},
		Judge:     t.judges.figures(t.counts),
		Citations: t.citations.figures(),
		Traces:    t.traces, Usage: t.usage,
		Timing: Timing{CallsSent: t.sent},
	}
	row.USDPerQuery = per(t.usage.USD, t.counts.Queries)
	row.USDPerCorrect = per(t.usage.USD, t.counts.Correct)
	if n := float64(t.traces.Replies); n > 0 {
		f := t.traces.Format
		row.Traces.FormatRates = &FormatRates{float64(f.Errors) / n, float64(f.Repaired) / n, float64(f.Invented) / n}
	}
	low, high := stats.Wilson(t.counts.Correct, t.counts.Queries, Level)
	row.CI = Interval{"wilson", Level, low, high}
	if n := float64(t.counts.Queries); n > 0 {
		rate := float64(t.counts.Correct) / n
		row.PassRate = &rate
		row.Bounds = &[2]float64{rate, float64(t.counts.Correct+t.counts.Unscored) / n}
	}
	row.Consensus.MeanAgreement = mean(t.agreements)
	slices.Sort(t.seconds)
	row.Timing.TraceP50S = quantile(t.seconds, 0.50)
	row.Timing.TraceP95S = quantile(t.seconds, 0.95)
	return row
}

// mean is nil for no values. It sums in order of size: equal runs finish their queries in
// different orders, and float addition would tell them apart in the last digit.
func mean(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	sum /= float64(len(values))
	return &sum
}

// quantile is the nearest-rank quantile of sorted values: the smallest value that at
// least the share p does not exceed. It is nil for no values.
func quantile(sorted []float64, p float64) *float64 {
	if len(sorted) == 0 {
		return nil
	}
	rank := int(math.Ceil(p*float64(len(sorted)) - 1e-9))
	return &sorted[max(0, rank-1)]
}

// per is nil where there is nothing to share, or nothing to share it among.
func per(usd *float64, n int) *float64 {
	if usd == nil || n == 0 {
		return nil
	}
	share := *usd / float64(n)
	return &share
}
