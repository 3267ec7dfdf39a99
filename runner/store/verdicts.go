package store

import (
	"fmt"
	"maps"
	"slices"
)

// ChangedVerdicts compares the verdicts of a replay with those of its recording, query by
// query, and gives the records that differ, in pairs. n counts the replay's. Both are runs of
// one configuration.
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
			return 0, nil, fmt.Errorf("the recording has %d records and none of query %s, so that its verdict cannot be checked: record anew", len(was), id)
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
