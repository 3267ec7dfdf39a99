package answer

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/text"
)

// maxNameWords is the most words with a meaning of their own in a name that ends in a full
// stop and is partly in small letters: none of 578 recorded gold answers has more.
const maxNameWords = 4

// isSentence reports whether a line says something: it has a finite verb in small letters, which in names have
// capitals (Life Is Beautiful). Before a full stop a participle that no article precedes, or many words, are enough.
func isSentence(s string) bool {
	w := vocabulary()
	bare := strings.TrimSuffix(s, ".")
	stop := bare != s && !text.IsAbbreviation(bare, 0)
	words := strings.Fields(bare)
	small, meaning := false, 0
	for i, word := range words {
		word = strings.Trim(word, ",\"'“”()*_")
		isVerb := w.isAny(word, "copula", "finite", "past") || strings.HasSuffix(word, "n't") && word == strings.ToLower(word)
		if i > 0 && (stop || i+1 < len(words)) && isVerb ||
			i > 0 && stop && isParticiple(word) && !w.has("article", strings.ToLower(words[i-1])) {
			return true
		}
		if !w.has("small", strings.ToLower(word)) && !w.has("particle", strings.ToLower(word)) {
			meaning++
			initial, _ := utf8.DecodeRuneInString(word)
			small = small || i > 0 && unicode.IsLower(initial)
		}
	}
	return stop && small && meaning > maxNameWords
}

// isParticiple knows words such as written and directed, which are also past tenses.
func isParticiple(word string) bool {
	stem, regular := strings.CutSuffix(word, "ed")
	return vocabulary().has("participle", word) || regular && len(stem) > 2 && stem == strings.ToLower(stem) &&
		!strings.HasSuffix(stem, "e")
}

// agent reads what follows the copula of a passive: of "written by William Shakespeare" the name, where the question
// asks who did it. Any other participle with a phrase after it is not a name.
func (m *final) agent(rest string) string {
	w := vocabulary()
	words := strings.Fields(rest)
	by := slices.Index(words, "by")
	switch {
	case by > 0 && !w.has("small", words[0]) && isParticiple(words[by-1]):
		if !m.question().agent {
			return ""
		}
		words = words[by+1:]
		if end := slices.IndexFunc(words, func(word string) bool { return w.has("phrase", word) }); end >= 0 {
			words = words[:end]
		}
		return strings.TrimRight(strings.Join(words, " "), stops)
	case len(words) > 1 && isParticiple(words[0]) && w.has("small", words[1]):
		return ""
	}
	return rest
}

// newInMessage returns who did what is asked, as the last sentence says it, or what is new in
// the sentence that repeats most words of the question.
func (m *final) newInMessage() string {
	short, most := "", 0
	for _, at := range slices.Backward(m.sentences()) {
		if !m.question().agent && !m.question().mayShare(at.folded().String) {
			continue
		}
		if name := m.doer(at.Of(m.text)); name != "" {
			return name
		}
		if rest, n := m.joined(at.Of(m.text)); n > most && rest != "" && !m.isPassive(rest) {
			short, most = rest, n
		}
	}
	return short
}

// doer reads who did what the question asks: of "It was first written by William
// Shakespeare" and "William Shakespeare wrote Hamlet" the name, where it asks who wrote Hamlet.
func (m *final) doer(sentence string) string {
	asked := m.question()
	if !asked.agent || supposes(strings.ToLower(sentence)) {
		return ""
	}
	w := vocabulary()
	for _, t := range m.tokens(sentence) {
		done, same := isParticiple(t.Folded), asked.words[t.Folded] && isPast(t.Folded)
		other := w.has("participle", t.Folded) && slices.ContainsFunc(w.rows["past"], func(past string) bool {
			return asked.words[past] && past[0] == t.Folded[0] // wrote, written
		})
		if !same && !other {
			continue
		}
		name, behind := undress(strings.TrimSpace(sentence[:t.Start])), sentence[t.Start:]
		clause := cutClause(behind, apposition())
		by := m.agent(clause)
		switch {
		case done && by != clause:
			return undress(cutStops(by))
		case isTitle(name) && !isSentence(name+" .") && m.repeats(name) == 0 && m.repeats(behind) > 1:
			return name
		}
		return "" // one look a sentence, so that the work stays linear
	}
	return ""
}

// isTitle reports whether all words of a text have capitals, but for those that names have in small letters.
func isTitle(s string) bool {
	words := strings.Fields(s)
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool {
		initial, _ := utf8.DecodeRuneInString(word)
		return !unicode.IsUpper(initial) && !vocabulary().has("particle", word)
	})
}

