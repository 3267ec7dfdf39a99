package labels

import (
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/agreement"
	"github.com/seed-5817661a/concur/runner/store"
)

// Labelled are the answers of a run over this dataset that people labelled, for the calibration
// of a judge; those on which a person could not say, and outcomes other than an answer, are left
// out. An answer weighs 1/chance of its draw (methods.md §7.5), scaled so that the right ones and
// the wrong ones each have their effective number in all, (Σw)²/Σw². The error is that of
// agreement.Distinct.
func Labelled(run string, records []store.Record, data *datasets.Dataset) ([]agreement.Labelled, error) {
	queries := map[string]datasets.Query{}
	for _, q := range data.Queries {
		queries[q.ID] = q
	}
	groups := map[string][]store.Record{} // by configuration
	for _, r := range records {
		if r.Label != nil {
			groups[r.Configuration] = append(groups[r.Configuration], r)
		}
	}
	var list []agreement.Labelled
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		for i, chance := range store.Chances(groups[name]) {
			r := groups[name][i]
			if a, ok := represented(r); ok && a.Answer != nil && r.Label.Verdict != judge.Unscored {
				list = append(list, agreement.Labelled{
					Place: "query " + r.Query, Query: queries[r.Query], Answer: *a.Answer, Right: r.Label.Verdict == judge.Correct, Weight: 1 / chance,
				})
			}
		}
	}
	list, err := agreement.Distinct("the labels of run "+run, list)
	sum, squares := map[bool]float64{}, map[bool]float64{}
	for _, l := range list {
		sum[l.Right] += l.Weight
		squares[l.Right] += l.Weight * l.Weight
	}
	for i, l := range list {
		list[i].Weight *= sum[l.Right] / squares[l.Right]
	}
	return list, err
}
