package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Graded is an answer with a confidence in [0, 1], such as the agreement among traces.
type Graded struct {
	Confidence float64
	Correct    bool
}

// Level holds the counts of all answers with one confidence.
type Level struct {
	Confidence     float64
	Items, Correct int
	Accuracy       float64 // Correct/Items
	Coverage       float64 // share of all items with this confidence or more
	Risk           float64 // share of these that are wrong
}

// Calibration says how well confidence predicts whether answers are right. The areas under risk against
// coverage are means over k = 1..N, where risk is the share of errors among the k answers with the highest
// confidence. Lower is better.
type Calibration struct {
	Levels   []Level // highest confidence first
	Accuracy float64
	ECE      float64 // expected calibration error, Σ (n_l/N)|accuracy_l - confidence_l|
	Brier    float64 // mean of (confidence - correct)²
	// AUROC is the chance that a right answer has a higher confidence than a wrong one; a tie counts half. Nil
	// unless there are answers of both kinds.
	AUROC *float64
	// AURC is the mean risk among the first k answers. Oracle is the value that AURC would have if all right
	// answers came first. Excess is AURC - Oracle. A higher accuracy alone makes AURC smaller, but not Excess.
	AURC, Oracle, Excess float64
	AUGRC                float64 // mean of (errors among the first k)/N, which docs/method.md §3.5 prefers
}

// Calibrate bins the answers by exact level. Agreement has only K+1 possible values, and bins of equal width
// would put several of them into one bin, or leave bins empty. If all confidences differ, each is a bin of its
// own, and the ECE says little.
//
// Answers of one level have no order. So each of the n_l answers of level l counts as e_l/n_l errors. After the
// j-th of them
//
//	risk = (E_{<l} + e_l·j/n_l) / (N_{<l} + j)
//
// where e_l is the number of errors of the level, and N_{<l} and E_{<l} count the answers and the errors of all
// higher levels.
//
// ok is false if there are no answers, or if a confidence is outside [0, 1]. Source: Y. Geifman and R.
// El-Yaniv, arXiv 1705.08500; J. Traub et al., arXiv 2407.01032 for AUGRC; docs/method.md §3.5.
func Calibrate(answers []Graded) (c Calibration, ok bool) {
	var g Grades
	for _, a := range answers {
		g.Add(a)
	}
	return g.Calibrate()
}

// Grades counts graded answers by confidence. Its size depends only on the number of different confidences. The
// zero value is empty.
type Grades struct {
	levels map[float64]Level
	n      int
	wrong  bool // a confidence outside [0, 1] was added
}

// Add counts an answer.
func (g *Grades) Add(a Graded) {
	if !isRate(a.Confidence) {
		g.wrong = true
		return
	}
	if g.levels == nil {
		g.levels = map[float64]Level{}
	}
	l := g.levels[a.Confidence]
	l.Confidence = a.Confidence
	l.Items++
	if a.Correct {
		l.Correct++
	}
	g.levels[a.Confidence] = l
	g.n++
}

// Merge adds other counted answers.
func (g *Grades) Merge(other *Grades) {
	for confidence, more := range other.levels {
		if g.levels == nil {
			g.levels = map[float64]Level{}
		}
		l := g.levels[confidence]
		l.Confidence = confidence
		l.Items += more.Items
		l.Correct += more.Correct
		g.levels[confidence] = l
	}
	g.n += other.n
	g.wrong = g.wrong || other.wrong
}

// Len returns the number of answers.
func (g *Grades) Len() int { return g.n }

// Calibrate returns the figures of the function [Calibrate] for the counted answers.
func (g *Grades) Calibrate() (c Calibration, ok bool) {
	if g.n == 0 || g.wrong {
		return c, false
	}
	c.Levels = slices.SortedFunc(maps.Values(g.levels),
		func(a, b Level) int { return cmp.Compare(b.Confidence, a.Confidence) })
	for i := range c.Levels {
		c.Levels[i].Accuracy = float64(c.Levels[i].Correct) / float64(c.Levels[i].Items)
	}
	n, before, errors := float64(g.n), 0.0, 0.0
	for i, l := range c.Levels {
		items, wrong := float64(l.Items), float64(l.Items-l.Correct)
		c.ECE += items / n * math.Abs(l.Accuracy-l.Confidence)
		c.Brier += items / n * (l.Accuracy*square(1-l.Confidence) + (1-l.Accuracy)*square(l.Confidence))
		for j := 1.0; j <= items; j++ {
			sum := errors + wrong*j/items
			c.AURC += sum / (before + j) / n
			c.AUGRC += sum / n / n
		}
		before, errors = before+items, errors+wrong
		c.Levels[i].Coverage, c.Levels[i].Risk = before/n, errors/before
	}
	for k := n - errors + 1; k <= n; k++ {
		c.Oracle += (k - (n - errors)) / k / n
	}
	// Rounding may leave a perfect order slightly below the oracle.
	c.Excess = max(0, c.AURC-c.Oracle)
	c.Accuracy, c.AUROC = (n-errors)/n, auroc(c.Levels)
	return c, true
}

// auroc returns the Mann-Whitney statistic; levels must be in falling order of confidence.
func auroc(levels []Level) *float64 {
	var wins, right, wrong float64
	for _, l := range levels {
		good, bad := float64(l.Correct), float64(l.Items-l.Correct)
		wins += bad * (right + good/2)
		right += good
		wrong += bad
	}
	return Defined(wins/(right*wrong), right > 0 && wrong > 0)
}

func square(v float64) float64 { return v * v }
