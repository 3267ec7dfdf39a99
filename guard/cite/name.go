package cite

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/value"
)

// Limits of names: the number of names per claim, and the letters of a short form.
const (
	maxNames = 200
	maxShort = 6 // letters of a short form
)

var (
	word       = lazy.Compile(`[\p{L}\p{M}](?:[\p{L}\p{M}\p{Nd}'.]|-\p{Lu})*`) // in "Ulm-born", it matches only Ulm
	identifier = lazy.Compile("`([A-Za-z_][A-Za-z0-9_.:]{2,80}(?:\\(\\))?)`")
	katakana   = lazy.Compile(`[\p{Katakana}ー]{3,}(?:・[\p{Katakana}ー]+)*`)
	wideTitle  = lazy.Compile(`《([^《》]{1,200})》`)
)

// name is a proper name in a claim, of a person, a place, a work or a thing.
type name struct {
	text   string
	single bool // one capitalised word; if only such a name is missing, that is not enough for an error
	begins bool // the claim begins with it, so its first word may have a capital only for this reason
}

// names returns the names in a claim: sequences of capitalised words, short quotations, identifiers in code,
// katakana, and titles in 《》. The arguments are three forms of the claim: as written, as prose, and folded
// without its dates.
func names(written, prose, undated string) []name {
	out := capitalised(undated, false)
	add := func(s string) { out = append(out, name{text: s}) }
	for _, q := range quotations(prose) {
		if f := fold(q); !isQuotation(f) && len(f.tokens) > 0 && !hasDigit(q) {
			add(q)
		}
	}
	for _, m := range identifier.FindAllStringSubmatch(written, maxNames) {
		// camelCase, snake_case and calls, but not a plain word between backquotes
		camel := strings.IndexFunc(m[1][1:], unicode.IsUpper) >= 0 && strings.IndexFunc(m[1], unicode.IsLower) >= 0
		if (camel || strings.ContainsAny(m[1], "_.:(")) && !isDocumentID(m[1]) {
			add(m[1])
		}
	}
	for _, k := range katakana.FindAllString(undated, maxNames) {
		add(k)
	}
	for _, m := range wideTitle.FindAllStringSubmatch(undated, maxNames) {
		add(m[1])
	}
	return out[:min(len(out), maxNames)]
}

// capitalised returns the sequences of capitalised words in s. They may contain small words such as "of". A
// sequence before a colon is a label and not a name. A single word at the beginning of a sentence is not a
// name, except in an answer.
func capitalised(s string, answer bool) []name {
	var out []name
	start, end, caps := 0, 0, 0
	flush := func() {
		begins := strings.Trim(s[:start], " \"'(") == ""
		label := strings.HasPrefix(s[end:], ":") || caps == 1 && begins && !answer
		if caps >= 1 && !label && len(out) < maxNames {
			out = append(out, name{s[start:end], caps == 1, begins && caps > 1})
		}
		caps = 0
	}
	last := 0
	for _, m := range word.FindAllStringIndex(s, -1) {
		token := strings.TrimSuffix(strings.TrimRight(s[m[0]:m[1]], ".-'"), "'s")
		gap := s[last:m[0]]
		if caps > 0 && strings.TrimLeft(gap, " ") != "" {
			flush()
		}
		switch {
		case len(token) > 1 && unicode.IsUpper(firstRune(token)) && !hasDigit(token) &&
			!value.IsCalendarWord(token) && !isStopWord(strings.ToLower(token)):
			if caps == 0 {
				start = m[0]
			}
			caps++
			end = m[0] + len(token)
		case caps > 0 && inClass("particle", token):
		default:
			flush()
		}
		last = m[1]
		if text := s[m[0]:m[1]]; strings.HasSuffix(text, ".") && len(token) > 3 || strings.HasSuffix(text, "'s") {
			flush()
		}
	}
	flush()
	return out
}

func hasDigit(s string) bool { return strings.IndexFunc(s, unicode.IsDigit) >= 0 }

// lacks returns the words of a name, and the positions of the words that no source has in any form. A source
// may have a title or a first name at another place, and may abbreviate the whole name.
func (a *audit) lacks(n name, sources []*source) (w words, missing []int) {
	w = fold(strings.TrimSuffix(strings.TrimSuffix(n.text, "'s"), "'"))
	if len(w.tokens) == 0 || inClass("feast", n.text) ||
		slices.ContainsFunc(sources, func(s *source) bool { return s.words.holds(w) }) {
		return w, nil
	}
	initials := ""
	for i, token := range w.tokens {
		if inClass("particle", token) || inClass("title", token) || i > 0 && inClass("title", w.tokens[i-1]) &&
			value.IsNumberWord(token) ||
			len(token) == 1 && len(w.tokens) > 1 {
			continue
		}
		initials += token[:1]
		if !(i == 0 && n.begins) && !slices.ContainsFunc(sources, func(s *source) bool { return a.hasWord(s, token) }) {
			missing = append(missing, i)
		}
	}
	if slices.ContainsFunc(sources, func(s *source) bool {
		return len(initials) > 1 && s.stems[initials] || holdsAlias(s, strings.Join(w.tokens, " "))
	}) {
		return w, nil
	}
	return w, missing
}

