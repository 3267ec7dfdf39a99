package planner

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/value"
)

// task is a question that matches an operation, with the texts of the groups of the operation's pattern.
type task struct {
	operation
	group map[string]string
}

// taskOf finds the first operation that matches a question.
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
			unit && !pattern("demonstrative").MatchString(t.group["a"]) {
			return t, true
		}
	}
	return task{}, false
}

// align completes operands that are not complete by themselves, because they refer to each other or to the rest
// of the question: "the radius of X and that of Y", "the atomic numbers of X and Y", "the highest in Africa".
func (t task) align(question string) {
	a, b := pattern("surplus").ReplaceAllString(t.group["a"], ""), pattern("surplus").ReplaceAllString(t.group["b"], "")
	attribute, named := "", a
	if pattern("that of").MatchString(a) {
		named = b
	}
	if m := pattern("attribute").FindStringSubmatch(named); m != nil {
		attribute = "the " + m[1] + " of "
	} else if m := pattern("owned").FindStringSubmatch(named); m != nil {
		attribute = "the " + m[2] + " of "
	}
	alone := (t.lookups[0] == "$a" || t.lookups[0] == "$date $a" && pattern("bare name").MatchString(b)) &&
		!strings.Contains(b, " of ") && !strings.Contains(b, "'s ")
	if m := pattern("attribute").FindStringSubmatch(b); m != nil && !pattern("anchored").MatchString(" "+a) &&
		!strings.Contains(a, " of ") {
		a += " of " + m[2] // for example "the width and the height of X"
	}
	a, b = pattern("that of").ReplaceAllString(a, attribute+"$1"), pattern("that of").ReplaceAllString(b, attribute+"$1")
	if name, short := strings.CutSuffix(b, "'s"); short {
		b = attribute + name
	} else if alone && number(b) == "" && !pattern("bare name").MatchString(a) {
		b = attribute + b
	}
	if m := pattern("asked noun").FindStringSubmatch(question); m != nil {
		a = pattern("elliptic").ReplaceAllString(a, "${1} "+m[1]+" ${2}")
		b = pattern("elliptic").ReplaceAllString(b, "${1} "+m[1]+" ${2}")
	}
	if m := pattern("leading name").FindString(b); m != "" {
		a = pattern("possessive").ReplaceAllString(a, m+"'s ")
	}
	t.group["a"], t.group["b"] = a, b
}

// expand fills in a template.
func (t task) expand(template, question string) string {
	g := t.group
	the, pred := "how large is", ""
	if m := pattern("basis").FindStringSubmatch(question); m != nil {
		the = "the " + m[1] + " of"
		if g["adj"] != "" {
			template = "$the " + template[strings.LastIndex(template, "$"):]
		}
	} else if measure := known().comparatives[strings.ToLower(g["than"])].measure; measure != "" {
		the = "the " + measure + " of"
	} else if pattern("attribute").MatchString(g["a"]) {
		the = ""
	}
	if m := pattern("predicate").FindStringSubmatch(g["b"]); strings.HasPrefix(t.name, "truth") {
		pred = g["verb"]
	} else if m != nil && !pattern("event").MatchString(g["a"]) {
		pred = m[1]
	}
	date := func(s string) string {
		if pattern("date").MatchString(s) {
			return s
		} else if pattern("event").MatchString(s) {
			return "the date of " + s
		}
		return "when " + s
	}
	s := strings.NewReplacer("$date $a", date(g["a"]), "$date $b", date(g["b"]), "$the", the, "$unit", g["unit"],
		"$noun", g["noun"], "$adj", g["adj"],
		"$aux", strings.ToLower(g["aux"]), "$verb", g["verb"], "$rest", " "+g["rest"],
		"$pred", pred, "$a", g["a"], "$b", g["b"], "$c", g["c"]).Replace(template)
	return strings.Join(strings.Fields(s), " ")
}

// number returns an operand that is a number or a percentage, in the calculator's form; "" for any other
// operand.
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
