package answer

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// readList reads the elements of a list. An element that occurs twice always counts twice. The order matters
// only if the options say so. Otherwise the elements are sorted by their keys.
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

// listElement reads one element. If the element is a number and nothing else, the result is a number, otherwise
// a name. ok is false if the element consists only of punctuation.
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

// wholeNumber reads an element that consists of one exact number: without a unit, a relation, or "x =" before
// it.
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

// compareLists describes the difference of two lists in a few words.
func compareLists(have, want []Key) string {
	var says []string
	if missing := without(want, have); missing != nil {
		says = append(says, quote(strings.Join(missing, ", "))+" missing")
	}
	if extra := without(have, want); extra != nil {
		says = append(says, quote(strings.Join(extra, ", "))+" too much")
	}
	return cmp.Or(strings.Join(says, ", "), "the same elements in another order")
}

// without returns the elements of a that are not in b. An element that a has more often than b is returned as
// many times as it has it more.
func without(a, b []Key) (left []string) {
	count := make(map[string]int, len(b))
	for _, e := range b {
		count[e.Key]++
	}
	for _, e := range a {
		if count[e.Key]--; count[e.Key] < 0 {
			left = append(left, e.Canonical())
		}
	}
	return left
}

// separators has the separators of a list in one line, in the order of their priority.
var separators = []*lazy.Regexp{lazy.Compile(`;`), lazy.Compile(`,`), lazy.Compile(`[、・]`), lazy.Compile(`/`)}

// splitList splits a list by the first of these separators that it has: line breaks and bullets, semicolons,
// commas, the marks 、 and ・, slashes. The word "and" separates only before the last element. It does not
// separate if lines or semicolons do. Separators inside brackets are ignored.
func splitList(raw string) []string {
	lines := slices.DeleteFunc(text.Lines(strings.ToValidUTF8(raw, "\uFFFD")), func(line string) bool {
		s, _ := clean(line)
		return s == ""
	})
	if len(lines) > 1 {
		return lines
	}
	if line := strings.TrimSpace(raw); cutListMark(line) != line {
		return []string{raw}
	}
	whole, bracketed := cutListBrackets(raw)
	masked := withoutJoints(whole, bracketed)
	var parts []string
	for i, separator := range separators {
		marks := separator.FindAllStringIndex(masked, -1)
		if marks == nil {
			continue
		}
		start := 0
		for _, mark := range marks {
			parts, start = append(parts, whole[start:mark[0]]), mark[1]
		}
		if whole = whole[start:]; i == 0 {
			return append(parts, leadingAnd().ReplaceAllString(strings.TrimSpace(whole), ""))
		}
		break
	}
	last := leadingAnd().ReplaceAllString(strings.TrimSpace(whole), "")
	if two := lastAnd().FindStringSubmatch(last); two != nil {
		return append(parts, two[1:]...)
	}
	return append(parts, last)
}

// leadingAnd matches an "and" before an element, and lastAnd the "and" between the last two elements.
var leadingAnd, lastAnd = expression(`^`, ` +`, "and"), expression(`(?s)^(.+)(?: `, ` |和)(.+)$`, "and")

// cutListBrackets cleans a text and removes brackets around the whole text. bracketed reports whether there
// were such brackets.
func cutListBrackets(raw string) (inner string, bracketed bool) {
	inner, _ = clean(raw)
	if pair := text.Partners(inner, brackets); pair != nil && pair[0] == len(inner)-1 {
		inner, _ = clean(inner[1 : len(inner)-1])
		return inner, true
	}
	before, after, _ := strings.Cut(text.Fold(raw), inner)
	return inner, before != "" && after != "" && strings.Contains(brackets, before[len(before)-1:]+after[:1])
}

// figures is a run of digits and commas.
var figures = lazy.Compile(`\.?[0-9][0-9,]*[0-9]`)

// withoutJoints replaces characters that do not separate elements with zero bytes: brackets with their content,
// the slashes of fractions, and the commas of 1,234. There is one exception: if a list is in brackets and has
// no space after any comma, these commas separate. [100,200,300] has three numbers.
func withoutJoints(s string, bracketed bool) string {
	out := []byte(s)
	pair := text.Partners(s, brackets)
	for i := 0; i < len(s); i++ {
		if pair != nil && pair[i] > i {
			clear(out[i : pair[i]+1])
			i = pair[i]
		} else if s[i] == '/' && i > 0 && text.IsDigit(s[i-1]) && i+1 < len(s) && text.IsDigit(s[i+1]) {
			out[i] = 0
		}
	}
	if bracketed && !strings.Contains(s, ", ") {
		return string(out)
	}
	return string(figures.ReplaceAllFunc(out, func(run []byte) []byte {
		if k, one := wholeNumber(string(run)); one && k.value.Low.Decimals() == 0 {
			return bytes.ReplaceAll(run, []byte(","), []byte{0})
		}
		return run
	}))
}

