package value

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Unit is what a number counts: base value = number × Factor + Offset.
type Unit struct {
	Name   string // as written
	Dim    Dimension
	Factor *big.Rat
	Offset *big.Rat // nil but for °C and °F
}

// ParseUnit reads the whole of a text as a unit: "km/h", "square kilometres". ok is false
// for anything else, and for a name of several units such as ton.
func ParseUnit(s string) (u Unit, ok bool) {
	folded := foldForNumbers(s).String
	u, n, doubt := scanUnit(folded)
	return u, n > 0 && n == len(folded) && !doubt
}

// knownUnit is an entry of units.tsv.
type knownUnit struct {
	Unit
	prefixes string // none, any, large, data
}

// prefix is an entry of prefixes.tsv.
type prefix struct {
	form   string
	factor *big.Rat
	large  bool // kilo and above
	binary bool
}

type unitTable struct {
	symbols, names map[string]knownUnit
	prefixes       []prefix // symbols, the longer ones first
	prefixNames    []prefix
	ambiguous      map[string][]Unit
}

var units = sync.OnceValue(func() unitTable {
	t := load("units.tsv", readUnitTable)
	load("prefixes.tsv", t.addPrefixes)
	load("ambiguous-units.tsv", t.addAmbiguous)
	return t
})

func readUnitTable(file, content string) (unitTable, error) {
	t := unitTable{symbols: map[string]knownUnit{}, names: map[string]knownUnit{}}
	rows, err := readRows(file, content, 6)
	if err != nil {
		return t, err
	}
	symbols, names := once{}, once{}
	for _, r := range rows {
		k := knownUnit{prefixes: r.cells[5]}
		if !slices.Contains([]string{"none", "any", "large", "data"}, k.prefixes) {
			return t, fmt.Errorf("%s: prefixes %q: use none, any, large or data", r.place, k.prefixes)
		}
		if k.Dim, err = parseDimension(r.cells[2]); err != nil {
			return t, fmt.Errorf("%s: %w", r.place, err)
		}
		if k.Factor, err = r.rational(3); err != nil {
			return t, err
		}
		if k.Factor.Sign() <= 0 {
			return t, fmt.Errorf("%s: a factor of %s", r.place, r.cells[3])
		}
		if r.cells[4] != "" {
			if k.Offset, err = r.rational(4); err != nil {
				return t, err
			}
		}
		for _, s := range r.forms(0) {
			if err := symbols.add(s, r); err != nil {
				return t, err
			}
			t.symbols[s] = k
		}
		for _, s := range r.forms(1) {
			if err := names.add(s, r); err != nil {
				return t, err
			}
			t.names[s] = k
		}
	}
	return t, nil
}

// parseDimension reads kg·m^2·s^-2. A unit without dimension is refused: it would count
// nothing.
func parseDimension(s string) (Dimension, error) {
	var d Dimension
	for factor := range strings.SplitSeq(s, "·") {
		name, power, raised := strings.Cut(factor, "^")
		e := 1
		if raised {
			var err error
			if e, err = strconv.Atoi(power); err != nil || e == 0 || e > maxPower || e < -maxPower {
				return d, fmt.Errorf("dimension %q: power %q", s, power)
			}
		}
		at := -1
		for b := range bases {
			if b.String() == name {
				at = int(b)
			}
		}
		if at < 0 || d[at] != 0 {
			return d, fmt.Errorf("dimension %q: %q is no base unit, or stands twice", s, name)
		}
		d[at] = int8(e)
	}
	return d, nil
}

func (t *unitTable) addPrefixes(file, content string) (struct{}, error) {
	rows, err := readRows(file, content, 4)
	if err != nil {
		return struct{}{}, err
	}
	seen := once{}
	for _, r := range rows {
		base, errBase := r.rational(2)
		e, errExponent := strconv.Atoi(r.cells[3])
		if errBase != nil || errExponent != nil {
			return struct{}{}, fmt.Errorf("%s: base and exponent are no numbers", r.place)
		}
		p := prefix{factor: pow(base, e), large: e >= 3 || r.cells[2] != "10", binary: r.cells[2] != "10"}
		for _, s := range r.forms(0) {
			if err := seen.add(s, r); err != nil {
				return struct{}{}, err
			}
			p.form = s
			t.prefixes = append(t.prefixes, p)
		}
		p.form = r.cells[1]
		t.prefixNames = append(t.prefixNames, p)
	}
	slices.SortStableFunc(t.prefixes, func(a, b prefix) int { return len(b.form) - len(a.form) })
	return struct{}{}, nil
}

