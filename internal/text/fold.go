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

// The forms, which can be combined with |.
const (
	KeepCase   Form = 1 << iota // leave the case of letters
	KeepLines                   // keep line breaks, each run as one
	BindGroups                  // write _ for a no-break or thin space between digits, where it can only separate groups
	DropMarks                   // remove diacritics: é is e, ø is o
	LaTeX                       // rewrite simple formulas: \frac{3}{4} is (3/4), 1{,}000 is 1,000
)

// Fold returns the text of [Map] in the zero form.
func Fold(s string) string { return Map(s, 0).String }

// maxPasses is the maximum number of passes of Map. Nearly every text needs two passes: the second confirms
// that nothing changes any more. Some texts need a third.
const maxPasses = 8

// piece is a rune with the bytes of the original from which it came.
type piece struct {
	r        rune
	from, to int32
}

// Map folds a text. Invalid UTF-8 becomes U+FFFD, and invisible characters are removed. Superscripts after a
// digit become ^(n), subscripts _(n), vulgar fractions (p/q) or, after a digit, +(p/q). Then Map applies NFKC,
// replaces dashes, quotation marks and digits with one form each, and folds the case. It repeats all steps
// until nothing changes, because folding a character can make a new composition possible, and a composition can
// make another folding possible.
func Map(s string, f Form) Folded {
	out := folding{b: make([]byte, 0, len(s))}
	if f&LaTeX != 0 && strings.ContainsAny(s, `\{`) {
		out.pieces(s, 0, f)
	} else {
		for start := 0; start < len(s); {
			end, plain := stretch(s, start)
			if plain {
				out.plain(s[:end], start, f)
			} else {
				out.pieces(s[start:end], start, f)
			}
			start = end
		}
	}
	n := len(out.b)
	if n > 0 && (out.b[n-1] == ' ' || out.b[n-1] == '\n') {
		n--
	}
	return Folded{String: string(out.b[:n]), Invisible: out.invisible, places: out.places}
}

// folding is the state of folding a text.
type folding struct {
	b         []byte
	places    []place
	invisible bool
}

// stretch returns the end of the run of words that begins at a place. The run has either only plain words, which
// are ASCII, or only other words; plain says which. Each word begins with an ASCII letter after a space, so that
// no character is composed across the space.
func stretch(s string, start int) (end int, plain bool) {
	if IsASCII(s[start:]) {
		return len(s), true
	}
	plain, isPlain, word := true, true, start
	for i := start; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			isPlain = false
		} else if i > start && s[i-1] == ' ' && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			if word > start && isPlain != plain {
				return word, plain
			}
			plain, isPlain, word = isPlain, true, i
		}
	}
	if word > start && isPlain != plain {
		return word, plain
	}
	return len(s), isPlain
}

// plain folds ASCII text that begins at a place; only case and white space change.
func (o *folding) plain(s string, start int, f Form) {
	for i := start; i < len(s); {
		n := len(o.b)
		isBehindSpace := n == 0 || o.b[n-1] == ' ' || o.b[n-1] == '\n'
		if end := words(s, i, isBehindSpace); end > i {
			o.follows(i)
			o.b = append(o.b, s[i:end]...)
			if f&KeepCase == 0 {
				lowerASCII(o.b[n:])
			}
			i = end
			continue
		}
		space := byte(spaceFor(rune(s[i]), f))
		i++
		switch {
		case n == 0:
		case isBehindSpace:
			if space == '\n' {
				o.b[n-1] = space
			}
			o.widen(i)
		default:
			o.follows(i - 1)
			o.b = append(o.b, space)
		}
	}
}

// words returns the end of the run of ASCII words that begins at a place. Single spaces are between the words.
// The first word may have a space before it.
func words(s string, start int, isBehindSpace bool) (end int) {
	for end = start; end < len(s); end++ {
		c := s[end]
		isSpace := c == ' ' || c >= '\t' && c <= '\r'
		if isSpace && (c != ' ' || isBehindSpace) {
			return end
		}
		isBehindSpace = isSpace
	}
	return end
}

// lowerASCII replaces capitals with small letters.
func lowerASCII(b []byte) {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
}

// pieces folds a part of the text, beginning at a place, character by character.
func (o *folding) pieces(s string, start int, f Form) {
	pieces := decode(s, f, &o.invisible)
	if f&LaTeX != 0 {
		pieces = plainLaTeX(pieces, f)
	}
	pieces = protect(pieces)
	for range maxPasses {
		next := letters(compose(pieces, &o.invisible), f)
		if f&LaTeX != 0 {
			next = plainLaTeX(next, f) // a sign may have become a space, which is a gap after a backslash
		}
		same := slices.EqualFunc(pieces, next, func(p, q piece) bool { return p.r == q.r })
		pieces = next
		if same {
			break
		}
	}
	if len(o.b) == 0 && len(pieces) > 0 && (pieces[0].r == ' ' || pieces[0].r == '\n') {
		pieces = pieces[1:]
	}
	for _, p := range pieces {
		if p.r < utf8.RuneSelf && p.to == p.from+1 {
			o.follows(int(p.from) + start)
		} else {
			o.places = append(o.places, place{int32(len(o.b)), p.from + int32(start), p.to + int32(start)})
		}
		o.b = utf8.AppendRune(o.b, p.r)
	}
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

// compose applies NFKC segment by segment, so that the origin of each result is known.
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
		// A segment ends where normalization cannot combine characters across the border. The next segment then
		// begins with a starter that does not combine with the text before it.
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

// letters unifies marks and digits, folds case and diacritics according to the form, and replaces every run of
// white space with one space. If the form keeps line breaks, a run with a line break becomes one line break.
// White space at the beginning is removed.
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
	return out
}

func spaceFor(r rune, f Form) rune {
	if f&KeepLines != 0 && r != ' ' && strings.ContainsRune(LineBreaks, r) {
		return '\n'
	}
	return ' '
}
