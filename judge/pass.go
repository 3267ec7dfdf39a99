package judge

import (
	"fmt"
	"strings"
)

// Mode says whose verdict decides whether an answer passes.
type Mode string

// The modes.
const (
	PassGold        Mode = "gold"
	PassCorrectness Mode = "correctness"
	PassQuality     Mode = "quality"
	PassBoth        Mode = "both" // correctness and quality
)

// Modes lists the modes in the order in which they are documented.
func Modes() []Mode { return []Mode{PassGold, PassCorrectness, PassQuality, PassBoth} }

// ParseMode returns the mode of that exact name. The error lists the known ones.
func ParseMode(name string) (Mode, error) {
	known := make([]string, 0, len(Modes()))
	for _, m := range Modes() {
		if string(m) == name {
			return m, nil
		}
		known = append(known, string(m))
	}
	return "", fmt.Errorf("unknown pass mode %q: use one of %s", name, strings.Join(known, ", "))
}

// Pass gives the verdict that counts. correctness and quality are nil where no such judge
// was asked; a verdict that the mode needs and does not have is unscored.
func Pass(mode Mode, gold Verdict, correctness, quality *Verdict) Verdict {
	switch mode {
	case PassGold:
		return gold
	case PassCorrectness:
		return orUnscored(correctness, PassCorrectness)
	case PassQuality:
		return orUnscored(quality, PassQuality)
	case PassBoth:
		return Both(orUnscored(correctness, PassCorrectness), orUnscored(quality, PassQuality))
	default:
		return Verdict{Unscored, ByJudge, fmt.Sprintf("no verdict counts: pass mode %q is not known", mode)}
	}
}

func orUnscored(v *Verdict, mode Mode) Verdict {
	if v == nil {
		return Verdict{Unscored, ByJudge, fmt.Sprintf("no %s judge was asked", mode)}
	}
	return *v
}

// Both holds where two verdicts hold, such as the gold's deterministic part and its
// condition. One that is incorrect settles it, whatever the other is; else one that is
// unscored leaves it unscored.
func Both(a, b Verdict) Verdict {
	for _, ruling := range []Ruling{Incorrect, Unscored} {
		for _, v := range []Verdict{a, b} {
			if v.Verdict == ruling {
				return v
			}
		}
	}
	return Verdict{Correct, b.By, a.Reason + "; " + b.Reason}
}
