package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/trace"
)

// maxSentenceBytes is the maximum length of a sentence that is checked for a refusal.
const maxSentenceBytes = 600

// outcomeOf returns refused or abstained if a text at the place of the answer is a refusal or an abstention.
// Otherwise it returns "".
func (m *final) outcomeOf(short string) trace.Outcome {
	folded := text.Fold(short)
	if m.isBare(folded) || m.isBare(text.Fold(m.withoutLead(short))) {
		return trace.Abstained
	}
	if m.as == Boolean {
		if _, err := Normalize(short, Boolean, Options{}); err == nil {
			return ""
		}
	}
	if m.isName() && isTitle(short) {
		return "" // a title, such as "You Don't Say"
	}
	return cmp.Or(m.intentOf(folded), m.unstated(folded))
}

// declared recognises [ABSTAIN] and [REFUSE], and the bare words in capitals.
func declared(content string) trace.Outcome {
	if len(content) > maxMarkerBytes {
		content = text.Head(content, maxMarkerBytes)
	}
	folded := text.Fold(strings.TrimLeft(content, decoration+"\"'"))
	for word, kind := range map[string]trace.Outcome{"abstain": trace.Abstained, "refuse": trace.Refused} {
		if strings.HasPrefix(strings.ReplaceAll(folded, `\`, ""), "["+word+"]") ||
			strings.Trim(content, " \t.!*_`\"'") == strings.ToUpper(word) {
			return kind
		}
	}
	return ""
}

// intentOf returns the outcome of a folded sentence in which the writer refuses or abstains, and "" for other
// sentences. The sentence must begin with the writer's own refusal, so that quoted and reported refusals do not
// count. It must not continue with the answer.
func (m *final) intentOf(sentence string) trace.Outcome {
	if len(sentence) > maxSentenceBytes {
		return ""
	}
	if kind := m.intentAt(sentence); kind != "" {
		return kind
	}
	return m.intentAt(m.stripOpeners(sentence))
}

// intentAt returns the outcome of a refusal or an abstention at the beginning of a folded text.
func (m *final) intentAt(s string) trace.Outcome {
	if m.words().language != "en" && m.words().contains("declined", s) && !m.givesAnswer(s) {
		return trace.Refused
	}
	w := m.words()
	if w.begins("refuse", s)+w.begins("unable", s)+w.begins("abstain", s)+w.begins("failed", s) == 0 {
		return ""
	}
	switch at := w.expression("intents", intents).FindStringSubmatchIndex(s); {
	case at == nil || m.givesAnswer(s[at[1]:]):
		return ""
	case at[2] >= 0:
		return trace.Refused
	}
	return trace.Abstained
}

// intents returns an expression that matches a refusal or an abstention at the beginning of a sentence. Its
// only group matches refusals. "I can't help" is a refusal, also at the end of a sentence. "I can't find" is
// not a refusal. Reports of a failed search, or of a thing that is impossible, are never a refusal, and neither
// is "I can't help myself".
func intents(t *table) string {
	any := t.pattern
	const ends = ` ?(?:$|[^\pL\pM\p{Nd} ])`
	const word = `(?:$|[^\pL\pM\p{Nd}]|\p{Han}|\p{Hiragana}|\p{Hangul})`
	adverb := `\b(?: ` + any("adverb") + `\b)?`
	refuses := any("refuse") + word + `|` + any("unable") + adverb +
		`(?:` + ends + `| ` + any("refusing") + `\b| help(?:` + ends + `| ` + any("helped") + `\b))`
	abstains := any("abstain") + word + `|` + any("unable", "failed") + adverb + ` ` + any("abstaining") + `\b`
	return `^(?:(` + refuses + `)|` + abstains + `)`
}

// unstated returns abstained if a folded sentence says that the subject of the question is not known, or that
// the sources do not state it: "Her date of birth is not recorded", "The registers do not mention it". It
// ignores concessive clauses, and sentences that continue with the answer.
func (m *final) unstated(sentence string) trace.Outcome {
	if len(sentence) > maxSentenceBytes {
		return ""
	}
	if !m.mayDeny(sentence) {
		return ""
	}
	main := sentence
	if m.words().begins("concession", main) > 0 {
		_, main, _ = strings.Cut(main, ",")
	}
	at := m.words().expression("unstated", unstatedForms).FindStringIndex(main)
	if at == nil || supposes(main[:at[0]]) || m.leadsOn(main[at[1]:]) || endsIn(strings.TrimSpace(main), "?？") {
		return ""
	}
	return trace.Abstained
}

// leadsOn reports whether the rest of a sentence continues with the answer. It does if, after a contrast such
// as "but", it has a word of the question, or only a pronoun and a verb before the answer.
func (m *final) leadsOn(rest string) bool {
	if !m.givesAnswer(rest) {
		return false
	}
	at := contrast().FindStringIndex(rest)
	behind := strings.TrimLeft(rest[at[1]:], " ,")
	if len(m.question().meaning) == 0 || m.repeats(behind) > 0 {
		return true
	}
	n := m.words().begins("lead", behind)
	values := m.values(behind)
	return n > 0 && (len(values) == 0 && !m.as.Numeric() && m.as != Date || len(values) > 0 && values[0].Start <= n+1)
}

// mayDeny reports whether a folded sentence can match one of unstatedForms: it must have a negation, or a
// phrase of a table that all of these forms need.
func (m *final) mayDeny(s string) bool {
	hasNegation := func(part string) bool { return strings.Contains(s, part) }
	return slices.ContainsFunc([]string{"not ", "n't ", " no ", "neither ", "none of "}, hasNegation) ||
		strings.HasPrefix(s, "no") ||
		m.words().contains("unstated", s)
}

// unstatedForms returns an expression that matches the ways to say that something is not known.
func unstatedForms(t *table) string {
	any := t.pattern
	return `(?:(?:^|[,;:] (?:but |so |and )?)(?:no|none of the|neither of the) ` + any("nothing of") + `s?` +
		`|'(?:s|re) not(?: \pL+ly| yet)? ` + any("participle of unstated") +
		`|(?:^|[^\pL\pM]|\p{Han}|\p{Hiragana}|\p{Katakana}|\p{Hangul})(?:` + any("unstated") +
		`|(?:is|are|was|were|has been|have been|be)(?: not|n't)(?: \pL+ly| yet| currently| anywhere)? ` +
		any("participle of unstated") +
		`|(?:isn't|aren't|wasn't|weren't|hasn't been|haven't been)(?: \pL+ly)? ` + any("participle of unstated") +
		`|(?:does|do|did)(?: not|n't)(?: \pL+ly)? ` + any("verb of unsaid") +
		`|there (?:is|was|are|were) (?:no|not any) ` + any("nothing of") + `s?` +
		`|(?:cannot|can't|can not|could not|couldn't) be ` + any("participle of unstated") +
		`))(?:$|[^\pL\pM\p{Nd}]|\p{Han}|\p{Hiragana}|\p{Hangul})`
}

// intent returns the outcome of the message: an abstention or a refusal in its first or last sentence. Other
// sentences do not count, because they may report a failed search before the answer. In the last sentence every
// clause is checked: "one has 28, the other 31, so I cannot tell".
func (m *final) intent() trace.Outcome {
	first, at := m.firstStatement()
	last, _ := m.lastStatement()
	if first == "" {
		first = last
	}
	if first == "" {
		return ""
	}
	if kind := cmp.Or(m.intentOf(first), m.intentOf(last)); kind != "" {
		return kind
	}
	if len(last) <= maxSentenceBytes {
		for i := 1; i < len(last); i++ {
			if strings.IndexByte(",;:", last[i-1]) >= 0 && m.intentOf(strings.TrimSpace(last[i:])) == trace.Abstained {
				return trace.Abstained
			}
		}
	}
	if m.as == Boolean && len(m.firstTruth()) > 0 {
		return ""
	}
	isUnstated := m.unstated(last) != "" && !m.statesBefore(last)
	if !isUnstated && m.unstated(first) != "" && !m.statesBefore(first) {
		later := m.sentences()[min(at+1, len(m.sentences())):]
		isUnstated = !m.answersLater(first, later) &&
			!slices.ContainsFunc(later, func(s sentence) bool {
				return contrast().MatchString(text.Head(s.folded().String, maxWordsBytes))
			})
	}
	if !isUnstated || m.isName() && m.newInMessage() != "" {
		return ""
	}
	return trace.Abstained
}

// statesBefore reports whether a folded sentence states a number and then says that something is not known.
func (m *final) statesBefore(sentence string) bool {
	at := m.words().expression("unstated", unstatedForms).FindStringIndex(sentence)
	if at == nil {
		return false
	}
	if clause := clauseStart(sentence, at[0]); clause > 0 && m.repeats(sentence[clause:at[0]]) > 0 {
		return false // "...; when it was opened is not known"
	}
	return (m.as.Numeric() || m.as == Date) && len(m.values(sentence[:at[0]])) > 0
}

// answersLater reports whether one of the later sentences repeats more words of the question than the first
// sentence does.
func (m *final) answersLater(first string, later []sentence) bool {
	n := max(m.repeats(first), 1)
	return slices.ContainsFunc(later, func(s sentence) bool { return m.repeats(s.folded().String) > n })
}

// stripOpeners removes apologies and similar phrases, at most four, from the beginning of a sentence.
func (m *final) stripOpeners(s string) string {
	for range 4 {
		n := m.words().begins("opener", s)
		if n == 0 || s[:n] == "no" && strings.HasPrefix(s[n:], " ") { // Spanish: no puedo
			break
		}
		s = strings.TrimLeft(s[n:], " ,;:-.!、。，！،؛")
	}
	return s
}

// contrast matches a word after which an answer may follow although the text before has none, such as "but".
var contrast = phrases("contrast")

// givesAnswer reports whether an answer follows after a word of contrast. In "but it was 1969" an answer
// follows; in "but I can tell you more about it" none does.
func (m *final) givesAnswer(s string) bool {
	for _, at := range contrast().FindAllStringIndex(s, -1) {
		word, _ := text.FirstWord(strings.TrimLeft(s[at[1]:], " ,"))
		hedge := vocabulary().begins("hedge", strings.TrimLeft(s[at[1]:], " ,")) // "but I think there are 48"
		if word != "" && (!vocabulary().has("offer", word) || hedge > 0) {
			return true
		}
	}
	return false
}
