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

// maxNameWords limits the names that end in a full stop and have words in lower case: they have at most this
// number of significant words. None of 578 recorded gold answers has more.
const maxNameWords = 4

// isSentence reports whether a line is a sentence, because it has a finite verb in lower case. In names, verbs
// have capitals (Life Is Beautiful). A line that ends in a full stop is also a sentence if it has a participle
// without an article before it, or many words.
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

// isParticiple reports whether a word is a participle that may also be a past tense, such as written and
// directed.
func isParticiple(word string) bool {
	stem, regular := strings.CutSuffix(word, "ed")
	return vocabulary().has("participle", word) || regular && len(stem) > 2 && stem == strings.ToLower(stem) &&
		!strings.HasSuffix(stem, "e")
}

// agent reads the text after the copula of a passive, such as "was". If the question asks who did something, it
// returns the name in "written by William Shakespeare". In all other cases it returns "".
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

// newInMessage returns the answer that a sentence of the message adds to the question. This is the person who
// did the thing in the question, if the last sentence names one. Otherwise it is the new words of the sentence
// that repeats most words of the question.
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

// doer reads from a sentence the person who did the thing in the question. For the question who wrote Hamlet,
// it is the name in "It was first written by William Shakespeare" and in "William Shakespeare wrote Hamlet".
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
		return "" // one attempt per sentence, so that the time stays linear
	}
	return ""
}

// isTitle reports whether all words of a text have capitals, except the words that have lower case in names.
func isTitle(s string) bool {
	words := strings.Fields(s)
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool {
		initial, _ := utf8.DecodeRuneInString(word)
		return !unicode.IsUpper(initial) && !vocabulary().has("particle", word)
	})
}

// joined reads a sentence that connects words of the question with other words by a copula: for "The capital of
// France is Paris." it returns Paris, and the number of repeated words. The other side of the copula may also
// repeat words of the question, but fewer. The side that repeats the question may have other words too, at most
// half as many, if at least three words are repeated.
func (m *final) joined(sentence string) (rest string, repeated int) {
	asked := m.question()
	if len(asked.words) == 0 || !m.words().contains("copula", m.fold(sentence).String) ||
		supposes(strings.ToLower(sentence)) {
		return "", 0
	}
	sentence = strings.TrimLeft(sentence, decoration)
	tokens := m.tokens(sentence)
	// For each token, old counts the words of the sentence before it that the question has, and fresh those
	// that it does not have.
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
			continue // a copula of a relative clause, not of the sentence
		}
		n, behind := old[i], old[last]-old[i]
		more := fresh[last] > fresh[i]
		switch {
		case !done && n > 0 && fresh[i] == 0:
			return "", 0 // the thing that was done is not the person who did it
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
			m.isName() && comparison.MatchString(rest) ||
			len(strings.Fields(rest)) > maxLineWords || strings.ContainsAny(rest, "\r\n") {
			return "", 0
		}
		return rest, n
	}
	return "", 0
}

// nameIn reads the name in a text at the place of the answer, without words that announce, explain or deny: in
// "I believe it is Lima, not Cusco, because the atlas says so" the name is Lima.
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

// withoutEnding removes the word for "is" at the end of a sentence in Japanese and Korean.
func (m *final) withoutEnding(s string) string {
	for _, ending := range m.words().rows["ending"] {
		if head, ok := strings.CutSuffix(cutStops(s), ending); ok && head != "" {
			return head
		}
	}
	return s
}

// cutReason cuts a text before a reason, or before an addition to a name. Reason and addition must begin in
// lower case.
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

// described matches the beginning of an addition to a name, in lower case: ", the capital of Peru", " — a
// port".
var described = lazy.Compile(`(?:,| [-–—]) (?:the|a|an|which|who) \p{Ll}`)

// behindCopula returns the name after the copula in a sentence that begins with "the …" or "its …", such as
// Lima in "The capital is Lima". It returns "" if the text there is not a name.
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

// phraseIn reads the answer from a text at the place of the answer. If the text is a sentence, the answer is
// the part that the sentence connects with the question.
func (m *final) phraseIn(s string) string {
	if m.as == Text && isSentence(s) {
		rest, _ := m.joined(s)
		return cmp.Or(m.doer(s), rest, s)
	}
	return s
}