// joined reads a sentence that joins words of the question to something else by a copula: of "The capital of France
// is Paris." it returns Paris, and how many words it repeats. What it joins may repeat the question too, but fewer of
// its words; and beside three words of the question or more others may stand, half as many.
func (m *final) joined(sentence string) (rest string, repeated int) {
	asked := m.question()
	if len(asked.words) == 0 || !m.words().contains("copula", m.fold(sentence).String) ||
		supposes(strings.ToLower(sentence)) {
		return "", 0
	}
	sentence = strings.TrimLeft(sentence, decoration)
	tokens := m.tokens(sentence)
	// old and fresh are the words of the sentence up to a token that the question has and has not.
	old, fresh := make([]int, len(tokens)+1), make([]int, len(tokens)+1)
	last, done := len(tokens), asked.deed == ""
	for i, t := range tokens {
		old[i+1], fresh[i+1] = old[i], fresh[i]
		if says(t.Folded) && asked.has(t.Folded) {
			old[i+1]++
		} else if says(t.Folded) {
			fresh[i+1]++
		}
	}
	for i, t := range tokens {
		done = done || stem(t.Folded) == stem(asked.deed)
		relative := i > 0 && (tokens[i-1].Folded == "that" || vocabulary().has("interrogative", tokens[i-1].Folded))
		if !m.words().has("copula", text.Fold(sentence[t.Start:t.End])) || relative {
			continue // of the sentence, not of a clause that says which one is meant
		}
		n, behind := old[i], old[last]-old[i]
		more := fresh[last] > fresh[i]
		switch {
		case !done && n > 0 && fresh[i] == 0:
			return "", 0 // what was done is something else than who did it
		case n > asked.auxiliary && fresh[i] == 0 && more, n > 2 && n >= 2*fresh[i] && n > behind && (more || behind > 0):
			rest = sentence[t.End:]
		case fresh[i] > 0 && !more && behind > n:
			rest, n = sentence[:t.Start], behind
		default:
			continue
		}
		rest = undress(m.agent(cutStops(cutClause(strings.TrimSpace(rest), apposition()))))
		folded := text.Fold(rest)
		word, _ := text.FirstWord(folded)
		if vocabulary().has("never", word) || m.words().begins("against", folded) > 0 || m.isBare(folded) ||
			len(strings.Fields(rest)) > maxLineWords || strings.ContainsAny(rest, "\r\n") {
			return "", 0
		}
		return rest, n
	}
	return "", 0
}

// nameIn reads the name of a text in the place of the answer, without the words that announce, explain or deny:
// of "I believe it is Lima, not Cusco, because the atlas says so" the name.
func (m *final) nameIn(s string) string {
	if isSentence(s) {
		place := ""
		if live := m.withoutDenied(s); m.question().where && len(m.question().meaning) > 0 {
			if behind := m.behindVerb(live); behind >= 0 {
				place = m.placeBehind(live[behind:])
			}
		}
		rest, _ := m.joined(s)
		if name := cmp.Or(place, m.doer(s), rest); name != "" {
			return name
		}
	}
	name := s
	if spans := text.Sentences(s); len(spans) > 1 && startsUpper(spans[1].Of(s)) {
		if first := spans[0].Of(s); !isSentence(first) || m.withoutLead(first) != first {
			name = first
		}
	}
	name = m.withoutEnding(m.withoutLead(name))
	name = m.withoutDenied(name)
	name = m.withoutAfterthought(m.cutReason(name))
	if head, rest, ok := strings.Cut(name, "; "); ok && isSentence(rest) {
		name = head
	} else if head, rest, ok := strings.Cut(name, ": "); ok && m.withoutLead(rest) != rest {
		name = head
	}
	name = undress(strings.TrimSpace(name))
	if name == s {
		if isSentence(s) {
			return cmp.Or(m.behindCopula(cutStops(s)), s)
		}
		return s
	}
	name = strings.TrimRight(cutStops(name), " ,;:(–—")
	switch {
	case strings.Trim(name, emptyMarks+stops) == "":
		return s
	case isSentence(name):
		if of := m.behindCopula(name); of != "" {
			return of
		}
	}
	return name
}

// withoutEnding cuts off the word for "is" that ends a sentence in Japanese and Korean.
func (m *final) withoutEnding(s string) string {
	for _, ending := range m.words().rows["ending"] {
		if head, ok := strings.CutSuffix(cutStops(s), ending); ok && head != "" {
			return head
		}
	}
	return s
}

// cutReason cuts a text before a reason that it gives in small letters, and before what it adds to a name.
func (m *final) cutReason(s string) string {
	folded := m.fold(s)
	for at := 1; at < len(folded.String); {
		start, end := m.words().next("reason", folded.String, at)
		if start < 0 {
			break
		}
		from, to := folded.Source(start, end)
		if s[from:to] == strings.ToLower(s[from:to]) {
			return strings.TrimRight(s[:from], " \t,;:-–—(")
		}
		at = end
	}
	if hit := described.FindStringSubmatchIndex(s); hit != nil && hit[0] > 0 {
		return s[:hit[0]]
	}
	return s
}

// described is what a text adds to a name in small letters: ", the capital of Peru", " — a port".
var described = lazy.Compile(`(?:,| [-–—]) (?:the|a|an|which|who) \p{Ll}`)

// behindCopula is what a sentence about "the …" or "its …" says that it is, where that is a name: Lima of
// "The capital is Lima".
func (m *final) behindCopula(s string) string {
	words := strings.Fields(s)
	for i, word := range words {
		if i > 0 && i < maxLineWords && vocabulary().has("copula", word) {
			head := strings.ToLower(words[0])
			rest := words[i+1:]
			for len(rest) > 1 && (vocabulary().has("phrase", rest[0]) || vocabulary().has("naming", rest[0])) {
				rest = rest[1:]
			}
			name := strings.Join(rest, " ")
			isName := isTitle(strings.Join(words[1:i], " ")) // The Price is Right
			isAbout := vocabulary().isAny(head, "article", "determiner", "possessive")
			if name != "" && isAbout && !isName && startsUpper(name) && !isSentence(name) {
				return name
			}
			return ""
		}
	}
	return ""
}

// phraseIn reads a text in the place of the answer, which may be a sentence: then what it joins to the question.
func (m *final) phraseIn(s string) string {
	if m.as == Text && isSentence(s) {
		rest, _ := m.joined(s)
		return cmp.Or(m.doer(s), rest, s)
	}
	return s
}
