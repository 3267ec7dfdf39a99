package gate

import (
	"fmt"
	"strings"
	"unicode"
)

// Names of queries are anybody's who can propose a change to a dataset, and sentences with
// them end on the terminals and in the logs of others: a line that begins with ::error is an
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

func oneLiners(sentences []string) []string {
	out := make([]string, len(sentences))
	for i, s := range sentences {
		out[i] = oneLine(s)
	}
	return out
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
	if n == 1 {
		return "1 " + thing
	}
	if stem, ok := strings.CutSuffix(thing, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
