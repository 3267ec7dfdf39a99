package answer

import (
	"math/big"
	"strings"
	"unicode/utf8"
)

// maxCasedLetters is the longest symbol that is looked up in other cases.
const maxCasedLetters = 4

// lookupUnits returns what a symbol or name can stand for: nothing, one unit, or
// several where only its case, which the writer got wrong, would tell.
func lookupUnits(s string) []unit {
	lower := strings.ToLower(s)
	switch {
	case s == "kt":
		return []unit{unitOf("kt"), unitOf("kn")}
	case lower == "ton" || lower == "tons":
		short, _ := namedUnit("short ton")
		return []unit{unitOf("t"), short.unit}
	}
	if u, ok := symbolUnit(s); ok {
		return []unit{u}
	}
	if u, ok := nameUnit(lower); ok {
		return []unit{u}
	}
	var found []unit
	for _, variant := range caseVariants(s) {
		if u, ok := symbolUnit(variant); ok && !contains(found, u) {
			found = append(found, u)
		}
	}
	return found
}

func unitOf(symbol string) unit {
	u, _ := symbolUnit(symbol)
	return u
}

func contains(units []unit, u unit) bool {
	for _, v := range units {
		if v.dim == u.dim && v.factor.Cmp(u.factor) == 0 {
			return true
		}
	}
	return false
}

// symbolUnit reads a symbol with or without a prefix.
func symbolUnit(s string) (unit, bool) {
	if k, ok := unitSymbol(s); ok {
		return k.unit, true
	}
	for _, binary := range []bool{true, false} {
		factor, rest, large, ok := prefixSymbol(s, binary)
		if !ok {
			continue
		}
		if k, known := unitSymbol(rest); known && k.accepts(large, binary && strings.HasPrefix(s[1:], "i")) {
			return k.scaled(factor), true
		}
	}
	return unit{}, false
}

// nameUnit reads a name with or without a prefix.
func nameUnit(s string) (unit, bool) {
	if k, ok := unitName(s); ok {
		return k.unit, true
	}
	symbol, rest, ok := prefixName(s)
	if !ok {
		return unit{}, false
	}
	binary := len(symbol) == 2 && symbol[1] == 'i'
	factor, _, large, ok := prefixSymbol(symbol+"B", binary)
	if !ok {
		return unit{}, false
	}
	if k, known := unitName(rest); known && k.accepts(large, binary) {
		return k.scaled(factor), true
	}
	return unit{}, false
}

func (k knownUnit) accepts(large, binary bool) bool {
	switch k.takes {
	case anyPrefix:
		return !binary
	case largePrefix:
		return large && !binary
	case dataPrefix:
		return large
	}
	return false
}

func (k knownUnit) scaled(factor *big.Rat) unit {
	u := k.unit
	u.factor = new(big.Rat).Mul(u.factor, factor)
	return u
}

// caseVariants writes a short symbol of ASCII letters in all cases. One letter is
// too little to guess from.
func caseVariants(s string) []string {
	if len(s) < 2 || len(s) > maxCasedLetters {
		return nil
	}
	variants := []string{""}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return nil
		}
		lower, upper := strings.ToLower(s[i:i+1]), strings.ToUpper(s[i:i+1])
		next := make([]string, 0, 2*len(variants))
		for _, v := range variants {
			next = append(next, v+lower)
			if upper != lower {
				next = append(next, v+upper)
			}
		}
		variants = next
	}
	return variants
}
