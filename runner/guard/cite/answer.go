package cite

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/value"
)

// statements is what the sentences of a message say, for its answer line.
type statements struct {
	words []string        // all words, folded
	plain map[string]bool // words written small: they are no names
	names []string        // of supported sentences in which none is missing
}

func (t *statements) add(c *claim, named bool) {
	if t.plain == nil {
		t.plain = map[string]bool{}
	}
	t.words = append(t.words, c.words.tokens...)
	for _, w := range word.FindAllString(c.prose, -1) {
		if unicode.IsLower(firstRune(w)) {
			t.plain[w] = true
		}
	}
	if c.out.Supported && named {
		t.names = append(t.names, c.names...)
	}
}

// parts is an answer line taken apart at its commas and conjunctions.
type parts struct {
	names []string // those that are names and nothing else
	alone bool     // whether the answer is one name
}

var (
	answerLead = regexp.MustCompile(`(?i)^(?:(?:the |my |final )*answer(?: is|:)|it(?: is| was|'s)|that(?: is| was)|they (?:are|were)) +`)
	answerJoin = regexp.MustCompile(`[,;/&、，；]|\s(?:and|or|und|oder|et|ou|y|e|o)\s`)
	aside      = regexp.MustCompile(`\([^()]*\)`)
)

const aroundAnswer = " \t\r.!;:\"'“”‘’。"

func readParts(answer string) parts {
	answer = strings.Trim(aside.ReplaceAllString(answer, " "), aroundAnswer)
	answer = answerLead.ReplaceAllString(answer, "")
	var p parts
	n := 0
	for _, part := range answerJoin.Split(answer, maxNames) {
		part = strings.Trim(part, aroundAnswer)
		for _, article := range []string{"The ", "the "} {
			part = strings.TrimPrefix(part, article)
		}
		if part == "" {
			continue
		}
		n++
		if isWholeName(part) {
			p.names = append(p.names, part)
		}
	}
	p.alone = n == 1 && len(p.names) == 1
	return p
}

// isWholeName tells a name from another answer: all its words are capitalised, and it is
// neither a short form or symbol (W, GSI) nor of words that any answer may use.
func isWholeName(part string) bool {
	if katakana.FindString(part) == part {
		return true
	}
	words := strings.Fields(part)
	if len(words) > maxNameWords || len(words) == 0 || unicode.IsDigit(firstRune(part)) {
		return false
	}
	for i, w := range words {
		w = strings.TrimRight(w, ".,")
		small := strings.ToLower(w)
		switch {
		case i > 0 && isParticle(w), i > 0 && hasDigit(w):
		case !unicode.IsUpper(firstRune(w)), isStopWord(small), knowledge().class["plain"][small], value.IsCalendarWord(w), value.IsNumberWord(small):
			return false
		}
	}
	return len(words) > 1 || utf8.RuneCountInString(part) > 2 && !hasDigit(part) && strings.ToUpper(part) != part
}

// checkAnswerNames is C6 of the answer line. A name that shares a word with the sources
// is as good as missing once; one of which they have nothing, and which is all that the
// answer says, is an error by itself.
func (a *audit) checkAnswerNames(c *claim) {
	if len(a.allCited) == 0 {
		return // C1 or C9 has said so
	}
	vouched := &source{text: strings.Join(a.statements.names, " ; ")}
	vouched.tokenise()
	sources := append([]*source{a.query, vouched}, c.sources...)
	var missing []string
	for _, name := range c.names {
		if !backsName(name, sources, false) {
			missing = append(missing, name)
		}
	}
	for _, name := range c.parts.names[:min(len(c.parts.names), maxKin)] {
		if len(missing) >= maxMissing {
			break
		}
		listed := !c.parts.alone && (strings.Contains(name, " ") || slices.Contains(missing, name))
		if listed || a.statements.plain[strings.ToLower(name)] || backsName(name, sources, false) || hasPart(name, sources) {
			continue
		}
		missing = append(missing, name)
		if c.parts.alone && !a.otherLanguage(c, name) {
			a.problem(c, CheckName, Error, "the answer "+quoted(name)+" is not "+in(c)+
				a.elsewhere(c, func(s *source) bool { return backsName(name, []*source{s}, false) }))
			return
		}
	}
	a.missing(c, missing)
}

// maxKin bounds the names of an answer for which other spellings are looked up, and the
// characters of a word.
const maxKin = 40

// hasPart reports whether a source has a word of a name, inflected or spelled otherwise.
func hasPart(name string, sources []*source) bool {
	tokens := fold(name).tokens
	for _, token := range tokens[:min(len(tokens), maxNameWords)] {
		if isParticle(token) || hasDigit(token) {
			continue
		}
		for _, s := range sources {
			if s.stems[stem(token)] || holdsAlias(s, token) || hasKin(s, token) {
				return true
			}
		}
	}
	return false
}

// hasKin finds Norwegian by Norway, and Mueller by Muller.
func hasKin(s *source, token string) bool {
	const root = 4
	n := utf8.RuneCountInString(token)
	if n > maxKin {
		return false
	}
	for t := range s.stems {
		m := utf8.RuneCountInString(t)
		if same := samePrefix(token, t); same >= root && 2*same >= min(n, m) {
			return true
		}
		if n > root && m > root && n-m <= 2 && m-n <= 2 && 5*edits(token, t) <= n {
			return true
		}
	}
	return false
}

// samePrefix counts the characters with which both begin.
func samePrefix(a, b string) int {
	p, q := []rune(a), []rune(b)
	n := 0
	for n < len(p) && n < len(q) && p[n] == q[n] {
		n++
	}
	return n
}

// otherLanguage reports whether a message is written in another language or script than
// what it cites. Names are translated, then: Donau and Wien are in no English document.
func (a *audit) otherLanguage(c *claim, name string) bool {
	const enough, shared = 5, 0.15
	has := func(token string) bool {
		return slices.ContainsFunc(c.sources, func(s *source) bool { return s.stems[stem(token)] })
	}
	found := 0
	for _, token := range a.statements.words {
		if has(token) {
			found++
		}
	}
	if n := len(a.statements.words); n >= enough && float64(found) < shared*float64(n) {
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
