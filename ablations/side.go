package ablations

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Side is what is known of one configuration, query by query.
type Side struct {
	Name    string // of the configuration
	Run     string
	Dataset string // hash of the run's dataset
	// Rules are what verdicts rest on and a table does not show, by the names of Hidden.
	// What plays no part in this configuration is not in it, nor are versions of a run that
	// is older than all of them; "" is what was not recorded.
	Rules map[string]string
	// Judges are those on which a verdict rests: judge.ByCorrectness, judge.ByQuality.
	Judges []string
	// Asking are the stages of the consensus that ask a model, and Asked says that the
	// consensus of some query rests on what it said. OwnVerifier is where it is the agent's.
	Asking             []string
	Asked, OwnVerifier bool
	Queries            []Query // sorted by id
}

// Query is what one configuration made of a query.
type Query struct {
	ID, Category string
	Hash         string // of the query and its gold; "" in older runs
	Verdict      judge.Ruling
	Decided      string // the answer, or the outcome in brackets
	Reason       string // of the verdict
	// Effort is what the query took; nil where a trace was lost, whose effort is not known.
	Effort *Effort
}

// Effort is what a query took: steps as the mean of its traces, calls of models and tokens
// in sum.
type Effort struct{ Steps, Calls, Tokens float64 }

func effortOf(r store.Record) *Effort {
	e := Effort{Calls: float64(r.Usage.ModelCalls), Tokens: float64(r.Usage.InputTokens + r.Usage.OutputTokens)}
	for _, a := range r.Answers {
		if a.Outcome == trace.Infra {
			return nil
		}
		e.Steps += float64(a.Steps) / float64(len(r.Answers))
	}
	return &e
}

// Sides reads the configurations of a run, in the order of its manifest. It is an error
// if a query has no record, since what it would have is not known.
func Sides(m store.Manifest, records iter.Seq2[store.Record, error]) ([]Side, error) {
	sides := make([]Side, len(m.Configurations))
	at := map[string]int{}
	for i, c := range m.Configurations {
		if _, twice := at[c.Name]; twice {
			return nil, fmt.Errorf("read run %s: its manifest names configuration %q twice", m.Run, c.Name)
		}
		at[c.Name] = i
		sides[i] = Side{
			Name: c.Name, Run: m.Run, Dataset: m.Dataset.Hash, Rules: rulesOf(m, c), Judges: judgesOf(c.Pass),
			Asking: askingStages(c), OwnVerifier: ownVerifier(c),
		}
	}
	for r, err := range records {
		if err != nil {
			return nil, fmt.Errorf("read run %s: %w", m.Run, err)
		}
		i, known := at[r.Configuration]
		if !known {
			return nil, fmt.Errorf("read run %s: its manifest has no configuration %q, of which there is a record", m.Run, r.Configuration)
		}
		sides[i].add(r)
	}
	for _, s := range sides {
		if n := len(s.Queries); n < m.Dataset.Queries {
			return nil, fmt.Errorf("compare run %s: configuration %s has %d of %d queries, and what the others would have is not known; finish the run with `concur %s --resume %s`", m.Run, s.Name, n, m.Dataset.Queries, command(m), m.Run)
		}
		if n := len(s.Queries); n > m.Dataset.Queries {
			return nil, fmt.Errorf("read run %s: configuration %s has %d records, and the manifest says %d queries", m.Run, s.Name, n, m.Dataset.Queries)
		}
		slices.SortFunc(s.Queries, func(a, b Query) int { return cmp.Compare(a.ID, b.ID) })
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("read run %s: %w", m.Run, err)
		}
	}
	return sides, nil
}

// command is the one that makes runs of this kind.
func command(m store.Manifest) string {
	if m.Ablation != "" {
		return "ablate"
	}
	return "run"
}

func (s *Side) add(r store.Record) {
	q := Query{r.Query, r.Category, r.QueryHash, r.Verdict.Verdict, "[" + string(r.Consensus.Outcome) + "]", r.Verdict.Reason, effortOf(r)}
	if a := r.Consensus.Answer; a != nil {
		q.Decided = *a
	}
	s.Queries = append(s.Queries, q)
	s.Asked = s.Asked || r.Consensus.VerifierCalls > 0
	by := r.Verdict.By
	if by == judge.ByJudge && len(s.Judges) == 0 { // pass: gold, and a condition in words
		by = judge.ByCorrectness
	}
	if (by == judge.ByCorrectness || by == judge.ByQuality) && !slices.Contains(s.Judges, by) {
		s.Judges = append(s.Judges, by)
	}
}

// check refuses what could not be counted.
func (s Side) check() error {
	seen := make(map[string]bool, len(s.Queries))
	for _, q := range s.Queries {
		if seen[q.ID] {
			return fmt.Errorf("configuration %s has query %s twice", s.Name, q.ID)
		}
		seen[q.ID] = true
		switch q.Verdict {
		case judge.Correct, judge.Incorrect, judge.Unscored:
		default:
			return fmt.Errorf("configuration %s has the unknown verdict %q of query %s; judge the run again", s.Name, q.Verdict, q.ID)
		}
	}
	return nil
}
