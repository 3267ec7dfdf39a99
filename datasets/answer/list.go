package answer

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
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
		keys[i] = escape.Replace(e.Key)
	}
	r := exactly("list", open+strings.Join(keys, "|")+closing)
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
		plain, _ := clean(element)
		name := entityName(plain)
		if name == "" {
			return Key{}, false
		}
		if name == element {
			break
		}
		element = name
	}
	return Key{Key: "entity:" + element, Type: Entity, Confidence: Exact}, true
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

// escape protects the separator of elements in a key.
var escape = strings.NewReplacer(`\`, `\\`, "|", `\|`)

// canonicalList writes the elements as bullets, of which nothing is split further.
func canonicalList(elements []Key) string {
	lines := make([]string, len(elements))
	for i, e := range elements {
		lines[i] = "- " + e.Canonical()
	}
	return strings.Join(lines, "\n")
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

// splitList splits a list by the strongest separator that it has: line breaks and
// bullets, semicolons, commas, the marks 、 and ・, slashes. "And" separates only
// before the last element, and not where lines or semicolons do. Separators inside
// brackets do not count.
func splitList(raw string) []string {
	if lines := listLines(raw); len(lines) > 1 {
		return lines
	}
	if line := strings.TrimSpace(raw); cutListMark(line) != line {
		return []string{raw}
	}
	whole, bracketed := cutListBrackets(raw)
	if parts := splitOutside(whole, separator(";")); len(parts) > 1 {
		last := len(parts) - 1
		parts[last] = cutLeadingAnd(strings.TrimSpace(parts[last]))
		return parts
	}
	for _, separates := range []separatorAt{commasOf(whole, bracketed), separator("、", "・"), isSlash} {
		if parts := splitOutside(whole, separates); len(parts) > 1 {
			return append(parts[:len(parts)-1], splitLast(parts[len(parts)-1])...)
		}
	}
	return splitLast(whole)
}

// cutListBrackets returns the cleaned text without the brackets around all of it, and
// whether there were any.
func cutListBrackets(raw string) (inner string, bracketed bool) {
	inner, _ = clean(raw)
	if pair := partners(inner, brackets); pair != nil && pair[0] == len(inner)-1 {
		inner, _ = clean(inner[1 : len(inner)-1])
		return inner, true
	}
	folded := text.Fold(raw)
	before, after, _ := strings.Cut(folded, inner)
	return inner, before != "" && after != "" && strings.Contains(brackets, before[len(before)-1:]+after[:1])
}

// listLines returns the lines that are not blank.
func listLines(raw string) []string {
	var lines []string
	for _, line := range text.Lines(strings.ToValidUTF8(raw, "\uFFFD")) {
		if s, _ := clean(line); s != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// separatorAt returns the length of the separator that stands in s at an index, 0
// where there is none.
type separatorAt func(s string, at int) int

func separator(marks ...string) separatorAt {
	return func(s string, at int) int {
		for _, mark := range marks {
			if strings.HasPrefix(s[at:], mark) {
				return len(mark)
			}
		}
		return 0
	}
}

// isSlash passes over the slash of a fraction.
func isSlash(s string, at int) int {
	if at > 0 && text.IsDigit(s[at-1]) && at+1 < len(s) && text.IsDigit(s[at+1]) {
		return 0
	}
	return separator("/")(s, at)
}

// figures is a run of digits and commas; groups is one that is a single number, its
// digits in groups of three or in the Indian way.
var (
	figures = regexp.MustCompile(`[0-9][0-9,]*[0-9]`)
	groups  = regexp.MustCompile(`^(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3})$`)
)

// commasOf finds the commas of s that separate. Those of 1,234 do not, but in a list
// in brackets that has no space behind any comma they do: [100,200,300] is three numbers.
func commasOf(s string, bracketed bool) separatorAt {
	grouping := map[int]bool{}
	if !bracketed || strings.Contains(s, ", ") {
		for _, run := range figures.FindAllStringIndex(s, -1) {
			if fraction := run[0] > 0 && s[run[0]-1] == '.'; fraction || !groups.MatchString(s[run[0]:run[1]]) {
				continue
			}
			for i := run[0]; i < run[1]; i++ {
				grouping[i] = s[i] == ','
			}
		}
	}
	return func(s string, at int) int {
		if s[at] != ',' || grouping[at] {
			return 0
		}
		return 1
	}
}

// splitOutside splits s at the separators outside brackets.
func splitOutside(s string, separates separatorAt) []string {
	pair := partners(s, brackets)
	var parts []string
	start := 0
	for i := 0; i < len(s); {
		if pair != nil && pair[i] > i {
			i = pair[i] + 1
			continue
		}
		if n := separates(s, i); n > 0 {
			parts = append(parts, s[start:i])
			start = i + n
			i = start
			continue
		}
		i++
	}
	return append(parts, s[start:])
}

// splitLast splits the last part of a list at the last word for "and" in it.
func splitLast(part string) []string {
	part = cutLeadingAnd(strings.TrimSpace(part))
	at, width := lastAnd(part)
	if at < 0 {
		return []string{part}
	}
	return []string{part[:at], part[at+width:]}
}

// cutLeadingAnd drops the "and" after the comma of "A, B, and C".
func cutLeadingAnd(part string) string {
	for _, word := range vocabulary()["and"] {
		if rest, ok := strings.CutPrefix(part, word+" "); ok && strings.TrimSpace(rest) != "" {
			return rest
		}
	}
	return part
}

// lastAnd finds the last word for "and" between two others.
func lastAnd(s string) (at, width int) {
	at = -1
	for _, word := range vocabulary()["and"] {
		if i := strings.LastIndex(s, " "+word+" "); i > at {
			at, width = i, len(word)+2
		}
	}
	if i := strings.LastIndex(s, "和"); i > at && i > 0 && i+len("和") < len(s) {
		at, width = i, len("和")
	}
	return at, width
}
