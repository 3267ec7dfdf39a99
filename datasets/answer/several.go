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
