package offline

import (
	"strings"
)

// quantity is a number in a text with the unit behind it, if any.
type quantity struct {
	value    string // plain decimal notation, what calc reads
	unit     unit
	from, to int  // token range, unit included
	year     bool // could as well be a year: four digits, no separator, no unit
}

// quantities finds the numbers of a sentence, those inside dates left out.
func quantities(w []word) []quantity {
	inDate := map[int]bool{}
	for _, d := range dates(w) {
		if d.month > 0 {
			for i := d.from; i < d.to; i++ {
				inDate[i] = true
			}
		}
	}
	var out []quantity
	for i := 0; i < len(w); i++ {
		if inDate[i] {
			continue
		}
		q, ok := quantityAt(w, i)
		if !ok {
			continue
		}
		out = append(out, q)
		i = q.to - 1
	}
	return out
}

func quantityAt(w []word, i int) (quantity, bool) {
	value, plain := w[i].low, false
	switch {
	case w[i].number():
		digits := strings.TrimRight(value, "abcdefghijklmnopqrstuvwxyz")
		suffix := value[len(digits):]
		if suffix == "st" || suffix == "nd" || suffix == "rd" || suffix == "th" || suffix == "s" {
			return quantity{}, false // an ordinal or a decade
		}
		if suffix != "" { // "20km"
			u, ok := units().forms[suffix]
			if !ok {
				return quantity{}, false
			}
			return quantity{value: ungroup(digits), unit: u, from: i, to: i + 1}, ungroup(digits) != ""
		}
		plain = len(digits) == 4 && !strings.ContainsAny(digits, ",.")
		value = ungroup(digits)
	case numberWords()[value] != "":
		value = numberWords()[value]
	default:
		return quantity{}, false
	}
	if value == "" {
		return quantity{}, false
	}
	q := quantity{value: value, from: i, to: i + 1}
	if i > 0 && (w[i-1].text == "-" || w[i-1].text == "−") && (i < 2 || w[i-2].end < w[i-1].start) && w[i-1].end == w[i].start {
		q.value, q.from = "-"+q.value, i-1
	}
	if q.to < len(w) {
		if zeros, ok := magnitude(w[q.to].low); ok {
			q.value, plain = shift(q.value, zeros), false
			q.to++
		}
	}
	if q.to < len(w) {
		at := q.to
		if w[at].text == "-" && at+1 < len(w) { // "a 300-metre tower"
			at++
		}
		if u, n := unitAt(w, at); n > 0 {
			q.unit, q.to, plain = u, at+n, false
		}
	}
	q.year = plain && q.value >= "1000" && q.value < "2100"
	return q, true
}

// ungroup turns "6,650.5" into "6650.5"; commas that group anything but thousands are no number.
func ungroup(s string) string {
	whole, frac, dotted := strings.Cut(s, ".")
	if strings.Contains(frac, ",") || strings.Contains(frac, ".") {
		return ""
	}
	groups := strings.Split(whole, ",")
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return ""
		}
	}
	out := strings.Join(groups, "")
	if dotted {
		out += "." + frac
	}
	return out
}

func magnitude(low string) (int, bool) {
	switch low {
	case "hundred":
		return 2, true
	case "thousand":
		return 3, true
	case "million":
		return 6, true
	case "billion":
		return 9, true
	case "trillion":
		return 12, true
	default:
		return 0, false
	}
}

// shift moves the decimal point of a number n places to the right: a change of notation.
func shift(value string, n int) string {
	whole, frac, _ := strings.Cut(value, ".")
	for ; n > 0; n-- {
		if frac == "" {
			whole += "0"
			continue
		}
		whole += frac[:1]
		frac = frac[1:]
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if frac != "" {
		return whole + "." + frac
	}
	return whole
}

// compareNumbers orders two plain decimals by magnitude: -1, 0 or 1.
func compareNumbers(a, b string) int {
	na, nb := strings.HasPrefix(a, "-"), strings.HasPrefix(b, "-")
	switch {
	case na && !nb:
		return -1
	case nb && !na:
		return 1
	case na && nb:
		return compareNumbers(b[1:], a[1:])
	}
	wa, fa, _ := strings.Cut(a, ".")
	wb, fb, _ := strings.Cut(b, ".")
	wa, wb = strings.TrimLeft(wa, "0"), strings.TrimLeft(wb, "0")
	if len(wa) != len(wb) {
		return sign(len(wa) - len(wb))
	}
	if c := strings.Compare(wa, wb); c != 0 {
		return c
	}
	return strings.Compare(strings.TrimRight(fa, "0"), strings.TrimRight(fb, "0"))
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	default:
		return 0
	}
}
