package answer

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// maxPasses bounds the search for a fixed point. Two passes settle nearly every input.
const maxPasses = 32

// cleanFor brings an answer into the form in which its type reads it: step 3 of the
// pipeline, folding and what surrounds the answer. Its result is a fixed point of itself.
// Case stays where numbers are read, for units and codes; code keeps every character.
// invisible tells that characters without a glyph were dropped.
func cleanFor(raw string, t Type) (s string, invisible bool) {
	if t == Code {
		return codeText(raw), strings.ContainsFunc(raw, text.IsInvisible)
	}
	form := text.LaTeX
	if t.Numeric() {
		form |= text.KeepCase | text.BindGroups
	}
	return settle(raw, t, form)
}

// clean is cleanFor a text, and for what has no type yet.
func clean(raw string) (s string, invisible bool) { return cleanFor(raw, Text) }

// settle repeats until nothing changes: what is stripped can join what then folds.
func settle(raw string, t Type, form text.Form) (s string, invisible bool) {
	s = raw
	for range maxPasses {
		m := text.Map(s, form)
		invisible = invisible || m.Invisible
		next := strip(m.String, t)
		if next == s {
			break
		}
		s = next
	}
	return s, invisible
}
