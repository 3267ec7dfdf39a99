package answer

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// lead returns the length of the words at the beginning of a folded text, up to and including a phrase of the
// role, if these words have no meaning of their own. It is -1 if there is no such phrase.
func (m *final) lead(folded, role string) int {
	for at := 0; at < len(folded); {
		rest := strings.TrimLeft(folded[at:], " ")
		at = len(folded) - len(rest)
		if n := vocabulary().begins(role, rest); n > 0 {
			return at + n
		}
		word, _ := text.FirstWord(rest)
		isAdverb := strings.HasSuffix(word, "ly")
		if word == "" || !isAdverb && !vocabulary().isAny(word, "copula", "finite", "located") {
			return -1
		}
		at += len(word)
	}
	return -1
}

// clockBehind reads the time of day in the first clause of a text, if there is exactly one.
func (m *final) clockBehind(s string) string {
	folded := m.fold(s)
	start := m.lead(folded.String, "clock of")
	if start < 0 {
		return ""
	}
	end := m.words().clauseEnd(folded.String, start, "boundary")
	if start, _ := vocabulary().next("and", folded.String[:end], start); start >= 0 {
		end = start
	}
	if end <= start || m.goesElsewhere(folded.String[end:]) {
		return ""
	}
	from, to := folded.Source(start, end)
	clocks := value.FindClocks(s[from:to], maxValues)
	if len(clocks) != 1 || strings.Trim(s[from:from+clocks[0].Start], " ") != "" {
		return ""
	}
	return clocks[0].Of(s[from:to])
}

// goesElsewhere reports whether the rest of a folded sentence offers another value, or takes back the value
// before it.
func (m *final) goesElsewhere(rest string) bool {
	rest = strings.TrimLeft(rest, " ,;")
	return m.words().begins("or", rest) > 0 || m.words().contains("contrast", rest)
}

// maxPlaceWords is the maximum number of words of a place that is not a name: "the old town".
const maxPlaceWords = 5

// placeBehind reads the place in the first clause of a text. This is the name after in, at or near. If there is
// no name, it is the few words after "the" in this position. Phrases that are not places are skipped: "in 1863
// in Oslo", "at night in Rome".
func (m *final) placeBehind(s string) string {
	for range 2 {
		folded := m.fold(s)
		start := m.lead(folded.String, "place of")
		if start < 0 || start >= len(folded.String) {
			return ""
		}
		end := m.words().clauseEnd(folded.String, start, "reason")
		for end < len(folded.String) && folded.String[end] == '.' && text.IsAbbreviation(folded.String[start:end], 'A') {
			end = m.words().clauseEnd(folded.String, end+1, "reason") // St. Moritz
		}
		if end <= start {
			return ""
		}
		from, to := folded.Source(start, end)
		clause := strings.TrimSpace(s[from:to])
		word, _, _ := strings.Cut(clause, " ")
		plain := strings.TrimPrefix(clause, "the ")
		name := leadingName(plain)
		isTime := value.IsCalendarWord(word) || value.IsCalendarWord(strings.TrimSuffix(word, "s"))
		if isTime || name == "" && plain == clause {
			s = strings.TrimPrefix(clause, word)
			continue
		}
		behind := strings.TrimLeft(plain[len(name):], " ")
		if m.goesElsewhere(text.Fold(behind)) || m.goesElsewhere(folded.String[end:]) ||
			name != "" && vocabulary().begins("and", behind) > 0 {
			return ""
		}
		if name == "" && len(strings.Fields(clause)) <= maxPlaceWords && !isSentence(clause) {
			name = cutStops(clause)
		}
		return name
	}
	return ""
}
