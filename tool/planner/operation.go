package planner

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
)

// task is a question that an operation fits, with what the groups of its pattern caught.
type task struct {
	operation
	group map[string]string
}

// taskOf finds the first operation that fits a question.
func taskOf(question string) (task, bool) {
	for _, o := range known().operations {
		m := o.pattern.FindStringSubmatch(question)
		if m == nil {
			continue
		}
		t := task{o, map[string]string{}}
		for i, name := range o.pattern.SubexpNames() {
			if m[i] != "" {
				t.group[name] = strings.TrimSpace(m[i])
			}
		}
		if _, unit := value.ParseUnit(t.group["unit"]); t.name != "convert" ||
			unit && !form("demonstrative").MatchString(t.group["a"]) {
			return t, true
		}
	}
	return task{}, false
}

// align completes operands that lean on each other or on the rest of the question: "the
// radius of X and that of Y", "the atomic numbers of X and Y", "the highest in Africa".
func (t task) align(question string) {
	a, b := form("surplus").ReplaceAllString(t.group["a"], ""), form("surplus").ReplaceAllString(t.group["b"], "")
	attribute, named := "", a
	if form("that of").MatchString(a) {
		named = b
	}
	if m := form("attribute").FindStringSubmatch(named); m != nil {
		attribute = "the " + m[1] + " of "
	} else if m := form("owned").FindStringSubmatch(named); m != nil {
		attribute = "the " + m[2] + " of "
	}
	alone := (t.lookups[0] == "$a" || t.lookups[0] == "$date $a" && form("bare name").MatchString(b)) &&
		!strings.Contains(b, " of ") && !strings.Contains(b, "'s ")
	if m := form("attribute").FindStringSubmatch(b); m != nil && !form("anchored").MatchString(" "+a) &&
		!strings.Contains(a, " of ") {
		a += " of " + m[2] // the width and the height of X
	}
	a, b = form("that of").ReplaceAllString(a, attribute+"$1"), form("that of").ReplaceAllString(b, attribute+"$1")
	if name, short := strings.CutSuffix(b, "'s"); short {
		b = attribute + name
	} else if alone && number(b) == "" && !form("bare name").MatchString(a) {
		b = attribute + b
	}
	if m := form("asked noun").FindStringSubmatch(question); m != nil {
		a = form("elliptic").ReplaceAllString(a, "${1} "+m[1]+" ${2}")
		b = form("elliptic").ReplaceAllString(b, "${1} "+m[1]+" ${2}")
	}
	if m := form("leading name").FindString(b); m != "" {
		a = form("possessive").ReplaceAllString(a, m+"'s ")
	}
	t.group["a"], t.group["b"] = a, b
}

// expand fills a template in.
func (t task) expand(template, question string) string {
	g := t.group
	the, pred := "how large is", ""
	if m := form("basis").FindStringSubmatch(question); m != nil {
		the = "the " + m[1] + " of"
		if g["adj"] != "" {
			template = "$the " + template[strings.LastIndex(template, "$"):]
		}
	} else if measure := known().comparatives[strings.ToLower(g["than"])].measure; measure != "" {
		the = "the " + measure + " of"
	} else if form("attribute").MatchString(g["a"]) {
		the = ""
	}
	if m := form("predicate").FindStringSubmatch(g["b"]); strings.HasPrefix(t.name, "truth") {
		pred = g["verb"]
	} else if m != nil && !form("event").MatchString(g["a"]) {
		pred = m[1]
	}
	date := func(s string) string {
		if form("date").MatchString(s) {
			return s
		} else if form("event").MatchString(s) {
			return "the date of " + s
		}
		return "when " + s
	}
	s := strings.NewReplacer("$date $a", date(g["a"]), "$date $b", date(g["b"]), "$the", the, "$unit", g["unit"],
		"$noun", g["noun"], "$adj", g["adj"],
		"$aux", strings.ToLower(g["aux"]), "$verb", g["verb"], "$rest", " "+
			""+g["rest"], "$pred", pred, "$a", g["a"], "$b", g["b"], "$c", g["c"]).Replace(template)
	return strings.Join(strings.Fields(s), " ")
}

// number is an operand that the calculator can take unchanged, a number or a percentage; "" for anything else.
func number(s string) string {
	v, err := value.Parse(s, value.Any)
	if err != nil || v.Kind != value.Count && v.Kind != value.Percent || v.Ordinal {
		return ""
	}
	n := v.Low.Rat.FloatString(v.Low.Decimals())
	if v.Kind == value.Percent {
		n += " / 100"
	}
	return n
}

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
			if to > anchor && form("anchored").MatchString(" "+s[anchor:to]) &&
				!form("nameless").MatchString(s[from:at[1]]+" ") && (from > start || !ok) {
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
	if tail := form("last verbs").FindString(description); form("finished").MatchString(strings.TrimSuffix(description,
		tail)) {
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
