package answer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
)

// readList reads the elements of a list. Repeats always count; the order does only
// where the options say so, else the elements are sorted by their keys.
func readList(raw string, o Options) (Key, error) {
	var elements []Key
	for _, part := range splitList(raw) {
		if element, ok := listElement(part); ok {
			elements = append(elements, element)
		}
	}
	if len(elements) == 0 {
		return Key{}, errors.New(quote(raw) + " has no element")
	}
	open, closing := "{", "}"
	if o.Ordered {
		open, closing = "[", "]"
	} else {
		slices.SortFunc(elements, func(a, b Key) int { return strings.Compare(a.Key, b.Key) })
	}
	keys := make([]string, len(elements))
	for i, e := range elements {
		keys[i] = escapeElement(e.Key)
	}
	r := exactly(tagList, open+strings.Join(keys, "|")+closing)
	r.elements = elements
	return r, nil
}

// listElement reads one element: as a number where it is one as a whole, else as a
// name. It is false where only punctuation is left.
func listElement(part string) (Key, bool) {
	element := part
	for range maxPasses {
		element = cutListMark(element)
		if number, ok := wholeNumber(element); ok {
			return number, true
		}
		text, _ := clean(element)
		name := entityName(text)
		if name == "" {
			return Key{}, false
		}
		if name == element {
			break
		}
		element = name
	}
	return Key{Key: tagEntity + ":" + element, Type: Entity, Confidence: Exact}, true
}

// wholeNumber reads an element that is one exact number and nothing else: no unit, no
// relation, no "x =" in front.
func wholeNumber(element string) (Key, bool) {
	k, err := Normalize(element, Decimal, Options{})
	if err != nil || k.Confidence != Exact || strings.Contains(element, "=") ||
		slices.Contains(k.Flags, FlagUnit) || slices.Contains(k.Flags, FlagCurrency) {
		return Key{}, false
	}
	k.Flags = nil
	return k, k.value.Kind == value.Count && k.value.Relation == value.Equal
}

// escapeElement protects the separator of elements in a key.
func escapeElement(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`).Replace(s)
}

// canonicalList writes the elements as bullets, of which nothing is split further.
func canonicalList(elements []Key) string {
	var b strings.Builder
	for i, e := range elements {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + e.Canonical())
	}
	return b.String()
}

// compareLists says in a few words how two lists differ.
func compareLists(have, want []Key) string {
	missing, extra := without(want, have), without(have, want)
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
func without(a, b []Key) []Key {
	count := make(map[string]int, len(b))
	for _, e := range b {
		count[e.Key]++
	}
	var left []Key
	for _, e := range a {
		if count[e.Key]--; count[e.Key] < 0 {
			left = append(left, e)
		}
	}
	return left
}

// some names the first of several elements.
func some(elements []Key) string {
	const limit = 3
	named := make([]string, 0, limit)
	for _, e := range elements[:min(limit, len(elements))] {
		named = append(named, quote(e.Canonical()))
	}
	if more := len(elements) - limit; more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	return strings.Join(named, ", ")
}
