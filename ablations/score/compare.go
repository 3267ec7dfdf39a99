package score

import (
	"cmp"
	"slices"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
)

// Against compares the verdicts with those of a baseline, as two runs are compared: queries of
// the same id, text and gold are paired. Both must have been read with Options.Queries.
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

// Files are the figures of the files, the baseline's first.
func (s *Score) Files() []*Figures {
	if s.Baseline == nil {
		return []*Figures{&s.Figures}
	}
	return []*Figures{s.Baseline, &s.Figures}
}

// Result is the comparison as a result of two configurations, one for each file.
func (s *Score) Result() *result.Result {
	r := &result.Result{Run: s.Name, Configurations: []result.Configuration{}, Comparisons: []result.Comparison{}, Warnings: []string{}}
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
