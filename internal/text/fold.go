package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Form selects how a text is folded. The zero value folds case and turns every run of white space into one
// space.
type Form uint8

// Forms, which can be combined with |.
const (
	KeepCase   Form = 1 << iota // leave the case of letters
	KeepLines                   // leave line breaks, each run as one
	BindGroups                  // write _ for a no-break or thin space between digits, which can only group them
	DropMarks                   // leave out diacritics: é is e, ø is o
	LaTeX                       // rewrite simple formulas: \frac{3}{4} is (3/4), 1{,}000 is 1,000
)

// Folded is a text in one form for comparisons (docs/method.md §2.2, steps 2 and 3), with the places of its
// characters in the original.
type Folded struct {
	String    string
	Invisible bool // characters without a glyph were dropped
	from, to  []int32
}

// Source returns the bytes of the original from which the bytes [start, end) came. For an empty range, which
// must not be at the end, it returns an empty range.
func (f Folded) Source(start, end int) (from, to int) {
	from = int(f.from[start])
	if start == end {
		return from, from
	}
	return from, int(f.to[end-1])
}

// Fold returns the text of [Map] in the zero form.
func Fold(s string) string { return Map(s, 0).String }

// maxPasses limits the search for a fixed point. Two passes are enough for nearly every text; a third only
// confirms.
const maxPasses = 8

// piece is a rune with the bytes of the original from which it came.
type piece struct {
	r        rune
	from, to int32
}

// Map folds a text. Invalid UTF-8 becomes U+FFFD, invisible characters go, superscripts
// after a digit become ^(n), subscripts _(n), vulgar fractions (p/q) or, after a digit,
// +(p/q); then NFKC, one dash, one quotation mark, ASCII digits, case folding. The result
// is a fixed point: folding can enable a composition, and a composition another fold.
func Map(s string, f Form) Folded {
	if isPlain(s) {
		return mapPlain(s, f)
	}
	var out Folded
	pieces := decode(s, f, &out.Invisible)
	if f&LaTeX != 0 {
		pieces = plainLaTeX(pieces)
	}
	pieces = protect(pieces)
	for range maxPasses {
		next := letters(compose(pieces, &out.Invisible), f)
		same := slices.EqualFunc(pieces, next, func(p, q piece) bool { return p.r == q.r })
		pieces = next
		if same {
			break
		}
	}
	var b strings.Builder
	b.Grow(len(pieces))
	out.from = make([]int32, 0, len(pieces))
	out.to = make([]int32, 0, len(pieces))
	for _, p := range pieces {
		b.WriteRune(p.r)
		for range utf8.RuneLen(p.r) {
			out.from = append(out.from, p.from)
			out.to = append(out.to, p.to)
		}
	}
	out.String = b.String()
	return out
}

// isPlain reports whether a text is ASCII without a formula.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c == '\\' || c == '{' {
			return false
		}
	}
	return true
}

// mapPlain is [Map] for a plain text, in which only case and white space are folded.
func mapPlain(s string, f Form) Folded {
	b := make([]byte, 0, len(s))
	at := make([]int32, 2*len(s))
	from, to := at[:0:len(s)], at[len(s):len(s):2*len(s)]
	for i := range len(s) {
		c := s[i]
		last := len(b) - 1
		switch {
		case c >= 'A' && c <= 'Z' && f&KeepCase == 0:
			c += 'a' - 'A'
		case c == ' ' || c >= '\t' && c <= '\r':
			c = byte(spaceFor(rune(c), f))
			if last < 0 {
				continue
			}
			if b[last] == ' ' || b[last] == '\n' {
				to[last] = int32(i + 1)
				if c == '\n' {
					b[last] = c
				}
				continue
			}
		}
		b, from, to = append(b, c), append(from, int32(i)), append(to, int32(i+1))
	}
	if n := len(b); n > 0 && (b[n-1] == ' ' || b[n-1] == '\n') {
		b, from, to = b[:n-1], from[:n-1], to[:n-1]
	}
	return Folded{String: string(b), from: from, to: to}
}

