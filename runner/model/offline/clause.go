package offline

import (
	"strings"
	"sync"
)

// relative says how many tokens a relative marker at i takes: "who", ", which", "in which".
func relative(w []word, i int) int {
	n := 0
	if w[i].text == "," {
		n++
	}
	if i+n < len(w) && preposition(w[i+n].low) && i+n+1 < len(w) && (w[i+n+1].low == "which" || w[i+n+1].low == "whom" || w[i+n+1].low == "whose") {
		return n + 2
	}
	if i+n < len(w) {
		switch w[i+n].low {
		case "who", "that", "which", "where", "whose", "whom":
			return n + 1
		}
	}
	return 0
}

func preposition(low string) bool {
	switch low {
	case "in", "on", "at", "by", "from", "to", "for", "of", "through", "after", "with", "under", "into", "near", "during", "about", "around", "over":
		return true
	default:
		return false
	}
}

func participle(low string) bool {
	return participles()[low] || len(low) > 4 && strings.HasSuffix(low, "ed") || len(low) > 5 && strings.HasSuffix(low, "ing")
}

// clauseEnd bounds the clause that begins at marker within a description begun at start.
// After an auxiliary ("did the man who wrote X die?") or before a later question word the
// clause's last verb belongs to the main sentence.
func clauseEnd(w []word, start, marker int) int {
	end, verbs := len(w), []int(nil)
	opening := marker + max(1, relative(w, marker))
	for j := opening; j < len(w); j++ {
		if w[j].text == "," || w[j].text == ";" || w[j].text == ")" || w[j].text == "?" {
			end = j
			break
		}
		if questionWord(w, j) && start == firstWord(w) {
			end = beforeQuestion(w, marker, j)
			break
		}
		main := auxiliaries()[w[j].low] && len(verbs) > 0 && verbs[len(verbs)-1] == j-1
		if main || len(verbs) > 0 && finite(w[j].low) && start == firstWord(w) && j > opening { // "… is named | was born", "the man who proposed X | took …"
			end = j
			break
		}
		if clauseVerbs()[w[j].low] || j == opening && subjectRelative(w, marker) && !functionWords()[w[j].low] && !w[j].capital() || j > opening && auxiliaries()[w[j-1].low] && participle(w[j].low) {
			verbs = append(verbs, j)
		}
		if auxiliaries()[w[j].low] && len(verbs) > 0 && j > opening+1 && w[j-1].capital() { // "… discovered X | was born"
			end = j
			break
		}
	}
	inverted := start > 0 && auxiliaries()[w[start-1].low]
	if inverted && w[marker].low != "with" && len(verbs) > 0 {
		first := verbs[0]
		if k := copula(w, marker, end); k >= 0 && k < first && !participle(w[first].low) && w[first].low != "born" {
			first = k
		} else if participleAt(w, marker) {
			first = marker
		}
		if last := verbs[len(verbs)-1]; last > first && last < end {
			end = last
		}
	}
	if inverted && strings.HasPrefix(w[start-1].low, "d") && end == len(w) && end-2 > opening && (w[end-2].capital() || clauseVerbs()[w[end-2].low]) &&
		w[end-1].alpha() && !w[end-1].capital() && !functionWords()[w[end-1].low] {
		end-- // "does the river that crosses X | drain"
	}
	if w[end-1].low == "and" {
		end--
	}
	return end
}

// subjectRelative says whether a clause's verb follows its marker at once: "who wrote", "that
// hosted", but not "on which X stands".
func subjectRelative(w []word, marker int) bool {
	n := relative(w, marker)
	if n == 0 || n > 2 || n == 2 && w[marker].text != "," {
		return false
	}
	switch w[marker+n-1].low {
	case "who", "that", "which":
		return true
	default:
		return false
	}
}

// finite picks the clause verbs that cannot be participles: after a description that opens
// a sentence they begin its predicate.
func finite(low string) bool {
	switch low {
	case "took", "wrote", "lies", "stands", "became", "began", "runs", "flows", "died", "lived", "was", "is", "has", "had", "were", "won", "received", "worked", "taught", "studied", "married", "got", "came", "grew", "belongs", "contains":
		return true
	default:
		return false
	}
}

func participleAt(w []word, i int) bool { return relative(w, i) == 0 && participle(w[i].low) }

func copula(w []word, from, to int) int {
	for j := from; j < to; j++ {
		switch w[j].low {
		case "is", "was", "are", "were":
			return j
		}
	}
	return -1
}

func firstWord(w []word) int {
	if len(w) > 1 && preposition(w[0].low) {
		return 1
	}
	return 0
}

func questionWord(w []word, j int) bool {
	switch w[j].low {
	case "what", "how", "when", "which":
		return !preposition(w[j-1].low) || w[j].low == "what" || w[j].low == "how"
	}
	return false
}

// beforeQuestion steps back from a late question word over its verb and prepositions.
func beforeQuestion(w []word, marker, j int) int {
	for k := j - 1; k > marker; k-- {
		if clauseVerbs()[w[k].low] || auxiliaries()[w[k].low] {
			return k
		}
	}
	return j
}

// nameEnd gives the token behind the name that starts at i: a quoted title, a run of
// capitalised words with their connecting words, a hole, or one lower-case noun phrase.
func nameEnd(w []word, i int) int {
	if i >= len(w) {
		return i
	}
	if w[i].text == `"` {
		for j := i + 1; j < len(w); j++ {
			if w[j].text == `"` {
				return j + 1
			}
		}
	}
	j := i
	for j < len(w) && (w[j].low == "the" || w[j].low == "a" || w[j].low == "an") {
		j++
	}
	if j+1 < len(w) && w[j].text == "{" && w[j+1].text == "}" {
		return j + 2
	}
	if j < len(w) && (w[j].capital() || w[j].number()) {
		for j < len(w) && (w[j].capital() || w[j].number() || w[j].text == "." || connects(w, j)) {
			j++
		}
		return j
	}
	k := j
	for k < len(w) && k < j+4 && w[k].alpha() && !functionWords()[w[k].low] && !clauseVerbs()[w[k].low] {
		k++
	}
	if k == j {
		return i
	}
	if k+1 < len(w) && w[k].low == "of" && w[k+1].capital() { // "the old realm of X"
		return nameEnd(w, k+1)
	}
	return k
}

// nameStart walks back over the name that ends before i.
func nameStart(w []word, i int) int {
	j := i
	for j > 0 && (w[j-1].capital() && !auxiliaries()[w[j-1].low] && !functionWords()[w[j-1].low] || w[j-1].text == "The" && j > 1 || w[j-1].number() || j >= 2 && j < i && connects(w, j-1) && w[j-2].capital()) {
		j--
	}
	return j
}

// connects says whether a lower-case word or mark joins two capitalised words of a name.
func connects(w []word, j int) bool {
	if j+1 >= len(w) || j == 0 || !(w[j-1].capital() || w[j-1].number() || connectors()[w[j-1].low]) {
		return false
	}
	if w[j].text == "'" || w[j].text == "-" {
		return w[j+1].alpha()
	}
	if w[j].text == "s" && w[j-1].text == "'" {
		return w[j+1].capital()
	}
	k := j
	for k < len(w) && connectors()[w[k].low] {
		k++
	}
	return k > j && k < len(w) && w[k].capital()
}

var connectors = sync.OnceValue(func() map[string]bool {
	return set(strings.Fields("of the and in on de la le du des von van der den da di del dos y al el bin ibn for to with at a"))
})
