package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Phrases finds the longest of many phrases at the beginning of a text. The zero value has no phrases, and a
// nil pointer finds none.
type Phrases[T any] struct {
	byFirst [256][]phrase[T]
	starts  [256]bool // a phrase begins with this byte
}

type phrase[T any] struct {
	text string
	is   T
}

// Add adds a phrase, which must not be empty, with its value.
func (p *Phrases[T]) Add(text string, is T) {
	list := append(p.byFirst[text[0]], phrase[T]{text, is})
	slices.SortStableFunc(list, func(a, b phrase[T]) int { return len(b.text) - len(a.text) })
	p.byFirst[text[0]], p.starts[text[0]] = list, true
}

// Find returns the value and the length in bytes of the longest phrase at the beginning of s. A phrase that
// ends in a letter must end a word. n is 0 if s begins with no phrase.
func (p *Phrases[T]) Find(s string) (is T, n int) {
	if s == "" || p == nil {
		return is, 0
	}
	list := p.byFirst[s[0]]
	for i := range list {
		form := &list[i]
		if len(form.text) > len(s) || form.text[len(form.text)-1] != s[len(form.text)-1] || !strings.HasPrefix(s, form.text) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(form.text)
		if !unicode.IsLetter(last) || IsUnspaced(last) || !StartsWord(s[len(form.text):]) {
			return form.is, len(form.text)
		}
	}
	return is, 0
}

// Next returns the value and the place of the first phrase of whole words in s, from an index on. start is -1
// if no phrase follows.
func (p *Phrases[T]) Next(s string, from int) (is T, start, end int) {
	if p == nil {
		return is, -1, -1
	}
	inWord := false
	if from > 0 {
		before, _ := utf8.DecodeLastRuneInString(s[:from])
		inWord = IsWord(before) && !IsUnspaced(before)
	}
	for at := from; at < len(s); {
		c := s[at]
		if c < utf8.RuneSelf {
			isWord := wordBytes[c]
			if p.starts[c] && !(inWord && isWord) {
				if is, n := p.Find(s[at:]); n > 0 {
					return is, at, at + n
				}
			}
			inWord = isWord
			at++
			continue
		}
		if p.byFirst[c] != nil && !(inWord && isSpacedWord(s[at:])) {
			if is, n := p.Find(s[at:]); n > 0 {
				return is, at, at + n
			}
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		inWord = IsWord(r) && !IsUnspaced(r)
		at += size
	}
	return is, -1, -1
}

// isSpacedWord reports whether s begins with a letter, mark or digit of a script with spaces between words.
func isSpacedWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return IsWord(r) && !IsUnspaced(r)
}
