package result

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result/votes"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/checking"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// tally collects the counts of one configuration.
type tally struct {
	pass          judge.Mode
	voting        bool           // several traces a query
	seen          lines.IDs      // of the queries
	labelled      []store.Record // added last, when it is known whether a judge decides some query
	decides       int            // queries that a judge decides
	decidedPassed int            // those of them that pass
	counts        Counts
	byCategory    map[string]Counts
	consensus     Consensus
	agreements    bag.Bag[float64] // of the queries that lost no trace and no vote; empty for K=1
	agreeing      int              // queries with an agreement, including those that lost traces
	graded        stats.Grades     // scored queries by agreement; empty for K=1
	outcomes      outcomes
	traces        Traces
	causes        causes
	undecided     causes // of checks whose programs failed
	votes         votes.Tally
	ballots       bag.Bag[ballot]
	efforts       efforts
	unread        unread // of the verifier
	judgesUnread  unread
	judges        judges
	readings      readings
	citations     citations
	calls         callTally
	labels        labelTally
	extras        extras
	tools         toolUses
	perQuery      perQuery
	stated        stated
	usage         store.Usage
	seconds       bag.Times // of the traces that were not lost
	sent          int
}

// newTally returns the empty tally of a configuration. several says that the run has more than one
// configuration.
func newTally(c store.Configuration, several bool) *tally {
	return &tally{
		pass: c.Pass, voting: c.K > 1, byCategory: map[string]Counts{},
		consensus: Consensus{Methods: map[consensus.Method]int{}, CorrectByMethod: map[consensus.Method]int{}},
		judges:    newJudges(), calls: newCallTally(), perQuery: newPerQuery(), stated: newStated(),
		outcomes:   outcomes{bag.Bag[outcome]{}},
		agreements: bag.Bag[float64]{}, ballots: bag.Bag[ballot]{}, causes: causes{}, undecided: causes{},
		efforts: efforts{several: several, queries: bag.Bag[solvedQuery]{}, actions: map[string]actionCount{}},
		extras:  newExtras(), tools: toolUses{},
		traces: Traces{Outcomes: map[trace.Outcome]int{}, StopReasons: map[trace.StopReason]int{}},
	}
}

// add adds a record. It keeps labelled records until settle is called. It returns an error for a second record
// of a query.
func (t *tally) add(r store.Record) error {
	if _, twice := t.seen.First(r.Query, 0); twice {
		return fmt.Errorf("query %s of configuration %s has two records", r.Query, r.Configuration)
	}
	if r.HasLabel() {
		t.labelled = append(t.labelled, r)
		return nil
	}
	return t.count(r)
}

// settle adds the labelled records.
func (t *tally) settle() error {
	slices.SortFunc(t.labelled, func(a, b store.Record) int { return cmp.Compare(a.Query, b.Query) })
	judged := t.decides > 0 || slices.ContainsFunc(t.labelled,
		func(r store.Record) bool { return JudgeDecides(t.pass, r) })
	for _, r := range Settle(t.labelled, judged) {
		if err := t.count(r); err != nil {
			return err
		}
	}
	return nil
}

