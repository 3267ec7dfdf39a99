package answer

import (
	"math/big"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// alternatives finds two different values with "or" between them. Neither of them may be in the question.
func (m *final) alternatives(s string, values []stated) (a, b stated, ok bool) {
	for i := 1; i < len(values); i++ {
		a, b = values[i-1], values[i]
		between := strings.TrimLeft(text.Fold(s[min(a.End, b.Start):b.Start]), " ,")
		n := max(m.words().begins("or", between), vocabulary().begins("or else", between))
		if n > 0 && len(strings.Fields(between[n:])) < 3 && !sameValue(a, b) && !m.isAsked(a) && !m.isAsked(b) {
			return a, b, true
		}
	}
	return a, b, false
}

// ranged finds two different values that are the ends of a range: "between 3 and 4". If the sentence has
// other values too, left has these.
func (m *final) ranged(s string, values []stated) (a, b stated, left []stated, ok bool) {
	for i := range values {
		b = values[i]
		before := text.Fold(s[max(0, b.Start-maxWordsBytes):b.Start])
		if i > 0 && m.isRange(s, values[i-1], b) {
			return values[i-1], b, slices.Delete(slices.Clone(values), i-1, i+1), true
		}
		if low := rangeEnd().FindStringSubmatch(before); low != nil && !m.isAsked(b) &&
			(i == 0 || !strings.HasSuffix(strings.TrimRight(s[:values[i-1].End], " "), low[1])) {
			return stated{short: low[1]}, b, slices.Delete(slices.Clone(values), i, i+1), true // between 5 and 6 km
		}
	}
	return a, b, nil, false
}

// isRange reports whether the text before two neighbouring values and between them makes them the ends of a range.
func (m *final) isRange(s string, a, b stated) bool {
	before := strings.TrimRight(text.Fold(s[max(0, a.Start-maxWordsBytes):a.Start]), " $€£*_`")
	between := strings.Trim(text.Fold(s[min(a.End, b.Start):b.Start]), " $€£*_`")
	last := before[strings.LastIndexByte(before, ' ')+1:]
	return vocabulary().has("range", last) && vocabulary().has("and", between) && !sameValue(a, b) &&
		!m.isAsked(a) && !m.isAsked(b)
}

// rangeEnd matches the beginning of a range before the value at its end: "between 5 and".
var rangeEnd = expression(`(?:^|[^\pL])`, ` [$€£]?([\d.,]*\d) and ?[$€£]?$`, "range")

// outsideTables returns the sentences that are not rows of a Markdown table: such a row is not what the message says. A
// row with a word of the question is kept, as "| Total | 27 |" for a total. It returns nil if no sentence outside has a
// value.
func (m *final) outsideTables(sentences []sentence) []sentence {
	var out []sentence
	valued := false
	for _, s := range sentences {
		own := strings.TrimSpace(s.Of(m.text))
		isRow := strings.HasPrefix(own, "|")
		if isRow && !slices.ContainsFunc(m.tokens(own), func(t text.Token) bool {
			return says(t.Folded) && m.question().words[t.Folded]
		}) {
			continue
		}
		out = append(out, s)
		valued = valued || len(m.values(own)) > 0
	}
	if !valued {
		return nil
	}
	return out
}

// statesNone reports whether the message is one sentence that gives 0 for the things that the question counts: "There
// are no open tickets." A sentence about what a text has is not one: "There are no tickets mentioned."
func (m *final) statesNone() bool {
	said, asked := m.statements(), m.question()
	if len(said) != 1 || !asked.words["how"] || !asked.words["many"] || vocabulary().contains("unsaid", said[0]) {
		return false
	}
	tokens := m.tokens(said[0])
	for i, t := range tokens {
		switch {
		case i == 0 && t.Folded == "none":
			return true
		case i == 0 || t.Folded != "no" || !vocabulary().isAny(tokens[i-1].Folded, "copula", "holds"):
		case slices.ContainsFunc(tokens[i+1:min(i+3, len(tokens))], func(t text.Token) bool {
			return says(t.Folded) && asked.words[t.Folded]
		}):
			return true
		}
	}
	return false
}

// contrasted finds two different values of the same thing, where the second comes after a contrast and does not
// name the thing again: "There were 46 lamps, but since the repair there are 48."
func (m *final) contrasted(s string, values []stated) (a, b stated, ok bool) {
	for i := 1; i < len(values); i++ {
		a, b = values[i-1], values[i]
		between := text.Fold(s[min(a.End, b.Start):b.Start])
		behind := strings.TrimLeft(text.Fold(text.Head(s[b.End:], maxWordsBytes)), " ")
		isPart := m.words().begins("scale", behind) > 0 || strings.HasPrefix(behind, "of ")
		if m.words().contains("contrast", between) && !sameValue(a, b) && !isPart && b.Noun == "" && a.Noun != "" &&
			a.Kind == b.Kind {
			return a, b, true
		}
	}
	return a, b, false
}

// sameValue reports whether two values are equal. They are also equal if they are the same quantity in
// different units, rounded.
func sameValue(a, b stated) bool {
	if a.short == b.short || value.Same(a.Value, b.Value) {
		return true
	}
	isQuantity := a.Kind == value.Quantity && b.Kind == value.Quantity && a.Low.Unit != nil && b.Low.Unit != nil
	if !isQuantity || a.Low.Dim() != b.Low.Dim() || a.Low.Unit.Factor.Cmp(b.Low.Unit.Factor) == 0 {
		return false
	}
	x, y := a.Low.Base(), b.Low.Base()
	distance := new(big.Rat).Sub(x, y)
	return distance.Mul(distance.Abs(distance), conversion).Cmp(new(big.Rat).Abs(x)) <= 0
}

// conversion is the minimum of the ratio between a quantity and the rounding error that a conversion of units
// may have.
var conversion = big.NewRat(50, 1)

// differ reports whether at least two of the values are not the same.
func differ(values []stated) bool {
	return slices.ContainsFunc(values, func(v stated) bool { return !sameValue(v, values[0]) })
}
