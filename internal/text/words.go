package text

import (
	"fmt"
	"strings"
)

// Counted is a number of things in words that agree: 1 query, 2 queries.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if stem, ok := strings.CutSuffix(thing, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Listed names up to five things, and counts the others.
func Listed[T any](things []T) string { return ListedUpTo(5, things) }

// ListedUpTo is Listed with another limit.
func ListedUpTo[T any](most int, things []T) string {
	var names []string
	for _, t := range things[:min(len(things), most)] {
		names = append(names, fmt.Sprint(t))
	}
	list := strings.Join(names, ", ")
	if more := len(things) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
