package value

import (
	"math/big"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Unit is a unit of measurement: base value = number × Factor + Offset.
type Unit struct {
	Name   string // as written
	Dim    Dimension
	Factor *big.Rat
	Offset *big.Rat // nil except for °C and °F
}

// ParseUnit reads a whole text as a unit: "km/h", "square kilometres". ok is false for any other text, and for
// a name of several units such as ton.
func ParseUnit(s string) (u Unit, ok bool) {
	folded := foldForNumbers(s).String
	u, n, doubt := scanUnit(folded)
	return u, n > 0 && n == len(folded) && !doubt
}

// unitTable combines units.tsv and prefixes.tsv. A name or symbol with several units is ambiguous.
type unitTable struct {
	symbols map[string][]Unit // with and without a prefix, as written
	names   map[string][]Unit // in the singular, with and without a prefix
	anyCase map[string][]Unit // by the symbol in lower case
}

var units = sync.OnceValue(func() *unitTable {
	t := &unitTable{map[string][]Unit{}, map[string][]Unit{}, map[string][]Unit{}}
	rows := readTable("units.tsv", 6)
	for _, prefix := range readTable("prefixes.tsv", 5) { // no prefix comes first, so that min is a minute and not m·in
		factor := pow(rational(prefix[2]), int(rational(prefix[3]).Num().Int64()))
		for _, row := range rows {
			if !slices.Contains(strings.Fields(prefix[4]), row[5]) {
				continue
			}
			u := Unit{Dim: dimension(row[2]), Factor: new(big.Rat).Mul(factor, rational(row[3]))}
			if row[4] != "" {
				u.Offset = rational(row[4])
			}
			for _, symbol := range alternatives(row[0]) {
				for sign := range strings.SplitSeq(prefix[0], "|") {
					t.enterSymbol(sign+symbol, u)
				}
			}
			for _, name := range alternatives(row[1]) {
				enter(t.names, prefix[1]+name, u)
			}
		}
	}
	return t
})

// enter adds a unit under a form, which is a name or a symbol. It reports whether the form is new. Only a form
// that begins with ? may have several units.
func enter(forms map[string][]Unit, form string, u Unit) bool {
	form, open := strings.CutPrefix(form, "?")
	if len(forms[form]) > 0 && !open {
		return false
	}
	forms[form] = append(forms[form], u)
	return true
}

func (t *unitTable) enterSymbol(s string, u Unit) {
	// Other spellings of the case are added only for symbols of two to four letters. For a single letter, the
	// case cannot be guessed; long symbols are usually written in the right case.
	if low := strings.ToLower(s); enter(t.symbols, s, u) && len(s) >= 2 && len(s) <= 4 &&
		utf8.RuneCountInString(s) == len(s) &&
		!slices.ContainsFunc(t.anyCase[low],
			func(v Unit) bool { return v.Dim == u.Dim && v.Factor.Cmp(u.Factor) == 0 }) {
		t.anyCase[low] = append(t.anyCase[low], u)
	}
}

// lookupUnits returns the units of a symbol in its exact case, or of a name in the singular or plural. If the
// case of the symbol is wrong, several units may fit; it then returns all of them.
func lookupUnits(s string) []Unit {
	t := units()
	if u := t.symbols[s]; u != nil {
		return u
	}
	low := strings.ToLower(s)
	name := strings.Replace(low, "degrees ", "degree ", 1)
	for _, form := range []string{name, strings.TrimSuffix(name, "s"), strings.TrimSuffix(name, "es")} {
		if u := t.names[form]; u != nil {
			return u
		}
	}
	return t.anyCase[low]
}
