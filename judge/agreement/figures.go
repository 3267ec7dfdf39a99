package agreement

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
)

// Rated is one labelled answer with what judges said of it.
type Rated struct {
	ID    string
	Right bool // the label
	Grade *int // by people, 1..5; nil without one
	// Verdicts are the verdicts of each judge: several where it was asked repeatedly, nil for a reply
	// that could not be read. Of several, the majority counts.
	Verdicts map[string][]*bool
	// Scores of each judge, 1..5; nil without one.
	Scores map[string]*int
	// Refused names the judges that pass the answer at no threshold, whatever its score: by their
	// word it is not correct, or contradicts the reference.
	Refused map[string]bool
}

// Figures are the agreement of several judges with the labels.
type Figures struct {
	Answers int
	Right   int
	Judges  []judge.Agreed // by name
	// Alpha is Krippendorff's over all judges; nil for one.
	Alpha *float64
	// Votes is how many independent judges they are worth, by the correlation of their errors.
	Votes *float64
	Best  string // the judge with the greatest sensitivity + specificity; "" for one judge
}

// Of computes the figures (methods.md §7.3, §7.4).
func Of(items []Rated) Figures {
	out := Figures{Answers: len(items)}
	names := map[string]bool{}
	for _, i := range items {
		if i.Right {
			out.Right++
		}
		for name := range i.Verdicts {
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
			v := majority(item.Verdicts[name])
			series[i] = math.NaN()
			if v != nil {
				series[i] = number(*v != item.Right)
				ratings[i] = append(ratings[i], number(*v))
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
	if alpha, ok := stats.Alpha(ratings, stats.Nominal); ok {
		out.Alpha = &alpha
	}
	if votes, ok := stats.EffectiveVotes(errors); ok {
		out.Votes = &votes
	}
	return out
}

// agreed are the figures of one judge.
func agreed(name string, items []Rated) judge.Agreed {
	a := judge.Agreed{Judge: name, Cuts: []judge.Cut{}}
	var repeats [][]float64
	repeated, flips := 0, 0
	grades := make([][]int, 5)
	for i := range grades {
		grades[i] = make([]int, 5)
	}
	graded := 0
	for _, item := range items {
		said, asked := item.Verdicts[name]
		if !asked {
			continue
		}
		switch v := majority(said); {
		case v == nil:
			a.Unread++
		case item.Right && *v:
			a.RightPassed++
		case item.Right:
			a.RightFailed++
		case *v:
			a.WrongPassed++
		default:
			a.WrongFailed++
		}
		var each []float64
		for _, v := range said {
			if v != nil {
				each = append(each, number(*v))
			}
		}
		if len(each) > 1 {
			repeated++
			repeats = append(repeats, each)
			if slices.Min(each) != slices.Max(each) {
				flips++
			}
		}
		if s := item.Scores[name]; s != nil && item.Grade != nil {
			grades[*item.Grade-1][*s-1]++
			graded++
		}
	}
	right, wrong := a.RightPassed+a.RightFailed, a.WrongFailed+a.WrongPassed
	a.Sensitivity, a.Specificity = share(a.RightPassed, right), share(a.WrongFailed, wrong)
	a.Accuracy = share(a.RightPassed+a.WrongFailed, right+wrong)
	if c, ok := stats.Kappa([][]int{{a.RightPassed, a.RightFailed}, {a.WrongPassed, a.WrongFailed}}); ok {
		a.Kappa, a.AC1 = c.Kappa, c.AC1
	}
	if c, ok := stats.Kappa(grades); ok && graded > 1 {
		a.Quadratic = c.Quadratic
	}
	if alpha, ok := stats.Alpha(repeats, stats.Nominal); ok {
		a.Alpha = &alpha
	}
	if s := share(flips, repeated); s != nil {
		a.Flips = &s.Value
	}
	a.Cuts, a.Best = cuts(name, items)
	return a
}

// cuts are the judge's figures at each threshold, from its scores.
func cuts(name string, items []Rated) (out []judge.Cut, best int) {
	most := 0.0
	for threshold := 2; threshold <= 5; threshold++ {
		var passed, n [2]float64 // of wrong and right answers
		for _, item := range items {
			if s := item.Scores[name]; s != nil {
				n[int(number(item.Right))]++
				passed[int(number(item.Right))] += number(*s >= threshold && !item.Refused[name])
			}
		}
		if n[0] == 0 || n[1] == 0 {
			return []judge.Cut{}, 0
		}
		c := judge.Cut{Threshold: threshold, Sensitivity: passed[1] / n[1], Specificity: 1 - passed[0]/n[0]}
		c.J = c.Sensitivity + c.Specificity - 1
		if out = append(out, c); c.Specificity >= judge.LeastCutSpecificity && c.J > 0 && c.J >= most {
			most, best = c.J, threshold
		}
	}
	return out, best
}

// majority is nil without a verdict, and for a tie.
func majority(said []*bool) *bool {
	votes := 0
	for _, v := range said {
		if v != nil {
			votes += 2*int(number(*v)) - 1
		}
	}
	if votes == 0 {
		return nil
	}
	passes := cmp.Compare(votes, 0) > 0
	return &passes
}

func share(k, n int) *judge.Share {
	if n == 0 {
		return nil
	}
	low, high := stats.Wilson(k, n, .95)
	return &judge.Share{Value: float64(k) / float64(n), Low: low, High: high}
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
