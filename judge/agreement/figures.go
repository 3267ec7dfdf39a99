package agreement

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
)

// Rated is one labelled answer with the judges' opinions.
type Rated struct {
	Right  bool    // the label
	Grade  *int    // people's grade, 1..5; nil if not graded
	Weight float64 // weight of the answer in all rates; 0 means 1
	// Opinions has each judge's opinions by its name; several if the judge was asked repeatedly. The majority
	// of the verdicts counts, and the first score.
	Opinions map[string][]judge.Opinion
	// Refused is true if the answer passes at no threshold: the judge finds that it is not correct, or that it
	// contradicts the reference.
	Refused bool
}

// Figures describe the agreement of judges with the labels.
type Figures struct {
	Answers int            `json:"answers"`
	Right   int            `json:"right"`
	Judges  []judge.Agreed `json:"judges"`          // by name
	Alpha   *float64       `json:"alpha"`           // Krippendorff's alpha over the judges; nil for one judge
	Votes   *float64       `json:"effective_votes"` // equal to so many independent judges
	Best    string         `json:"best_judge"`      // by sensitivity + specificity; "" for one judge
}

// Measure computes the figures from labelled answers (docs/method.md §7.3, §7.4).
func Measure(items []Rated) Figures {
	out := Figures{Answers: len(items)}
	names := map[string]bool{}
	for _, i := range items {
		out.Right += int(stats.Bit(i.Right))
		for name := range i.Opinions {
			names[name] = true
		}
	}
	var errors [][]float64
	ratings := make([][]float64, len(items))
	best := math.Inf(-1)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a := agreed(name, items)
		out.Judges = append(out.Judges, a)
		series := make([]float64, len(items))
		for i, item := range items {
			series[i] = math.NaN()
			if v := judge.Majority(item.Opinions[name]); v != judge.Unscored {
				series[i] = stats.Bit((v == judge.Correct) != item.Right)
				ratings[i] = append(ratings[i], stats.Bit(v == judge.Correct))
			}
		}
		errors = append(errors, series)
		if a.Sensitivity != nil && a.Specificity != nil && a.Sensitivity.Value+a.Specificity.Value > best {
			best, out.Best = a.Sensitivity.Value+a.Specificity.Value, name
		}
	}
	if len(out.Judges) < 2 {
		out.Best = ""
		return out
	}
	out.Alpha = stats.Defined(stats.Alpha(ratings))
	out.Votes = stats.Defined(stats.EffectiveVotes(errors))
	return out
}

// agreed returns the figures of one judge.
func agreed(name string, items []Rated) judge.Agreed {
	a := judge.Agreed{Judge: name}
	var repeats [][]float64
	flips := 0.0
	grades := make([][]int, 5)
	for i := range grades {
		grades[i] = make([]int, 5)
	}
	for _, item := range items {
		opinions := item.Opinions[name]
		if len(opinions) == 0 {
			continue
		}
		weight := cmp.Or(item.Weight, 1)
		switch v := judge.Majority(opinions); {
		case v == judge.Unscored:
			a.Unread++
		case item.Right && v == judge.Correct:
			a.RightPassed += weight
		case item.Right:
			a.RightFailed += weight
		case v == judge.Correct:
			a.WrongPassed += weight
		default:
			a.WrongFailed += weight
		}
		var verdicts []float64
		for _, o := range opinions {
			if o.Verdict != judge.Unscored {
				verdicts = append(verdicts, stats.Bit(o.Verdict == judge.Correct))
			}
		}
		if len(verdicts) > 1 {
			repeats = append(repeats, verdicts)
			flips += stats.Bit(judge.Flips(opinions))
		}
		if s := opinions[0].Score; s != nil && item.Grade != nil {
			grades[*item.Grade-1][*s-1]++
		}
	}
	right, wrong := a.RightPassed+a.RightFailed, a.WrongFailed+a.WrongPassed
	a.Sensitivity, a.Specificity = share(a.RightPassed, right), share(a.WrongFailed, wrong)
	a.Accuracy = share(a.RightPassed+a.WrongFailed, right+wrong)
	if c, ok := stats.Kappa([][]float64{{a.RightPassed, a.RightFailed}, {a.WrongPassed, a.WrongFailed}}); ok {
		a.Kappa, a.AC1 = c.Kappa, c.AC1
	}
	if c, ok := stats.Kappa(grades); ok {
		a.Quadratic = c.Quadratic
	}
	a.Alpha = stats.Defined(stats.Alpha(repeats))
	a.Flips = stats.Defined(flips/float64(len(repeats)), len(repeats) > 0)
	a.Cuts, a.Best = thresholds(name, items)
	return a
}

// thresholds returns the judge's figures at each threshold of its scores. best is the index of the threshold
// with the greatest J among those with a specificity of at least .90 (docs/method.md §7.4).
func thresholds(name string, items []Rated) (out []judge.Cut, best int) {
	most := 0.0
	for threshold := 2; threshold <= 5; threshold++ {
		var passed, n [2]float64 // passed and total, of wrong answers (0) and right answers (1)
		for _, item := range items {
			if opinions := item.Opinions[name]; len(opinions) > 0 && opinions[0].Score != nil {
				label, weight := int(stats.Bit(item.Right)), cmp.Or(item.Weight, 1)
				n[label] += weight
				passed[label] += weight * stats.Bit(*opinions[0].Score >= threshold && !item.Refused)
			}
		}
		if n[0] == 0 || n[1] == 0 {
			return []judge.Cut{}, 0
		}
		c := judge.Cut{Threshold: threshold, Sensitivity: passed[1] / n[1], Specificity: 1 - passed[0]/n[0]}
		c.J = c.Sensitivity + c.Specificity - 1
		if out = append(out, c); c.Specificity >= .90 && c.J > 0 && c.J >= most {
			most, best = c.J, threshold
		}
	}
	return out, best
}

// share returns k/n with its interval; nil if n is 0.
func share(k, n float64) *judge.Share {
	if n == 0 {
		return nil
	}
	low, high := stats.Wilson(k, n, .95)
	return &judge.Share{Value: k / n, Low: low, High: high}
}
