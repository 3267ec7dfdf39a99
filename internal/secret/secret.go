// Package secret removes keys from texts of other programs, in every spelling: some servers quote the key that was
// sent, and what quotes it may be an address, JSON, a header in base64 or a dump in hex.
//
// It imports no package of this module.
package secret

import (
	"slices"
	"strings"
)

// Mark replaces a secret.
const Mark = "[API key]"

// shortest is the length below which a key is a placeholder, such as local endpoints take:
// ordinary text holds it as well, and would be spoilt.
const shortest = 8

// Hider finds all spellings of some secrets. Nil hides nothing.
type Hider struct {
	forms   [256][]form // by the byte with which a spelling begins
	longest int         // bytes of a spelling at most
}

// New knows the secrets that are not too short to be one.
func New(secrets ...string) *Hider {
	h := &Hider{}
	for _, s := range secrets {
		if len(s) < shortest {
			continue
		}
		for _, f := range formsOf(s) {
			for b := range h.forms {
				if slices.ContainsFunc(f[0], func(way string) bool { return same(string([]byte{byte(b)}), way[:1], len(way)) }) {
					h.forms[b] = append(h.forms[b], f)
				}
			}
			h.longest = max(h.longest, f.longest())
		}
	}
	return h
}

// Hide replaces every secret in a text by Mark.
func (h *Hider) Hide(text string) string {
	var out strings.Builder
	done := 0
	for i := 0; h != nil && i < len(text); {
		n, _ := h.at(text[i:])
		if n == 0 {
			i++
			continue
		}
		out.WriteString(text[done:i] + Mark)
		i += n
		done = i
	}
	if done == 0 {
		return text
	}
	return out.String() + text[done:]
}

// Complete is the part of a text behind which nothing can turn out to be a secret's beginning, whatever follows.
func (h *Hider) Complete(text string) string {
	for i := max(0, len(text)-h.longest); i < len(text); i++ {
		if _, cut := h.at(text[i:]); cut {
			return text[:i]
		}
	}
	return text
}

// at gives the length of the longest spelling that a text begins with, and whether the text ends amid one.
func (h *Hider) at(text string) (n int, cut bool) {
	for _, f := range h.forms[text[0]] {
		length, ends := f.match(text)
		n, cut = max(n, length), cut || ends
	}
	return n, cut
}
