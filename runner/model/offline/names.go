package offline

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// plainWord is the form in which two words are compared: initialisms without their full
// stops, words by their stem.
func plainWord(w word) string {
	low := strings.ReplaceAll(w.low, ".", "")
	if s, ok := spellings()[low]; ok {
		low = s
	}
	return stem(strings.ReplaceAll(low, "-", ""))
}

// spellings joins a word with its usual short form.
var spellings = sync.OnceValue(func() map[string]string {
	return map[string]string{"hz": "hertz", "mt": "mount", "st": "saint", "ft": "fort", "dr": "doctor", "prof": "professor", "jr": "junior", "sr": "senior", "gov": "governor", "gen": "general"}
})

func sameWords(a, b []word) bool {
	return within(a, b) && within(b, a)
}

// within says whether every word of a is one of b.
func within(a, b []word) bool {
	there := map[string]bool{}
	for _, w := range b {
		there[plainWord(w)] = true
	}
	return !slices.ContainsFunc(a, func(w word) bool { return !there[plainWord(w)] })
}

// titles are words before a name that do not make it another name.
var titles = sync.OnceValue(func() map[string]bool {
	return set(strings.Fields(`mr mrs ms miss dr doctor sir dame lord lady prof professor`))
})

// trimmed leaves out of a name what the question says already: lower-case words, and the
// kind of thing where the question names it, as in "Lake Orlen" of a lake. A title before
// a person's name goes too. What would leave nothing is kept.
func (q inquiry) trimmed(names []word) []word {
	out := slices.DeleteFunc(slices.Clone(names), func(w word) bool {
		kind := plainWord(w)
		if kind == "mount" {
			kind = "mountain"
		}
		known := q.terms[concept(w.low)] || q.terms[concept(kind)]
		return titles()[w.low] && q.class != thing || known && (!w.capital() || classOf(kind) != anything)
	})
	if len(out) == 0 {
		return names
	}
	return out
}

// unsaid leaves out all that the question says.
func (q inquiry) unsaid(names []word) []word {
	return slices.DeleteFunc(slices.Clone(names), func(w word) bool { return q.terms[concept(w.low)] })
}

// aligned matches two names word by word, an initial with any word that begins with it,
// an initialism with as many words as it has letters. Of the words that are matched at
// least one must be written out on both sides, unless the initialism is the whole name.
func aligned(a, b []word) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	if len(a) == 1 && acronym(a[0], b) == len(b) || len(b) == 1 && acronym(b[0], a) == len(a) {
		return true
	}
	full := 0
	for len(a) > 0 && len(b) > 0 {
		switch n, m := acronym(a[0], b), acronym(b[0], a); {
		case plainWord(a[0]) == plainWord(b[0]):
			full++
			a, b = a[1:], b[1:]
		case len(a) > 1 && len(b) > 1 && (initial(a[0], b[0]) || initial(b[0], a[0])):
			a, b = a[1:], b[1:]
		case n > 0:
			a, b = a[1:], b[n:]
		case m > 0:
			a, b = a[m:], b[1:]
		default:
			return false
		}
	}
	return full > 0 && len(a) == 0 && len(b) == 0
}

// initial says whether a is the first letter of b: "J." or "J" of "Jørn".
func initial(a, b word) bool {
	return len(strings.TrimSuffix(a.low, ".")) == 1 && a.capital() && strings.HasPrefix(b.low, a.low[:1])
}

// acronym gives how many words at the start of names the letters of w stand for: "U.S."
// and "US" for "United States", 0 where they do not.
func acronym(w word, names []word) int {
	text := strings.ReplaceAll(w.text, ".", "")
	if len(text) < 2 || len(text) > 8 || len(text) > len(names) || strings.IndexFunc(text, func(r rune) bool { return !unicode.IsUpper(r) }) >= 0 {
		return 0
	}
	for i, c := range strings.ToLower(text) {
		if !strings.HasPrefix(names[i].low, string(c)) {
			return 0
		}
	}
	return len(text)
}

// qualifiers make another name of the name they stand beside.
var qualifiers = sync.OnceValue(func() map[string]bool {
	return set(strings.Fields(`north south east west northern southern eastern western central upper lower new old great greater little
		lesser inner outer elder younger junior senior jr sr i ii iii iv v vi vii viii ix x xi xii fils pere king queen saint st mount lake`))
})

// longestName bounds a person's name, in words.
const longestName = 5

// surname says whether one answer is the end of the other, a person's name: "Utzon" of
// "Jørn Utzon". Between a first and a last name that both give, only initials may stand.
func surname(a, b []word) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == len(b) || len(b) > longestName || plainWord(a[len(a)-1]) != plainWord(b[len(b)-1]) {
		return false
	}
	for _, w := range b[:len(b)-1] {
		if qualifiers()[w.low] || !w.capital() && !particles()[w.low] {
			return false
		}
	}
	if !a[len(a)-1].capital() || qualifiers()[b[len(b)-1].low] {
		return false
	}
	if len(a) == 1 {
		return true
	}
	front := slices.DeleteFunc(slices.Clone(b), func(w word) bool { return len(strings.TrimSuffix(w.low, ".")) == 1 })
	return len(front) == len(a) && aligned(a, front)
}

// particles belong to surnames.
var particles = sync.OnceValue(func() map[string]bool {
	return set(strings.Fields(`von van de der den da di du la le del della bin ibn al el af av zu`))
})
