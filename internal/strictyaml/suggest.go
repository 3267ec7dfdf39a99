package strictyaml

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

const maxListed = 30

// Suggest returns advice about an unknown name: `did you mean "type"?` if a known name is similar, else the
// first 30 known names.
func Suggest(name string, known []string) string {
	if best := Closest(name, known); best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	if more := len(known) - maxListed; more > 0 {
		return fmt.Sprintf("known: %s, … and %d more", strings.Join(known[:maxListed], ", "), more)
	}
	return "known: " + strings.Join(known, ", ")
}

// Closest returns the known name of which name may be a misspelling; "" if no name is similar.
func Closest(name string, known []string) string {
	best, bestDistance := "", 1+max(1, len(name)/3)
	for _, k := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < bestDistance && d < len(k) {
			best, bestDistance = k, d
		}
	}
	return best
}

// Nearest sorts known names by their distance from a name, nearest first; equal distances in alphabetical
// order.
func Nearest(name string, known []string) []string {
	return slices.SortedFunc(slices.Values(known), func(a, b string) int {
		return cmp.Or(
			distance(strings.ToLower(name), strings.ToLower(a))-distance(strings.ToLower(name), strings.ToLower(b)),
			strings.Compare(a, b),
		)
	})
}

// distance counts insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
// Names over 64 bytes are never misspellings, and the cost is quadratic: they get the largest distance.
func distance(a, b string) int {
	const longest = 64
	if len(a) > longest || len(b) > longest {
		return longest
	}
	var before, last, row [longest + 1]int
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
