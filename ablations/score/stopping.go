package score

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/stats"
)

// Stopping simulates a rule of adaptive sampling on the recorded answers, in their order: how many answers it
// draws, and how often their vote is right (docs/method.md §3.4). All other figures use all answers, because
// stopping early would bias them.
type Stopping struct {
	// Rule is beta, window, curtailment or 3-then-7. For beta, Threshold is the probability. For window,
	// Threshold is the number of last answers that must be equal and not blank; their answer is the result.
	Rule              string   `json:"rule"`
	Threshold         *float64 `json:"threshold"`    // nil for rules without a threshold
	MeanSamples       float64  `json:"mean_samples"` // TotalSamples divided by the number of queries with verdicts
	TotalSamples      int      `json:"total_samples"`
	Accuracy          float64  `json:"accuracy"`
	AgreeWithFullVote float64  `json:"agree_with_full_vote"` // queries with the same answer as the full vote
}

// String returns the rule with its threshold, if it has one.
func (s Stopping) String() string {
	if s.Threshold == nil {
		return s.Rule
	}
	return fmt.Sprintf("%s %g", s.Rule, *s.Threshold)
}

// drawn holds the vote over the first n answers of a query.
type drawn struct {
	n           int // number of answers
	top, second int // votes of the two largest classes
	streak      int // number of equal answers at the end
	lead        float64
	leader      int  // its class; -1 if there are no votes
	last        int  // class of the last answer; -1 if it has no vote
	blank       bool // the last answer is null or blank
}

type stopRule struct {
	name      string
	threshold float64 // 0 if the rule has no threshold
	most      func(answers int) int
	stops     func(d drawn, most int) bool
	answer    func(d drawn) int // class of the result; nil if that is the leader
	least     int               // smallest K for which the rule is shown; with fewer answers it never stops early

	samples, agree int
	right          rights
}

func newStopRules() []*stopRule {
	all := func(answers int) int { return answers }
	var out []*stopRule
	for _, tau := range []float64{0.8, 0.9, 0.95, 0.99} {
		out = append(out, &stopRule{name: "beta", threshold: tau, most: all, least: 2,
			stops: func(d drawn, _ int) bool { return d.lead >= tau }})
	}
	for _, w := range []int{3, 4, 5, 8, 10} {
		out = append(out, &stopRule{name: "window", threshold: float64(w), least: 2 * w,
			most: func(answers int) int { // only whole windows
				if answers < w {
					return answers
				}
				return answers - answers%w
			},
			// A window of equal answers has the entropy 0, and its answer is the result. After a window of
			// blanks, drawing continues (docs/method.md §3.4; Li et al. 2024).
			stops:  func(d drawn, _ int) bool { return d.n%w == 0 && d.streak >= w && !d.blank },
			answer: func(d drawn) int { return d.last }})
	}
	curtailed := func(d drawn, most int) bool { return d.top-d.second > most-d.n }
	return append(out,
		&stopRule{name: "curtailment", most: all, least: 2, stops: curtailed},
		&stopRule{name: "3-then-7", least: 7, most: func(answers int) int { return min(7, answers) },
			stops: func(d drawn, most int) bool {
				return d.n == 3 && d.streak >= 3 || d.n > 3 && curtailed(d, most)
			}})
}

// add counts a query. votes are the votes over its first 1, 2, … answers.
func (r *stopRule) add(votes []drawn, right func(class int) float64) {
	most := r.most(len(votes))
	end := votes[most-1]
	given := end.leader
	for _, d := range votes[:most] {
		if r.stops(d, most) {
			end, given = d, d.leader
			if r.answer != nil {
				given = r.answer(d)
			}
			break
		}
	}
	r.samples += end.n
	r.right.add(right(given))
	if given == votes[len(votes)-1].leader {
		r.agree++
	}
}

// stoppings returns the figures of the rules that are shown for K answers.
func stoppings(rules []*stopRule, k, queries int) []Stopping {
	out := []Stopping{}
	for _, r := range rules {
		if k < r.least || queries == 0 {
			continue
		}
		n := float64(queries)
		s := Stopping{Rule: r.name, TotalSamples: r.samples, MeanSamples: float64(r.samples) / n,
			Accuracy: r.right.per(n), AgreeWithFullVote: float64(r.agree) / n}
		if r.threshold > 0 {
			s.Threshold = &r.threshold
		}
		out = append(out, s)
	}
	return out
}

// prefixes returns the votes over the first 1, 2, … answers, by plurality; at a tie the class seen first leads.
func prefixes(class []int, classes int) []drawn {
	out := make([]drawn, len(class))
	votes, first := make([]int, classes), make([]int, classes)
	d := drawn{leader: -1}
	for i, c := range class {
		d.n++
		d.last = c
		if c < 0 { // the answer has no vote
			d.streak = 0
		} else {
			if votes[c] == 0 {
				first[c] = i
			}
			votes[c]++
			if d.leader < 0 || votes[c] > votes[d.leader] || votes[c] == votes[d.leader] && first[c] < first[d.leader] {
				d.leader = c
			}
			if i > 0 && class[i-1] == c {
				d.streak++
			} else {
				d.streak = 1
			}
			d.top, d.second = votes[d.leader], 0
			for other, n := range votes {
				if other != d.leader {
					d.second = max(d.second, n)
				}
			}
		}
		d.lead, _ = stats.Lead(d.top, d.second)
		out[i] = d
	}
	return out
}