// withoutVerb cuts a list before the verb of the question: of "Turin and Milan signed it" it keeps "Turin and
// Milan".
func (m *final) withoutVerb(list string) string {
	for _, t := range m.tokens(list) {
		isVerb := m.question().words[t.Folded] && isPast(t.Folded) && list[t.Start:t.End] == strings.ToLower(t.Folded)
		if isVerb && m.isListing(list[:t.Start]) {
			return strings.TrimSpace(list[:t.Start])
		}
	}
	return list
}

// innerArticle matches an article before a name in a sentence: "the Avon and the Wylye".
var innerArticle = lazy.Compile(`(^|[ ,;])the (\p{Lu})`)

// listIn reads the list in a text at the place of the answer, without the words that announce it. In "The towns
// are Lima and Cusco", it is "Lima and Cusco".
func (m *final) listIn(s string) string {
	if strings.ContainsAny(s, "\r\n") || cutListMark(s) != s {
		return s
	}
	if list := m.listed(s); list != "" {
		return list
	}
	list := s
	if spans := text.Sentences(s); len(spans) > 1 && len(strings.Fields(spans[1].Of(s))) > 2 &&
		!strings.Contains(spans[1].Of(s), ",") {
		list = cutStops(spans[0].Of(s))
	}
	list = m.withoutVerb(m.withoutLead(m.withoutAfterthought(list)))
	if n := m.words().begins("both", text.Fold(list)); n > 0 && n < len(list) && len(splitList(list)) == 2 {
		list = strings.TrimLeft(list[n:], " ")
	}
	words := strings.Fields(list)
	for i, word := range words {
		isLink := vocabulary().isAny(word, "copula", "list link") || i > 0 && strings.HasSuffix(word, ":")
		if i < maxLineWords && isLink && i+1 < len(words) {
			head := strings.ToLower(words[0])
			if vocabulary().isAny(head, "article", "determiner", "possessive", "pronoun") {
				list = strings.Join(words[i+1:], " ")
			}
			break
		}
		if strings.ContainsAny(word, ",;") {
			break
		}
	}
	head, behind, ok := strings.Cut(list, ": ")
	if ok && list != s && len(strings.Fields(head)) <= maxElementWords && !strings.ContainsAny(head, ",;") {
		list = behind // there are two: ...
	}
	list = m.cutReason(m.withoutDenied(list))
	if list == s || len(splitList(list)) == 0 {
		return s
	}
	return innerArticle.ReplaceAllString(strings.TrimRight(cutStops(list), " ,;:(–—"), "$1$2")
}

// plainElements returns a list without two things that models write around its elements: an explanation behind an
// element in bold type ("**Black** – matte"), and the name of a variable before each ("x = 2 and x = 3").
func plainElements(list string) string {
	if !strings.Contains(list, "**") && !strings.Contains(list, "=") {
		return list
	}
	elements, changed, solved := strings.Split(list, "; "), false, 0
	if len(elements) == 1 {
		elements = betweenElements.Split(list, -1)
	}
	for i, e := range elements {
		if bold := boldPart.FindStringSubmatch(strings.TrimSpace(e)); bold != nil {
			elements[i], changed = strings.TrimRight(bold[1], ":"), true
		} else if solution.MatchString(e) {
			solved++
		}
	}
	if solved == len(elements) {
		changed = true
		for i, e := range elements {
			elements[i] = solution.FindStringSubmatch(e)[1]
		}
	}
	if !changed {
		return list
	}
	return strings.Join(elements, "; ")
}

// boldPart matches an element of which a bold part is the beginning, before a dash, a colon or a bracket; or all of it.
// solution matches a value behind the name of a variable: x = 2, or $x_1 = 2$.
var (
	betweenElements = lazy.Compile(`, (?:and )?| and `)

	boldPart = lazy.Compile(`^\*\*([^*]+)\*\*(?:$| ?[:–—(]| - )`)
	solution = lazy.Compile(`^\s*\$?[a-zA-Z](?:_?\{?\d\}?)? ?= ?([^=$]+?)\$?\s*$`)
)
