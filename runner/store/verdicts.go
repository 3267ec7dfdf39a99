package store

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
)

// Tally has the number of records of a configuration by verdict, and their cost. The zero value is empty.
type Tally struct {
	Correct, Incorrect, Unscored int
	// Tokens counts input and output of all model calls on which the records depend. USD is the cost of these
	// calls; nil if the price of one of the models is unknown.
	Tokens int
	USD    *float64
}

// Add counts a record.
func (t *Tally) Add(r Record) { t.add(r.Verdict.Verdict, r.Usage) }

func (t *Tally) add(v judge.Ruling, u Usage) {
	t.USD = SumUSD(t.USD, u.USD, t.Decided() == 0)
	t.Tokens += u.InputTokens + u.OutputTokens
	switch v {
	case judge.Correct:
		t.Correct++
	case judge.Unscored:
		t.Unscored++
	default:
		t.Incorrect++
	}
}

// Decided returns the number of records.
func (t Tally) Decided() int { return t.Correct + t.Incorrect + t.Unscored }

// Calls calls report for every answered model call of all sessions. It includes calls whose lines a later
// session replaced, because they were paid too. spec is the configured model.
func (r *Run) Calls(report func(spec string, took model.Usage)) error {
	models := map[string]string{} // model by the name of the settings
	for x, err := range linesOf[Exchange](r, runfiles.Chat) {
		if err != nil {
			return err
		}
		if x.RequestSettings != nil {
			models[x.Settings] = x.RequestSettings.Model
		}
		if x.Usage != nil {
			report(models[x.Settings], *x.Usage)
		}
	}
	return nil
}

// ChangedVerdicts returns the pairs of records whose verdicts differ between a recording and its replay. n is
// the number of all records. Both runs must have one configuration.
func ChangedVerdicts(recorded, replayed *Run) (n int, changed [][2]Record, err error) {
	was, err := recorded.byQuery()
	if err != nil {
		return 0, nil, err
	}
	now, err := replayed.byQuery()
	if err != nil {
		return 0, nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(now)) {
		before, ok := was[id]
		if !ok {
			return 0, nil, fmt.Errorf("the recording has %d records and none of query %s, so its verdict "+
				"cannot be checked: record the run again", len(was), id)
		}
		if before.Verdict.Verdict != now[id].Verdict.Verdict {
			changed = append(changed, [2]Record{before, now[id]})
		}
	}
	return len(now), changed, nil
}

func (r *Run) byQuery() (map[string]Record, error) {
	records := map[string]Record{}
	for rec, err := range r.Unlabelled() {
		if err != nil {
			return nil, err
		}
		records[rec.Query] = rec
	}
	return records, nil
}
