package text

import (
	"cmp"
	"slices"
)

// Folded is a text in one form for comparisons (docs/method.md §2.2, rule 5), with the places of its
// characters in the original.
type Folded struct {
	String    string
	Invisible bool // characters without a glyph were removed
	places    []place
	offset    int32 // start of String in the text that was folded as a whole
	base      int32 // origin of the counts of places in the original
}

// place gives the origin of the bytes of a folded text, from the byte at up to the next place. If to is 0, each
// of these bytes comes from one byte of the original, and the first of them from the byte from. Otherwise all
// of them come from the bytes [from, to) of the original.
type place struct{ at, from, to int32 }

// of returns the bytes of the original from which one byte of the folded text came.
func (p place) of(at int32) (from, to int32) {
	if p.to > 0 {
		return p.from, p.to
	}
	return p.from + at - p.at, p.from + at - p.at + 1
}

// origin returns the bytes of the original from which a byte of the folded text came.
func (f Folded) origin(at int) (from, to int32) {
	whole := int32(at) + f.offset
	byPlace := func(p place, at int32) int { return cmp.Compare(p.at, at) }
	i, found := slices.BinarySearchFunc(f.places, whole, byPlace)
	if !found {
		i--
	}
	return f.places[i].of(whole)
}

// Source returns the bytes of the original from which the bytes [start, end) of the folded text came. If start
// and end are equal, it returns an empty range; such a place must not be the end of the text.
func (f Folded) Source(start, end int) (from, to int) {
	first, _ := f.origin(start)
	if start == end {
		return int(first - f.base), int(first - f.base)
	}
	_, last := f.origin(end - 1)
	return int(first - f.base), int(last - f.base)
}

// Part returns the part of the folded text that comes from a span of the original, without white space at its
// ends. Source of the result stays within the span.
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

// behind returns the place in the folded text that belongs to a byte of the original. If folding removed that
// byte, it returns the place of the next byte that was kept.
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

// follows records that the next byte of the folded text comes from one byte of the original.
func (o *folding) follows(from int) {
	if n := len(o.places); n > 0 {
		if last := o.places[n-1]; last.to == 0 && int(last.from)+len(o.b)-int(last.at) == from {
			return
		}
	}
	o.places = append(o.places, place{at: int32(len(o.b)), from: int32(from)})
}

// widen records that the last byte of the folded text, a space, also comes from the bytes of the original up to
// a place.
func (o *folding) widen(to int) {
	at, last := int32(len(o.b)-1), &o.places[len(o.places)-1]
	if from, _ := last.of(at); last.at < at {
		o.places = append(o.places, place{at, from, int32(to)})
	} else {
		last.to = int32(to)
	}
}