// replaces reports whether the sources of a claim have another name in the place of a missing name. The other
// name is next to a part of the name that the sources have (Charles for Thomas before Darwin), or anywhere in
// the sentence that matches the claim best.
func (a *audit) replaces(c *claim, w words, missing []int) bool {
	kept := false
	for _, m := range missing {
		for _, side := range []int{-1, 1} {
			at := w.beside(m, side)
			if at < 0 || slices.Contains(missing, at) || inClass("title", w.tokens[at]) {
				continue
			}
			kept = true
			if slices.ContainsFunc(c.sources, func(s *source) bool {
				return a.spend(len(s.words.tokens)) && s.words.hasOther(w.tokens[at], -side, c)
			}) {
				return true
			}
		}
	}
	return !kept && a.otherName(c, w)
}

// beside returns the position of the next word of the same name on one side, without particles. It returns -1
// at the end of the name.
func (w words) beside(at, side int) int {
	for {
		if side > 0 && (at+1 >= len(w.tokens) || !w.joins[at+1]) || side < 0 && !w.joins[at] {
			return -1
		}
		if at += side; !inClass("particle", w.tokens[at]) {
			return at
		}
	}
}

// hasOther reports whether a source has, directly next to a word, a name that the claim does not have.
func (w words) hasOther(token string, side int, c *claim) bool {
	for i, t := range w.tokens {
		if t != token {
			continue
		}
		if at := w.beside(i, side); at >= 0 && w.isName(at) && !slices.Contains(c.words.tokens, w.tokens[at]) {
			return true
		}
	}
	return false
}

// isName reports whether a word is written like a name.
func (w words) isName(at int) bool {
	t := w.tokens[at]
	return w.upper[at] && len(t) > 1 && !isStopWord(t) && !inClass("title", t) && !value.IsCalendarWord(t)
}

// otherName finds the sentence in the sources that matches a claim best. It reports whether this sentence has a
// name that the claim does not have. The sentence must have most of the claim's words; the words of the name
// itself are not counted.
func (a *audit) otherName(c *claim, name words) bool {
	stems, all := map[string]bool{}, 0
	for _, t := range content(c.words) {
		stems[t] = true
		if !slices.ContainsFunc(name.tokens, func(n string) bool { return stem(n) == t }) {
			all++
		}
	}
	var best words
	most := enoughMatch * float64(all)
	for _, s := range c.sources {
		if !a.spend(len(s.words.tokens)) {
			break
		}
		for _, w := range s.sentences() {
			shared := 0.0
			for _, t := range w.content {
				if stems[t] {
					shared++
				}
			}
			if shared > most {
				best, most = w.words, shared
			}
		}
	}
	for i, t := range best.tokens {
		if i > 0 && best.isName(i) && !stems[stem(t)] {
			return true
		}
	}
	return false
}

// enoughMatch is the share of a claim's words that a sentence must have, so that it counts as saying the same
// as the claim.
const enoughMatch = 0.75

// answerNames returns the names in an answer line. Short forms and symbols (W, GSI) are not names, and neither
// are words that any answer may have.
func answerNames(answer string) []string {
	out := katakana.FindAllString(answer, maxNames)
	for _, n := range capitalised(answer, true) {
		plain := func(w string) bool {
			w = strings.ToLower(strings.TrimRight(w, ".,"))
			return inClass("plain", w) || value.IsNumberWord(w)
		}
		words := strings.Fields(n.text)
		symbol := len(words) == 1 && (utf8.RuneCountInString(n.text) < 3 || strings.ToUpper(n.text) == n.text)
		if !symbol && slices.ContainsFunc(words, func(w string) bool { return !plain(w) }) {
			out = append(out, n.text)
		}
	}
	return out
}

// checkAnswerNames applies C6 to the answer line: a name that no cited document has is an error.
func (a *audit) checkAnswerNames(c *claim) {
	if len(a.allCited) == 0 {
		return // C1 or C9 has reported the problem
	}
	for _, text := range c.answers {
		n := name{text: text}
		w, missing := a.lacks(n, c.grounds)
		whole := len(missing) == len(w.tokens)
		if len(missing) == 0 || !whole && !a.replaces(c, w, missing) || a.otherLanguage(c, text) {
			continue
		}
		hint := a.elsewhere(c, func(s *source) bool {
			_, missing := a.lacks(n, []*source{s})
			return len(missing) == 0
		})
		a.problem(c, CheckName, Error, "the answer "+quoted(text)+" is not "+placesOf(c)+hint)
		return
	}
	a.checkNames(c)
}

// otherLanguage reports whether a message is in another language or script than its sources. Its names may then
// be translated: an English document has neither Donau nor Wien.
func (a *audit) otherLanguage(c *claim, name string) bool {
	const enough, shared = 5, 0.15
	has := func(token string) bool {
		return slices.ContainsFunc(c.sources, func(s *source) bool { return s.stems[stem(token)] })
	}
	found := 0
	for _, token := range a.tokens {
		if has(token) {
			found++
		}
	}
	if n := len(a.tokens); n >= enough && float64(found) < shared*float64(n) {
		return true
	}
	for _, script := range []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Katakana} {
		if unicode.Is(script, firstRune(name)) {
			return !slices.ContainsFunc(c.sources, func(s *source) bool {
				return strings.IndexFunc(s.text, func(r rune) bool { return unicode.Is(script, r) }) >= 0
			})
		}
	}
	return false
}