func (t *tally) count(r store.Record) error {
	if v := r.Verdict.Verdict; v != judge.Correct && v != judge.Incorrect && v != judge.Unscored {
		return fmt.Errorf("query %s of configuration %s has the unknown verdict %q; judge the run again", r.Query,
			r.Configuration, r.Verdict.Verdict)
	}
	if JudgeDecides(t.pass, r) {
		t.decides++
		t.decidedPassed += bag.OneIf(r.Before().Verdict == judge.Correct)
	}
	t.counts = t.counts.With(r.Verdict.Verdict)
	t.byCategory[r.Category] = t.byCategory[r.Category].With(r.Verdict.Verdict)
	t.consensus.Methods[r.Consensus.Method]++
	if r.Verdict.Verdict == judge.Correct {
		t.consensus.CorrectByMethod[r.Consensus.Method]++
	}
	t.consensus.WithoutKCurve += bag.OneIf(!r.Consensus.KCurve && len(r.Turns) == 0)
	t.consensus.VerifierErrors += r.Consensus.Effort.Errors
	t.consensus.VerifierCanaries = cmp.Or(t.consensus.VerifierCanaries, r.Consensus.Canaries)
	t.consensus.PickCanaries = cmp.Or(t.consensus.PickCanaries, r.Consensus.PickCanaries)
	t.outcomes.add(r)
	valid := votes.Valid(r)
	if a := r.Consensus.Agreement; a != nil {
		t.agreeing++
		if valid == len(r.Answers) && r.Consensus.Infra == 0 { // an undecided check loses the vote
			t.agreements.Add(*a)
		}
		if r.Verdict.Verdict != judge.Unscored {
			t.graded.Add(stats.Graded{Confidence: *a, Correct: r.Verdict.Verdict == judge.Correct})
		}
	}
	t.countTraces(r)
	turns := r.ByTurn()
	t.traces.QueriesWithoutValid += bag.OneIf(valid == 0)
	t.traces.QueriesUndecided += bag.OneIf(t.undecided.undecided(turns) && undecidedBy(r.Verdict))
	t.unread.addVerifier(r)
	if vote := t.votes.Add(r); t.voting {
		t.ballots.Add(ballotOf(r, vote))
	}
	t.efforts.add(r)
	t.labels.add(r)
	t.perQuery.add(r)
	t.usage.Add(r.Usage)
	t.sent += r.Timing.CallsSent
	t.tools.addTime(r.Timing.ToolsS)
	unit := r.Cluster
	if len(r.Turns) > 0 {
		unit = cmp.Or(r.Cluster, r.Query)
	}
	for _, turn := range turns {
		t.readings.add(turn)
		t.judges.add(turn)
		t.judgesUnread.addJudges(turn)
		t.stated.add(turn)
		for _, a := range turn.Answers {
			t.calls.add(a)
			for _, check := range checking.Unsteady(a.Checks) {
				t.traces.merge(Traces{Unsteady: map[string]int{check: 1}})
			}
		}
		if err := cmp.Or(t.extras.add(turn), t.tools.add(turn, unit)); err != nil {
			return fmt.Errorf("query %s of configuration %s: %w", r.Query, r.Configuration, err)
		}
	}
	return nil
}

// countTraces counts the traces of a record.
func (t *tally) countTraces(r store.Record) {
	for i, a := range r.Answers {
		t.citations.add(a)
		t.traces.Total++
		t.traces.Replies += a.Steps
		t.traces.Outcomes[a.Outcome]++
		t.traces.StopReasons[a.StopReason]++
		t.traces.Format = t.traces.Format.Add(a.Format)
		if a.Outcome != trace.Infra && i < len(r.Timing.TracesS) {
			t.seconds.Add(r.Timing.TracesS[i])
		}
		t.traces.Correct += bag.OneIf(a.Verdict == judge.Correct)
		t.traces.FreeText += bag.OneIf(a.Key != nil && strings.HasPrefix(*a.Key, "text:"))
		t.causes.add(r.Query, a)
	}
}

// miss counts the queries without a record. It also counts them by category, if the manifest has the numbers of
// queries by category.
func (t *tally) miss(n int, byCategory map[string]int) error {
	t.counts = t.counts.missing(n)
	for _, category := range slices.Sorted(maps.Keys(byCategory)) {
		c, queries := t.byCategory[category], byCategory[category]
		if queries < c.Queries {
			return fmt.Errorf("there are records of %d queries of the category %s, but the manifest lists %d: it "+
				"was edited; restore the original", c.Queries, category, queries)
		}
		t.byCategory[category] = c.missing(queries - c.Queries)
	}
	return nil
}

