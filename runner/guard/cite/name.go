package cite

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// The bounds of names: how many of a claim are looked up, and the capitalised words of
// one. More of them in a row are a headline.
const (
	maxNames     = 200
	maxNameWords = 12
)

var (
	word       = regexp.MustCompile(`[\p{L}\p{M}][\p{L}\p{M}\p{Nd}'.-]*`)
	identifier = regexp.MustCompile("`([A-Za-z_][A-Za-z0-9_.:]{2,80}(?:\\(\\))?)`")
	katakana   = regexp.MustCompile(`[\p{Katakana}ー]{3,}(?:・[\p{Katakana}ー]+)*`)
	wideTitle  = regexp.MustCompile(`《([^《》]{1,200})》`)
)

// names lists the names of a claim, given as written, as prose, and folded without its
// dates: spans of two or more capitalised words, short quotations, identifiers in code,
// katakana and titles in 《》.
func names(written, prose, undated string) []string {
	out := capitalised(undated)
	for _, q := range quotations(prose) {
		if f := fold(q); !isQuotation(f) && len(f.tokens) > 0 && !hasDigit(q) {
			out = append(out, q)
		}
	}
	for _, m := range identifier.FindAllStringSubmatch(written, maxNames) {
		if isIdentifier(m[1]) {
			out = append(out, m[1])
		}
	}
	out = append(out, katakana.FindAllString(undated, maxNames)...)
	for _, m := range wideTitle.FindAllStringSubmatch(undated, maxNames) {
		out = append(out, m[1])
	}
	return out[:min(len(out), maxNames)]
}

// isIdentifier tells camelCase, snake_case and calls from a plain word in code marks.
func isIdentifier(s string) bool {
	if strings.ContainsAny(s, "_.:(") {
		return !isID(s)
	}
	return strings.IndexFunc(s[1:], unicode.IsUpper) >= 0 && strings.IndexFunc(s, unicode.IsLower) >= 0
}

// capitalised finds spans of capitalised words, small words such as "of" within them. A
// span in front of a colon is a label.
func capitalised(s string) []string {
	var out []string
	start, end, caps := 0, 0, 0
	flush := func() {
		if caps >= 2 && caps <= maxNameWords && !strings.HasPrefix(s[end:], ":") && len(out) < maxNames {
			out = append(out, s[start:end])
		}
		caps = 0
	}
	last := 0
	for _, m := range word.FindAllStringIndex(s, -1) {
		token := strings.TrimRight(s[m[0]:m[1]], ".-'")
		gap := s[last:m[0]]
		if caps > 0 && strings.TrimLeft(gap, " ") != "" {
			flush()
		}
		switch {
		case isCapital(token) && !value.IsCalendarWord(token) && !isStopWord(strings.ToLower(token)):
			if caps == 0 {
				start = m[0]
			}
			caps++
			end = m[0] + len(token)
		case caps > 0 && isParticle(token):
		default:
			flush()
		}
		last = m[1]
		if strings.HasSuffix(s[m[0]:m[1]], ".") && len(token) > 3 {
			flush()
		}
	}
	flush()
	return out
}

func isCapital(token string) bool { return unicode.IsUpper(firstRune(token)) && len(token) > 1 }

func hasDigit(s string) bool { return strings.IndexFunc(s, unicode.IsDigit) >= 0 }

// backsName reports whether the sources hold a name: its words one after the other, or
// each of its capitalised words somewhere, since a title or a first name may stand apart.
// The first word of a sentence has its capital anyway and may be missing. A name may be
// abbreviated in the source.
func backsName(name string, sources []*source, begins bool) bool {
	w := fold(strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "'"))
	if len(w.tokens) == 0 || slices.ContainsFunc(sources, func(s *source) bool { return s.words.holds(w) }) {
		return true
	}
	initials, missing := "", 0
	for i, token := range w.tokens {
		if isParticle(token) {
			continue
		}
		initials += token[:1]
		if !slices.ContainsFunc(sources, func(s *source) bool { return s.stems[stem(token)] || holdsAlias(s, token) }) && !(i == 0 && begins) {
			missing++
		}
	}
	if missing == 0 && !text.IsUnspaced(firstRune(w.tokens[0])) {
		return true
	}
	return len(initials) > 1 && slices.ContainsFunc(sources, func(s *source) bool { return s.stems[initials] || holdsAlias(s, strings.Join(w.tokens, " ")) })
}

// holdsAlias reports whether a source has a name of the same group.
func holdsAlias(s *source, name string) bool {
	return slices.ContainsFunc(knowledge().aliases[name], func(other string) bool { return s.words.holds(fold(other)) })
}
