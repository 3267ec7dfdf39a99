package score

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/store"
)

// Schema is the name of the JSON form of a Score.
const Schema = "concur/score/v1"

// Score holds the figures of a file. If two files are given, it holds the figures of the last file and a
// comparison with the first.
type Score struct {
	Schema string `json:"schema"`
	Figures
	// Baseline holds the figures of the file to compare with. Comparison is the result. Both are nil for a
	// single file.
	Baseline   *Figures           `json:"baseline,omitempty"`
	Comparison *result.Comparison `json:"comparison,omitempty"`

	side    []ablations.Query
	records []store.Record
	options Options
}

// Figures holds the figures of one file. Rates are fractions of N, the number of queries with a gold or with
// verdicts; undefined figures are nil. The keys of maps are the numbers of answers k. A query with fewer than K
// answers counts at every k up to its number of answers.
type Figures struct {
	File   string           `json:"file"`
	Name   string           `json:"name"` // for tables: the last part of File, or File
	Norm   Norm             `json:"norm"`
	Type   answer.Type      `json:"type"` // "" unless the norm is typed
	Nulls  Nulls            `json:"nulls"`
	Quorum consensus.Quorum `json:"quorum"`
	N      int              `json:"n"`
	K      int              `json:"k"` // largest number of answers to a query
	// Verdicts counts all queries by the vote over all their answers, with quorum and tie-break as in a run; a
	// query without a gold is unscored. PassRate is correct/queries.
	Verdicts result.Counts    `json:"verdicts"`
	PassRate *float64         `json:"pass_rate"`
	CI       *result.Interval `json:"ci"`
	Bounds   *[2]float64      `json:"bounds"` // PassRate if all unscored queries were wrong, and if all were right
	// Extractor, Verifier and Judge are the models that were asked; "" if none was. Calls include those that a
	// cache answered.
	Messages       bool        `json:"messages"` // the answers are final messages, from which short answers were read
	Unread         Unread      `json:"unread"`
	Extractor      string      `json:"extractor"`
	ExtractorCalls int         `json:"extractor_calls"`
	Verifier       string      `json:"verifier"`
	VerifierCalls  int         `json:"verifier_calls"`
	Judge          string      `json:"judge"`
	JudgeCalls     int         `json:"judge_calls"`
	MeanSingle     *float64    `json:"mean_single"`  // mean over queries of the share of right answers
	QueriesAtK     map[int]int `json:"queries_at_k"` // queries with at least k answers
	// MajFirstK is the accuracy of the plurality over the first k answers as stored; at a tie the answer seen
	// first wins. MajExpected is its mean over all subsets of k answers; a tie counts as the share of its
	// leaders that are right. Neither needs a quorum.
	MajFirstK   map[int]float64  `json:"maj_first_k"`
	MajExpected map[int]*float64 `json:"maj_expected"`
	// AnyAtK is the share of queries with a right answer among the first k. For PassAtK and PassHatK, k answers
	// are drawn without replacement. PassAtK is the chance that at least one of them is right, and PassHatK the
	// chance that all are right.
	AnyAtK    map[int]float64   `json:"any_at_k"`
	PassAtK   map[int]*float64  `json:"pass_at_k"`
	PassHatK  map[int]*float64  `json:"pass_hat_k"`
	Unanimity map[int]Unanimity `json:"unanimity"` // for k from 2
	Stopping  []Stopping        `json:"stopping"`
	// AUROC and the two figures below use as confidence the share of votes for the most frequent answer, over
	// queries with at least two answers.
	AUROC    *float64 `json:"auroc_vote_share"`
	ECE      *float64 `json:"ece"`
	Brier    *float64 `json:"brier"`
	ICC      *float64 `json:"icc"`      // over queries with K answers
	LeftOut  *Faults  `json:"left_out"` // lines that could not be scored; nil if all were scored
	Warnings []string `json:"warnings"`
}

// Unanimity describes draws of k answers without replacement: the share of draws in which all answers agree,
// and the share of these in which they are right.
type Unanimity struct {
	Rate     *float64 `json:"rate"`
	Accuracy *float64 `json:"accuracy"` // nil if no draw agrees
}

