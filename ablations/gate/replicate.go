package gate

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/stats"
)

// replicate is step 2: an alarm has to stand in a second full pass. Test A has to reject
// on both passes together; in strict mode whatever alarmed has to reject on the second
// pass alone.
func (v versus) replicate(s *standing, o Options, strict bool) {
	alarm := fmt.Sprintf("worse than the %s: %s", v.name, s.Run)
	if s.Screen.Rejects {
		alarm = strings.Join(s.Screen.broken(v.name), "; ")
	}
	off := o.Replicate == ReplicateOff
	if off && !strict {
		v.byAggregate(s, ofRun, alarm+"; not replicated, as asked")
		return
	}
	if why := v.second(); why != "" {
		if off {
			why = "strict mode wants one, so allow replication"
		}
		s.need.Replicate = !off && v.unpassed()
		s.leave(alarm + "; a second full pass has to bear that out: " + why)
		return
	}
	second, pooled := v.aggregate(ofSecond), v.aggregate(ofBoth)
	s.Second, s.Pooled = &second, &pooled
	if !strict {
		if pooled.Rejects {
			v.byAggregate(s, ofBoth, fmt.Sprintf("worse than the %s, and the second pass bears it out: over both passes %s", v.name, pooled))
			return
		}
		s.dismiss(fmt.Sprintf("alarm not borne out by the second pass: %s; over both passes %s", alarm, pooled))
		return
	}
	v.strictly(s, alarm)
}

func (s *standing) dismiss(warning string) {
	s.Unconfirmed = true
	s.warnings = append(s.warnings, warning)
}

// strictly rules where both passes have to reject.
func (v versus) strictly(s *standing, alarm string) {
	again, could := v.again(s.Screen)
	switch {
	case len(again) > 0:
		s.reject(again...)
	case s.Run.Rejects && s.Second.Rejects:
		v.byAggregate(s, ofBoth, fmt.Sprintf("worse than the %s in both passes: %s, then %s", v.name, s.Run, *s.Second))
	case s.Screen.Rejects && !could:
		s.leave(alarm + "; the second pass has too few traces of it to bear that out alone: run with a larger K")
	default:
		s.dismiss(fmt.Sprintf("alarm not borne out by the second pass alone: %s", alarm))
	}
}

// again holds what Test B found against its history once more, by the traces of the second
// pass alone and Holm over what was found. could tells whether they were enough to reject.
func (v versus) again(first Screen) (reasons []string, could bool) {
	second := Screen{}
	var p []float64
	least := 1.0
	found := map[string]bool{}
	for _, q := range first.Suspects {
		found[q.Query] = q.Broken
	}
	for _, h := range v.items {
		if !found[h.Query] {
			continue
		}
		right, of := h.Replica.Right, h.Replica.Valid()
		q := newSuspect(h)
		q.FreshRight, q.Fresh = &right, &of
		worse, ok := stats.FreshItem(right, of, q.HistoryRight, q.History)
		lowest, _ := stats.FreshItemLeast(of, q.HistoryRight, q.History)
		if !ok {
			worse, lowest = 1, 1
		}
		least = min(least, lowest)
		p, second.Suspects = append(p, worse), append(second.Suspects, q)
	}
	adjusted, ok := stats.Holm(p)
	if !ok {
		return nil, false
	}
	for i := range second.Suspects {
		second.Suspects[i].PHolm, second.Suspects[i].Broken = &adjusted[i], adjusted[i] <= v.level
	}
	for _, sentence := range second.broken(v.name) {
		reasons = append(reasons, "in the second pass too, "+sentence)
	}
	return reasons, least*float64(len(p)) <= v.level
}

// unpassed reports whether a query has no traces of a second pass.
func (v versus) unpassed() bool {
	for _, h := range v.items {
		if h.Replica == nil {
			return true
		}
	}
	return false
}

// second says what is wrong with the second pass, "" where it can be used.
func (v versus) second() string {
	var without []string
	items := make([]Item, 0, len(v.items))
	for _, h := range v.items {
		if h.Replica == nil {
			without = append(without, h.Query)
		} else {
			items = append(items, *h.Item)
		}
	}
	switch {
	case len(items) == 0:
		return "it is still to be run"
	case len(without) > 0:
		return "it lacks " + listed(without)
	}
	if why := tooLost("the second pass", items, ofSecondOf, v.from.SecondFolder); len(why) > 0 {
		return why[0]
	}
	return ""
}

func ofSecondOf(it Item) Traces { return *it.Replica }
