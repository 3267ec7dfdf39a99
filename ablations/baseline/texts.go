package baseline

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Texts of a baseline are anybody's who can propose a change to it, and messages with them
// end on the terminals and in the logs of others: a line that begins with ::error is an
// order to GitHub.

// oneLine takes line ends and control characters out of a text.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// oneLiners does so with every sentence.
func oneLiners(sentences []string) []string {
	out := make([]string, len(sentences))
	for i, s := range sentences {
		out[i] = oneLine(s)
	}
	return out
}

// quoted cuts text of a file down to what a message can hold.
func quoted(s string) string {
	const longest = 80
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return oneLine(s)
}

// listed names up to five things.
func listed(names []string) string {
	const most = 5
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// counted says how many, in words that agree.
func counted(n int, thing string) string {
	switch stem, y := strings.CutSuffix(thing, "y"); {
	case n == 1:
		return "1 " + thing
	case y:
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// merged adds names to a sorted list.
func merged(to []string, names ...string) []string {
	to = append(slices.Clone(to), names...)
	slices.Sort(to)
	return slices.Compact(to)
}