func (t *tally) score() *Score {
	row := result.Configuration{}
	row.SetCounts(t.counts)
	f := Figures{
		File: t.name, Name: filepath.Base(t.name), Norm: t.o.Norm, Type: t.o.Type, Nulls: t.o.Nulls, Quorum: t.o.Quorum,
		N: t.scored, K: t.k,
		Verdicts: row.Counts, PassRate: row.PassRate, CI: row.CI, Bounds: row.Bounds,
		QueriesAtK: map[int]int{}, MajFirstK: map[int]float64{}, MajExpected: map[int]*float64{},
		AnyAtK:  map[int]float64{},
		PassAtK: map[int]*float64{}, PassHatK: map[int]*float64{}, Unanimity: map[int]Unanimity{},
		Stopping: stoppings(t.rules, t.k, t.scored), ICC: t.patterns.ICC(t.k), Warnings: t.warnings(),
	}
	f.Messages, f.Unread = t.o.Messages, t.unreadable
	if x := t.o.Extractor; x != nil {
		f.Extractor, f.ExtractorCalls = x.Name, t.extraction.Calls
	}
	if v := t.o.Verifier; v != nil {
		f.Verifier, f.VerifierCalls = v.Name, t.verifierCalls
	}
	if j := t.o.Judge; j != nil {
		f.Judge, f.JudgeCalls = j.Name, t.judgeCalls
	}
	for _, k := range result.CurveKs(len(t.prefixes)) {
		p, n := result.PointOf(&t.patterns, k, stats.Vote{NoQuorum: true}), float64(t.prefixes[k-1].queries)
		f.QueriesAtK[k] = t.prefixes[k-1].queries
		f.MajFirstK[k], f.AnyAtK[k] = t.prefixes[k-1].majority.per(n), float64(t.prefixes[k-1].any)/n
		f.MajExpected[k], f.PassAtK[k], f.PassHatK[k] = p.Accuracy.Value, p.PassAtK, p.PassHatK
		if k > 1 {
			f.Unanimity[k] = Unanimity{p.Unanimous, p.AccuracyIfUnanimous}
		}
	}
	f.MeanSingle = f.PassAtK[1]
	if c, ok := t.graded.Calibrate(); ok {
		f.AUROC, f.ECE, f.Brier = c.AUROC, &c.ECE, &c.Brier
	}
	if t.faults.Lines > 0 {
		f.LeftOut = t.faults
	}
	return &Score{Schema: Schema, Figures: f, side: t.side, records: t.records, options: t.o}
}

// warnings returns warnings about the figures.
func (t *tally) warnings() []string {
	out := []string{}
	count := func(n int, thing, format string, args ...any) {
		if n > 0 {
			out = append(out, text.Counted(n, thing)+fmt.Sprintf(format, args...))
		}
	}
	count(t.faults.Lines, "line", " left out: not in a form that can be scored")
	count(t.noGold.count, "query", " without a gold: the verdicts count them as unscored, and no other figure "+
		"counts them (%s)", &t.noGold)
	for i, n := range slices.Sorted(maps.Keys(t.lengths)) {
		if n == t.k || i > maxNamed {
			break
		}
		count(t.lengths[n].count, "query", " with %s, fewer than K=%d: counted up to this number (%s)",
			text.Counted(n, "answer"), t.k, t.lengths[n])
	}
	how := "they vote as one answer, which is never right (with --nulls abstain they do not vote)"
	if t.o.Nulls == NullsAbstain {
		how = "they do not vote"
	}
	count(t.nulls, "answer", " null or blank: %s (%s)", how, &t.nullLines)
	count(t.bothRulings, "query", " whose equal answers have different verdicts: such an answer "+
		"counts as the share that is right, and the verdict is that of most (unscored if half)")
	if w := t.unreadable.warning(t.o); w != "" {
		out = append(out, w)
	}
	count(t.extraction.Errors, "message", " on which the extractor's model failed, or was not asked "+
		"because its canaries failed; they have no answer")
	count(t.verifierErrors, "question", " on which the verifier's model failed, or was not asked "+
		"because its canaries failed; their answers were not merged")
	count(t.notJudged, "answer", " without a verdict of the judge, counted as wrong")
	return out
}

// Against compares the verdicts with the verdicts of a baseline, in the same way as two runs are compared: it
// pairs queries with the same id, text and gold. Both files must be read with Options.Queries.
func (s *Score) Against(baseline *Score, how ablations.Options) error {
	if s.Name == baseline.Name {
		s.Name, baseline.Name = s.File, baseline.File
	}
	out, err := ablations.Pairwise([][2]ablations.Side{{baseline.asSide(), s.asSide()}}, how)
	if err != nil {
		return err
	}
	s.Baseline, s.Comparison = &baseline.Figures, &out[0]
	return nil
}

func (s *Score) asSide() ablations.Side {
	slices.SortFunc(s.side, func(a, b ablations.Query) int { return cmp.Compare(a.ID, b.ID) })
	return ablations.Side{Name: s.Name, Run: s.File, Queries: s.side}
}

// Files returns the figures of the files, the baseline's first.
func (s *Score) Files() []*Figures {
	if s.Baseline == nil {
		return []*Figures{&s.Figures}
	}
	return []*Figures{s.Baseline, &s.Figures}
}

// Result returns the comparison as a result of two configurations, one for each file.
func (s *Score) Result() *result.Result {
	r := &result.Result{Run: s.Name, Configurations: []result.Configuration{}, Comparisons: []result.Comparison{},
		Warnings: []string{}}
	if s.Baseline != nil {
		r.Comparisons = append(r.Comparisons, *s.Comparison)
		r.Family = ablations.FamilyOf(r.Comparisons)
	}
	for _, f := range s.Files() {
		row := result.Configuration{Name: f.Name, K: f.K}
		row.SetCounts(f.Verdicts)
		r.Configurations = append(r.Configurations, row)
		for _, w := range f.Warnings {
			r.Warnings = append(r.Warnings, f.Name+": "+w)
		}
	}
	return r
}
