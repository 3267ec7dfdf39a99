package planner

import "strings"

// describe returns the position of the innermost description of one thing by another. This is the description
// that begins last.
func describe(s string) (start, end int, ok bool) {
	for _, name := range []string{"clause", "participle", "superlative", "role"} {
		for _, at := range pattern(name).FindAllStringIndex(s, -1) {
			from, to, anchor := at[0], at[1], at[0]
			if name == "clause" {
				to, anchor = len(s), at[1]
				if i := strings.IndexAny(s[at[1]:], ",;:"); i >= 0 {
					to = at[1] + i
				}
			}
			to -= len(outerVerb(s[:from], s[from:to]))
			if to > anchor && pattern("anchored").MatchString(" "+s[anchor:to]) &&
				!pattern("nameless").MatchString(s[from:at[1]]+" ") && (from > start || !ok) {
				start, end, ok = from, to, true
			}
		}
	}
	return start, end, ok
}

// outerVerb returns the part at a description's end that belongs to the question around it, such as the verb
// in "On which river does [the city that hosted the Games] stand".
func outerVerb(before, description string) string {
	switch {
	case pattern("do").MatchString(before):
		return pattern("last verb").FindString(description)
	case pattern("be").MatchString(before):
		return pattern("last participle").FindString(description)
	}
	tail := pattern("last verbs").FindString(description)
	if pattern("finished").MatchString(strings.TrimSuffix(description, tail)) {
		return tail
	}
	return ""
}

// maxDescriptions is the maximum number of descriptions in one text that are looked up separately.
const maxDescriptions = 4

// nest adds look-ups of the descriptions in a text, and returns the text with references to their results. A
// text that consists of a single description is unchanged, unless whole is true.
func (d *draft) nest(s string, whole bool) string {
	for range maxDescriptions {
		from, to, ok := describe(s)
		if !ok || !whole && !pattern("letter").MatchString(pattern("empty").ReplaceAllString(s[:from]+" "+s[to:], " ")) {
			break
		}
		s = s[:from] + d.find(s[from:to]) + s[to:]
	}
	return s
}
