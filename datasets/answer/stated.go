package answer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// At most maxValues values are read from a message, and at most maxAsked values are read from a question.
const (
	maxValues = 4096
	maxAsked  = 64
)

// stated is a value that a text states.
type stated struct {
	value.Value
	short  string // as written
	result bool   // the value follows an equals sign
	sure   bool   // the sentence connects the value with the words of the question
}

// values returns the values of a text that fit the type best, in order, without the numbers of a list.
func (m *final) values(s string) []stated {
	var out []stated
	most := 1
	s = withoutListMarks(s)
	found := value.Find(s, maxValues)
	for i, v := range found {
		fit := m.fit(v)
		if fit < most || m.countsNothing(s, v) || fit == 1 && v.Noun != "" && kinds[m.as] != nil {
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
		isResult := strings.HasSuffix(before, "=") || strings.HasSuffix(before, "≈") || m.equals(before)
		if m.as == Date && m.isBound(before) || m.isFactor(before) || !isResult && m.isDifference(s[v.End:]) {
			continue
		}
		if i > 0 && repeatsInFigures(s, found[i-1], v) {
			v.Start = found[i-1].Start
		}
		out = append(out, stated{Value: v, short: short, result: isResult})
	}
	if m.as == Date {
		return m.withClocks(s, out)
	}
	return out
}

// repeatsInFigures reports whether a value in brackets repeats the value before it: twelve (12).
func repeatsInFigures(s string, words, figures value.Value) bool {
	return words.InWords && strings.TrimSpace(s[min(words.End, figures.Start):figures.Start]) == "(" &&
		value.Same(words, figures)
}

// withClocks adds the times of day in a text to the dates in it.
//
// In running text it adds them only if the question asks for a time, or if all dates are years after "since".
// At the place of the answer it adds them if there is no date, or only a year, because then either may be the
// answer. If there is a month or a day, the time only belongs to that date.
func (m *final) withClocks(s string, dates []stated) []stated {
	var clocks []stated
	for _, v := range value.FindClocks(s, maxValues) {
		if !m.isBound(strings.TrimRight(s[:v.Start], " *_`")) {
			clocks = append(clocks, stated{Value: v, short: v.Of(s)})
		}
	}
	asked := m.question()
	isOld := asked.words["did"] || asked.words["was"] || asked.words["were"]
	switch {
	case len(clocks) == 0:
		return dates
	case !m.placed && !asked.asksClock && !isOld && len(dates) > 0 && m.onlySince(s, dates):
		if asked.words["do"] || asked.words["does"] {
			return clocks
		}
		return append(dates, clocks...)
	case !m.placed && !asked.asksClock:
		return dates
	case len(dates) == 0 || m.question().asksClock:
		return clocks
	case slices.ContainsFunc(dates, func(d stated) bool { return d.Kind == value.Date && d.Date.Month > 0 }):
		return dates
	}
	return append(dates, clocks...)
}

// onlySince reports whether all dates of a text are years after a word such as "since".
func (m *final) onlySince(s string, dates []stated) bool {
	return !slices.ContainsFunc(dates, func(v stated) bool {
		_, isYear := v.Year()
		words := strings.Fields(text.Fold(s[max(0, v.Start-maxWordsBytes):v.Start]))
		return !isYear || len(words) == 0 || !m.words().has("since", words[len(words)-1])
	})
}

// equals reports whether the words before a value say that it is the result of a calculation: 9*3 is 27.
func (m *final) equals(before string) bool {
	before = strings.ToLower(before[max(0, len(before)-maxWordsBytes):])
	isVerb := func(verb string) bool { return strings.HasSuffix(before, verb) }
	return slices.ContainsFunc([]string{" is", " equals", " makes", " gives"}, isVerb) && calculation.MatchString(before)
}

// calculation matches two numbers with an operator between them, if a verb follows.
var calculation = lazy.Compile(`[0-9] ?[-+*/×x·÷] ?[0-9][0-9.,]*(?: which| that)? \pL+$`)

// isBound reports whether the words before a date say only that something was before or after the date.
func (m *final) isBound(before string) bool {
	folded := text.Fold(text.Head(before[max(0, len(before)-maxWordsBytes):], maxWordsBytes))
	for from := range len(folded) {
		if (from == 0 || folded[from-1] == ' ') && m.words().begins("bound", folded[from:]) == len(folded)-from {
			return true
		}
	}
	return false
}

// isFactor reports whether the word before a value multiplies the value, as in "twice 24".
func (m *final) isFactor(before string) bool {
	if m.as == Date {
		return false
	}
	words := strings.Fields(text.Fold(text.Head(before[max(0, len(before)-maxWordsBytes):], maxWordsBytes)))
	return len(words) > 0 && vocabulary().has("factor", words[len(words)-1])
}

// isDifference reports whether the words after a value make it a difference, as in "24 more than before", and
// the question does not ask for a difference.
func (m *final) isDifference(behind string) bool {
	behind = strings.TrimLeft(text.Fold(text.Head(behind, maxWordsBytes)), " ")
	return m.as != Date && vocabulary().begins("behind factor", behind) > 0 && !m.question().difference
}

// kinds has, for each type, the kinds of values that fit it best.
var kinds = map[Type][]value.Kind{Percent: {value.Percent, value.Points}, Currency: {value.Money},
	Quantity: {value.Quantity}}

// fit returns how well a value fits the type: 2 if it is of the type; 1 if it may be used when no value fits
// with 2; 0 if it does not fit.
func (m *final) fit(v value.Value) int {
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

// countsNothing reports whether a number does not count anything. This is so if "one" is a pronoun ("one of the
// reasons", "the one"), if a year only identifies a thing ("the 1969 mission"), or if a number is that of a place in a
// text ("section 4.2") and the question does not ask for such a place.
func (m *final) countsNothing(s string, v value.Value) bool {
	before := strings.Fields(strings.ToLower(s[max(0, v.Start-maxMarkerBytes):v.Start]))
	next, _ := text.FirstWord(strings.TrimLeft(s[v.End:], " "))
	determined := len(before) > 0 && vocabulary().has("determiner", before[len(before)-1])
	if len(before) > 0 && (m.as == Integer || m.as == Decimal) {
		place := text.Fold(strings.TrimLeft(before[len(before)-1], openings))
		if m.words().has("numbered", place) && !m.question().words[place] {
			return true
		}
	}
	_, year := v.Year()
	return m.as == Date && year && determined && next != "" ||
		strings.EqualFold(v.Of(s), "one") && (next == "of" || determined)
}

// isAsked reports whether the question contains a value in the same form. If the question has 3 hours, this is
// not the same form as 180 minutes.
func (m *final) isAsked(v stated) bool {
	return slices.ContainsFunc(m.question().values(), func(w value.Value) bool {
		if v.Kind == value.Date || w.Kind == value.Date || v.Low.Rat == nil || w.Low.Rat == nil {
			return value.Same(v.Value, w)
		}
		sameUnit := v.Low.Unit == nil || w.Low.Unit == nil ||
			v.Low.Unit.Dim == w.Low.Unit.Dim && v.Low.Unit.Factor.Cmp(w.Low.Unit.Factor) == 0
		return sameUnit && (v.Kind == value.Percent) == (w.Kind == value.Percent) && v.Low.Rat.Cmp(w.Low.Rat) == 0
	})
}

// counted returns the values that are before the counting word of the question, if there are any. For the
// question 多少条船, this is 27 in 3个码头和27条船.
func (m *final) counted(s string, values []stated) []stated {
	counter := m.question().counter
	if counter == "" {
		return values
	}
	isOther := func(v stated) bool { return !strings.HasPrefix(strings.TrimLeft(s[v.End:], " "), counter) }
	if left := slices.DeleteFunc(slices.Clone(values), isOther); len(left) > 0 {
		return left
	}
	return values
}

// rated matches a number on a scale: 4.5/5, 8 / 10, 4.5 out of 5.
var rated = lazy.Compile(`(?:^|[^\pL\p{Nd}.,/])([0-9]+(?:[.,][0-9]+)?) ?(?:/|out of|von|sur|su) ?(5|10|20|100)(?:$|[^\p{Nd}/])`)

// hasScale reports whether a text may match [rated], because it has the words that come before one of the
// numbers of its scales.
func hasScale(s string) bool {
	return slices.ContainsFunc([]string{"out of", "von", "sur", "su"}, func(words string) bool {
		_, scale, found := strings.Cut(s, words)
		return found && strings.ContainsAny(scale, "0123456789")
	})
}

// rating returns the number of a rating. Two whole numbers with a slash are a fraction, unless the message is
// about a rating.
func (m *final) rating(s string) string {
	if !strings.Contains(s, "/") && !hasScale(s) {
		return ""
	}
	at := rated.FindStringSubmatchIndex(s)
	if at == nil || m.as != Decimal && m.as != Integer || strings.HasPrefix(strings.TrimLeft(s[at[5]:], " "), "=") {
		return ""
	}
	written := s[at[2]:at[3]]
	number, _ := strconv.ParseFloat(strings.ReplaceAll(written, ",", "."), 64)
	scale, _ := strconv.ParseFloat(s[at[4]:at[5]], 64)
	rates := strings.ContainsAny(written, ".,") || m.words().contains("rating", text.Fold(s)) ||
		slices.ContainsFunc(m.words().rows["rating"], func(word string) bool { return m.question().words[word] })
	if number > scale || !rates {
		return ""
	}
	return written
}
