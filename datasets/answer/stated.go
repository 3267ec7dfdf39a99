package answer

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// maxValues bounds the values of a message that are looked at, maxAsked those of a question.
const (
	maxValues = 4096
	maxAsked  = 64
)

// stated is a value that a text states.
type stated struct {
	value.Value
	short  string // as written
	result bool   // it follows an equals sign
}

// listMarks finds what [listMark] does on every line.
var listMarks = regexp.MustCompile(`(?m)` + listMark.String())

// values returns the values of a text that fit the type best, in order. The numbers of a list are none.
func (m final) values(s string) []stated {
	var out []stated
	most := 1
	s = listMarks.ReplaceAllStringFunc(s, func(mark string) string { return strings.Repeat(" ", len(mark)) })
	for _, v := range value.Find(s, maxValues) {
		fit := m.fit(v)
		if fit < most || m.countsNothing(s, v) {
			continue
		}
		if fit > most {
			out, most = nil, fit
		}
		short := v.Of(s)
		if v.Relation != value.Equal {
			short = string(v.Relation) + " " + short
		}
		before := strings.TrimRight(s[:v.Start], " $€£*_`")
		out = append(out, stated{v, short, strings.HasSuffix(before, "=") || strings.HasSuffix(before, "≈")})
	}
	return out
}

// kinds are those of the values that fit a type best.
var kinds = map[Type][]value.Kind{Percent: {value.Percent, value.Points}, Currency: {value.Money}, Quantity: {value.Quantity}}

// fit says how well a value fits the type: 0 for not at all, 1 where nothing better stands
// beside it.
func (m final) fit(v value.Value) int {
	_, year := v.Year()
	exact, second := slices.Contains(kinds[m.as], v.Kind), v.Kind == value.Count && !v.InWords
	switch m.as {
	case Integer, Decimal:
		exact, second = v.Numeric() && !v.InWords, v.Numeric()
	case Date:
		dated := v.Kind == value.Date && !v.Date.NoYear
		exact, second = dated && v.Date.Month > 0, dated || year
	}
	switch {
	case v.Ordinal && v.Kind != value.Date:
		return 0
	case exact:
		return 2
	case second:
		return 1
	}
	return 0
}

// countsNothing reports whether "one" is a pronoun, "one of the reasons", "the one", or a
// year only tells one thing from another, "the 1969 mission".
func (m final) countsNothing(s string, v value.Value) bool {
	before := strings.Fields(strings.ToLower(s[max(0, v.Start-maxMarkerBytes):v.Start]))
	next, _ := text.FirstWord(strings.TrimLeft(s[v.End:], " "))
	determined := len(before) > 0 && vocabulary().has("determiner", before[len(before)-1])
	_, year := v.Year()
	return m.as == Date && year && determined && next != "" || strings.EqualFold(v.Of(s), "one") && (next == "of" || determined)
}

// isAsked reports whether a value stands in the question as it is: 180 minutes are not the 3
// hours that were asked for.
func (m final) isAsked(v stated) bool {
	return slices.ContainsFunc(m.question().values, func(w value.Value) bool {
		if v.Kind == value.Date || w.Kind == value.Date || v.Low.Rat == nil || w.Low.Rat == nil {
			return value.Same(v.Value, w)
		}
		sameUnit := v.Low.Unit == nil || w.Low.Unit == nil || v.Low.Unit.Dim == w.Low.Unit.Dim && v.Low.Unit.Factor.Cmp(w.Low.Unit.Factor) == 0
		return sameUnit && (v.Kind == value.Percent) == (w.Kind == value.Percent) && v.Low.Rat.Cmp(w.Low.Rat) == 0
	})
}

// last returns the value that the message states last. Within the last sentence with a value, the
// result of a calculation comes first, then the value stated of the words of the question; then
// a value that is not in the question, in any sentence. A value that the question already gives
// is taken only if the message has no other, and one of a type with a unit only if the question
// offers several.
func (m final) last() string {
	values := m.values(m.text)
	if len(values) == 0 {
		return ""
	}
	slices.Reverse(values)
	start, end := 0, 0
	for _, s := range m.sentences() {
		if s.Start <= values[0].Start {
			start, end = s.Start, s.End
		}
	}
	for _, v := range values {
		if v.Start >= start && v.result {
			return v.short
		}
	}
	if rest, n := m.joined(m.text[start:end]); rest != "" {
		if joined := m.values(rest); len(joined) > 0 && joined[0].Start == 0 && (n > 2 || !m.isAsked(joined[0])) {
			return joined[0].short
		}
	}
	for _, v := range values {
		if !m.isAsked(v) {
			return v.short
		}
	}
	if m.as != Integer && m.as != Decimal && !m.question().words["or"] {
		return ""
	}
	return values[0].short
}

// operator stands between two values that are calculated with.
var operator = regexp.MustCompile(`^[-+*/^×x]|\s[-+*/^×x]\s`)

// first returns the first value of what is announced, or the last result of a calculation
// where one begins with it.
func (m final) first(s string) string {
	values := m.values(s)
	if len(values) == 0 {
		return ""
	}
	if before, _, ok := strings.Cut(s[values[0].End:], "="); ok && operator.MatchString(strings.TrimSpace(before)) {
		for _, v := range slices.Backward(values) {
			if v.result {
				return v.short
			}
		}
	}
	return values[0].short
}

// label may precede the value of a line that states nothing else: "Total:".
var label = regexp.MustCompile(`^(?:[^\s:：]+\s*){0,3}[:：]`)

// lastLine reads a last line that is a value of the type and nothing else but a label:
// "Total: 42".
func (m final) lastLine() string {
	lines := text.Lines(strings.TrimRightFunc(m.text, unicode.IsSpace))
	line := undress(label.ReplaceAllString(undress(cutListMark(lines[len(lines)-1])), ""))
	if len(line) > maxSentenceBytes {
		return ""
	}
	if k, err := Normalize(line, m.as, Options{}); err != nil || k.Confidence != Exact {
		return ""
	}
	if values := m.values(line); len(values) == 1 {
		return values[0].short
	}
	return ""
}
