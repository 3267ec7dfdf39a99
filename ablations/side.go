package ablations

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Side holds the results of one configuration, by query.
type Side struct {
	Name string // of the configuration
	Same string // name of the side that sent the same requests, see result.Configuration.Same; "" if unknown
	Run  string
	// Rules has the versions of the rules that affect verdicts but are not in a table, by the names in Hidden.
	// "" means that the version was not recorded. Rules that this configuration does not use are missing.
	Rules          map[string]string
	Judges         []string          // judges that decide a verdict: judge.ByCorrectness, judge.ByQuality
	ModelStages    []consensus.Stage // stages of the consensus that call a model
	VerifierCalled bool              // the consensus on at least one query depends on the verifier's reply
	OwnVerifier    bool              // the verifier is the agent's own model
	OwnExtractor   bool              // the extractor is the agent's own model
	Unread         bool              // rules could not read an answer, so the extractor matters
	Queries        []Query           // sorted by id
	Losses         result.Losses     // traces lost to infrastructure failures
	// Decides is the number of queries that a judge decides. Labels is the number of those of them that were
	// drawn for a label. Errors are the judge's errors according to its calibration. It is nil unless one
	// calibration applies to all these queries.
	Decides, Labels int
	Errors          *stats.JudgeErrors

	sentAs string // side with the same agent that is compared in place of this one, or ""
}

// Query is the result of one configuration for a query.
type Query struct {
	ID      string
	Hash    string    // hash of the query and its gold; "" if unknown
	Decided string    // the answer, or the outcome in brackets
	Reason  string    // the reason for the verdict; "" if it is correct
	Effort  Effort    // zero unless Measured
	Ways    []ToolUse // the tool calls of its traces, by trace index; nil if the query expects no tool calls
	*Outcome
}

// Outcome has the results that many queries have in common. Equal ones are in memory once.
type Outcome struct {
	Category, Cluster string // Cluster: name of the cluster of dependent queries; "" for none
	Verdict           judge.Ruling
	Rights            result.Rights
	Measured          bool  // the effort is known, because no trace was lost
	Label             Label // Unlabelled unless the query was drawn with the chance that all queries had
}

// Outcomes has one copy of each outcome.
type Outcomes map[Outcome]*Outcome

// Of returns the copy of an outcome.
func (o Outcomes) Of(v Outcome) *Outcome {
	if o[v] == nil {
		o[v] = &v
	}
	return o[v]
}

// Label is a person's verdict on the decided answer of a query.
type Label uint8

const (
	Unlabelled Label = iota
	LabelledWrong
	LabelledRight
)

func labelOf(r store.Record) Label {
	l := r.Label
	switch {
	case l == nil || l.Verdict == judge.Unscored || l.Draw == nil || !l.Draw.Uniform:
		return Unlabelled
	case l.Verdict == judge.Correct:
		return LabelledRight
	}
	return LabelledWrong
}

// ToolUse has the answer of a trace, and the comparison of its tool calls with the expected calls. It is zero
// if the trace was lost or has no answer.
type ToolUse struct {
	Answer, Key string
	Calls       judge.Calls
}

func toolUses(r store.Record) (ways []ToolUse) {
	for _, a := range r.Answers {
		if a.Calls == nil || a.Key == nil || a.Answer == nil {
			continue
		}
		if ways == nil {
			ways = make([]ToolUse, len(r.Answers))
		}
		if at := a.Trace - r.Answers[0].Trace; at >= 0 && at < len(ways) {
			ways[at] = ToolUse{*a.Answer, *a.Key, *a.Calls}
		}
	}
	return ways
}

// Effort is the effort for a query: the mean number of steps of its traces, and the sums of their model calls
// and tokens.
type Effort struct{ Steps, Calls, Tokens float64 }

func effortOf(r store.Record) (e Effort, measured bool) {
	e = Effort{Calls: float64(r.Usage.ModelCalls), Tokens: float64(r.Usage.InputTokens + r.Usage.OutputTokens)}
	for _, a := range r.Answers {
		if a.Outcome == trace.Infra {
			return Effort{}, false
		}
		e.Steps += float64(a.Steps) / float64(len(r.Answers))
	}
	return e, true
}

