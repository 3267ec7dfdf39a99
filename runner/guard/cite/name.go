package cite

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
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

// names lists the names of a claim: spans of two or more capitalised words, short
// quotations, identifiers in code, katakana and titles in 《》.
func names(raw, text string) []string {
	out := capitalised(text)
	for _, q := range quotations(text) {
		if f := fold(q); !isQuotation(f) && len(f.tokens) > 0 && !hasDigit(q) {
			out = append(out, q)
		}
	}
	for _, m := range identifier.FindAllStringSubmatch(raw, maxNames) {
		if isIdentifier(m[1]) {
			out = append(out, m[1])
		}
	}
	out = append(out, katakana.FindAllString(text, maxNames)...)
	for _, m := range wideTitle.FindAllStringSubmatch(text, maxNames) {
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
func capitalised(text string) []string {
	var out []string
	start, end, caps := 0, 0, 0
	first := true
	flush := func() {
		if caps >= 2 && caps <= maxNameWords && !strings.HasPrefix(text[end:], ":") && len(out) < maxNames {
			out = append(out, text[start:end])
		}
		caps = 0
	}
	last := 0
	for _, m := range word.FindAllStringIndex(text, -1) {
		token := strings.TrimRight(text[m[0]:m[1]], ".-'")
		gap := text[last:m[0]]
		if caps > 0 && strings.TrimLeft(gap, " ") != "" {
			flush()
		}
		switch {
		case isCapital(token) && !(first && isStopWord(strings.ToLower(token))) && !isCalendar(token) && !isStopWord(strings.ToLower(token)):
			if caps == 0 {
				start = m[0]
			}
			caps++
			end = m[0] + len(token)
		case caps > 0 && isParticle(token):
		default:
			flush()
		}
		first = false
		last = m[1]
		if strings.HasSuffix(text[m[0]:m[1]], ".") && len(token) > 3 {
			flush()
		}
	}
	flush()
	return out
}

func isCapital(token string) bool {
	return unicode.IsUpper(firstRune(token)) && len(token) > 1
}

// isParticle knows the small words within names.
func isParticle(token string) bool {
	switch token {
	case "of", "the", "de", "la", "van", "von", "der", "den", "di", "da", "del", "della", "du", "des", "le", "al", "bin", "ibn", "y", "e", "dos", "das":
		return true
	}
	return false
}

func isCalendar(token string) bool {
	switch token {
	case "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "AD", "BC", "BCE", "CE":
		return true
	}
	return monthNumber(token) > 0 && len(monthName(token)) == len(token)
}

// monthName is the token if it is the whole name of a month or its short form.
func monthName(token string) string {
	switch token {
	case "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
		"Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec":
		return token
	}
	return ""
}

func hasDigit(s string) bool { return strings.IndexFunc(s, unicode.IsDigit) >= 0 }

// backsName reports whether the sources hold a name: its words one after the other, or
// each of its capitalised words somewhere, since a title or a first name may stand apart.
// The first word of a sentence has its capital anyway and may be missing. A name may be
// abbreviated in the source.
func backsName(name string, sources []*source, begins bool) bool {
	f := fold(strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "'"))
	if len(f.tokens) == 0 || slices.ContainsFunc(sources, func(s *source) bool { return s.folded.holds(f) }) {
		return true
	}
	initials, missing := "", 0
	for i, token := range f.tokens {
		if isParticle(token) {
			continue
		}
		initials += token[:1]
		if !slices.ContainsFunc(sources, func(s *source) bool { return s.tokens[stem(token)] || holdsAlias(s, token) }) && !(i == 0 && begins) {
			missing++
		}
	}
	if missing == 0 && !isUnspaced(firstRune(f.tokens[0])) {
		return true
	}
	return len(initials) > 1 && slices.ContainsFunc(sources, func(s *source) bool { return s.tokens[initials] || holdsAlias(s, strings.Join(f.tokens, " ")) })
}

// aliases are names that a source may give in another form; all are folded.
var aliases = [...][]string{
	{"united states", "united states of america", "us", "usa", "u s", "u s a", "america"},
	{"united kingdom", "uk", "u k", "great britain", "britain"},
	{"european union", "eu"},
	{"united nations", "un"},
	{"soviet union", "ussr", "u s s r"},
	{"new york", "new york city", "nyc"},
	{"world war ii", "world war 2", "world war two", "second world war", "wwii"},
	{"world war i", "world war 1", "world war one", "first world war", "wwi"},
	// What belongs to a country and does not begin as the country does.
	{"united states", "america", "american", "usa"},
	{"united kingdom", "british", "britain"},
	{"netherlands", "holland", "dutch"},
	{"denmark", "danish", "dane"},
	{"france", "french"},
	{"wales", "welsh"},
	{"ireland", "irish"},
	{"poland", "polish", "pole"},
	{"finland", "finnish"},
	{"spain", "spanish"},
	{"england", "english"},
	{"scotland", "scottish", "scots"},
	{"switzerland", "swiss"},
	{"greece", "greek"},
	{"germany", "german", "deutschland"},
	{"turkey", "turkish", "turkiye"},
	{"philippines", "filipino", "philippine"},
}

// holdsAlias reports whether a source holds a name of the same group.
func holdsAlias(s *source, name string) bool {
	for _, group := range aliases {
		if !slices.Contains(group, name) {
			continue
		}
		for _, other := range group {
			if strings.Contains(s.folded.joined, " "+other+" ") {
				return true
			}
		}
	}
	return false
}
