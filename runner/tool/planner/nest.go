package planner

import "strings"

// describe finds the innermost description of a thing by others, the one that begins last.
func describe(s string) (start, end int, ok bool) {
	for _, name := range []string{"clause", "participle", "superlative", "role"} {
		for _, at := range form(name).FindAllStringIndex(s, -1) {
			from, to, anchor := at[0], at[1], at[0]
			if name == "clause" {
				to, anchor = len(s), at[1]
				if i := strings.IndexAny(s[at[1]:], ",;:"); i >= 0 {
					to = at[1] + i
				}
			}
			to -= len(outerVerb(s[:from], s[from:to]))
			if to > anchor && form("anchored").MatchString(" "+s[anchor:to]) && !form("nameless").MatchString(s[from:at[1]]+" ") && (from > start || !ok) {
				start, end, ok = from, to, true
			}
		}
	}
	return start, end, ok
}

// outerVerb is the end of a description that belongs to the question around it: "On which
// river does [the city that hosted the Games] stand".
func outerVerb(before, description string) string {
	switch {
	case form("do").MatchString(before):
		return form("last verb").FindString(description)
	case form("be").MatchString(before):
		return form("last participle").FindString(description)
	}
	if tail := form("last verbs").FindString(description); form("finished").MatchString(strings.TrimSuffix(description, tail)) {
		return tail
	}
	return ""
}

// nest has the descriptions within a text looked up first and returns the text with their
// results in place of them. A text that is one description stays unless whole is true.
func (d *draft) nest(s string, whole bool) string {
	for range maxFacts {
		from, to, ok := describe(s)
		if !ok || !whole && !form("letter").MatchString(form("empty").ReplaceAllString(s[:from]+" "+s[to:], " ")) {
			break
		}
		s = s[:from] + d.find(s[from:to]) + s[to:]
	}
	return s
}