// Sides reads the configurations of a complete run, in the order of its manifest. It does not check that the
// records belong to the manifest. result.Summarize checks this, so call it first.
func Sides(m store.Manifest, records iter.Seq2[store.Record, error]) ([]Side, error) {
	c := collect(m)
	for r, err := range records {
		if err != nil {
			return nil, fmt.Errorf("read run %s: %w", m.Run, err)
		}
		c.add(r)
	}
	return c.done(), nil
}

// collector builds the sides of a run from its records.
type collector struct {
	of       store.Manifest
	sides    []Side
	at       map[string]int
	labelled [][]store.Record // added last, after it is known whether a judge decides
	outcomes Outcomes
}

func collect(m store.Manifest) *collector {
	n := len(m.Configurations)
	out := &collector{m, make([]Side, n), map[string]int{}, make([][]store.Record, n), Outcomes{}}
	for i, c := range m.Configurations {
		out.at[c.Name] = i
		stages := modelStages(c)
		out.sides[i] = Side{
			Name: c.Name, Run: m.Run, Rules: rulesOf(m, c), Judges: c.Pass.Judges(),
			ModelStages: stages, OwnExtractor: c.ExtractorModel() == c.Model, OwnVerifier: len(stages) > 0 &&
				c.ModelOf(c.Verifier.Model) == c.Model,
			Queries: make([]Query, 0, min(m.Dataset.Queries, mostReserved)),
		}
	}
	return out
}

// mostReserved limits the memory that is reserved because of a number of queries in a manifest, which may be
// wrong.
const mostReserved = 1 << 17

// add adds a record of one of the configurations.
func (c *collector) add(r store.Record) {
	i := c.at[r.Configuration]
	c.sides[i].Decides += indicator(result.JudgeDecides(c.of.Configurations[i].Pass, r))
	if r.HasLabel() {
		c.labelled[i] = append(c.labelled[i], r)
		return
	}
	c.sides[i].add(r, c.outcomes)
}

// done returns the sides after every record was added.
func (c *collector) done() []Side {
	for i := range c.sides {
		for _, r := range result.Settle(c.labelled[i], c.sides[i].Decides > 0) {
			c.sides[i].add(r, c.outcomes)
		}
		c.sides[i].Errors = result.ErrorsOf(c.of.Configurations[i], c.sides[i].Decides, len(c.sides[i].Queries))
	}
	for _, s := range c.sides {
		slices.SortFunc(s.Queries, func(a, b Query) int { return cmp.Compare(a.ID, b.ID) })
	}
	return c.sides
}

func (s *Side) add(r store.Record, known Outcomes) {
	effort, measured := effortOf(r)
	q := Query{r.Query, r.QueryHash, r.Decided(), r.Verdict.Reason, effort, toolUses(r), known.Of(Outcome{
		r.Category, r.Cluster, r.Verdict.Verdict, result.RightsOf(r), measured, labelOf(r)})}
	if q.Verdict == judge.Correct {
		q.Reason = "" // only a wrong answer's is shown
	}
	s.Queries = append(s.Queries, q)
	s.Losses.Add(r)
	if l := r.Label; l != nil && l.Draw != nil && l.Verdict != judge.Unscored {
		s.Labels++
	}
	s.VerifierCalled = s.VerifierCalled || r.Consensus.Effort.Calls > 0
	s.Unread = s.Unread || r.Extraction != nil ||
		slices.ContainsFunc(r.Answers, func(a store.Answer) bool { return a.Unread })
	by := r.Before().By
	if by == judge.ByJudge && len(s.Judges) == 0 { // with pass: gold, a gold with a condition in words
		by = judge.ByCorrectness
	}
	if (by == judge.ByCorrectness || by == judge.ByQuality) && !slices.Contains(s.Judges, by) {
		s.Judges = append(s.Judges, by)
	}
}

func (s Side) unscored() bool {
	return slices.ContainsFunc(s.Queries, func(q Query) bool { return q.Verdict == judge.Unscored })
}
