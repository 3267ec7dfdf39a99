package stats

import (
	"cmp"
	"math"
	"slices"
)

// Graded is an answer with a confidence in [0, 1], such as the agreement among traces.
type Graded struct {
	Confidence float64
	Correct    bool
}

// Level holds all answers of one confidence.
type Level struct {
	Confidence     float64
	Items, Correct int
	Accuracy       float64 // Correct/Items
}

// Calibration relates confidence to correctness.
type Calibration struct {
	Levels   []Level // highest confidence first
	Accuracy float64
	// ECE is the expected calibration error, Σ (n_l/N)|accuracy_l - confidence_l|.
	ECE   float64
	Brier float64 // mean of (confidence - correct)²
	// AUROC is the chance that a right answer has a higher confidence than a wrong one,
	// ties half; nil without both kinds.
	AUROC *float64
}

// Calibrate bins by exact level: agreement has K+1 values, and bins of equal width would mix or split
// them. If all confidences differ, each is a bin of its own, and the ECE says little. ok is false
// without answers and for a confidence outside [0, 1]. Source: methods.md §3.5.
func Calibrate(answers []Graded) (Calibration, bool) {
	levels, ok := levelsOf(answers)
	if !ok {
		return Calibration{}, false
	}
	n, right := float64(len(answers)), 0
	for _, l := range levels {
		right += l.Correct
	}
	c := Calibration{Levels: levels, Accuracy: float64(right) / n, AUROC: auroc(levels)}
	for _, l := range levels {
		share, accuracy := float64(l.Items)/n, l.Accuracy
		c.ECE += share * math.Abs(accuracy-l.Confidence)
		c.Brier += share * (accuracy*square(1-l.Confidence) + (1-accuracy)*square(l.Confidence))
	}
	return c, true
}

func levelsOf(answers []Graded) ([]Level, bool) {
	if len(answers) == 0 {
		return nil, false
	}
	sorted := slices.Clone(answers)
	slices.SortFunc(sorted, func(a, b Graded) int { return cmp.Compare(b.Confidence, a.Confidence) })
	var levels []Level
	for _, a := range sorted {
		if !isRate(a.Confidence) {
			return nil, false
		}
		if len(levels) == 0 || levels[len(levels)-1].Confidence != a.Confidence {
			levels = append(levels, Level{Confidence: a.Confidence})
		}
		l := &levels[len(levels)-1]
		l.Items++
		if a.Correct {
			l.Correct++
		}
		l.Accuracy = float64(l.Correct) / float64(l.Items)
	}
	return levels, true
}

// auroc is the Mann-Whitney statistic over levels, highest first.
func auroc(levels []Level) *float64 {
	var wins, right, wrong float64
	for _, l := range levels {
		good, bad := float64(l.Correct), float64(l.Items-l.Correct)
		wins += bad * (right + good/2)
		right += good
		wrong += bad
	}
	if right == 0 || wrong == 0 {
		return nil
	}
	area := wins / (right * wrong)
	return &area
}

func square(v float64) float64 { return v * v }
