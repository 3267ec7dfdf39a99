package score

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/ablations/result/votes"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model/asking"
	"github.com/seed-5817661a/concur/runner/store"
)

type tally struct {
	name   string
	o      Options
	faults *Faults
	seen   lines.IDs
	typed  typed

	queries, scored int
	k               int // largest number of answers to a query
	counts          result.Counts
	patterns        votes.Patterns
	prefixes        []prefix // by number of answers, from 1
	graded          stats.Grades
	rules           []*stopRule
	side            []ablations.Query
	outcomes        ablations.Outcomes
	records         []store.Record

	lengths                map[int]*places // by number of answers
	noGold, nullLines      places
	nulls                  int // number of answers
	bothRulings, notJudged int

	unreadable                                Unread
	extraction                                asking.Effort
	verifierCalls, verifierErrors, judgeCalls int
}

type prefix struct {
	queries, any int
	majority     rights
}

// rights sums the right shares of answers. An answer counts as the right share of its class. The sum does not
// depend on the order.
type rights struct {
	whole int
	parts float64
}

func (r *rights) add(share float64) {
	if share == 1 {
		r.whole++
	} else {
		r.parts += share
	}
}

func (r rights) per(queries float64) float64 {
	return (float64(r.whole) + math.Round(r.parts*1e9)/1e9) / queries
}

func (t *tally) once(l line) error {
	if first, twice := t.seen.First(l.id, l.number); twice {
		return fmt.Errorf("the id %.60q is also on line %d; give every query a different id, or name another "+
			"field with --id", l.id, first)
	}
	return nil
}

// note counts the properties of a line that warnings report.
func (t *tally) note(l line) {
	t.k = max(t.k, len(l.answers))
	if t.lengths[len(l.answers)] == nil {
		t.lengths[len(l.answers)] = &places{}
	}
	t.lengths[len(l.answers)].add(l.number)
	if l.correct == nil && len(l.golds) == 0 {
		t.noGold.add(l.number)
	}
	nulls := 0
	for _, a := range l.answers {
		if a.null {
			nulls++
		}
	}
	if nulls > 0 {
		t.nullLines.add(l.number)
		t.nulls += nulls
	}
}

// add counts the outcome of a query. The order of the queries does not matter.
func (t *tally) add(out outcome) {
	t.queries++
	t.counts = t.counts.With(out.verdict.Verdict)
	t.notJudged += out.unread
	t.unreadable.add(out.unreadable)
	t.extraction = t.extraction.Add(out.extraction)
	t.verifierCalls, t.verifierErrors, t.judgeCalls = t.verifierCalls+out.verifierCalls,
		t.verifierErrors+out.verifierErrors, t.judgeCalls+out.judgeCalls
	if t.o.Queries {
		t.side = append(t.side, ablations.Query{
			ID: out.id, Hash: queryHash(out), Decided: text.Clip(out.decided, 200), Reason: out.verdict.Reason,
			Outcome: t.outcomes.Of(ablations.Outcome{Verdict: out.verdict.Verdict}),
		})
	}
	if out.record != nil {
		t.records = append(t.records, *out.record)
	}
	if !out.scored {
		return
	}
	t.scored++
	p := votes.Pattern{Ruled: len(out.right), Item: stats.Item{Classes: make([]stats.Class, len(out.classes))}}
	inconsistent := false // equal answers have different verdicts
	for i, c := range out.class {
		if c < 0 {
			p.Item.Empty++
		} else {
			p.Item.Classes[c].Votes++
			inconsistent = inconsistent || out.shares[c] > 0 && out.shares[c] < 1
			if out.right[i] {
				p.Item.Classes[c].Right++
			}
		}
		if out.right[i] {
			p.Right++
		}
	}
	if inconsistent {
		t.bothRulings++
	}
	t.patterns.Add(p)
	t.addPrefixes(out)
}

func (t *tally) addPrefixes(out outcome) {
	right := func(c int) float64 {
		if c < 0 {
			return 0
		}
		return out.shares[c]
	}
	votes := prefixes(out.class, len(out.classes))
	for i, a := range out.answers {
		votes[i].blank = a.null
	}
	if more := len(votes) - len(t.prefixes); more > 0 {
		t.prefixes = append(t.prefixes, make([]prefix, more)...)
	}
	some := false
	for i, d := range votes {
		p := &t.prefixes[i]
		p.queries++
		p.majority.add(right(d.leader))
		if some = some || out.right[i]; some {
			p.any++
		}
	}
	for _, r := range t.rules {
		r.add(votes, right)
	}
	if full := votes[len(votes)-1]; len(votes) > 1 {
		t.graded.Add(stats.Graded{Confidence: float64(full.top) / float64(full.n),
			Correct: full.leader >= 0 && out.classes[full.leader] == judge.Correct})
	}
}

// queryHash returns a hash of a query's question, by which the queries of two files are paired; "" if only the
// id is known.
func queryHash(out outcome) string {
	if out.query == "" && len(out.golds) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(out.query + "\x00" + strings.Join(out.golds, "\x00")))
	return hex.EncodeToString(sum[:8])
}
