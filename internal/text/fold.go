package text

import (
	"cmp"
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
	places    []place
	offset    int32 // where String begins in the text that was folded as a whole
	base      int32 // from which the places in the original are counted
}

// place says from where the bytes of a folded text came, from the byte at up to the next place: each from one byte of
// the original, the first of them from; or, if to is not 0, all of them from the bytes [from, to).
type place struct{ at, from, to int32 }

// of returns the bytes of the original from which the byte at came.
func (p place) of(at int32) (from, to int32) {
	if p.to > 0 {
		return p.from, p.to
	}
	return p.from + at - p.at, p.from + at - p.at + 1
}

// origin returns the bytes of the original from which a byte of the folded text came.
func (f Folded) origin(at int) (from, to int32) {
	i, found := slices.BinarySearchFunc(f.places, int32(at)+f.offset, func(p place, at int32) int { return cmp.Compare(p.at, at) })
	if !found {
		i--
	}
	return f.places[i].of(int32(at) + f.offset)
}

// Source returns the bytes of the original from which the bytes [start, end) came. For an empty range, which
// must not be at the end, it returns an empty range.
func (f Folded) Source(start, end int) (from, to int) {
	first, _ := f.origin(start)
	if start == end {
		return int(first - f.base), int(first - f.base)
	}
	_, last := f.origin(end - 1)
	return int(first - f.base), int(last - f.base)
}

// Part is the part that came from a span of the original, without the space at its ends. Its way back leads into the
// span.
func (f Folded) Part(span Span) Folded {
	start, end := f.behind(int32(span.Start)), f.behind(int32(span.End))
	isSpace := func(at int) bool { return f.String[at] == ' ' || f.String[at] == '\n' }
	for start < end && isSpace(start) {
		start++
	}
	for start < end && isSpace(end-1) {
		end--
	}
	return Folded{String: f.String[start:end], Invisible: f.Invisible, places: f.places, offset: f.offset + int32(start),
		base: f.base + int32(span.Start)}
}

// behind is the place of the first byte of the folded text that came from a byte of the original or one behind it.
func (f Folded) behind(from int32) int {
	from += f.base
	i, _ := slices.BinarySearchFunc(f.places, from, func(p place, from int32) int { return cmp.Compare(p.from, from) })
	at := f.offset + int32(len(f.String))
	if i < len(f.places) {
		at = min(at, f.places[i].at)
	}
	if i > 0 && f.places[i-1].to == 0 {
		at = min(at, f.places[i-1].at+from-f.places[i-1].from)
	}
	return int(max(at-f.offset, 0))
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

// folding is a text in the course of being folded.
type folding struct {
	b         []byte
	places    []place
	invisible bool
}

// follows notes that the next byte comes from one byte of the original.
func (o *folding) follows(from int) {
	if n := len(o.places); n > 0 {
		if last := o.places[n-1]; last.to == 0 && int(last.from)+len(o.b)-int(last.at) == from {
			return
		}
	}
	o.places = append(o.places, place{at: int32(len(o.b)), from: int32(from)})
}

// widen notes that the last byte, which is a space, also comes from the bytes of the original up to a place.
func (o *folding) widen(to int) {
	at, last := int32(len(o.b)-1), &o.places[len(o.places)-1]
	if from, _ := last.of(at); last.at < at {
		o.places = append(o.places, place{at, from, int32(to)})
	} else {
		last.to = int32(to)
	}
}

// stretch is where the plain words at a place end, or those that are not plain. Each begins with an ASCII letter behind
// a space, across which nothing is composed.
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

// plain folds the ASCII text that begins at a place: case and white space are all that there is to fold.
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

// words is where the words of an ASCII text end that begin at a place, with single spaces between them. The first may
// follow a space.
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

// lowerASCII writes small letters for capitals.
func lowerASCII(b []byte) {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
}

// pieces folds a part of the text, which begins at a place, character by character.
func (o *folding) pieces(s string, start int, f Form) {
	pieces := decode(s, f, &o.invisible)
	if f&LaTeX != 0 {
		pieces = plainLaTeX(pieces, f)
	}
	pieces = protect(pieces)
	for range maxPasses {
		next := letters(compose(pieces, &o.invisible), f)
		if f&LaTeX != 0 {
			next = plainLaTeX(next, f) // a sign may have become a space, which is a gap behind a backslash
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
// space, or one line break where they are kept. It leaves none at the start.
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