func (t *unitTable) addAmbiguous(file, content string) (struct{}, error) {
	t.ambiguous = map[string][]Unit{}
	rows, err := readRows(file, content, 2)
	if err != nil {
		return struct{}{}, err
	}
	seen := once{}
	for _, r := range rows {
		if err := seen.add(r.cells[0], r); err != nil {
			return struct{}{}, err
		}
		for _, name := range r.forms(1) {
			u, ok := t.name(name)
			if !ok {
				u, ok = t.symbol(name)
			}
			if !ok {
				return struct{}{}, fmt.Errorf("%s: no unit %q", r.place, name)
			}
			t.ambiguous[r.cells[0]] = append(t.ambiguous[r.cells[0]], u)
		}
	}
	return struct{}{}, nil
}

// maxCasedLetters is the longest symbol that is looked up in other cases.
const maxCasedLetters = 4

// lookupUnits returns what a symbol or name can stand for: nothing, one unit, or several
// where only its case, which the writer got wrong, would tell.
func lookupUnits(s string) []Unit {
	t := units()
	low := strings.ToLower(s)
	if u, ok := t.ambiguous[s]; ok {
		return u
	}
	if u, ok := t.ambiguous[low]; ok && len(low) > 2 {
		return u
	}
	if u, ok := t.symbol(s); ok {
		return []Unit{u}
	}
	if u, ok := t.name(low); ok {
		return []Unit{u}
	}
	var found []Unit
	for _, variant := range caseVariants(s) {
		u, ok := t.symbol(variant)
		if ok && !slices.ContainsFunc(found, func(v Unit) bool { return v.Dim == u.Dim && v.Factor.Cmp(u.Factor) == 0 }) {
			found = append(found, u)
		}
	}
	return found
}

// symbol reads a symbol with or without a prefix.
func (t *unitTable) symbol(s string) (Unit, bool) {
	if k, ok := t.symbols[s]; ok {
		return k.Unit, true
	}
	for _, p := range t.prefixes {
		if rest, ok := strings.CutPrefix(s, p.form); ok {
			if k, known := t.symbols[rest]; known && k.takes(p) {
				return k.scaled(p), true
			}
		}
	}
	return Unit{}, false
}

// name reads a name in the singular or plural, with or without a prefix.
func (t *unitTable) name(s string) (Unit, bool) {
	s = strings.Replace(s, "degrees ", "degree ", 1)
	if k, ok := t.singular(s); ok {
		return k.Unit, true
	}
	for _, p := range t.prefixNames {
		if rest, ok := strings.CutPrefix(s, p.form); ok {
			if k, known := t.singular(rest); known && k.takes(p) {
				return k.scaled(p), true
			}
		}
	}
	return Unit{}, false
}

func (t *unitTable) singular(s string) (knownUnit, bool) {
	for _, form := range []string{s, strings.TrimSuffix(s, "s"), strings.TrimSuffix(s, "es")} {
		if k, ok := t.names[form]; ok {
			return k, true
		}
	}
	return knownUnit{}, false
}

func (k knownUnit) takes(p prefix) bool {
	switch k.prefixes {
	case "any":
		return !p.binary
	case "large":
		return p.large && !p.binary
	case "data":
		return p.large
	}
	return false
}

func (k knownUnit) scaled(p prefix) Unit {
	u := k.Unit
	u.Factor = new(big.Rat).Mul(u.Factor, p.factor)
	return u
}

// caseVariants writes a short symbol of ASCII letters in all cases. One letter is too
// little to guess from.
func caseVariants(s string) []string {
	if len(s) < 2 || len(s) > maxCasedLetters {
		return nil
	}
	variants := []string{""}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return nil
		}
		low, upper := strings.ToLower(s[i:i+1]), strings.ToUpper(s[i:i+1])
		next := make([]string, 0, 2*len(variants))
		for _, v := range variants {
			next = append(next, v+low)
			if upper != low {
				next = append(next, v+upper)
			}
		}
		variants = next
	}
	return variants
}