func decode(s string, f Form, invisible *bool) []piece {
	pieces := make([]piece, 0, len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if IsInvisible(r) {
			*invisible = true
		} else {
			pieces = append(pieces, piece{r, int32(i), int32(i + size)})
		}
		i += size
	}
	if f&BindGroups == 0 {
		return pieces
	}
	for i := 1; i+1 < len(pieces); i++ {
		switch pieces[i].r {
		case 0x00A0, 0x2007, 0x2009, 0x202F:
			if unicode.Is(unicode.Nd, pieces[i-1].r) && unicode.Is(unicode.Nd, pieces[i+1].r) {
				pieces[i].r = '_'
			}
		}
	}
	return pieces
}

// compose applies NFKC segment by segment, so that each result keeps its origin.
func compose(pieces []piece, invisible *bool) []piece {
	if !slices.ContainsFunc(pieces, func(p piece) bool { return p.r >= utf8.RuneSelf }) {
		return pieces
	}
	out := make([]piece, 0, len(pieces))
	for i := 0; i < len(pieces); {
		if pieces[i].r < utf8.RuneSelf && (i+1 == len(pieces) || pieces[i+1].r < utf8.RuneSelf) {
			out = append(out, pieces[i])
			i++
			continue
		}
		var b strings.Builder
		b.WriteRune(pieces[i].r)
		end := i + 1
		// A segment ends where normalization cannot reach across: before a starter that
		// does not combine with what precedes it.
		for end < len(pieces) && !norm.NFKC.PropertiesString(string(pieces[end].r)).BoundaryBefore() {
			b.WriteRune(pieces[end].r)
			end++
		}
		for _, r := range norm.NFKC.String(b.String()) {
			if IsInvisible(r) {
				*invisible = true
				continue
			}
			out = append(out, piece{r, pieces[i].from, pieces[end-1].to})
		}
		i = end
	}
	return out
}

// letters unifies marks and digits, folds case and diacritics as the form says, turns every run of white space into one
// space, or one line break where they are kept, and cuts both ends.
func letters(pieces []piece, f Form) []piece {
	fold := cases.Fold()
	out := make([]piece, 0, len(pieces))
	add := func(r rune, from piece) {
		from.r = r
		last := len(out) - 1
		switch {
		case !unicode.IsSpace(r):
			out = append(out, from)
		case last < 0:
		case out[last].r != ' ' && out[last].r != '\n':
			from.r = spaceFor(r, f)
			out = append(out, from)
		default:
			out[last].to = from.to
			if spaceFor(r, f) == '\n' {
				out[last].r = '\n'
			}
		}
	}
	for _, p := range pieces {
		r := unify(p.r)
		if r < utf8.RuneSelf {
			if f&KeepCase == 0 && r >= 'A' && r <= 'Z' {
				r += 'a' - 'A'
			}
			add(r, p)
			continue
		}
		s := string(r)
		if f&DropMarks != 0 {
			s = withoutMarks(r)
		}
		if f&KeepCase == 0 {
			s = fold.String(s)
		}
		for _, r := range s {
			add(r, p)
		}
	}
	if n := len(out); n > 0 && (out[n-1].r == ' ' || out[n-1].r == '\n') {
		out = out[:n-1]
	}
	return out
}

// withoutMarks returns a letter without its diacritics; "" for a diacritic alone.
func withoutMarks(r rune) string {
	if plain, ok := plainLetters()[string(r)]; ok {
		return plain
	}
	var b strings.Builder
	for _, d := range norm.NFKD.String(string(r)) {
		if !unicode.Is(unicode.Mn, d) {
			b.WriteRune(d)
		}
	}
	return b.String()
}

func spaceFor(r rune, f Form) rune {
	if f&KeepLines != 0 && strings.ContainsRune(LineBreaks, r) {
		return '\n'
	}
	return ' '
}
