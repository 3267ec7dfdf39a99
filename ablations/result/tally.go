package result

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// tally is the running count of one configuration. It holds only numbers per query and trace.
type tally struct {
	seen         map[string]bool // query ids
	counts       Counts
	byCategory   map[string]Counts
	consensus    Consensus
	agreements   []float64      // of the queries that lost no trace; empty for K=1
	agreeing     int            // queries with an agreement, whatever they lost
	graded       []stats.Graded // scored queries by agreement; empty for K=1
	clusters     clusters
	traces       Traces
	votes        votes
	efforts      efforts
	unread       unread // of the verifier
	judgesUnread unread
	judges       judges
	citations    citations
	calls        callTally
	labels       labelTally
	agents       agentTally
	usage        store.Usage
	seconds      []float64 // of the traces that were not lost
	sent         int
}

func newTally() *tally {
	return &tally{
		seen: map[string]bool{}, byCategory: map[string]Counts{},
		consensus: Consensus{Methods: map[consensus.Method]int{}, CorrectByMethod: map[consensus.Method]int{}},
		judges:    judges{opinions: opinions{missed: map[string]bool{}, votes: map[string][]judge.Ruling{}, points: map[string][]judge.Ruling{}}},
		clusters:  clusters{}, efforts: efforts{actions: map[string]actionCount{}},
		traces: Traces{Outcomes: map[trace.Outcome]int{}, StopReasons: map[trace.StopReason]int{}},
	}
}

func (t *tally) add(r store.Record) error {
	if t.seen[r.Query] {
		return fmt.Errorf("query %s of configuration %s has two records", r.Query, r.Configuration)
	}
	if v := r.Verdict.Verdict; v != judge.Correct && v != judge.Incorrect && v != judge.Unscored {
		return fmt.Errorf("query %s of configuration %s has the unknown verdict %q; judge the run again", r.Query, r.Configuration, r.Verdict.Verdict)
	}
	t.seen[r.Query] = true
	t.counts = t.counts.With(r.Verdict.Verdict)
	t.byCategory[r.Category] = t.byCategory[r.Category].With(r.Verdict.Verdict)
	t.consensus.Methods[r.Consensus.Method]++
	if r.Verdict.Verdict == judge.Correct {
		t.consensus.CorrectByMethod[r.Consensus.Method]++
	}
	t.consensus.WithoutKCurve += one(!r.Consensus.KCurve)
	t.consensus.VerifierErrors += r.Consensus.VerifierErrors
	t.clusters.add(r)
	valid := validOf(r)
	if a := r.Consensus.Agreement; a != nil {
		t.agreeing++
		if valid == len(r.Answers) {
			t.agreements = append(t.agreements, *a)
		}
		if r.Verdict.Verdict != judge.Unscored {
			t.graded = append(t.graded, stats.Graded{Confidence: *a, Correct: r.Verdict.Verdict == judge.Correct})
		}
	}
	for i, a := range r.Answers {
		t.citations.add(a)
		t.calls.add(a)
		t.traces.Total++
		t.traces.Replies += a.Steps
		t.traces.Outcomes[a.Outcome]++
		t.traces.StopReasons[a.StopReason]++
		t.traces.Format = t.traces.Format.Add(a.Format)
		if a.Outcome != trace.Infra && i < len(r.Timing.TracesS) {
			t.seconds = append(t.seconds, r.Timing.TracesS[i])
		}
		t.traces.Correct += one(a.Verdict == judge.Correct)
	}
	t.traces.QueriesWithoutValid += one(valid == 0)
	t.unread.addVerifier(r)
	t.judgesUnread.addJudges(r)
	t.votes.add(r)
	t.efforts.add(r)
	t.judges.add(r)
	t.labels.add(r)
	t.agents.add(r)
	t.usage.Add(r.Usage)
	t.sent += r.Timing.CallsSent
	return nil
}

// miss counts the queries without a record, also by category if the manifest has their numbers.
func (t *tally) miss(n int, byCategory map[string]int) error {
	t.counts = t.counts.missing(n)
	for _, category := range slices.Sorted(maps.Keys(byCategory)) {
		c, queries := t.byCategory[category], byCategory[category]
		if queries < c.Queries {
			return fmt.Errorf("there are records of %d queries of the category %s, but the manifest lists %d: it was edited; restore the original", c.Queries, category, queries)
		}
		t.byCategory[category] = c.missing(queries - c.Queries)
	}
	return nil
}

func (c Counts) missing(n int) Counts {
	c.Queries += n
	c.Unscored += n
	c.Missing += n
	return c
}

// With counts one more query of a verdict.
func (c Counts) With(v judge.Ruling) Counts {
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
