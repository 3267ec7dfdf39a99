package value

import (
	"math/big"
	"slices"
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

// unitTable holds what units.tsv, prefixes.tsv and ambiguous-units.tsv make together.
type unitTable struct {
	symbols   map[string]Unit   // with and without a prefix
	names     map[string]Unit   // in the singular
	anyCase   map[string][]Unit // by the symbol in lower case
	ambiguous map[string][]Unit
	prefixes  []prefix
	entries   []unitEntry // of units.tsv
}

// unitEntry is a line of units.tsv.
type unitEntry struct {
	symbols, names []string
	prefixes       string // none, any, large, data
	unit           Unit
}

// prefix is a line of prefixes.tsv.
type prefix struct {
	symbols       []string
	name          string
	factor        *big.Rat
	large, binary bool // kilo and above; of 1024
}

var units = sync.OnceValue(func() *unitTable {
	t := &unitTable{symbols: map[string]Unit{}, names: map[string]Unit{}, anyCase: map[string][]Unit{}, ambiguous: map[string][]Unit{}}
	loadTable("units.tsv", 6, t.readUnit)
	loadTable("prefixes.tsv", 4, t.readPrefix)
	t.combine()
	loadTable("ambiguous-units.tsv", 2, t.readAmbiguous)
	return t
})

func (t *unitTable) readUnit(r *row) {
	e := unitEntry{
		symbols: r.entries(0, "symbol"), names: r.entries(1, "name"), prefixes: r.oneOf(5, "none any large data"),
		unit: Unit{Dim: r.dimension(2), Factor: r.rational(3)},
	}
	if e.unit.Factor.Sign() <= 0 {
		r.fail("a factor of %s", r.cells[3])
	}
	if r.cells[4] != "" {
		e.unit.Offset = r.rational(4)
	}
	t.entries = append(t.entries, e)
}

func (t *unitTable) readPrefix(r *row) {
	base, e := r.rational(2), int(r.integer(3))
	binary := r.cells[2] != "10"
	t.prefixes = append(t.prefixes, prefix{r.entries(0, "symbol"), r.cells[1], pow(base, e), e >= 3 || binary, binary})
}

func (t *unitTable) readAmbiguous(r *row) {
	for _, form := range r.entries(0, "") {
		for _, name := range strings.Split(r.cells[1], "|") {
			u, ok := t.lookup(name)
			if !ok {
				r.fail("no unit %q", name)
			}
			t.ambiguous[form] = append(t.ambiguous[form], u)
		}
	}
}

// combine enters the units with and without their prefixes. A form of its own goes before
// one with a prefix, min before m·in.
func (t *unitTable) combine() {
	t.enter(prefix{symbols: []string{""}}, func(string) bool { return true })
	for _, p := range t.prefixes {
		t.enter(p, func(takes string) bool {
			return takes == "any" && !p.binary || takes == "large" && p.large && !p.binary || takes == "data" && p.large
		})
	}
}

func (t *unitTable) enter(p prefix, fits func(takes string) bool) {
	for _, e := range t.entries {
		if !fits(e.prefixes) {
			continue
		}
		u := e.unit
		if p.factor != nil {
			u.Factor = new(big.Rat).Mul(u.Factor, p.factor)
		}
		for _, symbol := range e.symbols {
			for _, sign := range p.symbols {
				t.enterSymbol(sign+symbol, u)
			}
		}
		for _, name := range e.names {
			if _, taken := t.names[p.name+name]; !taken {
				t.names[p.name+name] = u
			}
		}
	}
}

func (t *unitTable) enterSymbol(s string, u Unit) {
	if _, taken := t.symbols[s]; taken {
		return
	}
	t.symbols[s] = u
	// One letter is too little to guess the case from, and long symbols are written rightly.
	if low := strings.ToLower(s); len(s) >= 2 && len(s) <= 4 && utf8.RuneCountInString(s) == len(s) &&
		!slices.ContainsFunc(t.anyCase[low], func(v Unit) bool { return v.Dim == u.Dim && v.Factor.Cmp(u.Factor) == 0 }) {
		t.anyCase[low] = append(t.anyCase[low], u)
	}
}

// lookup finds a symbol as written, or a name in the singular or plural.
func (t *unitTable) lookup(s string) (Unit, bool) {
	if u, ok := t.symbols[s]; ok {
		return u, true
	}
	name := strings.Replace(strings.ToLower(s), "degrees ", "degree ", 1)
	for _, form := range []string{name, strings.TrimSuffix(name, "s"), strings.TrimSuffix(name, "es")} {
		if u, ok := t.names[form]; ok {
			return u, true
		}
	}
	return Unit{}, false
}

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
	if u, ok := t.lookup(s); ok {
		return []Unit{u}
	}
	return t.anyCase[low]
}