// row returns the figures of the configuration. fewest has the least efforts over all configurations. seed is
// the seed of the run, for random draws.
func (t *tally) row(c store.Configuration, seed int64, fewest map[string]effort) Configuration {
	row := Configuration{
		Name: c.Name, Model: c.Model, K: c.K, Agent: c.Agent, Note: c.Note, Pass: c.Pass,
		ByCategory:  t.byCategory,
		Consensus:   t.consensus,
		Clustered:   t.outcomes.clustered(t.counts),
		Judge:       t.judges.figures(c, t.counts),
		Reading:     t.readings.figures(t.usage),
		Citations:   t.citations.figures(),
		Calls:       t.calls.figures(),
		Extras:      t.extras.figures(),
		Tools:       t.tools.figures(),
		Recovery:    t.perQuery.recovery(),
		Forms:       t.perQuery.formRates(),
		Stated:      t.stated.figures(),
		Protocol:    protocolOf(c.Configuration.Effective().Agent),
		Labels:      t.labels.figures(t.counts, t.outcomes),
		Reliability: t.reliability(c.K),
		Efficiency:  t.efficiency(fewest),
		Confidence:  t.confidence(),
		Traces:      t.traces, Usage: t.usage,
		Timing: Timing{CallsSent: t.sent},
	}
	if t.counts.Missing == 0 {
		row.Judged, _ = t.outcomes.share(func(outcome) bool { return true },
			func(q outcome) bool { return q.before == correct })
	}
	t.correct(&row, c)
	row.Judge.Unread = t.judgesUnread.figures(t.usage)
	row.USDPerQuery = perUnit(t.usage.USD, t.counts.Queries-t.counts.Missing)
	row.USDPerCorrect = perUnit(t.usage.USD, t.counts.Correct)
	if n := float64(t.traces.Replies); n > 0 {
		f := t.traces.Format
		row.Traces.FormatRates = &FormatRates{float64(f.Errors) / n, float64(f.Repaired) / n, float64(f.Invented) / n}
	}
	if row.Traces.Causes = t.causes.figures(); len(t.undecided) > 0 {
		row.Traces.Undecided = t.undecided.figures()
	}
	row.SetCounts(t.counts)
	if row.Clustered != nil {
		row.CI, row.BoundsCI = row.Clustered.CI, row.Clustered.BoundsCI
	}
	row.KCurve, row.NoKCurve = t.kCurve(c, seed)
	row.Vote = t.worth(c)
	row.Consensus.Quorum = consensus.Quorum(c.Effective().Consensus.Quorum)
	row.Consensus.VerifierUnread = t.unread.figures(t.usage)
	row.Consensus.MeanAgreement = bag.Mean(t.agreements)
	row.Timing.TraceP50S, row.Timing.TraceP95S = t.seconds.Quantile(0.50), t.seconds.Quantile(0.95)
	if t.seconds.Len() > 0 {
		sum := t.seconds.Sum()
		row.Timing.TracesS = &sum
		all := sum + t.unread.ofSeconds.Seconds() + t.judgesUnread.ofSeconds.Seconds()
		row.Timing.VerifierUnread, row.Timing.JudgesUnread = ratio(t.unread.seconds.Seconds(), all),
			ratio(t.judgesUnread.seconds.Seconds(), all)
	}
	return row
}

// SetCounts sets the counts of queries, and the rates that are computed from them.
func (c *Configuration) SetCounts(n Counts) {
	c.Counts = n
	if of := float64(n.Queries); of > 0 {
		c.Bounds = &[2]float64{float64(n.Correct) / of, float64(n.Correct+n.Unscored) / of}
	}
	if r := newRate(n.Correct, n.Queries); r != nil && n.Missing == 0 {
		c.PassRate, c.CI = &r.Value, r.CI
		if n.Unscored > 0 {
			c.BoundsCI = &Interval{r.CI.Method, Level, r.CI.Low, wilson(n.Correct+n.Unscored, n.Queries).High}
		}
	}
}

// perUnit is nil without a price or if n is 0.
func perUnit(usd *float64, n int) *float64 {
	if usd == nil {
		return nil
	}
	return ratio(*usd, float64(n))
}
