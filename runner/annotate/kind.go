package annotate

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// Settings are the thresholds and limits of a tool.
type Settings struct {
	TauS float64 `json:"tau_s"` // a position's probability of " [" must be above it
	TauF float64 `json:"tau_f"` // a call's gain must reach it, in nats
	K    int     `json:"k"`     // positions in a text
	M    int     `json:"m"`     // sampled calls at a position
}

// Kind is the kind of a tool, which has a name in the paper, settings, and a test of whether a text suits it.
type Kind struct {
	Name     string // of the paper, such as Calculator
	Settings Settings
	Suits    func(Text) bool
}

// The settings of the paper (appendix A): more positions and calls, and a lower threshold, for the tools of which few
// calls pass.
var (
	usual  = Settings{TauS: .05, TauF: 1, K: 5, M: 5}
	seldom = Settings{TauS: 0, TauF: .5, K: 20, M: 10}
)

// KindOf returns the kind of a tool with this name.
func KindOf(tool string) Kind {
	lower := strings.ToLower(tool)
	switch {
	case strings.HasSuffix(lower, "calc"):
		return Kind{"Calculator", seldom, func(t Text) bool { return suitsCalculator(t.Text) }}
	case lower == "calendar":
		return Kind{"Calendar", usual, func(t Text) bool { return !t.Date.IsZero() }}
	case strings.HasPrefix(lower, "translate"):
		return Kind{"MT", seldom, func(Text) bool { return true }}
	case strings.HasSuffix(lower, "_search"):
		return Kind{"WikiSearch", usual, func(Text) bool { return true }}
	}
	return Kind{tool, usual, func(Text) bool { return true }}
}

// number matches a number, with its groups of digits.
var number = lazy.Compile(`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`)

// groups matches a number with groups of digits.
var groups = lazy.Compile(`\b\d{1,3}(?:,\d{3})+\b`)

// window is the number of words within which the calculator needs three numbers.
const window = 100

// equality matches a sign or words of the paper's heuristic for the calculator.
var equality = lazy.Compile(`(?i)=|\bequals?\b|\bequal to\b|\btotal of\b|\baverage of\b`)

// suitsCalculator reports whether a text has three numbers within 100 words, or an equality with a number. The paper
// demands one of these (appendix A); a text without them has nothing to compute.
func suitsCalculator(text string) bool {
	if !strings.ContainsAny(text, "0123456789") {
		return false
	}
	var words []int
	for at, word := range strings.Fields(text) {
		if !strings.ContainsAny(word, "0123456789") { // cheaper than the expression: most texts of a corpus have no numbers
			continue
		}
		if words = append(words, at); len(words) > 2 && at-words[len(words)-3] < window {
			return true
		}
	}
	return len(words) > 0 && equality.MatchString(text)
}
