package answer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// readList reads the elements of a list, each as an entity. It is a set unless the
// options say otherwise: neither order nor repetition counts.
func readList(raw string, o Options) (reading, error) {
	var elements []string
	for _, part := range splitList(raw) {
		if element := listElement(part); element != "" {
			elements = append(elements, escapeElement(tagEntity+":"+element))
		}
	}
	if len(elements) == 0 {
		return reading{}, errors.New(quote(raw) + " has no element")
	}
	open, closing := "{", "}"
	if o.Ordered {
		open, closing = "[", "]"
	} else {
		slices.Sort(elements)
		if !o.Multiset {
			elements = slices.Compact(elements)
		}
	}
	return exactly(tagList, open+strings.Join(elements, "|")+closing), nil
}

// listElement reads one element; it is empty where only punctuation is left.
func listElement(part string) string {
	element := part
	for range maxPasses {
		text, _ := clean(cutListMark(element))
		r, err := readEntity(text)
		if err != nil {
			return ""
		}
		_, next, _ := strings.Cut(r.key.Key, ":")
		if next == element {
			break
		}
		element = next
	}
	return element
}

// escapeElement protects the separator of elements in a key.
func escapeElement(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`).Replace(s)
}

// listElements is the inverse of what readList puts into the body of a key.
func listElements(body string) []string {
	if len(body) < 2 {
		return nil
	}
	var elements []string
	var b strings.Builder
	escaped := false
	for _, r := range body[1 : len(body)-1] {
		switch {
		case !escaped && r == '\\':
			escaped = true
			continue
		case !escaped && r == '|':
			elements = append(elements, strings.TrimPrefix(b.String(), tagEntity+":"))
			b.Reset()
			continue
		}
		escaped = false
		b.WriteRune(r)
	}
	return append(elements, strings.TrimPrefix(b.String(), tagEntity+":"))
}

// canonicalList writes the elements as bullets, of which nothing is split further.
func canonicalList(body string) string {
	return "- " + strings.Join(listElements(body), "\n- ")
}

// compareLists says in a few words how two lists differ.
func compareLists(have, want string) string {
	_, h, _ := strings.Cut(have, ":")
	_, w, _ := strings.Cut(want, ":")
	missing, extra := without(listElements(w), listElements(h)), without(listElements(h), listElements(w))
	switch {
	case len(missing) > 0 && len(extra) > 0:
		return fmt.Sprintf("%s missing, %s too much", some(missing), some(extra))
	case len(missing) > 0:
		return some(missing) + " missing"
	case len(extra) > 0:
		return some(extra) + " too much"
	}
	return "the same elements in another order"
}

// without returns the elements of a that are not in b, counting repetitions.
func without(a, b []string) []string {
	count := make(map[string]int, len(b))
	for _, e := range b {
		count[e]++
	}
	var left []string
	for _, e := range a {
		if count[e]--; count[e] < 0 {
			left = append(left, e)
		}
	}
	return left
}

// some names the first of several elements.
func some(elements []string) string {
	const limit = 3
	named := make([]string, 0, limit)
	for _, e := range elements[:min(limit, len(elements))] {
		named = append(named, quote(e))
	}
	if more := len(elements) - limit; more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	return strings.Join(named, ", ")
}
